//! The name of a field (RFC 5322, 3.6.8).

use super::encoded_word::mark;
use crate::ascii::is_wsp;

/// `ftext = %d33-57 / %d59-126`: printable US-ASCII but space and colon.
const fn is_ftext(octet: u8) -> bool {
    octet.is_ascii_graphic() && octet != b':'
}

/// Returns the length of the field name that `line` begins with, and the offset after its colon.
///
/// The twin of [`HeaderLines::name_end`](crate::codec::header_lines::HeaderLines::name_end), which
/// finds the names of a whole section at vector speed and leaves anything odd to this one (held
/// equal by `names_are_found_alike`).
///
/// `field-name = 1*ftext`
///
/// 1. White space before the colon is accepted (RFC 5322, 4.5: obsolete syntax).
/// 2. A name with `=?` in it is not one: it is a misplaced encoded-word, and no reader should
///    decode it there.
#[inline]
pub fn field_name(line: &[u8]) -> Option<(usize, usize)> {
    let length = line.iter().position(|&octet| !is_ftext(octet))?;
    let spaces = line[length..].iter().take_while(|&&octet| is_wsp(octet)).count();
    let colon = length + spaces;
    let is_name =
        length > 0 && line.get(colon) == Some(&b':') && mark(&line[..length], 0).is_none();
    is_name.then_some((length, colon + 1))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_end_at_their_colon() {
        let cases = [
            ("Subject: x", Some((7, 8))),
            ("a \t: x", Some((1, 4))),
            ("a?b:", Some((3, 4))),
            ("=?utf-8?Q?a?=: x", None),
            (": x", None),
            (" a: x", None),
            ("a b: x", None),
            ("a", None),
            ("caf\u{e9}: x", None),
        ];
        for (line, expected) in cases {
            assert_eq!(field_name(line.as_bytes()), expected, "{line:?}");
        }
    }
}
