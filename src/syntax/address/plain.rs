//! Addresses that every reader reads alike.

use crate::syntax::encoded_word::mark;

/// Whether an addr-spec is one that every reader reads alike.
///
/// `dot-atom "@" (label *("." label) / domain-literal)`, without anything in it that a reader could decode.
pub(crate) fn is_plain_spec(spec: &[u8]) -> bool {
    let Some(at) = spec.iter().rposition(|&octet| octet == b'@') else { return false };
    let (local, domain) = (&spec[..at], &spec[at + 1..]);
    let is_dotted = |octets: &[u8], is_label: fn(&[u8]) -> bool| {
        octets.split(|&octet| octet == b'.').all(|label| !label.is_empty() && is_label(label))
    };
    let is_literal = domain.starts_with(b"[");
    is_dotted(local, |word| !word.iter().any(|octet| b"\"@<>:".contains(octet)))
        && mark(local, 0).is_none()
        && (is_literal || is_dotted(domain, is_plain_label))
}

/// A label that no reader shows otherwise, as some do A-labels.
fn is_plain_label(label: &[u8]) -> bool {
    let is_a_label = label.get(..4).is_some_and(|start| start.eq_ignore_ascii_case(b"xn--"));
    !is_a_label && label.iter().all(|octet| octet.is_ascii_alphanumeric() || matches!(octet, b'-' | b'_'))
}
