//! What a field is written from, and the judgement whether it is.

use super::Fate;
use super::field::Field;
use super::shape::Shape;
use crate::encode::{self, Item, settle};
use crate::issue::Tally;
use crate::{Code, Issue, Severity, Span};

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
        let spaced = field.spaced.then_some(Code::SpaceBeforeColon);
        let whole = Span::new(0, field.raw.len());
        issues.extend(spaced.into_iter().chain(shape.codes()).map(|code| Issue::new(code, whole)));
        if let Some(first) = self.items.first_mut() {
            first.space = b" ".into();
        }
        let name = self.name.as_deref().unwrap_or(field.name);
        Fate::Write(encode::field(name, &settle(self.items)))
    }
}
