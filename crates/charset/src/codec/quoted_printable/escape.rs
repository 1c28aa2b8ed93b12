//! Octets as quoted-printable writes them, as themselves or as escapes;
//! [`soft_breaks`](super::soft_breaks) cuts the result into lines.

use std::ops::Range;

use fearless_simd::dispatch;
use fearless_simd::prelude::*;

use super::is_literal;
use crate::ascii::is_wsp;
use crate::codec::hex;
use crate::codec::level::{self, Level};
use crate::codec::scan::{Finder, SMALL};

/// Writes `range` of `text` to `out` from `to` on and returns where that ends; up to [`SLACK`]
/// octets after it may be overwritten. CR LF stays; any other CR or LF is escaped, and so is white
/// space before a CR LF or the end of the text.
pub(super) fn escape(
    level: Level,
    text: &[u8],
    range: Range<usize>,
    out: &mut [u8],
    to: usize,
) -> usize {
    if level::picks(level) {
        dispatch!(level, simd => escape_by(simd, text, range, out, to))
    } else {
        escape_singly(text, range, out, to)
    }
}

/// Spare room for whole vectors.
pub(super) const SLACK: usize = 64;

/// The widest vector, with the octet before it and the two after it, which show where a line ends.
const WINDOW: usize = 1 + 64 + 2;

/// Escapes one vector at a time: with few escapes by copying what is between them, with more by
/// taking as many of its octets as fit into three vectors once they are escaped.
#[inline(always)]
fn escape_by<S: Simd>(
    simd: S,
    text: &[u8],
    range: Range<usize>,
    out: &mut [u8],
    to: usize,
) -> usize {
    let (mut at, mut to) = (range.start, to);
    while at < range.end {
        let mut padded = [0; WINDOW];
        let window =
            match at.checked_sub(1).and_then(|before| text.get(before..at + S::u8s::LEN + 2)) {
                Some(window) => window,
                None => pad(text, at, &mut padded),
            };
        let octets = S::u8s::from_slice(simd, &window[1..S::u8s::LEN + 1]);
        let literal = literals(simd, window, octets);
        let count = S::u8s::LEN.min(range.end - at);
        let marks = !literal.to_bitmask() & first(count);
        let is_few = !SMALL && marks.count_ones() <= FEW;
        let ahead = if is_few { text.get(at..at + 2 * S::u8s::LEN) } else { None };
        let (count, written) = match ahead {
            Some(ahead) => (count, count + escape_few(simd, ahead, marks, &mut out[to..])),
            None => {
                let count = count.min(S::u8s::LEN / 3 * 3);
                (count, write(simd, octets, literal, count, &mut out[to..]))
            }
        };
        (at, to) = (at + count, to + written);
    }
    to
}

/// With so many escapes in a vector, copying what is between them takes less than squeezing three
/// vectors. Not in WebAssembly, where the size of the module counts.
const FEW: u32 = 4;

/// Returns ones for the first lanes, at least one.
#[inline(always)]
fn first(lanes: usize) -> u64 {
    u64::MAX >> (64 - lanes)
}

/// Writes the octets of a vector, of which those in `marks` are escaped, and returns by how much
/// that makes them longer. `ahead` has the vector after it, too: octets of that are written and
/// then overwritten.
#[inline(always)]
fn escape_few<S: Simd>(simd: S, ahead: &[u8], mut marks: u64, out: &mut [u8]) -> usize {
    let copy = |from: usize, out: &mut [u8]| {
        S::u8s::from_slice(simd, &ahead[from..from + S::u8s::LEN])
            .store_slice(&mut out[..S::u8s::LEN]);
    };
    copy(0, out);
    let mut longer = 0;
    while marks != 0 {
        let at = marks.trailing_zeros() as usize;
        out[longer + at..longer + at + 3].copy_from_slice(&hex::escape(b'=', ahead[at]));
        longer += 2;
        copy(at + 1, &mut out[longer + at + 1..]);
        marks &= marks - 1;
    }
    longer
}

/// Returns the octets around a vector at the start or end of the text, padded with a line end.
#[cold]
fn pad<'p>(text: &[u8], at: usize, padded: &'p mut [u8; WINDOW]) -> &'p [u8] {
    let before = usize::from(at > 0);
    let there = &text[at - before..text.len().min(at + WINDOW - 1)];
    let room = &mut padded[1 - before..];
    room[..there.len()].copy_from_slice(there);
    room[there.len()..].iter_mut().zip(b"\r\n").for_each(|(octet, end)| *octet = *end);
    padded
}

/// Writes the first `count` octets of a vector, at least one, and returns the length written. Up to
/// [`SLACK`] octets after it may be overwritten.
///
/// Three vectors hold the `=` or the literal, the first digit and the second digit of each octet,
/// with 0 for the digits of literals; they are interleaved, and every 0 is squeezed out.
#[inline(always)]
pub(super) fn write<S: Simd>(
    simd: S,
    octets: S::u8s,
    literal: S::mask8s,
    count: usize,
    out: &mut [u8],
) -> usize {
    if !literal.to_bitmask() & first(count) == 0 {
        octets.store_slice(&mut out[..S::u8s::LEN]);
        return count;
    }
    let (zero, mark) = (S::u8s::splat(simd, 0), S::u8s::splat(simd, b'='));
    let written = [
        literal.select(octets, mark),
        literal.select(zero, digits(simd, octets >> 4)),
        literal.select(zero, digits(simd, octets & 0x0F)),
    ];
    let third = S::u8s::LEN / 3;
    let (mut done, mut to) = (0, 0);
    while done < count {
        let spread = |from: &[u8; 64], octets: S::u8s| {
            let from = S::u8s::from_slice(simd, &from[..S::u8s::LEN]);
            octets.swizzle_dyn_precise(from.saturating_add(done as u8))
        };
        let [head, high, low] = written;
        let wide = spread(&SPREAD[0], head) | spread(&SPREAD[1], high) | spread(&SPREAD[2], low);
        let used = wide.simd_ne(0);
        wide.compress(used).store_slice(&mut out[to..to + S::u8s::LEN]);
        to += (used.to_bitmask() & first(3 * third.min(count - done))).count_ones() as usize;
        done += third;
    }
    to
}

/// Returns which octets stand for themselves.
#[inline(always)]
fn literals<S: Simd>(simd: S, window: &[u8], octets: S::u8s) -> S::mask8s {
    let at_offset = |at: usize| S::u8s::from_slice(simd, &window[at..at + S::u8s::LEN]);
    let (before, next, second) = (at_offset(0), at_offset(2), at_offset(3));
    let tab = octets.simd_eq(b'\t');
    let plain = ((octets - b' ').simd_lt(0x5F) & !octets.simd_eq(b'=')) | tab;
    let last_blank = (octets.simd_eq(b' ') | tab) & next.simd_eq(b'\r') & second.simd_eq(b'\n');
    let cr = octets.simd_eq(b'\r') & next.simd_eq(b'\n');
    let lf = octets.simd_eq(b'\n') & before.simd_eq(b'\r');
    (plain & !last_blank) | cr | lf
}

/// Returns the digits of nibbles.
#[inline(always)]
fn digits<S: Simd>(simd: S, nibbles: S::u8s) -> S::u8s {
    let splat = |octet| S::u8s::splat(simd, octet);
    nibbles + nibbles.simd_lt(10).select(splat(b'0'), splat(b'A' - 10))
}

/// Where the first octets of escapes go, their first digits and their second digits: every third
/// place; the other places hold an index that selects nothing.
static SPREAD: [[u8; 64]; 3] = {
    let mut spread = [[u8::MAX; 64]; 3];
    let mut lane = 0;
    while lane < 64 {
        spread[lane % 3][lane] = (lane / 3) as u8;
        lane += 1;
    }
    spread
};

/// Copies runs of literals and escapes other octets one by one. The escapes of a CR LF are replaced
/// once its LF is reached.
fn escape_singly(text: &[u8], range: Range<usize>, out: &mut [u8], to: usize) -> usize {
    let mut marks = Finder::new(text, |octet| !is_literal(octet));
    let (mut at, mut to) = (range.start, to);
    while at < range.end {
        let literals = marks.next(at, range.end) - at;
        copy(&text[at..], &mut out[to..], literals);
        (at, to) = (at + literals, to + literals);
        while let Some(&octet) = text[..range.end].get(at)
            && !is_literal(octet)
        {
            out[to..to + 3].copy_from_slice(&hex::escape(b'=', octet));
            (at, to) = (at + 1, to + 3);
            if octet == b'\n' && text[..at].ends_with(b"\r\n") {
                to = end_line(&text[..at - 2], out, to - 6);
                out[to..to + 2].copy_from_slice(b"\r\n");
                to += 2;
            }
        }
    }
    if range.end == text.len() { end_line(text, out, to) } else { to }
}

/// Copies `count` octets, sixteen at a time if there are that many; the surplus is overwritten.
fn copy(octets: &[u8], out: &mut [u8], count: usize) {
    let mut at = 0;
    while at < count {
        match octets[at..].first_chunk::<16>() {
            Some(sixteen) => out[at..at + 16].copy_from_slice(sixteen),
            None => out[at..count].copy_from_slice(&octets[at..count]),
        }
        at += 16;
    }
}

/// Escapes the white space at the end of `line`, which has been written up to `to`.
fn end_line(line: &[u8], out: &mut [u8], to: usize) -> usize {
    match line.last() {
        Some(&octet) if is_wsp(octet) => {
            out[to - 1..to + 2].copy_from_slice(&hex::escape(b'=', octet));
            to + 2
        }
        _ => to,
    }
}
