//! Whether octets that are labelled base64 can be base64 (rule B2): words and punctuation are not.

use super::MIME;
use super::footer::footer;
use super::lenient::decode;
use super::well_formed::is_symbol;
use crate::ascii::{is_fws, trim_fws};
use crate::codec::scan;
use crate::report::Tally;

/// How many lines of symbols in a row, each of whole quads, are enough to be sure of base64. (So
/// the remainder of a [run] that was abridged is judged like the whole run.)
///
/// [run]: super::LineShape
const SURE_LINES: usize = 2;

/// The minimum length of those lines: longer than a word.
const SURE_LINE: usize = 32;

/// The minimum number of symbols before a footer: more than a word or two at the beginning of a
/// text.
const MIN_BEFORE_FOOTER: usize = 16;

/// Returns whether `body`, the body of a text, looks like base64. One of these is enough:
///
/// 1. Several lines in a row that are as in base64.
/// 2. Up to the padding, three quarters of it are lines of only symbols, all of one length or of
///    whole quads except for the last, and these amount to whole quads, or to the beginning of one
///    with nothing left over.
/// 3. It decodes to text, if it has a footer more than a few words would: those decode to arbitrary
///    octets.
pub fn looks_like_base64(body: &[u8]) -> bool {
    trim_fws(body).is_empty() || has_sure_lines(body) || is_regular(body) || decodes_to_text(body)
}

fn has_sure_lines(body: &[u8]) -> bool {
    let is_sure =
        |line: &[u8]| line.len() >= SURE_LINE && line.len().is_multiple_of(4) && is_symbols(line);
    let mut count = 0;
    lines(body).any(|line| {
        count = if is_sure(line) { count + 1 } else { 0 };
        count == SURE_LINES
    })
}

fn is_regular(body: &[u8]) -> bool {
    let end = memchr::memchr(b'=', body).unwrap_or(body.len());
    let padding = body[end..].iter().take_while(|&&octet| octet == b'=').count();
    let (mut symbols, mut others, mut last) = (0, 0, 0);
    let mut first = None;
    let (mut before, mut is_even, mut are_quads) = (None, true, true);
    for line in lines(&body[..end]) {
        if is_symbols(line) {
            if let Some(before) = before {
                are_quads &= before % 4 == 0;
                is_even &= line.len() <= before && *first.get_or_insert(before) == before;
            }
            before = Some(line.len());
            symbols += line.len();
            last = line.last().and_then(|&symbol| MIME.value(symbol)).unwrap_or(0);
        } else {
            others += line.iter().filter(|&&octet| !is_fws(octet)).count();
        }
    }
    // In a quad cut short, the bits that belong to no octet are zero.
    let fits = match (symbols % 4, padding) {
        (0, _) => symbols > 0,
        (2, 0 | 2..) => last & 0xF == 0,
        (3, _) => last & 0x3 == 0,
        _ => false,
    };
    fits && (is_even || are_quads) && symbols >= 3 * others
}

fn decodes_to_text(body: &[u8]) -> bool {
    if footer(body).is_some_and(|footer| footer.symbols < MIN_BEFORE_FOOTER) {
        return false;
    }
    let mut octets = Vec::new();
    decode(body, &mut octets, &mut Tally::default());
    let is_control = |octet: &u8| *octet < b' ' && !is_fws(*octet);
    !octets.is_empty() && !octets.iter().any(is_control) && std::str::from_utf8(&octets).is_ok()
}

/// Returns the lines that are not empty, without the white space around each. CR alone ends one, as
/// it will when the body is written.
fn lines(body: &[u8]) -> impl Iterator<Item = &[u8]> {
    cut(body).map(trim_fws).filter(|line| !line.is_empty())
}

/// Cuts a body at each CR and each LF.
#[cfg(not(target_arch = "wasm32"))]
fn cut(body: &[u8]) -> impl Iterator<Item = &[u8]> {
    let mut start = 0;
    let ends = memchr::memchr2_iter(b'\n', b'\r', body).chain([body.len()]);
    ends.map(move |end| &body[std::mem::replace(&mut start, end + 1)..end])
}

/// Cuts a body at each CR and each LF, for WebAssembly, where the size of the module counts.
#[cfg(target_arch = "wasm32")]
fn cut(body: &[u8]) -> impl Iterator<Item = &[u8]> {
    body.split(|&octet| matches!(octet, b'\n' | b'\r'))
}

fn is_symbols(line: &[u8]) -> bool {
    !scan::any(line, |octet| !is_symbol(octet))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_no_base64() {
        for words in [
            "hello stuff",
            "Hello,\r\n\r\nplease read this.\r\n",
            "Hello\r\n\r\nWorld\r\n",
            "stuffed",
            "See http://example.org/ for more",
            "caf\u{e9}",
            "one\r\ntwo\r\nthree\r\nfour\r\nfives\r\n",
            "-- \r\nAda",
            "Hola\r\n\r\nHow are you, and where?\r\n",
        ] {
            assert!(!looks_like_base64(words.as_bytes()), "{words}");
        }
    }

    #[test]
    fn what_readers_decode_is_base64() {
        let long = format!("{}\r\n", "QUJD".repeat(19)).repeat(9);
        let footer =
            format!("{}\r\nA footer of a list, which is not in base64 at all.\r\n", "/////w==");
        for body in [
            "",
            "\r\n",
            "aGVsbG8=",
            "aGVsbG8",
            "aGVs\r\n\r\nbG8=\r\n",
            "a GV sb G8 gd2 9y bGQ=",
            "Y2Fmw6k=\r\n_______________\r\nA list\r\n",
            &footer,
            &format!("A list says:\r\n{long}{}", "and this. ".repeat(500)),
            "/+/+/+/+/+/+",
            "SGVsbG8gd29ybGQhIQ\r\n-- \r\nA list, and how to leave it: https://lists.example/\r\n",
            "SGVsbG8gd29ybGQh\r\n\r\n-- \r\nA list with many more words than that: https://lists.example/\r\n",
        ] {
            assert!(looks_like_base64(body.as_bytes()), "{body}");
        }
    }
}
