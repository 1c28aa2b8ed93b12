//! Breaks quoted-printable into lines of at most 76 octets, with soft breaks in longer ones.
//!
//! A line fits into one window of vectors: it is copied whole, and what does not belong to the line
//! is overwritten.

use fearless_simd::prelude::*;
use fearless_simd::{dispatch, u8x16, u8x64};

use super::line_start::LineStarts;
use crate::codec::hex;
use crate::codec::level::Level;
use crate::lengths::MAX_ENCODED_LINE;

/// Room before the first line: a first octet that must not begin a line becomes an escape, two
/// octets longer.
pub(super) const HEAD: usize = 2;

/// How far ahead of a line's start anything matters to where it is broken: more than 76 columns and
/// a UTF-8 sequence.
pub(super) const AHEAD: usize = 96;

/// A line and its end.
const WINDOW: usize = 80;

/// The result of [`break_lines`].
pub(super) struct Broken {
    /// Where the next line begins.
    pub(super) at: usize,
    pub(super) written: usize,
}

/// Breaks `wide` into lines from [`HEAD`] on, as long as a line begins before `until`. Either
/// [`AHEAD`] more octets follow there, or a line ends there.
pub(super) fn break_lines(
    level: Level,
    wide: &mut [u8],
    until: usize,
    starts: &LineStarts,
    out: &mut [u8],
) -> Broken {
    dispatch!(level, simd => break_lines_by(simd, wide, until, starts, out))
}

#[inline(always)]
fn break_lines_by<S: Simd>(
    simd: S,
    wide: &mut [u8],
    until: usize,
    starts: &LineStarts,
    out: &mut [u8],
) -> Broken {
    let (mut at, mut written) = (HEAD, 0);
    while at < until {
        if starts.may_begin_with(wide[at]) && starts.begin_encoded(&wide[at..at + AHEAD]) {
            let escape = hex::escape(b'=', wide[at]);
            at -= HEAD;
            wide[at..at + escape.len()].copy_from_slice(&escape);
        }
        let line = wide[at..].first_chunk().expect("room for a whole line after the text");
        let to = out[written..].first_chunk_mut().expect("room for all lines");
        let width = write_window(simd, line, to);
        if width <= MAX_ENCODED_LINE {
            (at, written) = (at + width + 2, written + width + 2);
        } else {
            let width = before_soft_break(line);
            to[width..width + 3].copy_from_slice(b"=\r\n");
            (at, written) = (at + width, written + width + 3);
        }
    }
    Broken { at, written }
}

/// Copies as much as a line may take; returns the width of the line, or something larger than a
/// line if it does not end there.
#[inline(always)]
fn write_window<S: Simd>(simd: S, line: &[u8; AHEAD], to: &mut [u8; WINDOW]) -> usize {
    let most = u8x64::from_slice(simd, &line[..64]);
    let rest = u8x16::from_slice(simd, &line[64..WINDOW]);
    most.store_slice(&mut to[..64]);
    rest.store_slice(&mut to[64..]);
    // The first CR ends the line: any other CR has been escaped.
    match most.simd_eq(b'\r').to_bitmask() {
        0 => 64 + rest.simd_eq(b'\r').to_bitmask().trailing_zeros() as usize,
        ends => ends.trailing_zeros() as usize,
    }
}

/// Returns how much of a line that is too long comes before a soft break, without splitting an
/// escape or a UTF-8 sequence.
#[inline(always)]
fn before_soft_break(line: &[u8; AHEAD]) -> usize {
    const MAX: usize = MAX_ENCODED_LINE - 1;
    let width = match [line[MAX - 2], line[MAX - 1]] {
        [b'=', _] => MAX - 2,
        [_, b'='] => MAX - 1,
        _ => MAX,
    };
    if goes_on(line, width) { before_sequence(line, width) } else { width }
}

/// Returns where the UTF-8 sequence begins that the escape at `at` continues; `at` if it continues
/// none.
fn before_sequence(line: &[u8; AHEAD], at: usize) -> usize {
    let Some(back) = (1..=3).find(|back| !goes_on(line, at - 3 * back)) else { return at };
    let lead = at - 3 * back;
    let more = following(line, lead);
    let whole = back <= more && (back..=more).all(|ahead| goes_on(line, lead + 3 * ahead));
    if whole { lead } else { at }
}

/// Returns whether there is an escape of 80 to BF at `at`.
#[inline(always)]
fn goes_on(line: &[u8; AHEAD], at: usize) -> bool {
    line[at] == b'=' && matches!(line[at + 1], b'8' | b'9' | b'A' | b'B')
}

/// Returns how many continuation octets the lead octet escaped at `at` requires; 0 if it is not a
/// lead octet.
fn following(line: &[u8; AHEAD], at: usize) -> usize {
    match [line[at], line[at + 1], line[at + 2]] {
        [b'=', b'C', b'0' | b'1'] => 0,
        [b'=', b'C' | b'D', _] => 1,
        [b'=', b'E', _] => 2,
        [b'=', b'F', b'0'..=b'4'] => 3,
        _ => 0,
    }
}
