//! Reading uuencoded bodies (POSIX `uuencode`, the `x-uuencode` of old mail). They are never
//! written.
//!
//! ```text
//! begin 644 name
//! #0V%T
//! `
//! end
//! ```
//! A line is a count of its octets, followed by quads, in symbols from space to underscore; the
//! grave accent replaces the space.
//!
//! Read leniently, all reported:
//! 1. Symbols missing at the end of a line are spaces that a gateway has removed.
//! 2. A symbol after the quads is a checksum that some programs add.
//! 3. `end`, or the empty line before it, may be missing.
//! 4. Without a `begin` line the body is not uuencoded: it stays as it is.
//! 5. Text around the file, and lines that are not uuencoded, are dropped.

use super::base64::UUENCODE;
use crate::report::Tally;
use crate::{Code, Span};

/// Appends the octets of the first file in `body`; spans are offsets in `body`.
pub fn decode(body: &[u8], out: &mut Vec<u8>, tally: &mut Tally) {
    let Some(begin) = Lines::new(body, 0).find(|line| is_begin(line.text)) else {
        tally.note(Code::UuencodeRepaired, Span::new(0, body.len()));
        return out.extend_from_slice(body);
    };
    out.reserve(body.len() / 4 * 3);
    drop_text(&body[..begin.at], 0, tally);
    let mut lines = Lines::new(body, begin.next);
    loop {
        match lines.next() {
            None => return tally.note(Code::UuencodeRepaired, Span::new(body.len(), body.len())),
            Some(line) if line.text.trim_ascii() == b"end" => break,
            Some(line) => data(&line, out, tally),
        }
    }
    drop_text(&body[lines.at..], lines.at, tally);
}

/// Returns whether a line is one of data: a count, and no less than the symbols for it.
pub fn is_data(line: &[u8]) -> bool {
    let Some((&count, symbols)) = line.split_first() else { return false };
    let octets = UUENCODE.value(count).map_or(0, usize::from);
    let (needed, most) = ((octets * 8).div_ceil(6), octets.div_ceil(3) * 4 + 1);
    octets > 0
        && (needed..=most).contains(&symbols.len())
        && symbols.iter().all(|&symbol| UUENCODE.contains(symbol))
}

/// Returns whether a line is `begin`, the mode in octal digits, and a name.
pub fn is_begin(line: &[u8]) -> bool {
    let Some(rest) = line.strip_prefix(b"begin ") else { return false };
    let mode = rest.iter().take_while(|octet| matches!(octet, b'0'..=b'7')).count();
    (3..=5).contains(&mode) && rest.get(mode) == Some(&b' ')
}

/// Reports text that is dropped, unless it is only white space.
fn drop_text(text: &[u8], at: usize, tally: &mut Tally) {
    if !text.trim_ascii().is_empty() {
        tally.note(Code::UuencodeDropped, Span::new(at, at + text.len()));
    }
}

/// Reads one line of data.
fn data(line: &Line<'_>, out: &mut Vec<u8>, tally: &mut Tally) {
    let span = Span::new(line.at, line.at + line.text.len());
    let Some((&count, symbols)) = line.text.split_first() else { return };
    let Some(octets) = UUENCODE.value(count).map(usize::from) else {
        return tally.note(Code::UuencodeDropped, span);
    };
    let wanted = octets.div_ceil(3) * 4;
    if symbols.iter().take(wanted).any(|&symbol| !UUENCODE.contains(symbol)) {
        return tally.note(Code::UuencodeDropped, span);
    }
    let needed = (octets * 8).div_ceil(6);
    if symbols.len() < needed || symbols.len() > wanted && octets > 0 {
        tally.note(Code::UuencodeRepaired, span);
    }
    let start = out.len();
    for quad in symbols[..wanted.min(symbols.len())].chunks(4) {
        let mut filled = [b' '; 4];
        filled[..quad.len()].copy_from_slice(quad);
        let bits = UUENCODE.quad(filled).unwrap_or_default();
        out.extend_from_slice(&bits.to_be_bytes()[1..]);
    }
    out.resize(start + octets, 0);
}

struct Line<'a> {
    at: usize,
    text: &'a [u8],
    next: usize,
}

/// Lines ended by LF, CRLF or CR.
struct Lines<'a> {
    body: &'a [u8],
    at: usize,
}

impl<'a> Lines<'a> {
    fn new(body: &'a [u8], at: usize) -> Self {
        Self { body, at }
    }
}

impl<'a> Iterator for Lines<'a> {
    type Item = Line<'a>;

    fn next(&mut self) -> Option<Line<'a>> {
        let at = self.at;
        let rest = self.body.get(at..).filter(|rest| !rest.is_empty())?;
        let end = memchr::memchr2(b'\r', b'\n', rest).unwrap_or(rest.len());
        let line_end = if rest[end..].starts_with(b"\r\n") { 2 } else { 1 };
        self.at = self.body.len().min(at + end + line_end);
        Some(Line { at, text: &rest[..end], next: self.at })
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn read(body: &[u8]) -> (Vec<u8>, Vec<Code>) {
        let (mut out, mut tally) = (Vec::new(), Tally::default());
        decode(body, &mut out, &mut tally);
        (out, tally.into_issues().iter().map(|issue| issue.code()).collect())
    }

    /// Writes as `uuencode` does.
    fn write(octets: &[u8], space: char) -> String {
        let symbol = |value: u8| if value == 0 { space } else { char::from(value + 32) };
        let mut text = "begin 644 a name\n".to_string();
        for line in octets.chunks(45).chain([&[][..]]) {
            text.push(symbol(line.len() as u8));
            for three in line.chunks(3) {
                let [a, b, c] = [0, 1, 2].map(|at| three.get(at).copied().unwrap_or(0));
                text.extend(
                    [a >> 2, (a << 4 | b >> 4) & 63, (b << 2 | c >> 6) & 63, c & 63].map(symbol),
                );
            }
            text.push('\n');
        }
        text + "end\n"
    }

    /// The specification, for what follows a `begin` line: symbol by symbol, bit by bit.
    fn naive(text: &str) -> (Vec<u8>, Vec<Code>) {
        let value = |octet: u8| (b' '..=b'`').contains(&octet).then(|| (octet - b' ') & 63);
        let lines = text.replace("\r\n", "\n").replace('\r', "\n");
        let mut lines = lines.split_terminator('\n');
        let (mut out, mut repaired, mut dropped, mut ended) = (Vec::new(), false, false, false);
        for line in lines.by_ref() {
            if line.trim_ascii() == "end" {
                ended = true;
                break;
            }
            let Some((&count, symbols)) = line.as_bytes().split_first() else { continue };
            let octets = value(count).map(usize::from);
            let wanted = octets.map_or(0, |octets| octets.div_ceil(3) * 4);
            let values: Option<Vec<u8>> =
                symbols.iter().take(wanted).map(|&symbol| value(symbol)).collect();
            let Some((octets, values)) = octets.zip(values) else {
                dropped = true;
                continue;
            };
            repaired |= symbols.len() * 6 < octets * 8 || octets > 0 && symbols.len() > wanted;
            let bit = |at: usize| values.get(at / 6).map_or(0, |value| value >> (5 - at % 6) & 1);
            out.extend(
                (0..octets).map(|n| (0..8).fold(0, |octet, at| octet << 1 | bit(8 * n + at))),
            );
        }
        dropped |= lines.any(|line| !line.trim_ascii().is_empty());
        let mut codes =
            [(repaired || !ended, Code::UuencodeRepaired), (dropped, Code::UuencodeDropped)];
        codes.sort_by_key(|(_, code)| *code);
        (out, codes.into_iter().filter_map(|(is, code)| is.then_some(code)).collect())
    }

    #[test]
    fn reads_what_comes() {
        assert_eq!(read(b"begin 644 cat.txt\r\n#0V%T\r\n`\r\nend\r\n"), (b"Cat".to_vec(), vec![]));
        assert_eq!(
            read(b"hello\nbegin 644 x\n#0V%T\n \nend\n\n"),
            (b"Cat".to_vec(), vec![Code::UuencodeDropped])
        );
        assert_eq!(read(b"begin 644 x\n#0V%T\n"), (b"Cat".to_vec(), vec![Code::UuencodeRepaired]));
        assert_eq!(
            read(b"begin 644 x\n#0V%TX\n`\nend"),
            (b"Cat".to_vec(), vec![Code::UuencodeRepaired])
        );
        assert_eq!(read(b"begin 644 x\n\"0V$\n`\nend"), (b"Ca".to_vec(), vec![]));
        assert_eq!(
            read(b"begin 644 x\n#0\n`\nend"),
            (b"@\0\0".to_vec(), vec![Code::UuencodeRepaired])
        );
        assert_eq!(read(b"begin 644 x\nlower\nend"), (vec![], vec![Code::UuencodeDropped]));
        assert_eq!(
            read(b"begin the day\n"),
            (b"begin the day\n".to_vec(), vec![Code::UuencodeRepaired])
        );
    }

    proptest! {
        #[test]
        fn comes_back(octets in proptest::collection::vec(any::<u8>(), 0..200)) {
            prop_assert_eq!(read(write(&octets, '`').as_bytes()), (octets.clone(), vec![]));
            prop_assert_eq!(read(write(&octets, ' ').as_bytes()), (octets.clone(), vec![]));
            let stripped: Vec<&str> = write(&octets, ' ').lines().map(str::trim_end).map(|l| l.to_string().leak() as &str).collect();
            prop_assert_eq!(read(stripped.join("\r\n").as_bytes()).0, octets);
        }

        #[test]
        fn is_the_naive_reading(
            text in "([ -`]{0,70}|[!-(][ -`]{0,12}|#0V%T|`|end|begin 644 y|[a-z]{0,5}|\u{e9}| |\r\n|\n|\n|\r){0,20}",
        ) {
            let body = format!("begin 644 x\n{text}");
            let (octets, mut codes) = read(body.as_bytes());
            codes.sort();
            prop_assert_eq!((octets, codes), naive(&text));
        }

        #[test]
        fn any_octets_are_read_within_their_bounds(body in proptest::collection::vec(any::<u8>(), 0..200)) {
            let body = [b"begin 644 x\n", &body[..]].concat();
            let (mut out, mut tally) = (Vec::new(), Tally::default());
            decode(&body, &mut out, &mut tally);
            // A line may lack all its symbols: 63 octets for one.
            prop_assert!(out.len() <= 63 * body.len());
            prop_assert!(tally.into_issues().iter().all(|issue| issue.span().end <= body.len()));
        }
    }
}
