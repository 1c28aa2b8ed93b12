//! The byte order of text without a byte order mark (RFC 2781, 4.3): the one in which it can be
//! read.
//!
//! In the wrong order, spaces, line ends and Latin letters become Han, letters of other scripts
//! fall into rarely used blocks, and Han into any block at all, including surrogates and private
//! use. The high octets of neighbours are often the same; low ones are not.

use super::ByteOrder;

/// How many octets of a text are examined.
pub const SAMPLE: usize = 512;

/// Returns the order that a byte order mark at the start of `octets` declares.
pub fn signed(octets: &[u8]) -> Option<ByteOrder> {
    match octets {
        [0xFE, 0xFF, ..] => Some(ByteOrder::Big),
        [0xFF, 0xFE, ..] => Some(ByteOrder::Little),
        _ => None,
    }
}

/// Returns the order of octets without a byte order mark, judged by the first [`SAMPLE`] of them:
/// big-endian unless they read better otherwise.
pub fn likely(octets: &[u8]) -> ByteOrder {
    let sample = &octets[..octets.len().min(SAMPLE)];
    if reads(sample, ByteOrder::Little) > reads(sample, ByteOrder::Big) {
        ByteOrder::Little
    } else {
        ByteOrder::Big
    }
}

/// Returns how well octets read in an order.
fn reads(octets: &[u8], order: ByteOrder) -> i32 {
    let (mut sum, mut before) = (0, 0);
    for &pair in octets.as_chunks().0 {
        let unit = order.unit(pair);
        let is_pair = is_high(before) && is_low(unit);
        // Half a pair says nothing until the other half has come, or has not.
        let is_torn = (is_high(before) || is_low(unit)) && !is_pair;
        sum += worth(unit) - if is_torn { 5 } else { 0 };
        sum += i32::from(before >> 8 == unit >> 8);
        before = unit;
    }
    sum
}

fn is_high(unit: u16) -> bool {
    (0xD800..0xDC00).contains(&unit)
}

fn is_low(unit: u16) -> bool {
    (0xDC00..0xE000).contains(&unit)
}

/// Returns the score of a unit: high if nearly all text has it, lower if it may, low if hardly any
/// has.
fn worth(unit: u16) -> i32 {
    match unit {
        0x09 | 0x0A | 0x0D | 0x20..=0x7E => 4,
        0x3000..=0x30FF => 2,
        // Latin and the other alphabets of mail, punctuation, Han, Hangul, full-width forms.
        0xA0..=0x24F | 0x370..=0x6FF | 0x900..=0x97F | 0xE00..=0xE7F | 0x2000..=0x206F => 1,
        0x4E00..=0x9FFF | 0xAC00..=0xD7A3 | 0xFF00..=0xFFEF => 1,
        0xD800..=0xDFFF => 0,
        0..=0x9F | 0xE000..=0xF8FF | 0xFFF0..=0xFFFF => -4,
        _ => -1,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXTS: &[&str] = &[
        "N",
        "Hi",
        "Grüße",
        "naïve",
        "Привет",
        "Καλημέρα",
        "καλημέρα",
        "שלום",
        "مرحبا",
        "สวัสดี",
        "こんにちは",
        "日本語の件名",
        "您好，谢谢",
        "안녕하세요",
        "नमस्ते",
        "Zażółć gęślą jaźń",
        "😀 ok",
        "Dear all,\r\n\r\nsee you on Monday.\r\n",
    ];

    /// Tests texts in either order.
    #[test]
    fn the_order_that_reads_is_found() {
        for text in TEXTS {
            for order in [ByteOrder::Big, ByteOrder::Little] {
                let octets: Vec<u8> =
                    text.encode_utf16().flat_map(|unit| order.octets(unit)).collect();
                assert_eq!(likely(&octets), order, "{text}");
            }
        }
    }

    /// One wrong octet does not turn a text round.
    #[test]
    fn damage_does_not_turn_a_text_round() {
        assert_eq!(likely(b"\0a\xD8\x08\0b"), ByteOrder::Big);
        assert_eq!(likely(b"a\0\x08\xD8b\0"), ByteOrder::Little);
    }

    #[test]
    fn what_reads_alike_is_big_endian() {
        for octets in [&b""[..], b"a", b"\0\0", b"\x4E\x4E", b"\x4F\x60"] {
            assert_eq!(likely(octets), ByteOrder::Big, "{octets:02X?}");
        }
    }
}
