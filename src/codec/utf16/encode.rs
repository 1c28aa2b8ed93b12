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
    loop {
        (at, written) = alike(text, at, octets, out, written);
        let mut put = |unit: u16, written: usize| out[written..written + 2].copy_from_slice(&octets(unit));
        match text[at..] {
            [octet, ..] if octet < 0x80 => {
                put(octet.into(), written);
                (at, written) = (at + 1, written + 2);
            }
            [first @ 0..0xE0, second, ..] => {
                put(two(first, second), written);
                (at, written) = (at + 2, written + 2);
            }
            [first @ 0..0xF0, second, third, ..] => {
                put(three(first, second, third), written);
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

/// Characters of the same length as long as they stand side by side: US-ASCII by sixteen, others by four.
#[inline(always)]
fn alike(
    text: &[u8],
    mut at: usize,
    octets: impl Fn(u16) -> [u8; 2] + Copy,
    out: &mut [u8],
    mut written: usize,
) -> (usize, usize) {
    loop {
        let rest = &text[at..];
        if let Some(step) = rest.first_chunk::<16>()
            && step.is_ascii()
        {
            for (to, &octet) in out[written..written + 32].as_chunks_mut().0.iter_mut().zip(step) {
                *to = octets(octet.into());
            }
            (at, written) = (at + 16, written + 32);
        } else if let Some(step) = rest.first_chunk::<8>()
            && u64::from_le_bytes(*step) & 0xC0E0_C0E0_C0E0_C0E0 == 0x80C0_80C0_80C0_80C0
        {
            for (to, &[first, second]) in
                out[written..written + 8].as_chunks_mut().0.iter_mut().zip(step.as_chunks().0)
            {
                *to = octets(two(first, second));
            }
            (at, written) = (at + 8, written + 8);
        } else if let Some(step) = rest.first_chunk::<12>()
            && (step[0] & step[3] & step[6] & step[9]) >= 0xE0
            && (step[0] | step[3] | step[6] | step[9]) < 0xF0
        {
            for (to, &[first, second, third]) in
                out[written..written + 8].as_chunks_mut().0.iter_mut().zip(step.as_chunks().0)
            {
                *to = octets(three(first, second, third));
            }
            (at, written) = (at + 12, written + 8);
        } else {
            return (at, written);
        }
    }
}

#[inline]
fn two(first: u8, second: u8) -> u16 {
    u16::from(first & 0x1F) << 6 | u16::from(second & 0x3F)
}

#[inline]
fn three(first: u8, second: u8, third: u8) -> u16 {
    u16::from(first) << 12 | u16::from(second & 0x3F) << 6 | u16::from(third & 0x3F)
}
