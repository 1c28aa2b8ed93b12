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
        let begins_part = |start: &usize| {
            let line = *start..line_end(octets, *start);
            let found = self.open.find(without_line_end(&octets[line.clone()]));
            found.is_some_and(|found| !found.close && !self.ends_multipart(octets, &line, found.entity))
        };
        let first = octets[from..].starts_with(DASHES).then_some(from);
        let lines = first.into_iter().chain(DELIMITER.find_iter(&octets[from..]).map(|at| from + at + 1));
        let Some(last) = lines.filter(begins_part).last() else { return from };
        let end = line_end(octets, last);
        self.tree.entities[leaf].kind = Kind::Leaf(Leaf::PastLimit);
        end
    }
}
