//! Unstructured fields, and text inside structured ones (rules H3, H4, H5).

use super::draft::Draft;
use super::encoded_words::{Before, Found, read_words, torn_runs};
use super::raw_field::RawField;
use super::raw_text::{Source, WordPolicy, read_raw};
use super::rules::FieldRules;
use crate::Span;
use crate::decode::{Segment, literal_text, segments, text};
use crate::encode::{Place, TextWords};

/// Returns whether a clean field is in normal form: it is its own text. A rule that changes clean fields must
/// be reflected here; `field/tests/ways.rs` fails until it is.
#[inline]
pub(super) fn is_normal<'a>(_: impl FnOnce() -> RawField<'a>) -> bool {
    true
}

/// Returns a field that is text.
pub(super) fn draft<'a>(field: &RawField<'a>, rules: &FieldRules) -> Draft<'a> {
    let mut draft = Draft::to_probe(field, rules);
    let mut out = TextWords::default();
    let octets = field.value();
    let span = Span::new(0, octets.len());
    let source = Source { octets, span, place: Place::Unstructured, words: WordPolicy::Allowed };
    draft.changed |= read_text(&mut draft, &source, &mut out);
    out.append_to(&mut draft.items, Place::Unstructured);
    draft
}

/// Returns a line that is not a field, as the text of one.
pub(super) fn draft_of_unparsed<'a>(field: &RawField<'a>, rules: &FieldRules) -> Draft<'a> {
    let mut draft = Draft::to_probe(field, rules);
    draft.changed = true;
    write_whole_text(&mut draft);
    draft
}

/// Writes a whole value as text in which nothing is an encoded-word.
pub(super) fn write_whole_text(draft: &mut Draft<'_>) {
    let mut out = TextWords::default();
    let value = draft.value();
    read_raw(draft, value, Span::new(0, value.len()), &mut out);
    out.append_to(&mut draft.items, Place::Unstructured);
}

/// Reads text into `out`; returns whether it has to be written differently.
pub(super) fn read_text(draft: &mut Draft<'_>, source: &Source<'_>, out: &mut TextWords<'_>) -> bool {
    if let Some(text) = literal_text(source.octets) {
        out.text(text);
        return false;
    }
    let mut changed = false;
    let (mut kept, mut last) = (None, Span::default());
    let raw = draft.rules.raw_text();
    let torn = if draft.rules.policy.transcodes_fields { torn_runs(source, raw) } else { Vec::new() };
    let octets_of = |span: Span| &source.octets[span.start..span.end];
    segments(source.octets, |segment| {
        out.break_reading();
        match segment {
            Segment::Raw(span) => {
                kept = None;
                changed |= read_raw(draft, octets_of(span), source.at(span), out);
                // Nothing is left of it, and words around it were read apart: together they could be text the
                // next time (rule G7).
                if out.ends_encoded_and_apart() && !text(octets_of(last), &raw).is_lossless() {
                    out.text(" ");
                }
            }
            Segment::Words(words) => {
                last = words.span;
                let run = torn.partition_point(|run| run.end < words.span.end);
                let is_torn = torn.get(run).is_some_and(|run| run.start <= words.span.start);
                let before = Before { kept, is_torn };
                let found = read_words(draft, source, words, &before, out);
                changed |= found == Found::Changed;
                kept = (found == Found::Kept).then_some(words.span.end);
            }
        }
    });
    changed
}
