//! Octet classes that several layers share, and names compared in any case. Everything here is
//! about US-ASCII.

use std::borrow::Cow;
use std::ops::Range;

/// Returns whether an octet is white space inside a header line (RFC 5234 WSP): space or TAB.
pub const fn is_wsp(octet: u8) -> bool {
    matches!(octet, b' ' | b'\t')
}

/// Returns whether an octet is folding white space: WSP or a line end octet.
pub const fn is_fws(octet: u8) -> bool {
    matches!(octet, b' ' | b'\t' | b'\r' | b'\n')
}

/// Returns whether an octet is printable US-ASCII, including space.
#[inline]
pub const fn is_printable(octet: u8) -> bool {
    octet.wrapping_sub(b' ') < 0x5F
}

/// Returns whether octets are printable US-ASCII or folding white space.
#[inline]
pub fn are_printable_or_fws(octets: &[u8]) -> bool {
    octets.iter().all(|&octet| is_fws(octet) || is_printable(octet))
}

/// Returns how many runs of octets above 7F there are.
pub fn raw_runs(octets: &[u8]) -> usize {
    let begins = |pair: &[u8]| pair[0].is_ascii() && !pair[1].is_ascii();
    let first = usize::from(octets.first().is_some_and(|octet| !octet.is_ascii()));
    first + octets.windows(2).filter(|pair| begins(pair)).count()
}

/// Returns whether an octet may be in a `token`, RFC 2045 5.1.
pub const fn is_token(octet: u8) -> bool {
    TOKENS[octet as usize]
}

/// The octets of a token, as a table: it is consulted for every octet.
const TOKENS: [bool; 256] = {
    let mut tokens = [false; 256];
    let mut octet = 0;
    while octet < 0x80 {
        tokens[octet as usize] = may_be_in_token(octet);
        octet += 1;
    }
    tokens
};

const fn may_be_in_token(octet: u8) -> bool {
    octet.is_ascii_graphic()
        && !matches!(
            octet,
            b'(' | b')'
                | b'<'
                | b'>'
                | b'@'
                | b','
                | b';'
                | b':'
                | b'\\'
                | b'"'
                | b'/'
                | b'['
                | b']'
                | b'?'
                | b'='
        )
}

/// Returns `octets` without white space and line ends at either end.
#[inline]
pub fn trim_fws(octets: &[u8]) -> &[u8] {
    &octets[within_fws(octets)]
}

/// Returns where the octets are that [`trim_fws`] leaves.
#[inline]
pub fn within_fws(octets: &[u8]) -> Range<usize> {
    let start = octets.iter().position(|&o| !is_fws(o)).unwrap_or(octets.len());
    let end = octets.iter().rposition(|&o| !is_fws(o)).map_or(start, |at| at + 1);
    start..end
}

/// Returns the offset after the line that begins at `start`: after its LF, or the end of `octets`.
pub fn line_end(octets: &[u8], start: usize) -> usize {
    memchr::memchr(b'\n', &octets[start..]).map_or(octets.len(), |at| start + at + 1)
}

/// Returns `line` without its CR LF or LF.
#[inline]
pub fn without_line_end(line: &[u8]) -> &[u8] {
    let line = line.strip_suffix(b"\n").unwrap_or(line);
    line.strip_suffix(b"\r").unwrap_or(line)
}

/// Returns whether a name begins with `prefix`, in any case.
#[inline]
pub fn begins(name: &[u8], prefix: &[u8]) -> bool {
    name.get(..prefix.len()).is_some_and(|head| {
        // Most names differ in their first octet: this saves a call.
        head.first().map(u8::to_ascii_lowercase) == prefix.first().copied()
            && head.eq_ignore_ascii_case(prefix)
    })
}

/// Returns whether `name` is `lower` in any case, where `lower` consists of lower-case letters,
/// digits and `-`.
///
/// The twin of `eq_ignore_ascii_case`, which compares octet by octet: this one compares eight at a
/// time, or four; the last comparison overlaps the one before.
#[inline(always)]
pub fn is_in_any_case(name: &[u8], lower: &[u8]) -> bool {
    if name.len() != lower.len() {
        return false;
    }
    let is_word = |name: &[u8; 8], lower: &[u8; 8]| {
        lower_cases(u64::from_le_bytes(*name)) == u64::from_le_bytes(*lower)
    };
    let is_half = |name: &[u8; 4], lower: &[u8; 4]| {
        lower_cases(u64::from(u32::from_le_bytes(*name))) == u64::from(u32::from_le_bytes(*lower))
    };
    if let (Some(end), Some(lower_end)) = (name.last_chunk(), lower.last_chunk()) {
        return is_word(end, lower_end)
            && name
                .as_chunks()
                .0
                .iter()
                .zip(lower.as_chunks().0)
                .all(|(name, lower)| is_word(name, lower));
    }
    match (name, lower) {
        ([a, b, c, d, ..], [e, f, g, h, ..]) => {
            is_half(&[*a, *b, *c, *d], &[*e, *f, *g, *h])
                && name
                    .last_chunk()
                    .zip(lower.last_chunk())
                    .is_some_and(|(name, lower)| is_half(name, lower))
        }
        _ => name.iter().zip(lower).all(|(&octet, &wanted)| lower_case(octet) == wanted),
    }
}

/// Returns a number in decimal; one digit needs no memory.
pub fn decimal(number: usize) -> Cow<'static, str> {
    let digit = "123456789".get(number.wrapping_sub(1)..number);
    digit.map_or_else(|| number.to_string().into(), Cow::Borrowed)
}

/// Returns a letter in lower case, without checking that it is one.
#[inline]
pub const fn lower_case(octet: u8) -> u8 {
    octet | (octet & 0x40) >> 1
}

/// Applies [`lower_case`] to eight octets.
#[inline]
const fn lower_cases(octets: u64) -> u64 {
    octets | (octets & (u64::MAX / 0xFF * 0x40)) >> 1
}

#[cfg(test)]
mod tests {
    use super::*;

    fn is_name_octet(octet: u8) -> bool {
        octet.is_ascii_lowercase() || octet.is_ascii_digit() || octet == b'-'
    }

    #[test]
    fn any_case_is_that_of_us_ascii() {
        for octet in 0..=u8::MAX {
            for wanted in (0..=u8::MAX).filter(|&wanted| is_name_octet(wanted)) {
                let is = octet.eq_ignore_ascii_case(&wanted);
                for (before, after) in [(0, 0), (1, 2), (0, 7), (7, 0), (3, 9), (20, 5)] {
                    let name = |octet: u8| {
                        [&vec![b'a'; before][..], &[octet], &vec![b'z'; after]].concat()
                    };
                    assert_eq!(
                        is_in_any_case(&name(octet), &name(wanted)),
                        is,
                        "{octet} {wanted} {before}"
                    );
                }
            }
        }
    }
}
