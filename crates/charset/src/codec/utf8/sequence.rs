//! The faults of octets that are not well-formed UTF-8, by name.
//!
//! RFC 3629, section 4:
//! ```text
//! UTF8-2 = %xC2-DF UTF8-tail
//! UTF8-3 = %xE0 %xA0-BF UTF8-tail / %xE1-EC 2( UTF8-tail ) / %xED %x80-9F UTF8-tail / %xEE-EF 2( UTF8-tail )
//! UTF8-4 = %xF0 %x90-BF 2( UTF8-tail ) / %xF1-F3 3( UTF8-tail ) / %xF4 %x80-8F 2( UTF8-tail )
//! UTF8-tail = %x80-BF
//! ```
//! RFC 2279 also had five and six octets, from F8 and FC on.

use crate::DecodeFault;

/// An ill-formed sequence.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Fault {
    pub(super) kind: DecodeFault,
    /// The octets that belong together: the lead, and the continuation octets that it requires.
    pub(super) octets: usize,
    /// The value that they encoded, if they are all there.
    pub(super) value: Option<u32>,
}

impl Fault {
    /// Returns how many U+FFFD replace it: one for each maximal subpart (Unicode 15, 3.9, U+FFFD
    /// substitution). The beginning of a well-formed sequence is one; elsewhere no two octets
    /// belong together.
    pub(super) const fn replacements(&self) -> usize {
        if matches!(self.kind, DecodeFault::Utf8Truncated) { 1 } else { self.octets }
    }

    /// Returns what it encoded, for people to read.
    pub(super) fn detail(&self) -> String {
        match (self.kind, self.value) {
            (DecodeFault::Utf8Overlong, Some(0)) if self.octets == 2 => "Modified UTF-8 NUL".into(),
            (DecodeFault::Utf8Overlong, Some(value)) => {
                format!("U+{value:04X} in {} octets", self.octets)
            }
            (DecodeFault::Utf8Surrogate, Some(value)) if value > 0xFFFF => {
                format!("CESU-8 form of U+{value:04X}")
            }
            (DecodeFault::Utf8Surrogate, Some(value)) => format!("WTF-8 form of {value:04X}"),
            (_, Some(value)) => format!("UCS-4 value {value:08X}"),
            (_, None) => String::new(),
        }
    }
}

/// The sequence at the start of `rest`, which is not empty.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Sequence {
    /// A character of this many octets.
    Character(usize),
    Fault(Fault),
    /// Octets after the end may still change the answer.
    Open,
}

/// Reads one sequence; `last` says that nothing comes after `rest`.
pub(super) fn sequence(rest: &[u8], last: bool) -> Sequence {
    let wanted = length(rest[0]);
    let is_tail = |octet: &&u8| **octet & 0xC0 == 0x80;
    let octets = 1 + rest[1..].iter().take(wanted - 1).take_while(is_tail).count();
    if octets < wanted && octets == rest.len() && !last {
        return Sequence::Open;
    }
    let value = (octets == wanted).then(|| value(&rest[..octets]));
    let second = if octets > 1 { rest.get(1).copied() } else { None };
    let Some(kind) = name(rest[0], second, value) else {
        return Sequence::Character(octets);
    };
    let fault = Fault { kind, octets, value };
    if kind == DecodeFault::Utf8Surrogate && value.is_some_and(|high| high < 0xDC00) {
        return pair(fault, rest, last);
    }
    Sequence::Fault(fault)
}

/// Returns how many octets the lead octet requires by RFC 2279.
const fn length(lead: u8) -> usize {
    match lead {
        0xC0..=0xDF => 2,
        0xE0..=0xEF => 3,
        0xF0..=0xF7 => 4,
        0xF8..=0xFB => 5,
        0xFC..=0xFD => 6,
        _ => 1,
    }
}

fn value(octets: &[u8]) -> u32 {
    let lead = match octets.len() {
        1 => octets[0],
        length => octets[0] & (0x7F >> length),
    };
    octets[1..].iter().fold(lead.into(), |value, octet| value << 6 | u32::from(octet & 0x3F))
}

/// Returns the name of the fault, if it is one; `second` is a continuation octet.
fn name(lead: u8, second: Option<u8>, value: Option<u32>) -> Option<DecodeFault> {
    let code = match (lead, second) {
        (0x80..=0xBF, _) => DecodeFault::Utf8UnexpectedContinuation,
        (0xC0..=0xC1, _) | (0xE0, Some(..0xA0)) | (0xF0, Some(..0x90)) => DecodeFault::Utf8Overlong,
        (0xED, Some(0xA0..)) => DecodeFault::Utf8Surrogate,
        (0xF4, Some(0x90..)) | (0xF5..=0xF7, _) => DecodeFault::Utf8TooLarge,
        (0xF8..=0xFB, _) => DecodeFault::Utf8FiveOctets,
        (0xFC..=0xFD, _) => DecodeFault::Utf8SixOctets,
        (0xFE..=0xFF, _) => DecodeFault::Utf8NeverAppears,
        _ if value.is_none() => DecodeFault::Utf8Truncated,
        _ => return None,
    };
    Some(code)
}

/// Reads a high surrogate with the low one that may follow: the CESU-8 form of one character.
fn pair(high: Fault, rest: &[u8], last: bool) -> Sequence {
    let low = match rest[high.octets..] {
        [0xED, second @ 0xB0..=0xBF, third @ 0x80..=0xBF, ..] => value(&[0xED, second, third]),
        [] | [0xED] | [0xED, 0xB0..=0xBF] if !last => return Sequence::Open,
        _ => return Sequence::Fault(high),
    };
    let value = high.value.map(|high| 0x1_0000 + ((high - 0xD800) << 10) + (low - 0xDC00));
    Sequence::Fault(Fault { octets: 6, value, ..high })
}
