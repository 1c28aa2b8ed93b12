//! What a field is written from, and the judgement whether it is.

use super::Fate;
use super::field::Field;
use super::shape::Shape;
use crate::encode::{Item, Lines, Rest, Space, settle};
use crate::issue::Tally;
use crate::{Code, Issue, Severity, Span};

/// How many issues of a field are told one by one.
const MOST_TOLD: usize = 100;

/// How many items are laid out at once.
const MANY: usize = 64;

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
    /// What came before those, if that was laid out already.
    lines: Option<Lines>,
    /// How many items are settled.
    settled: usize,
    /// Whether the tokens say something else than the field does, or say it otherwise.
    pub(super) changed: bool,
    /// The name, where it changes.
    pub(super) name: Option<Vec<u8>>,
    pub(super) tally: Tally,
    /// Issues with a detail; spans are relative to the field.
    issues: Vec<Issue>,
    /// Those for which there was no room.
    more: Tally,
}

impl<'a> Draft<'a> {
    /// A draft of what is written anew.
    pub(super) fn to_write() -> Self {
        Self { pass: Pass::Write, ..Self::default() }
    }

    /// Adds a token that stays as it is.
    pub(super) fn plain(&mut self, space: impl Into<Space>, octets: &'a [u8]) {
        self.items.push(Item::plain(space, octets));
    }

    /// Lays out what nothing will be changed of, so that not all items of a long field are kept.
    #[inline]
    pub(super) fn advance(&mut self, field: &Field<'_>) {
        if self.items.len() >= MANY.max(2 * self.settled) {
            self.lay_out(field);
        }
    }

    fn lay_out(&mut self, field: &Field<'_>) {
        let laid = match self.pass {
            Pass::Look => self.items.len() - 1,
            Pass::Write => self.lay(field, Rest::Items),
        };
        self.items.drain(..laid);
        self.settled = self.items.len();
    }

    fn lay(&mut self, field: &Field<'_>, rest: Rest) -> usize {
        settle(&mut self.items, self.settled);
        let lines = self.lines.get_or_insert_with(|| {
            if let Some(first) = self.items.first_mut() {
                first.space = Space::ONE;
            }
            Lines::of_field(self.name.as_deref().unwrap_or(field.name), field.value.len())
        });
        lines.lay(&self.items, rest)
    }

    /// Reports something in words; what happens again and again is summed up in the end. `span` is relative to the field.
    pub(super) fn tell(&mut self, code: Code, span: Span, detail: impl FnOnce() -> String) {
        if self.issues.len() < MOST_TOLD {
            self.issues.push(Issue::new(code, span).with_detail(detail()));
        } else {
            self.more.note(code, span);
        }
    }

    /// Marks that something was repaired.
    pub(super) fn repair(&mut self, code: Code, span: Span) {
        self.changed = true;
        self.tally.note(code, span);
    }

    /// The end of it: the field as it was, if nothing has to change.
    pub(super) fn finish(mut self, field: &Field<'_>, shape: &Shape, issues: &mut Vec<Issue>) -> Fate {
        let keep = !self.changed && !field.spaced && shape.is_fine();
        let found = std::mem::take(&mut self.tally).issues().map(|issue| {
            let span = issue.span();
            let start = field.value.start + span.start;
            issue.at(Span::new(start.min(field.raw.len()), (start + span.len()).min(field.raw.len())))
        });
        issues.extend(found.filter(|issue| !keep || issue.severity() == Severity::Note));
        if keep {
            return Fate::Keep;
        }
        issues.append(&mut self.issues);
        issues.extend(std::mem::take(&mut self.more).issues());
        let spaced = field.spaced.then_some(Code::SpaceBeforeColon);
        let whole = Span::new(0, field.raw.len());
        issues.extend(spaced.into_iter().chain(shape.codes()).map(|code| Issue::new(code, whole)));
        self.lay(field, Rest::Nothing);
        Fate::Write(self.lines.map(Lines::into_field).unwrap_or_default())
    }
}
