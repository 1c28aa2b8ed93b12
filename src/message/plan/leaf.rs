//! Leaves: which rules speak of a body.

use std::borrow::Cow;

use super::Planner;
use super::boundaries::STEM;
use super::zones::Zone;
use crate::ascii::trim_fws;
use crate::message::recode::{Content, Recode, Target};
use crate::message::splice::Replacement;
use crate::message::tree::{Kind, Leaf};
use crate::transfer::{Spelling, Survey, TransferEncoding, choose_encoded};
use crate::{Code, Rule};

/// A replacement up to this many octets is made while planning; a bigger one while writing.
const MADE_AT_ONCE: usize = 256 * 1024;

impl Planner<'_, '_> {
    /// Decides about one leaf.
    pub(super) fn plan_leaf(&mut self, index: usize) {
        let entity = self.entity(index);
        let content = &entity.content;
        match entity.kind {
            Kind::Leaf(Leaf::PastLimit) => self.make_opaque(index, Code::PartOpaque),
            Kind::Leaf(Leaf::NoBoundary) => self.plan_without_boundary(index),
            _ if content.is_fields() && self.decided[index].zone == Zone::Free => self.plan_fields(index),
            _ if content.top_type() == "message" => self.plan_message_leaf(index),
            _ if content.is_inline_text() => self.plan_text(index),
            _ => self.plan_file(index),
        }
        self.plan_encoding_label(index);
    }

    /// Rule B6: the octets of a file are kept; plain text in it may get a label.
    fn plan_file(&mut self, index: usize) {
        self.plan_data(index);
        self.label_text_file(index);
    }

    /// Rule B8: a multipart without its boundary is text.
    fn plan_without_boundary(&mut self, index: usize) {
        let nothing = trim_fws(self.body(index)).is_empty();
        if nothing || (!self.archive() && self.has_safe_lines(index)) {
            // Every reader sees a multipart without parts. An archive makes what is in it visible.
            return;
        }
        let body = self.entity(index).body.clone();
        let edits = &mut self.decided[index].edits;
        edits.media_type = Some("text/plain");
        edits.no_boundary = true;
        self.report(index, Code::BoundaryMissing, body, "the body is written as text/plain");
        if self.entity(index).content.is_file() {
            self.plan_file(index);
        } else {
            self.plan_text(index);
        }
    }

    /// The media type that an entity is given in the end.
    pub(super) fn written_type(&self, index: usize) -> &str {
        self.decided[index].edits.media_type.unwrap_or(self.entity(index).content.media_type())
    }

    /// Rule B1: a label that was spelt oddly is written right, and one that is wrong is not kept.
    fn plan_encoding_label(&mut self, index: usize) {
        let content = &self.entity(index).content;
        let Some(field) = content.encoding_field else { return };
        let span = self.tree.fields[field].span.clone();
        let written = self.decided[index].edits.encoding;
        if content.encoding == TransferEncoding::Unknown {
            // A label that nobody knows stays where the octets do.
            if written.is_some() {
                let value = self.tree.fields[field].value_of(self.source(index));
                let label = String::from_utf8_lossy(trim_fws(value)).into_owned();
                self.report_header(index, Code::EncodingUnknown, span, label);
            }
        } else if content.spelling == Spelling::Odd && self.decided[index].zone == Zone::Free {
            let encoding = written.unwrap_or(content.encoding);
            self.decided[index].edits.encoding = Some(encoding);
            self.report_header(index, Code::EncodingLabelRepaired, span, encoding.name());
        }
    }

    /// Whether the body as it stands is 7-bit safe; line ends of lines are mended while copying.
    pub(super) fn body_survey(&self, index: usize) -> Survey {
        self.survey(index, self.entity(index).body.clone())
    }

    /// Writes the body in another encoding (rule B3), described if it is big.
    pub(super) fn recode(&mut self, index: usize, content: Content, to: Target) {
        let recode = self.described(index, content, to);
        let raw = self.body(index);
        let made = (raw.len() <= MADE_AT_ONCE).then(|| recode.made(&recode.content(raw)));
        self.put_recoded(index, recode, made);
    }

    /// The same where the content is known already.
    pub(super) fn recode_known(&mut self, index: usize, content: Content, known: &[u8], to: Target) {
        let recode = self.described(index, content, to);
        let made = (self.body(index).len() <= MADE_AT_ONCE).then(|| recode.made(known));
        self.put_recoded(index, recode, made);
    }

    fn described(&self, index: usize, content: Content, to: Target) -> Recode {
        let from = self.entity(index).content.encoding;
        let boundaries = self.boundaries_around(index).into_iter().map(<[u8]>::to_vec).collect();
        Recode { from, content, to, boundaries }
    }

    fn put_recoded(&mut self, index: usize, recode: Recode, made: Option<Vec<u8>>) {
        let entity = self.entity(index);
        let encoding = recode.to.encoding();
        if encoding != recode.from {
            self.decided[index].edits.encoding = Some(encoding);
        }
        let with = match made {
            Some(made) => Replacement::Octets(Cow::Owned(made)),
            None => Replacement::Recode(Box::new(recode)),
        };
        self.replace(index, entity.source, entity.body.clone(), with, Rule::B3, "body encoded again");
        self.decided[index].rewritten = true;
        self.report(index, Code::Reencoded, entity.body.clone(), encoding.name());
    }

    /// Rule B3 for content that is lines: quoted-printable or base64, whichever is shorter.
    pub(super) fn shorter_for_lines(&self, index: usize, content: &[u8]) -> Target {
        match choose_encoded(content, &self.boundaries_around(index)) {
            TransferEncoding::Base64 => Target::Base64,
            _ => Target::QuotedText,
        }
    }

    /// The boundaries of all multiparts around an entity, whatever source they are in.
    pub(super) fn boundaries_around(&self, index: usize) -> Vec<&[u8]> {
        let mut found = Vec::new();
        let mut at = self.entity(index).parent;
        while let Some(parent) = at {
            if let Kind::Multipart(multipart) = &self.entity(parent).kind {
                found.push(multipart.boundary.as_slice());
            }
            at = self.entity(parent).parent;
        }
        if !found.is_empty() {
            // Any of them may yet be renamed.
            found.push(STEM.as_bytes());
        }
        found
    }
}
