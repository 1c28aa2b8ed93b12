//! Code units to text, and text to code units.

use super::{Bom, ByteOrder, Encoder, block, vector};
use crate::codec::level;
use crate::codec::text::push_utf8;

/// Units that are converted together.
const PIECE: usize = 64;
/// Fewer are converted faster one by one.
const FEW: usize = 20;
/// Three octets a unit, and surplus.
const ROOM: usize = 3 * PIECE + vector::ROOM;

/// Appends the characters of `units`. None of them is a surrogate; if one were, U+FFFD would
/// replace it.
pub fn push_units(units: &[u16], out: &mut String) {
    for piece in units.chunks(PIECE) {
        if piece.len() < FEW || !push_piece(piece, out) {
            let chars = piece.iter().map(|&unit| char::from_u32(unit.into()));
            chars.for_each(|c| out.push(c.unwrap_or(char::REPLACEMENT_CHARACTER)));
        }
    }
}

/// Appends a piece; returns `false` if there is a surrogate in it.
fn push_piece(piece: &[u16], out: &mut String) -> bool {
    let (mut octets, mut room) = ([0; 2 * PIECE], [0; ROOM]);
    for (pair, unit) in octets.as_chunks_mut().0.iter_mut().zip(piece) {
        *pair = unit.to_le_bytes();
    }
    let (read, written) = match level::picking() {
        Some(level) => vector::to_utf8(level, &octets, ByteOrder::Little, &mut room),
        None => block::to_utf8(&octets, ByteOrder::Little, &mut room),
    };
    if read == octets.len() {
        // The units that a short piece lacks were written as well, as NUL.
        push_utf8(&room[..written + piece.len() - PIECE], out);
    }
    read == octets.len()
}

/// Appends the code units of `text`.
pub fn push_text(text: &str, out: &mut Vec<u16>) {
    if text.len() < PIECE {
        out.extend(text.encode_utf16());
        return;
    }
    let mut octets = Vec::new();
    Encoder::new(ByteOrder::Little, Bom::Without).encode(text, &mut octets);
    out.extend(octets.as_chunks().0.iter().map(|&pair| u16::from_le_bytes(pair)));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn units_of_any_number_are_text_and_units_again() {
        let prose: Vec<u16> = "aé語".repeat(PIECE).encode_utf16().collect();
        for length in 0..prose.len() {
            let (mut text, mut units) = (String::from("x"), vec![u16::from(b'x')]);
            push_units(&prose[..length], &mut text);
            assert_eq!(text, "x".to_owned() + &String::from_utf16_lossy(&prose[..length]));
            push_text(&text[1..], &mut units);
            assert_eq!(units[1..], prose[..length]);
        }
        let mut text = String::new();
        push_units(&[0xD800; 2 * PIECE], &mut text);
        assert_eq!(text, "\u{FFFD}".repeat(2 * PIECE));
    }
}
