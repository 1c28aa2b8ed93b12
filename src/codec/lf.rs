//! Text with LF for its line ends.

use std::borrow::Cow;

use fearless_simd::{Select, Simd, SimdBase, SimdMask, dispatch, u8x64};
use memchr::{memchr, memchr_iter};

use super::level::{self, Level};
use super::text::from_utf8;

/// `text` with every CR LF, and every CR alone, as LF.
pub(crate) fn with_lf(text: Cow<'_, str>) -> Cow<'_, str> {
    match memchr(b'\r', text.as_bytes()) {
        Some(_) => Cow::Owned(mended(Level::new(), &text)),
        None => text,
    }
}

/// Octets are picked where that is a few instructions, and where it is plain that they are text still.
fn mended(level: Level, text: &str) -> String {
    if level::picks(level) && text.is_ascii() {
        from_utf8(dispatch!(level, simd => pick(simd, text.as_bytes())))
    } else {
        line_by_line(text)
    }
}

fn line_by_line(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut from = 0;
    for at in memchr_iter(b'\r', text.as_bytes()) {
        out.push_str(&text[from..at]);
        if text.as_bytes().get(at + 1) != Some(&b'\n') {
            out.push('\n');
        }
        from = at + 1;
    }
    out.push_str(&text[from..]);
    out
}

/// Without a branch for each line: of 64 octets, those are moved together that are no CR before a LF, and any other CR
/// becomes one.
#[inline(always)]
fn pick<S: Simd>(simd: S, octets: &[u8]) -> Vec<u8> {
    const WORD: usize = 64;
    let (cr, lf) = (u8x64::splat(simd, b'\r'), u8x64::splat(simd, b'\n'));
    // What is written goes beyond what is kept.
    let mut out = Vec::with_capacity(octets.len() + WORD);
    let mut at = 0;
    while let Some(window) = octets[at..].first_chunk::<{ WORD + 1 }>() {
        let [word, next] = [&window[..WORD], &window[1..]].map(|word| u8x64::from_slice(simd, word));
        let ends = word.simd_eq(cr);
        let kept = !(ends & next.simd_eq(lf));
        let len = out.len() + kept.to_bitmask().count_ones() as usize;
        let picked: [u8; WORD] = ends.select(lf, word).compress(kept).into();
        out.extend_from_slice(&picked);
        out.truncate(len);
        at += WORD;
    }
    let rest = &octets[at..];
    let nexts = rest.iter().skip(1).map(Some).chain([None]);
    let kept = rest.iter().zip(nexts).filter(|&(&octet, next)| octet != b'\r' || next != Some(&b'\n'));
    out.extend(kept.map(|(&octet, _)| if octet == b'\r' { b'\n' } else { octet }));
    out
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
            prop_assert_eq!(&line_by_line(&text), &naive);
            for level in level::all() {
                prop_assert_eq!(&mended(level, &text), &naive, "{:?}", level);
            }
        }
    }
}
