//! Charsets that mail readers decode alike: docs/readers.md has the labels that were tried.

use std::ops::RangeInclusive;

type Octets = RangeInclusive<u8>;

/// Returns whether readers have the charset of a label, and `octets` are in the standard that the
/// label names: vendors added characters, under the same label, that only some readers decode.
pub fn is_common(label: &[u8], octets: &[u8]) -> bool {
    const HALF: &[Octets] = &[0xA1..=0xFE];
    const JIS_LEADS: &[Octets] = &[0x81..=0x84, 0x88..=0x9F, 0xE0..=0xEA];
    let pairs = |leads, trails| are_pairs(octets, &[], leads, trails);
    match label.to_ascii_lowercase().as_slice() {
        b"us-ascii" | b"ascii" => octets.is_ascii(),
        b"utf-8" | b"utf8" | b"koi8-r" | b"koi8-u" | b"tis-620" => true,
        b"gb2312" | b"euc-kr" | b"ks_c_5601-1987" => pairs(HALF, HALF),
        b"gbk" | b"cp936" => pairs(&[0x81..=0xFE], &[0x40..=0xFE]),
        b"big5" => pairs(&[0xA1..=0xF9], &[0x40..=0x7E, 0xA1..=0xFE]),
        b"euc-jp" => pairs(&[0xA1..=0xA8, 0xB0..=0xF4], HALF),
        b"shift_jis" => are_pairs(octets, &[0xA1..=0xDF], JIS_LEADS, &[0x40..=0x7E, 0x80..=0xFC]),
        // Each word has to end in US-ASCII (RFC 2047, 3): not all readers carry the state into the
        // next.
        b"iso-2022-jp" => memchr::memrchr(0x1B, octets).is_none_or(|at| is_to_ascii(&octets[at..])),
        label if label.starts_with(b"iso-8859-") => {
            label[9..].iter().all(u8::is_ascii_digit)
                && !octets.iter().any(|octet| (0x80..=0x9F).contains(octet))
        }
        label => [&b"windows-125"[..], b"cp125"].iter().any(|start| label.starts_with(start)),
    }
}

/// Returns whether octets above 7F are of `singles`, or one of `leads` before one of `trails`.
fn are_pairs(octets: &[u8], singles: &[Octets], leads: &[Octets], trails: &[Octets]) -> bool {
    let is_in = |ranges: &[Octets], octet: Option<&u8>| {
        octet.is_some_and(|octet| ranges.iter().any(|range| range.contains(octet)))
    };
    let mut rest = octets.iter();
    while let Some(octet) = rest.next() {
        if octet.is_ascii() || is_in(singles, Some(octet)) {
            continue;
        }
        if !is_in(leads, Some(octet)) || !is_in(trails, rest.next()) {
            return false;
        }
    }
    true
}

/// Returns whether an escape sequence of ISO-2022-JP switches to US-ASCII or its Japanese variant.
fn is_to_ascii(escape: &[u8]) -> bool {
    escape.starts_with(b"\x1B(B") || escape.starts_with(b"\x1B(J")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_vendors_added_is_not_common() {
        let cases: [(&str, &[u8], bool); 22] = [
            ("utf-8", b"\xC3\xA9", true),
            ("us-ascii", b"a", true),
            ("US-ASCII", b"\xE9", false),
            ("ISO-8859-15", b"\xE9", true),
            ("iso-8859-1", b"\x93a\x94", false),
            ("iso-8859-8-i", b"\xE0", false),
            ("windows-1252", b"\x93a\x94", true),
            ("gb2312", b"\xD6\xD0a", true),
            ("gb2312", b"\x81\x30\x81\x30", false),
            ("gbk", b"\x81\x40", true),
            ("gbk", b"\x81\x30\x81\x30", false),
            ("euc-kr", b"\x81\x41", false),
            ("big5", b"\xA4\xA4", true),
            ("big5", b"\x87\x40", false),
            ("shift_jis", b"\x93\xFA\xB1", true),
            ("shift_jis", b"\x87\x40", false),
            ("cp932", b"\x93\xFA", false),
            ("iso-2022-jp", b"\x1B$B$\"\x1B(B", true),
            ("iso-2022-jp", b"\x1B$B$\"", false),
            ("euc-jp", b"\xAD\xA1", false),
            ("utf-7", b"+AGE-", false),
            ("x-unknown", b"a", false),
        ];
        for (label, octets, is) in cases {
            assert_eq!(is_common(label.as_bytes(), octets), is, "{label} {octets:x?}");
        }
    }
}
