//! Addresses that every reader reads alike.

use super::kinds::{ATEXT, DOT, LABEL, LOCAL, UNHYPHENATED, UNMARKED, kinds_of};
use crate::syntax::encoded_word::mark;

/// Returns whether an addr-spec is one that every reader reads alike.
///
/// `dot-atom "@" (label *("." label) / domain-literal)`, without anything in it that a reader could
/// decode.
pub fn is_plain_spec(spec: &[u8]) -> bool {
    let Some(at) = spec.iter().rposition(|&octet| octet == b'@') else { return false };
    let (local, domain) = (&spec[..at], &spec[at + 1..]);
    let words = |octets: &[u8], kind: u8| {
        Some(Words::of(octets, kind)).filter(|words| words.len == octets.len() && words.is_dotted)
    };
    let is_domain = || words(domain, LABEL).is_some_and(|words| !words.hold_a_label(domain));
    (domain.starts_with(b"[") || is_domain())
        && words(local, LOCAL).is_some_and(|words| !words.hold_a_mark(local))
}

/// Returns whether a local part is a dot-atom in which no reader decodes anything.
pub(super) fn is_plain_dot_atom(local: &[u8]) -> bool {
    let words = Words::of(local, ATEXT);
    words.len == local.len() && words.is_dotted && !words.hold_a_mark(local)
}

/// The octets of some kind, and dots, at the start of something.
pub(super) struct Words {
    pub(super) len: usize,
    /// Whether they are words, none of them empty, with a single dot between each two.
    pub(super) is_dotted: bool,
    /// The kinds that all octets but the dots have.
    pub(super) kinds: u8,
}

impl Words {
    #[inline]
    pub(super) fn of(octets: &[u8], kind: u8) -> Self {
        let (mut len, mut kinds, mut before, mut empty) = (0, u8::MAX, DOT, 0);
        for &octet in octets {
            let of_octet = kinds_of(octet);
            if of_octet & kind == 0 {
                break;
            }
            kinds &= of_octet;
            empty |= before & of_octet;
            before = of_octet;
            len += 1;
        }
        Self { len, is_dotted: (empty | before) & DOT == 0, kinds }
    }

    /// Returns whether these words, in `octets`, contain anything that a reader could decode.
    #[inline]
    pub(super) fn hold_a_mark(&self, octets: &[u8]) -> bool {
        self.kinds & UNMARKED == 0 && mark(octets, 0).is_some()
    }

    /// Returns whether any label of these words, in `domain`, is an A-label, which some readers
    /// show differently.
    #[inline]
    pub(super) fn hold_a_label(&self, domain: &[u8]) -> bool {
        let is_a_label =
            |label: &[u8]| label.get(..4).is_some_and(|start| start.eq_ignore_ascii_case(b"xn--"));
        self.kinds & UNHYPHENATED == 0 && domain.split(|&octet| octet == b'.').any(is_a_label)
    }
}
