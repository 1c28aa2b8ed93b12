//! The header rules for one field at a time (normal form, H2 to H11).
//!
//! A field that is in the profile's normal form is kept, octet for octet; most fields are found to be so by
//! [`shape`] alone, without being parsed. Any other is read, and written anew from its tokens: what needs no
//! change goes in as it stood.

mod address;
mod canonical;
mod comment;
mod draft;
mod field;
mod kind;
mod opaque;
mod parameter;
mod phrase;
mod plain;
mod received;
mod shape;
mod spec;
#[cfg(test)]
mod tests;
mod text;
mod typed_address;

pub(crate) use kind::FieldKind;
pub(crate) use parameter::ParameterEdits;

use self::draft::Draft;
use self::field::Field;
use self::shape::Shape;
use super::Profile;
use super::tag::Tag;
use crate::decode::{Fallback, RawText};
use crate::syntax::plain::{PlainMailbox, PlainParameters};
use crate::{Code, Issue, Span};

/// How fields are written.
#[derive(Clone, Copy, Debug)]
pub(crate) struct FieldRules {
    pub(crate) profile: Profile,
    /// What raw octets may be in.
    pub(crate) fallback: Fallback,
}

/// What becomes of a field.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Fate {
    /// It is in the normal form.
    Keep,
    /// These octets take its place: one field or more, CRLF behind each line.
    Write(Vec<u8>),
}

impl FieldRules {
    /// What becomes of `raw`: a whole field, from its name to the end of its last line. Spans of issues are
    /// relative to it.
    pub(crate) fn apply(&self, raw: &[u8], issues: &mut Vec<Issue>) -> Fate {
        let shape = Shape::of(raw);
        let Some(field) = Field::split(raw) else { return self.unparsed(raw, issues) };
        // Most fields need no more than this; a name of another length has no parameters.
        let clean = shape.is_clean() && !field.spaced && !self.asks_for_grammar(&field);
        if clean && !matches!(field.name.len(), 12 | 19) {
            return Fate::Keep;
        }
        let kind = FieldKind::of(field.name);
        if clean && (kind != FieldKind::Parameterised || plain_parameters(&field).is_some()) {
            return Fate::Keep;
        }
        let mut draft = Draft::default();
        match kind {
            FieldKind::Unstructured => self.unstructured(&field, &mut draft),
            FieldKind::AddressList => self.address_list(&field, &shape, &mut draft),
            FieldKind::PhraseList => self.phrase_list(&field, &shape, &mut draft),
            FieldKind::Parameterised => {
                self.parameterised(&field, &shape, &ParameterEdits::default(), &mut draft)
            }
            FieldKind::Opaque => self.opaque(&field, &mut draft),
        }
        draft.finish(&field, &shape, issues)
    }

    /// The same for Content-Type or Content-Disposition, with edits.
    pub(crate) fn apply_parameters(
        &self,
        raw: &[u8],
        edits: &ParameterEdits<'_>,
        issues: &mut Vec<Issue>,
    ) -> Fate {
        let Some(field) = Field::split(raw) else { return self.unparsed(raw, issues) };
        let shape = Shape::of(raw);
        if shape.is_clean()
            && !field.spaced
            && let Some(plain) = plain_parameters(&field)
        {
            return plain::edited(&field, &plain, edits);
        }
        self.apply_any_parameters(&field, &shape, edits, issues)
    }

    /// The same by the full rules.
    fn apply_any_parameters(
        &self,
        field: &Field<'_>,
        shape: &Shape,
        edits: &ParameterEdits<'_>,
        issues: &mut Vec<Issue>,
    ) -> Fate {
        let mut draft = Draft::default();
        self.parameterised(field, shape, edits, &mut draft);
        draft.finish(field, shape, issues)
    }

    /// What becomes of a field that is not to be parsed: it stays if it is plain, else it is kept as text.
    pub(crate) fn apply_unparsed(&self, raw: &[u8], issues: &mut Vec<Issue>) -> Fate {
        if Shape::of(raw).is_clean() { Fate::Keep } else { self.unparsed(raw, issues) }
    }

    /// Whether the mailboxes of a field have to stand as the grammar says (rule H6, archive), and may not.
    fn asks_for_grammar(&self, field: &Field<'_>) -> bool {
        self.profile == Profile::Archive
            && Tag::of(field.name).has_addresses()
            && !PlainMailbox::are_list(field.value())
    }

    /// What raw octets that are not UTF-8 are taken for.
    pub(crate) fn raw_text(&self) -> RawText {
        match self.profile {
            Profile::Transport => RawText::Unknown,
            Profile::Archive => RawText::Guess(self.fallback),
        }
    }

    /// What is no field at all becomes text of one.
    fn unparsed(&self, raw: &[u8], issues: &mut Vec<Issue>) -> Fate {
        issues.push(Issue::new(Code::UnparsedLine, Span::new(0, raw.len())));
        let field = Field { raw, name: b"X-Unparsed", value: Span::new(0, raw.len()), spaced: false };
        let mut draft = Draft::default();
        self.whole_text(&field, &mut draft);
        draft.changed = true;
        draft.finish(&field, &Shape::of(raw), issues)
    }
}

/// The value of Content-Type or Content-Disposition, if it is plain, and a media type where it has to be one.
fn plain_parameters<'v>(field: &Field<'v>) -> Option<PlainParameters<'v>> {
    let typed = Tag::of(field.name) == Tag::ContentType;
    PlainParameters::read(field.value()).filter(|plain| plain.is_type() || !typed)
}
