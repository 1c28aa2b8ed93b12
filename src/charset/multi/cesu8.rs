//! CESU-8 (UTR 26): UTF-8 in which a character above U+FFFF is its two surrogates, three octets each.
//!
//! 1. The four-octet form of UTF-8 is read too: much that is called CESU-8 is a mixture.

use super::{Held, Scheme, Step};

/// CESU-8.
pub(in crate::charset) const CESU_8: Scheme = Scheme {
    read,
    write: |c, _, out| {
        if (c as u32) < 0x1_0000 {
            out.extend(c.encode_utf8(&mut [0; 4]).as_bytes());
        } else {
            let units = c.encode_utf16(&mut [0; 2]).to_owned();
            out.extend(units.iter().flat_map(|unit| three(*unit)));
        }
        true
    },
};

fn read(held: &Held<'_>) -> Step {
    match held.octets {
        [0xED] => Step::More,
        [0xED, 0xA0..=0xAF, ..] => pair(held.octets),
        octets => match str::from_utf8(octets) {
            Ok(text) => Step::of(octets.len(), text.chars().next()),
            Err(error) => error.error_len().map_or(Step::More, Step::Bad),
        },
    }
}

/// The surrogates of one character.
fn pair(octets: &[u8]) -> Step {
    match *octets {
        [_, high, high_low @ 0x80..=0xBF, 0xED, low @ 0xB0..=0xBF, low_low @ 0x80..=0xBF] => {
            let unit = |middle: u8, last: u8| 0xD000 | u16::from(middle & 0x3F) << 6 | u16::from(last & 0x3F);
            let c = char::decode_utf16([unit(high, high_low), unit(low, low_low)]).next();
            Step::of(6, c.and_then(Result::ok))
        }
        [_, _] | [_, _, 0x80..=0xBF] | [_, _, 0x80..=0xBF, 0xED] | [_, _, 0x80..=0xBF, 0xED, 0xB0..=0xBF] => {
            Step::More
        }
        [_, _, 0x80..=0xBF, ..] => Step::Bad(3),
        _ => Step::Bad(2),
    }
}

fn three(unit: u16) -> [u8; 3] {
    [0xE0 | (unit >> 12) as u8, 0x80 | (unit >> 6 & 0x3F) as u8, 0x80 | (unit & 0x3F) as u8]
}
