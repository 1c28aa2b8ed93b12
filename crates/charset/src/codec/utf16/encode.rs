//! Writing UTF-16.

use super::{Bom, ByteOrder, vector};
use crate::codec::level::{self, Level};

/// Writes UTF-16 in chunks that begin and end between any two characters.
#[derive(Debug)]
pub struct Encoder {
    order: ByteOrder,
    bom: Bom,
    vectors: Option<Level>,
}

impl Encoder {
    /// Returns an encoder for an octet order, with or without a byte order mark.
    pub fn new(order: ByteOrder, bom: Bom) -> Self {
        Self::with(level::picking(), order, bom)
    }

    /// Returns an encoder with these vectors, or without any.
    pub(super) fn with(vectors: Option<Level>, order: ByteOrder, bom: Bom) -> Self {
        Self { order, bom, vectors }
    }

    /// Appends `text`.
    pub fn encode(&mut self, text: &str, out: &mut Vec<u8>) {
        self.finish(out);
        out.reserve(2 * text.len());
        let mut rest = text.as_bytes();
        while !rest.is_empty() {
            let start = out.len();
            out.resize(start + 2 * rest.len().min(PIECE) + SLACK, 0);
            let (read, written) = self.piece(rest, &mut out[start..]);
            out.truncate(start + written);
            rest = &rest[read..];
        }
    }

    /// Writes whole vectors, up to a character of four octets, then a few characters one by one.
    /// Returns the octets read and written.
    fn piece(&self, text: &[u8], out: &mut [u8]) -> (usize, usize) {
        let (read, written, length) = if let Some(level) = level::if_any_picks(self.vectors) {
            let room = out.len() - SLACK;
            let (read, written) = vector::from_utf8(level, text, self.order, &mut out[..room]);
            (read, written, FEW)
        } else {
            (0, 0, PIECE)
        };
        let few = &text[read..read + boundary(&text[read..], length)];
        let out = &mut out[written..];
        let more = match self.order {
            ByteOrder::Big => convert(few, u16::to_be_bytes, out),
            ByteOrder::Little => convert(few, u16::to_le_bytes, out),
        };
        (read + few.len(), written + more)
    }

    /// Ends the text: an empty one still has its byte order mark.
    pub fn finish(&mut self, out: &mut Vec<u8>) {
        if std::mem::replace(&mut self.bom, Bom::Without) == Bom::With {
            out.extend_from_slice(&self.order.octets(0xFEFF));
        }
    }
}

/// Octets of text for which room is made in one go.
const PIECE: usize = 4096;
/// Octets of text that are read one by one before vectors are tried again.
const FEW: usize = 64;
/// Octets that may be written after what vectors write: those few, and surplus.
const SLACK: usize = 2 * FEW + 32;

/// Returns where characters of up to `length` octets end.
fn boundary(text: &[u8], length: usize) -> usize {
    if text.len() <= length {
        return text.len();
    }
    (1..=length).rev().find(|&end| text[end] & 0xC0 != 0x80).unwrap_or(length)
}

/// Converts UTF-8; returns the number of octets. Characters of the same length are usually
/// adjacent: US-ASCII is taken in runs, others by four if they are.
#[inline(never)]
fn convert(text: &[u8], octets: impl Fn(u16) -> [u8; 2] + Copy, out: &mut [u8]) -> usize {
    let (mut at, mut written) = (0, 0);
    loop {
        let rest = &text[at..];
        let out = &mut out[written..];
        let (read, units) = match *rest {
            [octet, ..] if octet < 0x80 => match rest.first_chunk() {
                Some(four) if u32::from_le_bytes(*four) & 0x8080_8080 == 0 => {
                    match put_ascii(rest, octets, out) {
                        0 => (1, put([octet.into()], octets, out)),
                        run => (run, run),
                    }
                }
                _ => (1, put([octet.into()], octets, out)),
            },
            [first @ 0..0xE0, second, ..] => match rest.first_chunk() {
                Some(step) if is_twos(step) => {
                    let &[a, b, c, d, e, f, g, h] = step;
                    (8, put([two(a, b), two(c, d), two(e, f), two(g, h)], octets, out))
                }
                _ => (2, put([two(first, second)], octets, out)),
            },
            [first @ 0..0xF0, second, third, ..] => match rest.first_chunk::<12>() {
                Some(&[a, b, c, d, e, f, g, h, i, j, k, l])
                    if a & d & g & j >= 0xE0 && a | d | g | j < 0xF0 =>
                {
                    (
                        12,
                        put(
                            [three(a, b, c), three(d, e, f), three(g, h, i), three(j, k, l)],
                            octets,
                            out,
                        ),
                    )
                }
                _ => (3, put([three(first, second, third)], octets, out)),
            },
            [first, second, third, fourth, ..] => {
                (4, put(four(first, second, third, fourth), octets, out))
            }
            _ => return written,
        };
        (at, written) = (at + read, written + 2 * units);
    }
}

/// Writes the US-ASCII that `text` begins with, as long as sixteen octets are left; returns how
/// many units. A separate function, since the compiler makes vectors of its loop only if there is
/// nothing around it.
#[inline(never)]
fn put_ascii(text: &[u8], octets: impl Fn(u16) -> [u8; 2], out: &mut [u8]) -> usize {
    let mut run = 0;
    for (step, to) in text.as_chunks::<16>().0.iter().zip(out.as_chunks_mut::<32>().0) {
        for (to, &octet) in to.as_chunks_mut().0.iter_mut().zip(step) {
            *to = octets(octet.into());
        }
        if !step.is_ascii() {
            return run + step.iter().take_while(|octet| octet.is_ascii()).count();
        }
        run += 16;
    }
    run
}

/// Writes units at the start of `out`; returns how many.
#[inline(always)]
fn put<const UNITS: usize>(
    units: [u16; UNITS],
    octets: impl Fn(u16) -> [u8; 2],
    out: &mut [u8],
) -> usize {
    for (to, unit) in out[..2 * UNITS].as_chunks_mut().0.iter_mut().zip(units) {
        *to = octets(unit);
    }
    UNITS
}

/// Returns whether there are four characters of two octets here.
#[inline(always)]
fn is_twos(octets: &[u8; 8]) -> bool {
    u64::from_le_bytes(*octets) & 0xC0E0_C0E0_C0E0_C0E0 == 0x80C0_80C0_80C0_80C0
}

#[inline]
fn two(first: u8, second: u8) -> u16 {
    u16::from(first & 0x1F) << 6 | u16::from(second & 0x3F)
}

#[inline]
fn three(first: u8, second: u8, third: u8) -> u16 {
    u16::from(first) << 12 | u16::from(second & 0x3F) << 6 | u16::from(third & 0x3F)
}

fn four(first: u8, second: u8, third: u8, fourth: u8) -> [u16; 2] {
    let low = |octet: u8| u32::from(octet & 0x3F);
    let point = u32::from(first & 7) << 18 | low(second) << 12 | low(third) << 6 | low(fourth);
    let point = point.wrapping_sub(0x1_0000);
    [0xD800 | (point >> 10 & 0x3FF) as u16, 0xDC00 | (point & 0x3FF) as u16]
}
