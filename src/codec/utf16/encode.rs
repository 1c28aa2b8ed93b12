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

/// Octets of text for which room is made at once.
const PIECE: usize = 4096;

#[inline(always)]
fn write(text: &str, octets: impl Fn(u16) -> [u8; 2] + Copy, out: &mut Vec<u8>) {
    let mut rest = text;
    while !rest.is_empty() {
        let (piece, more) = rest.split_at(boundary(rest));
        let start = out.len();
        out.resize(start + 2 * piece.len() + SLACK, 0);
        let written = convert(piece.as_bytes(), octets, &mut out[start..]);
        out.truncate(start + written);
        rest = more;
    }
}

/// Where a piece ends: between two characters.
fn boundary(text: &str) -> usize {
    let end = text.len().min(PIECE);
    (end.saturating_sub(3)..=end).rev().find(|&at| text.is_char_boundary(at)).unwrap_or(text.len())
}

/// Octets that may be written behind the last one.
const SLACK: usize = 32;

/// Converts UTF-8; gives the number of octets.
#[inline(always)]
fn convert(text: &[u8], octets: impl Fn(u16) -> [u8; 2] + Copy, out: &mut [u8]) -> usize {
    let (mut at, mut written) = (0, 0);
    let mut put = |unit: u16, written: usize| out[written..written + 2].copy_from_slice(&octets(unit));
    loop {
        match text[at..] {
            [octet, ..] if octet < 0x80 => {
                put(octet.into(), written);
                (at, written) = (at + 1, written + 2);
            }
            [first @ 0..0xE0, second, ..] => {
                put(u16::from(first & 0x1F) << 6 | u16::from(second & 0x3F), written);
                (at, written) = (at + 2, written + 2);
            }
            [first @ 0..0xF0, second, third, ..] => {
                let low = u16::from(second & 0x3F) << 6 | u16::from(third & 0x3F);
                put(u16::from(first) << 12 | low, written);
                (at, written) = (at + 3, written + 2);
            }
            [first, second, third, fourth, ..] => {
                let low = |octet: u8| u32::from(octet & 0x3F);
                let point = u32::from(first & 7) << 18 | low(second) << 12 | low(third) << 6 | low(fourth);
                let point = point.wrapping_sub(0x1_0000);
                put(0xD800 | (point >> 10 & 0x3FF) as u16, written);
                put(0xDC00 | (point & 0x3FF) as u16, written + 2);
                (at, written) = (at + 4, written + 4);
            }
            _ => return written,
        }
    }
}
