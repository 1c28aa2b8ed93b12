//! Breaking lines and writing UTF-7 at the same time, as RFC 2152 advises ("Use of Character Set
//! UTF-7 Within MIME").

use super::dialect::{is_direct, is_mail_safe};
use super::{Direct, Encoder};
use crate::codec::text::from_utf8;

/// Writes UTF-7 in lines of at most `limit` octets (76 for quoted text, 998 at most; less than 16
/// is taken as 16), each but the last ended by CRLF.
///
/// CRLF, LF, CR, LINE SEPARATOR and PARAGRAPH SEPARATOR end a line. A line that is too long is
/// broken after the last white space that fits, or between two characters if there is none; never
/// within a shifted sequence.
pub fn encode_lines(text: &str, direct: Direct, limit: usize) -> String {
    let mut out = Vec::with_capacity(text.len() + text.len() / 2);
    let mut rest = text;
    loop {
        let (line, end) = first_line(rest, direct, limit.max(16));
        let mut encoder = Encoder::new(direct);
        encoder.encode(line, &mut out);
        let Some(end) = end else {
            encoder.finish(&mut out);
            return from_utf8(out);
        };
        // Directly, so that a shifted sequence ends without its hyphen.
        encoder.encode("\r\n", &mut out);
        rest = &rest[end..];
    }
}

/// Returns the first line of `text`, and where the next begins, if there is one.
fn first_line(text: &str, direct: Direct, limit: usize) -> (&str, Option<usize>) {
    let mut width = Width { direct, octets: 0, units: 0 };
    let mut white = 0;
    for (at, character) in text.char_indices() {
        match character {
            '\r' if text[at + 1..].starts_with('\n') => return (&text[..at], Some(at + 2)),
            '\r' | '\n' => return (&text[..at], Some(at + 1)),
            '\u{2028}' | '\u{2029}' => return (&text[..at], Some(at + 3)),
            _ => width.add(character),
        }
        if width.total() > limit {
            let end = if white > 0 { white } else { at };
            return (&text[..end], Some(end));
        }
        if matches!(character, ' ' | '\t') {
            white = at + 1;
        }
    }
    (text, None)
}

/// How many octets characters take in UTF-7, including the last hyphen.
struct Width {
    direct: Direct,
    octets: usize,
    /// Units in the shifted sequence that is open.
    units: usize,
}

impl Width {
    fn add(&mut self, character: char) {
        let is_direct = character.is_ascii()
            && match self.direct {
                Direct::MailSafe => is_mail_safe(character as u8),
                Direct::OptionalDirect => is_direct(character as u8),
            };
        if is_direct {
            self.octets = self.total() + 1;
            self.units = 0;
        } else if self.units == 0 && character == '+' {
            self.octets += 2;
        } else {
            self.units += character.len_utf16();
        }
    }

    /// Counts a hyphen after every sequence, needed or not.
    fn total(&self) -> usize {
        if self.units == 0 { self.octets } else { self.octets + 2 + (self.units * 8).div_ceil(3) }
    }
}
