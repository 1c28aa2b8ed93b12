//! The surroundings of a value: what stands before and after an id, a date, an address, a type or a
//! URL, and is no part of it.
//!
//! Programs that copy a value out of a page or a form take more along than the value: a no-break
//! space, a byte order mark, a mark of direction, a NUL. Such an octet says nothing, so nothing may
//! depend on it: every parser of a value that 7 bits have to carry asks here where the value begins
//! and ends.

use std::borrow::Cow;
use std::ops::Range;

use crate::ascii::{are_printable_or_fws, is_fws, within_fws};

/// Returns the length of the blank that `octets` begin with, 0 if they begin with something else:
/// white space, a control, or a character in UTF-8 that is white space or invisible; or A0, the
/// no-break space of most charsets with 8 bits.
///
/// Deviations:
/// 1. ESC, SO and SI are no blanks: with them begins text in a charset of ISO/IEC 2022.
fn blank_len(octets: &[u8]) -> usize {
    match octets {
        [0x1b | 0x0e | 0x0f, ..] => 0,
        [0x00..=b' ' | 0x7f | 0xa0, ..] => 1,
        // Controls of C1, the no-break space, the soft hyphen; the grapheme joiner; the Arabic
        // letter mark.
        [0xc2, 0x80..=0xa0 | 0xad, ..] | [0xcd, 0x8f, ..] | [0xd8, 0x9c, ..] => 2,
        // Spaces of Ogham and Mongolian.
        [0xe1, 0x9a, 0x80, ..] | [0xe1, 0xa0, 0x8e, ..] => 3,
        // U+2000 to U+200F, U+2028 to U+202F, U+205F to U+206F: spaces, line separators, what turns
        // the direction of text.
        [0xe2, 0x80, 0x80..=0x8f | 0xa8..=0xaf, ..] | [0xe2, 0x81, 0x9f..=0xaf, ..] => 3,
        // The space of East Asia; the byte order mark.
        [0xe3, 0x80, 0x80, ..] | [0xef, 0xbb, 0xbf, ..] => 3,
        _ => 0,
    }
}

/// Returns the runs of blanks in `octets`, in order, each as long as it can be.
///
/// Deviations:
/// 1. Blanks above 7F beside another octet above 7F are none: they may be halves of characters in
///    some charset.
fn blank_runs(octets: &[u8]) -> impl Iterator<Item = Range<usize>> {
    let mut at = 0;
    std::iter::from_fn(move || {
        let mut start = None;
        while at < octets.len() {
            let end = blanks_end(octets, at);
            if end > at {
                start = start.or(Some(at));
                at = end;
                continue;
            }
            if let Some(start) = start.take() {
                return Some(start..at);
            }
            at = visible_end(octets, at);
        }
        start.map(|start| start..at)
    })
}

/// Returns the end of the blanks at `at`: of those above 7F, or of those below; `at` if there are
/// none.
fn blanks_end(octets: &[u8], at: usize) -> usize {
    let is_ascii = octets[at].is_ascii();
    let end = same_blanks_end(octets, at);
    let is_raw = |octet: Option<&u8>| octet.is_some_and(|octet| !octet.is_ascii());
    let is_beside_text = !is_ascii && (is_raw(octets.get(end)) || is_raw(octets[..at].last()));
    if is_beside_text { at } else { end }
}

/// Returns the end of the octets at `at` that would be blanks if nothing else were beside them.
fn same_blanks_end(octets: &[u8], at: usize) -> usize {
    let is_ascii = octets[at].is_ascii();
    let mut end = at;
    while end < octets.len() && octets[end].is_ascii() == is_ascii {
        match blank_len(&octets[end..]) {
            0 => break,
            len => end += len,
        }
    }
    end
}

/// Returns the end of the octets at `at` that are no blanks: one octet, or all that would be blanks
/// but for what is beside them, so that each octet is looked at twice at most.
fn visible_end(octets: &[u8], at: usize) -> usize {
    same_blanks_end(octets, at).max(at + 1)
}

/// Returns whether no blanks but white space are in `octets`; nothing else is asked of most values.
fn is_ordinary(octets: &[u8]) -> bool {
    are_printable_or_fws(octets)
}

/// Returns `octets` without the blanks at either end.
pub fn trim(octets: &[u8]) -> &[u8] {
    &octets[within(octets)]
}

/// Returns where the octets are that [`trim`] leaves.
pub fn within(octets: &[u8]) -> Range<usize> {
    if is_ordinary(octets) {
        return within_fws(octets);
    }
    let (mut start, mut end) = (0, octets.len());
    for run in blank_runs(octets) {
        if run.start == 0 {
            start = run.end;
        }
        if run.end == octets.len() {
            end = run.start.max(start);
        }
    }
    start..end
}

/// Returns `octets` with a space for each octet of a blank other than white space, so that places
/// stay the same.
pub fn blanked(octets: &[u8]) -> Cow<'_, [u8]> {
    if is_ordinary(octets) {
        return Cow::Borrowed(octets);
    }
    let mut blanked = octets.to_vec();
    for run in blank_runs(octets) {
        blanked[run].iter_mut().filter(|octet| !is_fws(**octet)).for_each(|octet| *octet = b' ');
    }
    Cow::Owned(blanked)
}

/// Returns `octets` cut where blanks begin and end: each piece with whether it is blank. None is
/// empty.
pub fn pieces(octets: &[u8]) -> impl Iterator<Item = (&[u8], bool)> {
    let mut runs = blank_runs(octets).peekable();
    let mut at = 0;
    std::iter::from_fn(move || {
        let next = runs.peek().map_or(octets.len()..octets.len(), Range::clone);
        let piece = if at < next.start { at..next.start } else { next };
        if piece.start == piece.end {
            return None;
        }
        let is_blank = piece.start == runs.peek().map_or(octets.len(), |run| run.start);
        if is_blank {
            runs.next();
        }
        at = piece.end;
        Some((&octets[piece], is_blank))
    })
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::ascii::trim_fws;

    #[test]
    fn what_surrounds_a_value_is_no_part_of_it() {
        for (octets, value) in [
            (&b" a b\r\n"[..], &b"a b"[..]),
            (b"\xc2\xa0a\xc2\xa0b\xc2\xa0", b"a\xc2\xa0b"),
            (b"a\xa0", b"a"),
            (b"\xef\xbb\xbfa\0", b"a"),
            (b"\xe2\x80\x8b \x0ba\xc2\xad\x7f\r\n ", b"a"),
            (b"\xe2\x80\xaea\xe2\x81\xa9", b"a"),
            // Text in some charset, whose last octet may be half of a character.
            (b"\xb0\xa0", b"\xb0\xa0"),
            (b"\xa0\xb0", b"\xa0\xb0"),
            (b"\x1b$B", b"\x1b$B"),
            (b"\xa0 \xc2\xa0", b""),
            (b"", b""),
        ] {
            assert_eq!(trim(octets), value, "{}", octets.escape_ascii());
        }
        assert_eq!(&*blanked(b"29\xc2\xa0Jan\r\n\x00x\xb0\xa0"), b"29  Jan\r\n x\xb0\xa0");
    }

    proptest! {
        #[test]
        fn pieces_are_the_octets(octets in prop::collection::vec(prop::sample::select(&b"ab \r\n\x00\xa0\xc2\xad\xe2\x80\x8b\xef\xbb\xbf\xe9"[..]), 0..30)) {
            let pieces: Vec<_> = pieces(&octets).collect();
            prop_assert_eq!(pieces.iter().map(|(piece, _)| *piece).collect::<Vec<_>>().concat(), &octets[..]);
            prop_assert!(pieces.windows(2).all(|pair| pair[0].1 != pair[1].1));
            prop_assert_eq!(blanked(&octets).len(), octets.len());
            for (piece, is_blank) in pieces {
                let blanked = blanked(piece);
                // By itself a piece has no neighbours, so more of it may be blank.
                prop_assert!(!is_blank || trim_fws(&blanked).is_empty());
            }
            let inner = trim(&octets);
            prop_assert_eq!(trim_fws(&blanked(&octets)).len(), inner.len());
        }
    }
}
