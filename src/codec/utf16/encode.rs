//! Writing UTF-16.

use super::ByteOrder;
use crate::codec::text::Signature;

/// Appends `text` in UTF-16, with a signature or without (RFC 2781, 3.3: under the labels that say the order, without).
pub(crate) fn encode(text: &str, order: ByteOrder, signature: Signature, out: &mut Vec<u8>) {
    let mut encoder = Encoder::new(order, signature);
    encoder.encode(text, out);
    encoder.finish(out);
}

/// Writes UTF-16 in chunks that begin and end between any two characters.
pub(crate) struct Encoder {
    order: ByteOrder,
    signature: Signature,
}

impl Encoder {
    pub(crate) const fn new(order: ByteOrder, signature: Signature) -> Self {
        Self { order, signature }
    }

    /// Appends `text`.
    pub(crate) fn encode(&mut self, text: &str, out: &mut Vec<u8>) {
        self.finish(out);
        out.reserve(2 * text.len());
        match self.order {
            ByteOrder::Big => write(text, u16::to_be_bytes, out),
            ByteOrder::Little => write(text, u16::to_le_bytes, out),
        }
    }

    /// Ends the text: an empty one still has its signature.
    pub(crate) fn finish(&mut self, out: &mut Vec<u8>) {
        if std::mem::replace(&mut self.signature, Signature::Without) == Signature::With {
            out.extend_from_slice(&self.order.octets(0xFEFF));
        }
    }
}

/// Octets of text read before what they stand for is taken over.
const PIECE: usize = 512;

#[inline]
fn write(text: &str, octets: fn(u16) -> [u8; 2], out: &mut Vec<u8>) {
    let mut units = [0; PIECE + SLACK];
    let mut rest = text;
    while !rest.is_empty() {
        let (piece, more) = rest.split_at(boundary(rest));
        let count = convert(piece.as_bytes(), &mut units);
        let start = out.len();
        out.resize(start + 2 * count, 0);
        for (to, &unit) in out[start..].as_chunks_mut().0.iter_mut().zip(&units) {
            *to = octets(unit);
        }
        rest = more;
    }
}

/// Where a piece ends: between two characters.
fn boundary(text: &str) -> usize {
    let end = text.len().min(PIECE);
    (end.saturating_sub(3)..=end).rev().find(|&at| text.is_char_boundary(at)).unwrap_or(text.len())
}

/// Units that may be written behind the last one.
const SLACK: usize = 16;

/// Converts UTF-8; gives the number of units.
fn convert(text: &[u8], units: &mut [u16; PIECE + SLACK]) -> usize {
    let (mut at, mut written) = (0, 0);
    loop {
        at += ascii(&text[at..], units, &mut written);
        match text[at..] {
            [octet, ..] if octet < 0x80 => {
                units[written] = octet.into();
                (at, written) = (at + 1, written + 1);
            }
            [first @ 0..0xE0, second, ..] => {
                units[written] = u16::from(first & 0x1F) << 6 | u16::from(second & 0x3F);
                (at, written) = (at + 2, written + 1);
            }
            [first @ 0..0xF0, second, third, ..] => {
                units[written] =
                    u16::from(first) << 12 | u16::from(second & 0x3F) << 6 | u16::from(third & 0x3F);
                (at, written) = (at + 3, written + 1);
            }
            [first, second, third, fourth, ..] => {
                let low = |octet: u8| u32::from(octet & 0x3F);
                let point = u32::from(first & 7) << 18 | low(second) << 12 | low(third) << 6 | low(fourth);
                let point = point.wrapping_sub(0x1_0000);
                units[written] = 0xD800 | (point >> 10 & 0x3FF) as u16;
                units[written + 1] = 0xDC00 | (point & 0x3FF) as u16;
                (at, written) = (at + 4, written + 2);
            }
            _ => return written,
        }
    }
}

/// Whole steps of US-ASCII; gives the octets read.
#[inline]
fn ascii(text: &[u8], units: &mut [u16; PIECE + SLACK], written: &mut usize) -> usize {
    let mut at = 0;
    while let Some(step) = text[at..].first_chunk::<16>()
        && step.is_ascii()
    {
        for (unit, &octet) in units[*written..].iter_mut().zip(step) {
            *unit = octet.into();
        }
        (at, *written) = (at + 16, *written + 16);
    }
    at
}
