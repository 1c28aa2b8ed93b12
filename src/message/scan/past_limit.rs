//! The limits of parts, of fields and of raw text in them (rule G13).

use super::Scanner;
use crate::message::delimiters::dashed_lines;
use crate::message::field::{DUPLICATE, Field, MAX_NAME, RowId, old_name};
use crate::message::line_ends::without_line_end;
use crate::message::tree::{Kind, Leaf, Tree};

/// How many fields, and runs of raw text in them, have been counted, and of how many entities.
#[derive(Debug, Default)]
pub(super) struct Counted {
    fields: OfEntities,
    runs: OfEntities,
}

#[derive(Debug, Default)]
struct OfEntities {
    entities: usize,
    count: usize,
}

impl OfEntities {
    /// Adds what `of` counts in entities that were not counted yet; returns the sum for all.
    fn add(&mut self, tree: &Tree<'_>, of: impl Fn(&Field, &[u8]) -> usize) -> usize {
        for entity in &tree.entities[self.entities..] {
            let source = tree.source_of(entity);
            self.count += tree.fields_of(entity).iter().map(|field| of(field, source)).sum::<usize>();
        }
        self.entities = tree.entities.len();
        self.count
    }
}

impl Counted {
    /// Returns whether there are as many fields or runs as allowed.
    fn reach(&mut self, most: usize, tree: &Tree<'_>) -> bool {
        let fields = &mut self.fields;
        let is_any = |field: &Field, source: &[u8]| usize::from(counts(field, source));
        self.runs.add(tree, raw_runs) >= most || tree.fields.len() >= most && fields.add(tree, is_any) >= most
    }
}

/// Returns how many runs of octets above 7F a field has: each takes a word of its own where it is written, ten
/// times as long as it is. Those past the limit of a header count too, since that may be lowered (rule G13).
fn raw_runs(field: &Field, source: &[u8]) -> usize {
    let octets = &source[field.span.clone()];
    if !field.may_need_a_guess() || octets.is_ascii() {
        return 0;
    }
    let begins = |(before, octet): &(&u8, &u8)| before.is_ascii() && !octet.is_ascii();
    std::iter::once(&b'\n').chain(octets).zip(octets).filter(begins).count()
}

/// Returns whether a field counts: not one that normalising may add, nor one that it may give another name. So
/// what is written never has more of them. What has too long a name becomes a field of another kind.
fn counts(field: &Field, source: &[u8]) -> bool {
    let name = old_name(field.name(source));
    name.len() + DUPLICATE.len() > MAX_NAME || RowId::of(name).mime.is_none()
}

impl Scanner<'_, '_> {
    /// Returns whether no more parts are read: there are as many as allowed, or their headers have as many
    /// fields, or runs of raw text.
    pub(super) fn is_full(&mut self) -> bool {
        self.tree.entities.len() >= self.limits.parts || self.counted.reach(self.limits.fields, &self.tree)
    }

    /// Returns the end, in the last part that is read, of what is past a limit: after the last line that
    /// would begin another part. From there on only close delimiters count, so that what is written has its
    /// parts within the limit.
    pub(super) fn past_limit(&mut self, source: usize, from: usize, leaf: Option<usize>) -> usize {
        let Some(leaf) = leaf else { return from };
        if !self.is_full() {
            return from;
        }
        let octets: &[u8] = &self.tree.sources[source].octets;
        let (mut open, mut is_closed, mut end) = (self.open.clone(), false, None);
        for line in dashed_lines(octets, from..octets.len()) {
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
        self.tree.entities[leaf].kind = Kind::Leaf(Leaf::WithOthers);
        end
    }
}

#[cfg(test)]
mod tests {
    use crate::{Limits, Message, Normalizer, Profile};

    const MOST: usize = 10;

    /// A multipart of messages with `fields` fields each.
    fn message(parts: usize, fields: &str) -> Vec<u8> {
        let part = format!("--b\r\nContent-Type: message/rfc822\r\n\r\n{fields}\r\nText.\r\n");
        let head = "MIME-Version: 1.0\r\nContent-Type: multipart/mixed; boundary=b\r\n\r\n";
        [head, &part.repeat(parts), "--b--\r\n"].concat().into_bytes()
    }

    /// Returns how many parts are read of a message; its normal form has no more, and is one.
    fn parts_read(message: &[u8]) -> usize {
        let limits = Limits { fields: MOST, ..Limits::default() };
        let parts = Message::parse_with(message, limits).parts().count();
        for profile in [Profile::Archive, Profile::Transport] {
            let normalizer = Normalizer::new().profile(profile).limits(limits);
            let once = normalizer.normalize(message).into_octets();
            assert_eq!(Message::parse_with(&once, limits).parts().count(), parts, "{profile:?}");
            let twice = normalizer.normalize(&once);
            assert_eq!(
                String::from_utf8_lossy(twice.octets()),
                String::from_utf8_lossy(&once),
                "{profile:?}"
            );
        }
        parts
    }

    #[test]
    fn no_more_parts_are_read_after_as_many_fields() {
        // The multipart, and for each part that it has a message and what is in that.
        assert_eq!(parts_read(&message(2, "A: b\r\nC: d\r\nE: f\r\n")), 1 + 2 * 2);
        assert_eq!(parts_read(&message(9, "A: b\r\nC: d\r\nE: f\r\n")), 1 + 4 * 2);
        assert_eq!(parts_read(&message(9, &"A: \u{e9}\r\n".repeat(2 * MOST))), 1 + 2);
    }

    #[test]
    fn no_more_parts_are_read_after_as_many_runs_of_raw_text() {
        let runs = |fields: &str| parts_read(&message(9, fields));
        assert_eq!(runs("Keywords: \u{e9}, \u{e9}, \u{e9}\r\n"), 1 + 4 * 2);
        assert_eq!(runs("Content-Type: text/plain; a=\u{e9};\r\n b=\u{e9}\r\n"), 1 + 5 * 2);
        assert_eq!(runs(&format!("Subject: {}\r\n", "\u{e9}".repeat(MOST))), 1 + 9 * 2);
        assert_eq!(runs("Subject: =?utf-8?Q?=C3=A9?= =?utf-8?Q?=C3=A9?=\r\n"), 1 + 9 * 2);
    }

    #[test]
    fn fields_that_normalising_adds_or_renames_do_not_count() {
        let content = "Content-Type: text/plain\r\nContent-ID: <\u{e9}@b>\r\n";
        for fields in [content.repeat(3), content.to_owned(), "X: y\r\n".to_owned()] {
            assert_eq!(parts_read(&message(3, &fields)), 1 + 3 * 2, "{fields}");
        }
        let long = format!("Content-{}: x\r\n", "a".repeat(900));
        assert_eq!(parts_read(&message(9, &long)), 1 + 9 * 2);
        let longer = format!("Content-{0}: x\r\nContent-{0}: y\r\n", "a".repeat(970));
        assert_eq!(parts_read(&message(9, &longer)), 1 + 5 * 2);
    }
}
