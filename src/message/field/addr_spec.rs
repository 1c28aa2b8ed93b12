//! Addr-specs (rule H8): kept octet for octet where 7 bits carry them, with the domain in A-labels where that
//! helps.

use std::borrow::Cow;

use super::draft::Draft;
use super::line_room::fits;
use super::raw_text::without_structure;
use super::rules::FieldRules;
use crate::ascii::{is_fws, is_printable};
use crate::codec::text::lossy;
use crate::decode::{RawCharset, raw_text, raw_text_in};
use crate::encode::{Octets, Place, Run, domain_to_ascii};
use crate::issue::Tally;
use crate::{Code, DecodeFault, Span};

/// How an addr-spec can be carried in 7 bits.
#[derive(Debug)]
pub(super) enum Carried {
    AsIs,
    /// With its domain in A-labels.
    Ascii(Vec<u8>),
    Unwritable,
}

/// Returns how an addr-spec, or a local part alone, can be carried. What looks like an encoded-word in an
/// addr-spec is not one: no line is too long for it (rule G3). A local part alone may be one or not.
pub(super) fn carried(spec: &[u8], span: Span, rules: &FieldRules) -> Carried {
    if spec.iter().all(|&octet| is_printable(octet)) && (spec.contains(&b'@') || fits(spec)) {
        return Carried::AsIs;
    }
    ascii_domain(rules, spec, span).map_or(Carried::Unwritable, Carried::Ascii)
}

/// Returns an addr-spec as text for encoded-words.
pub(super) fn address_text<'a>(draft: &mut Draft<'_>, spec: &[u8], span: Span) -> Run<'a> {
    let raw = draft.rules.raw_text();
    let visible = || spec.iter().map(|&o| if o.is_ascii_control() { b'?' } else { o }).collect::<Vec<u8>>();
    let (label, octets) = match raw.charset(spec) {
        RawCharset::Unknown => (Some(Octets::from(draft.rules.name_of(spec).as_bytes())), visible()),
        RawCharset::Guessed(guess) if !draft.rules.replaces() && !raw.reads(spec) => {
            draft.tally.note(Code::Decode(DecodeFault::UndecodableText), span);
            (Some(Octets::from(guess.charset().name().as_bytes())), without_structure(spec))
        }
        _ => match raw_text(spec, span, raw, &mut draft.tally) {
            // Controls, or escapes with nothing between them: a name has to have some content.
            text if text.bytes().all(is_fws) => {
                (None, lossy(&visible()).replace(char::is_control, "?").into_bytes())
            }
            text => (None, text.into_owned().into_bytes()),
        },
    };
    Run { label, octets: octets.into(), place: Place::Phrase }
}

/// Returns an addr-spec with its domain in A-labels, if that is all it needs.
fn ascii_domain(rules: &FieldRules, spec: &[u8], span: Span) -> Option<Vec<u8>> {
    let at = spec.iter().rposition(|&o| o == b'@')?;
    let (local, domain) = (&spec[..at], &spec[at + 1..]);
    let local_fine = !local.is_empty() && local.iter().all(|&o| is_printable(o));
    if !local_fine || domain.is_ascii() {
        return None;
    }
    let domain = domain_text(rules, domain, span)?;
    domain_to_ascii(&domain).map(|labels| [local, b"@", labels.as_bytes()].concat())
}

/// Returns a domain as text, if its charset is known.
fn domain_text<'d>(rules: &FieldRules, domain: &'d [u8], span: Span) -> Option<Cow<'d, str>> {
    match std::str::from_utf8(domain) {
        // Most are UTF-8: nothing in them is folded, and no escapes indicate another charset.
        Ok(text) if !domain.iter().any(u8::is_ascii_control) => Some(Cow::Borrowed(text)),
        _ => {
            let charset = rules.raw_text().charset(domain);
            let known = charset != RawCharset::Unknown;
            known.then(|| raw_text_in(domain, span, charset, &mut Tally::default()))
        }
    }
}
