//! The lines past the limit for header sections (rule G13): one field of text that is never parsed,
//! whatever is in them.

use super::LineFacts;
use crate::ascii::{is_printable, is_wsp};
use crate::codec::base64;
use crate::lengths::MAX_LINE;
use crate::syntax::encoded_word::{MAX_WORD_LINE, longest_word};

/// The field's name.
const UNREAD_NAME: &str = "X-Unread";

/// How many octets go into one encoded-word, so that it is at most 75 long.
const OCTETS_IN_WORD: usize = 42;

/// Returns whether octets are already such a field as it is written.
pub(crate) fn is_unread_field(raw: &[u8]) -> bool {
    let name = raw.get(..UNREAD_NAME.len()).unwrap_or_default();
    name.eq_ignore_ascii_case(UNREAD_NAME.as_bytes())
        && raw.get(name.len()) == Some(&b':')
        && !LineFacts::of(raw).with_words(raw).are_unfit()
}

/// Writes lines of a header as one field: each is a line of its text, as it is if possible.
/// Otherwise it goes into encoded-words together with others beside it: many short lines take no
/// more room than one. Blank lines are dropped.
pub(crate) fn unread_field(raw: &[u8]) -> Vec<u8> {
    let mut out = [UNREAD_NAME.as_bytes(), b":"].concat();
    out.reserve(raw.len() + raw.len() / 16);
    let mut unsafe_octets = Vec::new();
    let lines = raw.split(|octet| matches!(octet, b'\r' | b'\n'));
    for line in lines.map(<[u8]>::trim_ascii).filter(|line| !line.is_empty()) {
        if may_stay(line) {
            words(&mut unsafe_octets, 1, &mut out);
            out.extend_from_slice(if out.len() == UNREAD_NAME.len() + 1 { b" " } else { b"\r\n " });
            out.extend_from_slice(line);
        } else {
            // White space between two words means nothing.
            if !unsafe_octets.is_empty() || out.ends_with(b"?=") {
                unsafe_octets.push(b' ');
            }
            unsafe_octets.extend_from_slice(line);
            words(&mut unsafe_octets, OCTETS_IN_WORD, &mut out);
        }
    }
    words(&mut unsafe_octets, 1, &mut out);
    out.extend_from_slice(b"\r\n");
    out
}

fn may_stay(line: &[u8]) -> bool {
    let room = MAX_LINE - UNREAD_NAME.len() - ": ".len();
    let has_word =
        || longest_word(line) > 0 && line.len() + UNREAD_NAME.len() + ": ".len() > MAX_WORD_LINE;
    line.len() <= room
        && line.iter().all(|&octet| is_printable(octet) || is_wsp(octet))
        && !has_word()
}

/// Moves octets into words, each on a line of its own: the first line already has the name on it,
/// which leaves no room. Fewer than `least` stay.
fn words(octets: &mut Vec<u8>, least: usize, out: &mut Vec<u8>) {
    let mut moved = 0;
    while octets.len() - moved >= least {
        let word = &octets[moved..octets.len().min(moved + OCTETS_IN_WORD)];
        out.extend_from_slice(b"\r\n =?unknown-8bit?B?");
        base64::encode(word, out);
        out.extend_from_slice(b"?=");
        moved += word.len();
    }
    octets.drain(..moved);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_stays() {
        let long = "x".repeat(990);
        for raw in [
            "From : Eve <eve@evil.example>\r\nTo: a\r\n b\r\n",
            "\u{e9}\r\n",
            "X-Unread: a\r\n",
            "A: \0 b\r c\r\n \r\n\r\n",
            "Subject: =?utf-8?Q?a?= and so much text after it that no line has room for all of it\r\n",
            &format!("{long}\r\n"),
            &long,
            "",
        ] {
            let once = unread_field(raw.as_bytes());
            assert!(is_unread_field(&once), "{raw:?}: {}", String::from_utf8_lossy(&once));
            assert!(once.split(|&octet| octet == b'\n').all(|line| line.len() <= 999));
        }
    }

    #[test]
    fn lines_in_words_are_kept_apart() {
        for length in 1..100 {
            let line = format!("{}\u{e9}", "a".repeat(length));
            let made = unread_field(format!("{line}\r\n{line}\r\nb\r\n{line}\r\n").as_bytes());
            let text =
                crate::decode_header(&made[UNREAD_NAME.len() + 1..]).into_text().into_owned();
            assert_eq!(text.split_whitespace().collect::<Vec<_>>(), [&line, &line, "b", &line]);
        }
    }

    #[test]
    fn no_field_is_left_but_one() {
        let made = unread_field(b"Content-Type: text/html\r\nFrom : Eve\r\n and more\r\n");
        assert_eq!(made, b"X-Unread: Content-Type: text/html\r\n From : Eve\r\n and more\r\n");
        assert!(!is_unread_field(b"X-Unread: a\r\nFrom: b\r\n"));
    }
}
