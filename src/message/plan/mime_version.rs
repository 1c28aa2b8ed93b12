//! `MIME-Version: 1.0` wherever MIME is used (rule G5).
//!
//! Deviation:
//! 1. A message inside the message gets the field only where something of its MIME is written anew. RFC 2045,
//!    section 4, asks for it in an enclosed message only if that claims to be MIME; no reader makes more of one
//!    that has the field than of one that has not; and a returned or forwarded message is evidence.

use super::Planner;
use crate::message::fields::Field;
use crate::message::header::{Fate, FieldRules};
use crate::message::tag::Tag;
use crate::message::tree::Kind;
use crate::{Code, Rule};

const FIELD: &[u8] = b"MIME-Version: 1.0\r\n";

impl Planner<'_, '_> {
    /// Adds the field to a message that uses MIME and does not say so.
    pub(super) fn plan_mime_version(&mut self, index: usize) {
        let entity = self.entity(index);
        let of_message =
            entity.parent.is_none_or(|parent| matches!(self.entity(parent).kind, Kind::Message(_)));
        let fields = self.tree.fields_of(entity);
        if !of_message || fields.iter().any(|field| field.tag == Tag::MimeVersion) {
            return;
        }
        if entity.parent.is_some() && !self.writes_mime_anew(index) {
            return;
        }
        let content = &entity.content;
        let first = [content.type_field, content.encoding_field, content.disposition_field]
            .into_iter()
            .flatten()
            .min();
        let at = match first {
            Some(field) => self.tree.fields[field].span.start,
            None if self.decided[index].edits.change_type()
                || self.decided[index].edits.encoding.is_some() =>
            {
                return self.add_mime_version_at_end(index);
            }
            None => return,
        };
        self.report_header(index, Code::MimeVersionAdded, at..at, "");
        self.note_added_mime_version(index);
        self.splice(index, at..at, FIELD, Rule::G5, "MIME-Version added");
    }

    /// Whether any body of the entity, or what a Content- field says of it, is written anew.
    fn writes_mime_anew(&self, index: usize) -> bool {
        let depth = self.entity(index).depth;
        let inside = self.tree.entities[index + 1..].iter().take_while(|entity| entity.depth > depth).count();
        let decoded = |at: usize| self.entity(at).inner().is_some_and(|inner| inner.decoded.is_some());
        (index..=index + inside)
            .any(|at| self.decided[at].rewritten || self.decided[at].edits.is_any() || decoded(at))
    }

    /// One that is there stays if it is 7-bit safe; whatever else it says, it means 1.0.
    pub(super) fn plan_written_mime_version(&mut self, index: usize, field: &Field, rules: &FieldRules) {
        let mut issues = Vec::new();
        let fate = match rules.apply(&self.source(index)[field.span.clone()], &mut issues) {
            Fate::Keep => Fate::Keep,
            _ => Fate::Write(FIELD.to_vec()),
        };
        self.settle(index, field, fate, issues, Rule::G5);
    }

    fn add_mime_version_at_end(&mut self, index: usize) {
        let at = self.entity(index).section.fields_end;
        self.report_header(index, Code::MimeVersionAdded, at..at, "");
        self.add_fields(index, FIELD.to_vec());
    }

    fn note_added_mime_version(&mut self, index: usize) {
        if self.may_break_seals(index) {
            let name = "mime-version".to_owned();
            self.changes.push(super::dkim::Change { name, new: FIELD.to_vec(), ..Default::default() });
        }
    }
}
