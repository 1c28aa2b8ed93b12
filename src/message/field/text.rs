//! Unstructured fields, and text inside structured ones (rules H3, H4, H5).

use super::DOWNGRADED;
use super::doubtful;
use super::draft::Draft;
use super::encoded_words::read_words;
use super::raw_field::RawField;
use super::raw_text::{TextSource, WordPolicy, read_raw};
use super::rules::FieldRules;
use crate::Code;
use crate::decode::{Segment, literal_text, segments};
use crate::encode::{Place, TextWords};

/// Returns a field that is text.
pub(super) fn draft<'a>(field: &RawField<'a>, rules: &FieldRules) -> Draft<'a> {
    let mut draft = Draft::new(field, rules);
    draft.changed |= write_text(&mut draft);
    draft
}

/// Returns a line that is not a field, as the text of one.
pub(super) fn draft_of_unparsed<'a>(field: &RawField<'a>, rules: &FieldRules) -> Draft<'a> {
    let mut draft = Draft::new(field, rules);
    draft.repair(Code::UnparsedLine, field.span());
    write_text(&mut draft);
    draft
}

/// Renames a field that 7 bits cannot carry, and writes its value as text (rule H9; RFC 6857,
/// 3.1.10).
pub(super) fn rename(draft: &mut Draft<'_>) {
    let field = draft.field;
    draft.items.clear();
    draft.changed = true;
    draft.name = Some([DOWNGRADED, field.name()].concat());
    draft.report(Code::FieldDowngraded, field.span(), || {
        String::from_utf8_lossy(field.name()).into_owned()
    });
    write_text(draft);
}

/// Writes a whole value as text; returns whether it has to be written differently.
fn write_text(draft: &mut Draft<'_>) -> bool {
    let mut out = TextWords::default();
    let (octets, span) = (draft.value(), draft.field.span());
    let source =
        TextSource { octets, span, place: Place::Unstructured, words: WordPolicy::Allowed };
    let changed = read_text(draft, &source, &mut out);
    out.append_to(&mut draft.items, Place::Unstructured);
    changed
}

/// Reads text into `out`; returns whether it has to be written differently.
pub(super) fn read_text(
    draft: &mut Draft<'_>,
    source: &TextSource<'_>,
    out: &mut TextWords<'_>,
) -> bool {
    if let Some(text) = literal_text(source.octets) {
        out.text(text);
        return false;
    }
    if let Some(text) = doubtful::mend(draft, &[(false, source.octets)], source.span) {
        out.text(&text);
        return true;
    }
    read_piece(draft, source, out)
}

/// Reads a piece of a text, which is judged as a whole, into `out`; returns whether it has to be
/// written differently.
pub(super) fn read_piece(
    draft: &mut Draft<'_>,
    source: &TextSource<'_>,
    out: &mut TextWords<'_>,
) -> bool {
    if let Some(text) = literal_text(source.octets) {
        out.text(text);
        return false;
    }
    let mut changed = false;
    let mut kept = None;
    segments(source.octets, |segment| {
        out.break_reading();
        changed |= match segment {
            Segment::Raw(span) => {
                kept = None;
                read_raw(draft, &source.octets[span.start..span.end], source.at(span), out)
            }
            Segment::Words(words) => read_words(draft, source, words, &mut kept, out),
        };
        // Nothing is left of it: what is around it was read apart, and must not be read together
        // (rule G7).
        if out.ends_encoded_and_apart() {
            out.text(" ");
        }
    });
    changed
}
