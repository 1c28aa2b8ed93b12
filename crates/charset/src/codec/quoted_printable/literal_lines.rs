//! Lines of text that quoted-printable leaves as they are: most lines in most mail.

use fearless_simd::prelude::*;
use fearless_simd::{dispatch, u8x64};

use super::line_start::MAX_FIRST;
use crate::codec::level::Level;
use crate::lengths::MAX_ENCODED_LINE;

const WORD: usize = 64;
const CRLF: usize = 2;

/// Returns the length of the whole lines at the start of `text` that stand for themselves: literals
/// and CR LF, no blank at an end, nothing too long, and no line that begins with one of the octets
/// `not_first`.
pub(super) fn literal_lines(level: Level, text: &[u8], not_first: [u8; MAX_FIRST]) -> usize {
    dispatch!(level, simd => literal_lines_by(simd, text, not_first))
}

/// Measures [`literal_lines`]. An octet that is not a literal shows in the same word of bits or the
/// next, in any case before its line ends.
#[inline(always)]
fn literal_lines_by<S: Simd>(simd: S, text: &[u8], not_first: [u8; MAX_FIRST]) -> usize {
    let mut before = Ends { lf: 1, ..Ends::default() };
    let (mut line, mut at) = (0, 0);
    for word in text.as_chunks::<WORD>().0 {
        let octets = u8x64::from_slice(simd, word);
        let is = |octet: u8| octets.simd_eq(octet);
        let (cr, lf, tab) = (is(b'\r'), is(b'\n'), is(b'\t'));
        let literal = ((octets - b' ').simd_lt(0x5F) & !is(b'=')) | tab;
        let other = !(literal | cr | lf).to_bitmask();
        let [one, another, third] = not_first;
        let risky = (is(one) | is(another) | is(third)).to_bitmask();
        let [cr, lf, blank] = [cr, lf, is(b' ') | tab].map(|mask| mask.to_bitmask());
        let bare = (cr << 1 | before.cr) ^ lf;
        let wrong = other | bare | (blank << 1 | before.blank) & cr | (lf << 1 | before.lf) & risky;
        let ends = lf & (wrong ^ wrong.wrapping_sub(1)) & !wrong;
        if ends != 0 {
            // Only the first line end can end a line that is too long: the other lines begin in
            // this word.
            if at + ends.trailing_zeros() as usize + 1 - line > MAX_ENCODED_LINE + CRLF {
                return line;
            }
            line = at + WORD - ends.leading_zeros() as usize;
        }
        at += WORD;
        if wrong != 0 || at - line > MAX_ENCODED_LINE + CRLF {
            return line;
        }
        before = Ends { cr: cr >> (WORD - 1), lf: lf >> (WORD - 1), blank: blank >> (WORD - 1) };
    }
    line
}

/// The kind of the last octet of a word: 1 or 0 for each.
#[derive(Clone, Copy, Default)]
struct Ends {
    cr: u64,
    lf: u64,
    blank: u64,
}

#[cfg(test)]
mod tests {
    use proptest::prelude::{prop_assert, prop_assert_eq, proptest};

    use super::*;
    use crate::codec::level;
    use crate::codec::quoted_printable::{LineStarts, encode_text_to};

    proptest! {
        #[test]
        fn they_are_written_as_they_stand(text in "([a-zA-Z.-]{0,99}|[a-z]{70,80}|[ \t=F]|\r\n|\r\n|\r|\n|\u{e9}){0,40}") {
            let plain = literal_lines(Level::new(), text.as_bytes(), *b".F-");
            for level in level::all() {
                prop_assert_eq!(literal_lines(level, text.as_bytes(), *b".F-"), plain);
            }
            let lines = &text.as_bytes()[..plain];
            prop_assert!(lines.is_empty() || lines.ends_with(b"\r\n"));
            for line in lines.split_inclusive(|&octet| octet == b'\n') {
                prop_assert!(line.len() <= MAX_ENCODED_LINE + CRLF && !b".F-".contains(&line[0]));
                let mut written = Vec::new();
                encode_text_to(line, &LineStarts::default(), &mut written).expect("a vector takes all");
                prop_assert_eq!(&written, line);
            }
        }
    }

    #[test]
    fn most_lines_are_plain() {
        let text = "a line\r\n\r\nand another one\r\n".repeat(20);
        let found = literal_lines(Level::new(), text.as_bytes(), [0; MAX_FIRST]);
        assert!(
            found + WORD > text.len() && text.as_bytes()[..found].ends_with(b"\r\n"),
            "{found}"
        );
    }
}
