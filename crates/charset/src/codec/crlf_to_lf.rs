//! Text with LF as its line ends.

use std::borrow::Cow;

use fearless_simd::{Select, Simd, SimdBase, SimdMask, dispatch, u8x64};
use memchr::{memchr, memchr_iter};

use super::level::{self, Level};
use super::text::from_utf8;

/// Returns `text` with every CR LF, and every CR alone, as LF.
pub fn with_lf(text: Cow<'_, str>) -> Cow<'_, str> {
    match memchr(b'\r', text.as_bytes()) {
        Some(_) => Cow::Owned(mended(Level::new(), &text)),
        None => text,
    }
}

/// Replaces line ends. As long as the text is US-ASCII, octets are picked out of vectors if the
/// processor can; the rest is copied line by line.
fn mended(level: Level, text: &str) -> String {
    let (mut picked, mut at) = (Vec::with_capacity(text.len() + WORD), 0);
    if level::picks(level) {
        at = dispatch!(level, simd => pick(simd, text.as_bytes(), &mut picked));
    }
    let mut out = from_utf8(picked);
    let rest = &text[at..];
    let mut from = 0;
    for end in memchr_iter(b'\r', rest.as_bytes()) {
        out.push_str(&rest[from..end]);
        if rest.as_bytes().get(end + 1) != Some(&b'\n') {
            out.push('\n');
        }
        from = end + 1;
    }
    out.push_str(&rest[from..]);
    out
}

/// How many octets are processed in one go; a write may go this far beyond what is kept.
const WORD: usize = 64;

/// Appends whole words of US-ASCII without a branch for each line: a CR before a LF is squeezed
/// out, any other CR becomes LF. Returns how many octets were read.
#[inline(always)]
fn pick<S: Simd>(simd: S, octets: &[u8], out: &mut Vec<u8>) -> usize {
    let (cr, lf) = (u8x64::splat(simd, b'\r'), u8x64::splat(simd, b'\n'));
    let mut at = 0;
    while let Some(window) = octets[at..].first_chunk::<{ WORD + 1 }>() {
        let (word, next) =
            (u8x64::from_slice(simd, &window[..WORD]), u8x64::from_slice(simd, &window[1..]));
        if word.simd_ge(0x80).any_true() {
            break;
        }
        let ends = word.simd_eq(cr);
        let kept = !(ends & next.simd_eq(lf));
        let len = out.len() + kept.to_bitmask().count_ones() as usize;
        let picked: [u8; WORD] = ends.select(lf, word).compress(kept).into();
        out.extend_from_slice(&picked);
        out.truncate(len);
        at += WORD;
    }
    at
}

#[cfg(test)]
mod tests {
    use proptest::prelude::{prop_assert_eq, proptest};

    use super::*;
    use crate::codec::level;

    proptest! {
        #[test]
        fn every_line_end_is_lf(text in "([a-z]{0,70}|\r\n|\r|\n|\u{e9}){0,30}") {
            let naive = text.replace("\r\n", "\n").replace('\r', "\n");
            for level in level::all() {
                prop_assert_eq!(&mended(level, &text), &naive, "{:?}", level);
            }
        }
    }
}
