//! Addr-specs (rule H8): kept octet for octet where 7 bits carry them, with the domain in A-labels
//! where that helps.

use super::doubtful;
use super::draft::Draft;
use super::raw_text::RawFate;
use super::rules::FieldRules;
use crate::Span;
use crate::charset::UNKNOWN_8BIT;
use crate::decode::{RawCharset, raw_text_in};
use crate::encode::{self, Place, Run};
use crate::report::Tally;

/// Returns an addr-spec as text for encoded-words, with some content, as a name has to have.
pub(super) fn text_of<'a>(draft: &mut Draft<'_>, spec: &[u8], span: Span) -> Run<'a> {
    if let Some(text) = doubtful::mend(draft, &[(false, spec)], span) {
        return Run { label: None, octets: text.into_bytes().into(), place: Place::Phrase };
    }

    let (label, octets) = match RawFate::of(spec, &draft.rules) {
        RawFate::Text(charset) => match raw_text_in(spec, span, charset, &mut draft.tally) {
            text if text.trim().is_empty() => (None, vec![b'?']),
            text => (None, text.into_owned().into_bytes()),
        },
        RawFate::Label(charset) => {
            let name = charset.charset().map_or(UNKNOWN_8BIT, |charset| charset.name());
            let visible = |&octet: &u8| if octet.is_ascii_control() { b'?' } else { octet };
            let visible: Vec<u8> = spec.iter().map(visible).collect();
            // Nothing is left of escapes that cannot be read.
            ((!visible.is_ascii()).then(|| name.as_bytes().into()), visible)
        }
    };
    Run { label, octets: octets.into(), place: Place::Phrase }
}

/// Returns an addr-spec with its domain in A-labels, if that is all it needs.
pub(super) fn with_a_labels(spec: &[u8], span: Span, rules: &FieldRules) -> Option<Vec<u8>> {
    encode::with_a_labels(spec, |domain| match rules.raw_text().charset(domain) {
        RawCharset::Unknown | RawCharset::Assumed => None,
        charset => Some(raw_text_in(domain, span, charset, &mut Tally::default())),
    })
}
