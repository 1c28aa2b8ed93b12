//! Strict quoted-printable, decoded by whole vectors.
//!
//! Each octet is examined together with the two after it, as if an escape began there: three loads,
//! one octet apart. At a `=`, the value of the digits takes its place; then the digits are squeezed
//! out.

use fearless_simd::dispatch;
use fearless_simd::prelude::*;

use crate::codec::level::Level;

/// The widest vector, and the two octets after it.
const WINDOW: usize = 64 + 2;

/// Decodes `text` if each `=` in it begins an escape in upper case or a soft break of CR LF;
/// returns how many octets were written. `out` has as much room as `text`, and [`SLACK`].
pub fn decode(level: Level, text: &[u8], out: &mut [u8]) -> Option<usize> {
    dispatch!(level, simd => decode_by(simd, text, out))
}

/// Spare room after the output, since whole vectors are stored.
pub(super) const SLACK: usize = 64;

#[inline(always)]
fn decode_by<S: Simd>(simd: S, text: &[u8], out: &mut [u8]) -> Option<usize> {
    let (mut at, mut written, mut covered) = (0, 0, 0);
    while let Some(window) = text.get(at..at + S::u8s::LEN + 2) {
        let octets = squeeze(simd, window, &mut covered, u64::MAX, &mut out[written..])?;
        (at, written) = (at + S::u8s::LEN, written + octets);
    }
    while at < text.len() {
        let rest = &text[at..text.len().min(at + WINDOW)];
        let mut window = [0; WINDOW];
        window[..rest.len()].copy_from_slice(rest);
        let there = u64::MAX >> 64_usize.saturating_sub(rest.len());
        let octets = squeeze(simd, &window, &mut covered, there, &mut out[written..])?;
        (at, written) = (at + S::u8s::LEN, written + octets);
    }
    Some(written)
}

/// Decodes one vector. Octets marked in `covered` belong to an escape of the vector before; only
/// those marked in `there` count.
#[inline(always)]
fn squeeze<S: Simd>(
    simd: S,
    window: &[u8],
    covered: &mut u64,
    there: u64,
    out: &mut [u8],
) -> Option<usize> {
    let width = S::u8s::LEN;
    let octets = S::u8s::from_slice(simd, &window[..width]);
    let is_mark = octets.simd_eq(b'=');
    let marks = is_mark.to_bitmask();
    if marks | *covered == 0 && there == u64::MAX {
        octets.store_slice(&mut out[..width]);
        return Some(width);
    }
    let first = S::u8s::from_slice(simd, &window[1..width + 1]);
    let second = S::u8s::from_slice(simd, &window[2..width + 2]);
    let (is_high, high) = digit(first);
    let (is_low, low) = digit(second);
    let soft = marks & (first.simd_eq(b'\r') & second.simd_eq(b'\n')).to_bitmask();
    if marks & !(soft | (is_high & is_low).to_bitmask()) != 0 {
        return None;
    }
    let lanes = u64::MAX >> (64 - width);
    let kept = !(soft | *covered | marks << 1 | marks << 2) & there & lanes;
    *covered = marks >> (width - 1) | marks >> (width - 2);
    let values = is_mark.select((high << 4) | low, octets);
    values.compress(S::mask8s::from_bitmask(simd, kept)).store_slice(&mut out[..width]);
    Some(kept.count_ones() as usize)
}

/// Returns which octets are hexadecimal digits in upper case, and their values.
#[inline(always)]
pub(super) fn digit<S: Simd, V: SimdInt<S, Element = u8>>(octets: V) -> (V::Mask, V) {
    let (decimal, letter) = (octets - b'0', octets - b'A');
    let is_decimal = decimal.simd_lt(10);
    (is_decimal | letter.simd_lt(6), is_decimal.select(decimal, letter + 10))
}
