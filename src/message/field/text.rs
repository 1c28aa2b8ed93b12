//! Unstructured fields, and text inside structured ones (rules H3, H4, H5).

use super::draft::Draft;
use super::encoded_words::{Found, read_words};
use super::raw_field::RawField;
use super::raw_text::{Source, WordPolicy, read_raw};
use super::rules::FieldRules;
use crate::Span;
use crate::decode::{Segment, literal_text, segments};
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
    let mut kept = None;
    segments(source.octets, |segment| {
        out.break_reading();
        let found = match segment {
            Segment::Raw(span) => {
                let octets = &source.octets[span.start..span.end];
                changed |= read_raw(draft, octets, source.at(span), out);
                None
            }
            Segment::Words(words) => {
                let found = read_words(draft, source, words, kept, out);
                changed |= found == Found::Changed;
                (found == Found::Kept).then_some(words.span.end)
            }
        };
        // Nothing is left of it: what is around it was read apart, and must not be read together (rule G7).
        if out.ends_encoded_and_apart() {
            out.text(" ");
        }
        kept = found;
    });
    changed
}
