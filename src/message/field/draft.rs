//! The draft that a field is written from, and the decision whether it is written.

use super::raw_field::RawField;
use super::rules::FieldRules;
use super::verdict::FieldVerdict;
use crate::encode::{Item, Lines, Octets, Rest, Space, settle};
use crate::report::Tally;
use crate::syntax::lexical::unfolded;
use crate::{Code, Issue, Severity, Span};

/// How many issues of a field are reported individually.
const MAX_REPORTED: usize = 100;

/// How many items are laid out in one go.
const MANY: usize = 64;

/// A field as it would be written: anything merely odd is mended on the way. The field stays if
/// nothing else has changed.
#[derive(Debug)]
pub(super) struct Draft<'a> {
    pub(super) field: RawField<'a>,
    pub(super) rules: FieldRules,
    /// Whether anything that does not fit on a line has to be cut. If all lines are fine,
    /// everything already fits.
    pub(super) cuts_long: bool,
    pub(super) items: Vec<Item<'a>>,
    /// The lines before the items, if any have been laid out already.
    lines: Option<Lines>,
    /// How many items are settled.
    settled: usize,
    /// Whether the tokens differ from the field, in content or in form.
    pub(super) changed: bool,
    /// The new name, if it changes.
    pub(super) name: Option<Vec<u8>>,
    /// Issues that change nothing by themselves; if the field stays, only notes are reported. Spans
    /// are in the value, as those of `issues`.
    pub(super) tally: Tally,
    /// Issues with a detail.
    issues: Vec<Issue>,
}

impl<'a> Draft<'a> {
    pub(super) fn new(field: &RawField<'a>, rules: &FieldRules) -> Self {
        Self {
            field: *field,
            rules: *rules,
            cuts_long: !field.is_clean(),
            items: Vec::new(),
            lines: None,
            settled: 0,
            changed: false,
            name: None,
            tally: Tally::default(),
            issues: Vec::new(),
        }
    }

    /// Returns the value of the field.
    pub(super) fn value(&self) -> &'a [u8] {
        self.field.value()
    }

    /// Returns the octets of a span of the value.
    pub(super) fn octets(&self, span: Span) -> &'a [u8] {
        &self.value()[span.start..span.end]
    }

    /// Returns the white space of the value without its folds.
    pub(super) fn space(&self, span: Span) -> Space {
        unfolded(self.octets(span)).into()
    }

    /// Sets the white space before an item, if there is such an item.
    pub(super) fn set_space(&mut self, item: usize, space: Space) {
        if let Some(item) = self.items.get_mut(item) {
            item.space = space;
        }
    }

    /// Adds a token that stays as it is.
    pub(super) fn token(&mut self, space: impl Into<Space>, octets: impl Into<Octets<'a>>) {
        self.items.push(Item::plain(space, octets));
    }

    /// Lays out items that will no longer change, so that not all items of a long field are kept.
    #[inline]
    pub(super) fn lay_out_settled(&mut self) {
        if self.items.len() >= MANY.max(2 * self.settled) {
            let laid = self.lay(Rest::Items);
            self.items.drain(..laid);
            self.settled = self.items.len();
        }
    }

    /// Returns whether the lines laid out so far are longer than a header section may become.
    pub(super) fn exceeds_header_limit(&self) -> bool {
        self.lines.as_ref().is_some_and(|lines| lines.written() > self.rules.max_header_octets)
    }

    fn lay(&mut self, rest: Rest) -> usize {
        settle(&mut self.items, self.settled);
        let lines = self.lines.get_or_insert_with(|| {
            if let Some(first) = self.items.first_mut() {
                first.space = Space::ONE;
            }
            Lines::of_field(
                self.name.as_deref().unwrap_or(self.field.name()),
                self.field.value().len(),
            )
        });
        lines.lay(&self.items, rest)
    }

    /// Reports an issue with a detail, if the field is written; repeated issues are summed up at
    /// the end. This alone changes nothing: see `changed`. `span` is in the value.
    pub(super) fn report(&mut self, code: Code, span: Span, detail: impl FnOnce() -> String) {
        if self.issues.len() < MAX_REPORTED {
            self.issues.push(Issue::new(code, span).with_detail(detail()));
        } else {
            self.tally.note(code, span);
        }
    }

    /// Reports an issue for which the field has to be written, whatever the code's severity. `span`
    /// is in the value.
    pub(super) fn repair(&mut self, code: Code, span: Span) {
        self.changed = true;
        self.tally.note(code, span);
    }

    /// Ends the draft: the field stays if nothing has to change.
    pub(super) fn finish(mut self, issues: &mut Vec<Issue>) -> FieldVerdict {
        if self.changed || self.field.is_spaced() || !self.field.lines.are_fine() {
            let raw = self.field.raw;
            let found = self.take_issues();
            return match self.written() {
                // What cannot be read may be written as it stands already.
                FieldVerdict::Write(made) if made == raw => {
                    let found = found.into_iter();
                    issues.extend(found.filter(|issue| issue.severity() != Severity::Repair));
                    FieldVerdict::Keep
                }
                verdict => {
                    issues.extend(found);
                    verdict
                }
            };
        }
        let notes = std::mem::take(&mut self.tally)
            .issues()
            .filter(|issue| issue.severity() == Severity::Note);
        issues.extend(notes.map(|issue| in_field(issue, &self.field)));
        FieldVerdict::Keep
    }

    /// Takes the issues of a field that is written, with spans in the field.
    pub(super) fn take_issues(&mut self) -> Vec<Issue> {
        let field = self.field;
        let found = std::mem::take(&mut self.tally).issues().chain(self.issues.drain(..));
        let mut issues: Vec<Issue> = found.map(|issue| in_field(issue, &field)).collect();
        let spaced = field.is_spaced().then_some(Code::SpaceBeforeColon);
        let whole = Span::new(0, field.raw.len());
        issues.extend(
            spaced.into_iter().chain(field.lines.codes()).map(|code| Issue::new(code, whole)),
        );
        issues
    }

    /// Ends the draft of a field that is written.
    pub(super) fn written(mut self) -> FieldVerdict {
        self.lay(Rest::Nothing);
        FieldVerdict::Write(self.lines.map(Lines::into_field).unwrap_or_default())
    }
}

/// Returns an issue whose span is in the value with its span in the field.
fn in_field(issue: Issue, field: &RawField<'_>) -> Issue {
    let span = issue.span();
    let (start, end) =
        (field.value_start + span.start, field.value_start + span.start + span.len());
    issue.at(Span::new(start.min(field.raw.len()), end.min(field.raw.len())))
}
