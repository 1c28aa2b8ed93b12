//! UTF-1 (ISO/IEC 10646-1:1993, annex G; ISO-IR-178): no octet of C0, C1, space or DEL inside a
//! character.

use super::{Held, Scheme, Step};

/// UTF-1.
pub(in crate::charset) const UTF_1: Scheme = Scheme {
    read,
    write: |c, _, out| {
        match c as u32 {
            c @ 0..0xA0 => out.push(c as u8),
            c @ 0xA0..0x100 => out.extend([0xA0, c as u8]),
            c @ 0x100..0x4016 => digits(0xA1, c - 0x100, 2, out),
            c @ 0x4016..0x38E2E => digits(0xF6, c - 0x4016, 3, out),
            c => digits(0xFC, c - 0x38E2E, 5, out),
        }
        true
    },
    combining_stands_alone: false,
};

fn read(held: &Held<'_>) -> Step {
    let lead = held.octets[0];
    let (len, first, base) = match lead {
        0..0xA0 => return Step::one(1, lead.into()),
        0xA0 => {
            return match *held.octets {
                [_] => Step::More,
                [_, octet @ 0xA0..=0xFF] => Step::one(2, octet.into()),
                _ => Step::Bad(1),
            };
        }
        0xA1..0xF6 => (2, 0xA1, 0x100),
        0xF6..0xFC => (3, 0xF6, 0x4016),
        _ => (5, 0xFC, 0x38E2E),
    };
    let mut value = u32::from(lead - first);
    for (at, octet) in held.octets.iter().enumerate().skip(1).take(len - 1) {
        let Some(digit) = digit(*octet) else { return Step::Bad(at) };
        value = value.saturating_mul(190).saturating_add(digit);
    }
    if held.octets.len() < len {
        return Step::More;
    }
    Step::of(len, char::from_u32(value.saturating_add(base)))
}

/// Returns the value of an octet after the first, in base 190.
fn digit(octet: u8) -> Option<u32> {
    match octet {
        0x21..=0x7E => Some(u32::from(octet) - 0x21),
        0xA0.. => Some(u32::from(octet) - 0x42),
        _ => None,
    }
}

/// Writes `value` in `len` octets, the first counted from `lead` on.
fn digits(lead: u8, value: u32, len: u32, out: &mut Vec<u8>) {
    out.push(lead + (value / 190_u32.pow(len - 1)) as u8);
    for place in (0..len - 1).rev() {
        let digit = (value / 190_u32.pow(place) % 190) as u8;
        out.push(if digit < 0x5E { digit + 0x21 } else { digit + 0x42 });
    }
}
