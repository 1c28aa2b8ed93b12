//! A field taken apart at its colon, and what it is written from.

use super::Fate;
use super::shape::Shape;
use crate::ascii::is_fws;
use crate::encode::{self, Item, Token, settle};
use crate::issue::Tally;
use crate::{Code, Issue, Severity, Span};

/// The longest name of a field; beside a longer one no value fits on the line.
const MOST_NAME: usize = 900;

/// A field as it stands.
#[derive(Clone, Copy, Debug)]
pub(super) struct Field<'a> {
    pub(super) raw: &'a [u8],
    pub(super) name: &'a [u8],
    /// What follows the colon, without the last line end.
    pub(super) value: Span,
    /// Whether white space stands between name and colon.
    pub(super) spaced: bool,
}

impl<'a> Field<'a> {
    /// `field = field-name *WSP ":" unstructured CRLF`
    pub(super) fn split(raw: &'a [u8]) -> Option<Self> {
        let colon = memchr::memchr(b':', raw)?;
        let before = &raw[..colon];
        let length = before.iter().rposition(|&o| !is_fws(o)).map_or(0, |at| at + 1);
        let name = &before[..length];
        let fine = !name.is_empty() && length <= MOST_NAME && name.iter().all(u8::is_ascii_graphic);
        let end = raw.iter().rposition(|o| !matches!(o, b'\r' | b'\n')).map_or(0, |at| at + 1);
        fine.then(|| Self {
            raw,
            name,
            value: Span::new(colon + 1, end.max(colon + 1)),
            spaced: length < colon,
        })
    }

    pub(super) fn value(&self) -> &'a [u8] {
        &self.raw[self.value.start..self.value.end]
    }
}

/// What a draft is made for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Pass {
    /// To see whether anything has to change.
    #[default]
    Look,
    /// To be written: what is merely odd is mended on the way.
    Write,
}

/// A field as it is to be written.
#[derive(Debug, Default)]
pub(super) struct Draft<'a> {
    pub(super) pass: Pass,
    pub(super) items: Vec<Item<'a>>,
    /// Whether the tokens say something else than the field does, or say it otherwise.
    pub(super) changed: bool,
    /// The name, where it changes.
    pub(super) name: Option<Vec<u8>>,
    /// Whether nothing is left of the field.
    pub(super) dropped: bool,
    pub(super) tally: Tally,
    /// Issues with a detail; spans are relative to the field.
    pub(super) issues: Vec<Issue>,
}

impl<'a> Draft<'a> {
    /// Adds a token that stays as it is.
    pub(super) fn plain(&mut self, space: impl Into<std::borrow::Cow<'a, [u8]>>, octets: &'a [u8]) {
        self.items.push(Item::plain(space, octets));
    }

    /// Marks that something was repaired.
    pub(super) fn repair(&mut self, code: Code, span: Span) {
        self.changed = true;
        self.tally.note(code, span);
    }

    /// The end of it: the field as it was, if nothing has to change.
    pub(super) fn finish(mut self, field: &Field<'_>, shape: &Shape, issues: &mut Vec<Issue>) -> Fate {
        let keep = !self.changed && !field.spaced && shape.is_fine();
        let tally = std::mem::take(&mut self.tally).into_issues();
        let found = tally.into_iter().map(|issue| {
            let span = issue.span();
            let start = field.value.start + span.start;
            issue.at(Span::new(start.min(field.raw.len()), (start + span.len()).min(field.raw.len())))
        });
        issues.extend(found.filter(|issue| !keep || issue.severity() == Severity::Note));
        if keep {
            return Fate::Keep;
        }
        issues.append(&mut self.issues);
        shape.report(field, issues);
        if self.dropped {
            return Fate::Drop;
        }
        let name = self.name.as_deref().unwrap_or(field.name);
        Fate::Write(encode::field(name, &settle(self.items)))
    }
}

/// Whether any of the items is written in encoded-words.
pub(super) fn encodes(items: &[Item<'_>]) -> bool {
    items.iter().any(|item| matches!(item.token, Token::Encode(_)))
}
