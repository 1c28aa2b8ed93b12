//! The limit of parts (rule G13).

use super::{DELIMITER, Scanner};
use crate::message::delimiters::DASHES;
use crate::message::line_ends::{line_end, without_line_end};
use crate::message::tree::{Kind, Leaf};

impl Scanner<'_, '_> {
    /// Returns the end, in the last part that is read, of what is past the limit of parts: after the last
    /// line that would begin another part. From there on only close delimiters count, so that what is written
    /// has its parts within the limit.
    pub(super) fn past_limit(&mut self, source: usize, from: usize, leaf: Option<usize>) -> usize {
        let Some(leaf) = leaf.filter(|_| self.tree.entities.len() >= self.limits.parts) else { return from };
        let octets: &[u8] = &self.tree.sources[source].octets;
        let first = octets[from..].starts_with(DASHES).then_some(from);
        let lines = first.into_iter().chain(DELIMITER.find_iter(&octets[from..]).map(|at| from + at + 1));
        let (mut open, mut is_closed, mut end) = (self.open.clone(), false, None);
        for start in lines {
            let line = start..line_end(octets, start);
            let Some(found) = open.find(without_line_end(&octets[line.clone()])) else { continue };
            if found.close || self.ends_multipart(octets, &line, found.entity) {
                open.close_with_inside(found.entity);
                is_closed = true;
            } else {
                end = Some(line.end);
                if std::mem::take(&mut is_closed) {
                    // What closed before this line goes with it.
                    open.reopen(&self.open);
                }
            }
        }
        let Some(end) = end else { return from };
        self.tree.entities[leaf].kind = Kind::Leaf(Leaf::PastLimit);
        end
    }
}
