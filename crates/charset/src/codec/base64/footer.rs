//! Text after base64: the footers that mailing lists add to a body without a look at its encoding
//! (rule B2).

use super::well_formed::is_symbol;
use super::{Leftover, MIME};
use crate::ascii::{is_fws, line_end, trim_fws};

/// The length from which a line of whole quads is base64, not a word.
const SURE_LINE: usize = 32;

/// The length from which a line without symbols is drawn above a footer.
const DRAWN_LINE: usize = 4;

/// A footer in a body.
pub(super) struct Footer {
    /// Where it begins.
    pub(super) start: usize,
    /// How many symbols come before it.
    pub(super) symbols: usize,
}

/// Returns the footer of `body`: the text after lines of symbols only, which amount to whole quads,
/// or to the beginning of one with nothing left over. (After padding nothing but base64 is read.)
///
/// Damaged base64 is no footer: that has white space inside a line, or begins with a line without
/// symbols, and no line of it is base64.
pub(super) fn footer(body: &[u8]) -> Option<Footer> {
    let mut before = Symbols::default();
    // The last empty line, with the symbols before it.
    let mut paragraph = (0, Symbols::default());
    let mut at = 0;
    while at < body.len() {
        let end = line_end(body, at);
        let line = trim_fws(&body[at..end]);
        if line.is_empty() {
            paragraph = (end, before);
        } else if line.iter().all(|&octet| is_symbol(octet)) {
            before.add(line);
        } else {
            break;
        }
        at = end;
    }

    let (start, before) = if paragraph.1.are_whole() { paragraph } else { (at, before) };
    let is_footer = at < body.len() && before.are_whole() && is_words(&body[start..]);
    is_footer.then_some(Footer { start, symbols: before.count })
}

/// The symbols before a place in a body.
#[derive(Clone, Copy, Debug, Default)]
struct Symbols {
    count: usize,
    /// The value of the last one.
    last: u8,
}

impl Symbols {
    /// Adds a line of symbols only.
    fn add(&mut self, line: &[u8]) {
        self.count += line.len();
        self.last = line.last().and_then(|&symbol| MIME.value(symbol)).unwrap_or(0);
    }

    /// Returns whether base64 may end with them: there are some, and no bits left over.
    fn are_whole(self) -> bool {
        self.count > 0 && Leftover::judge(self.count, 8, self.last.into()) == Leftover::Nothing
    }
}

/// Returns whether lines are words, or begin with a line drawn above them, and none of them is
/// base64.
fn is_words(text: &[u8]) -> bool {
    let mut lines =
        text.split(|&octet| octet == b'\n').map(trim_fws).filter(|line| !line.is_empty());
    let first = lines.next().unwrap_or_default();
    let is_drawn = first.len() >= DRAWN_LINE && !first.iter().any(|&octet| is_symbol(octet));
    let mut has_blanks = false;
    let is_base64 = [first].into_iter().chain(lines).any(|line| {
        has_blanks |= line.iter().any(|&octet| is_fws(octet));
        is_line_of_base64(line)
    });
    !is_base64 && (is_drawn || has_blanks)
}

/// Returns whether a line is long enough for base64 in whole quads, or ends with their padding.
fn is_line_of_base64(line: &[u8]) -> bool {
    let symbols = line.iter().take_while(|&&octet| is_symbol(octet)).count();
    let padding = &line[symbols..];
    let is_padding = padding.len() <= 2 && padding.iter().all(|&octet| octet == b'=');
    is_padding && line.len().is_multiple_of(4) && (symbols >= SURE_LINE || !padding.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn footers_are_told_from_damage() {
        for (body, start) in [
            ("SGVsbG8gd29ybGQh\r\n____\r\nA list\r\n", Some(18)),
            ("SGVsbG8gd29ybGQh\r\n\r\nMailman\r\nhttp://a.example/ it is\r\n", Some(20)),
            ("SGVsbG8gd29ybGQh\r\nto leave: here\r\n", Some(18)),
            ("SGVsbG8gd29ybGQh\r\nSGVsbG8*d29ybGQh\r\n", None),
            ("SGVsbG8gd29ybGQh\r\n--\r\nSGVsbG8gd29ybGQhSGVsbG8gd29ybGQh\r\n", None),
            ("SGVsbG8gd29ybGQh\r\n--\r\nSGVsbG8=\r\n", None),
            ("SGVsbG8gd29ybGQ\r\n-- \r\nAda L\r\n", Some(17)),
            ("SGVsbG8gd29ybA\r\n\r\nTo leave: here\r\n", Some(18)),
            ("SGVsbG8gd29ybGR\r\n-- \r\nAda L\r\n", None),
            ("SGVsbG8gd29yb\r\n-- \r\nAda L\r\n", None),
            ("SGVsbG8gd29ybGQh\r\n", None),
            ("SGVs bG8g d29y bGQ!\r\n", None),
        ] {
            assert_eq!(footer(body.as_bytes()).map(|footer| footer.start), start, "{body:?}");
        }
    }
}
