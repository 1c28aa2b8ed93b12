//! Lines of quoted-printable: at most 76 octets, with soft breaks in those that were longer.
//!
//! One vector holds a line, whatever becomes of it: it is written whole, and what does not belong to the line is written
//! over.

use fearless_simd::prelude::*;
use fearless_simd::{dispatch, u8x16, u8x64};

use super::LINE;
use super::start::is_risky_written;
use crate::codec::hex;
use crate::codec::level::Level;

/// Room before the first line: where a line begins in a risky way, its first octet becomes an escape, two octets longer.
pub(super) const HEAD: usize = 2;

/// No line is cut by what stands further behind its beginning: 76 columns, a UTF-8 sequence, and a boundary behind `--`
/// are less.
pub(super) const AHEAD: usize = 96;

/// A line and its end.
const WINDOW: usize = 80;

/// What was cut off.
pub(super) struct Cut {
    /// Where the next line begins.
    pub(super) at: usize,
    pub(super) written: usize,
}

/// Cuts `wide` from [`HEAD`] on, as long as a line begins before `until`. Either there are [`AHEAD`] more octets behind
/// that, or a line ends there.
pub(super) fn cut(level: Level, wide: &mut [u8], until: usize, boundaries: &[&[u8]], out: &mut [u8]) -> Cut {
    dispatch!(level, simd => cut_by(simd, wide, until, boundaries, out))
}

#[inline(always)]
fn cut_by<S: Simd>(simd: S, wide: &mut [u8], until: usize, boundaries: &[&[u8]], out: &mut [u8]) -> Cut {
    let (mut at, mut written) = (HEAD, 0);
    while at < until {
        if matches!(wide[at], b'.' | b'F' | b'-') && is_risky_written(&wide[at..at + AHEAD], boundaries) {
            let escape = hex::escape(b'=', wide[at]);
            at -= HEAD;
            wide[at..at + escape.len()].copy_from_slice(&escape);
        }
        let line = wide[at..].first_chunk().expect("room for a whole line behind the text");
        let to = out[written..].first_chunk_mut().expect("room for all lines");
        let width = write_window(simd, line, to);
        if width <= LINE {
            (at, written) = (at + width + 2, written + width + 2);
        } else {
            let width = before_soft_break(line);
            to[width..width + 3].copy_from_slice(b"=\r\n");
            (at, written) = (at + width, written + width + 3);
        }
    }
    Cut { at, written }
}

/// Copies as much as a line may take; gives how wide it is, or more than that.
#[inline(always)]
fn write_window<S: Simd>(simd: S, line: &[u8; AHEAD], to: &mut [u8; WINDOW]) -> usize {
    let most = u8x64::from_slice(simd, &line[..64]);
    let rest = u8x16::from_slice(simd, &line[64..WINDOW]);
    most.store_slice(&mut to[..64]);
    rest.store_slice(&mut to[64..]);
    // Every other CR is an escape.
    match most.simd_eq(b'\r').to_bitmask() {
        0 => 64 + rest.simd_eq(b'\r').to_bitmask().trailing_zeros() as usize,
        ends => ends.trailing_zeros() as usize,
    }
}

/// How much of a line that is too long goes before a soft break: no escape is split, and no UTF-8 sequence.
#[inline(always)]
fn before_soft_break(line: &[u8; AHEAD]) -> usize {
    const MOST: usize = LINE - 1;
    let width = match [line[MOST - 2], line[MOST - 1]] {
        [b'=', _] => MOST - 2,
        [_, b'='] => MOST - 1,
        _ => MOST,
    };
    if goes_on(line, width) { before_sequence(line, width) } else { width }
}

/// Where the UTF-8 sequence begins that the escape at `at` goes on; `at` if it goes on none.
fn before_sequence(line: &[u8; AHEAD], at: usize) -> usize {
    let Some(back) = (1..=3).find(|back| !goes_on(line, at - 3 * back)) else { return at };
    let lead = at - 3 * back;
    let more = following(line, lead);
    let whole = back <= more && (back..=more).all(|ahead| goes_on(line, lead + 3 * ahead));
    if whole { lead } else { at }
}

/// Whether there is an escape of 80 to BF.
#[inline(always)]
fn goes_on(line: &[u8; AHEAD], at: usize) -> bool {
    line[at] == b'=' && matches!(line[at + 1], b'8' | b'9' | b'A' | b'B')
}

/// How many octets belong to the one whose escape stands at `at`, if a UTF-8 sequence begins with it.
fn following(line: &[u8; AHEAD], at: usize) -> usize {
    match [line[at], line[at + 1], line[at + 2]] {
        [b'=', b'C', b'0' | b'1'] => 0,
        [b'=', b'C' | b'D', _] => 1,
        [b'=', b'E', _] => 2,
        [b'=', b'F', b'0'..=b'4'] => 3,
        _ => 0,
    }
}
