//! The line ends that a message is written with.

use std::borrow::Cow;

use memchr::memchr;

use crate::args::LineEnds;
use crate::input::{Home, Item};

/// Whether `message`, found in `item`, is written with LF. What does not say otherwise: a mailbox keeps the line
/// ends that it came with, a single message has CRLF.
pub fn wants_lf(choice: Option<LineEnds>, in_place: bool, item: &Item, message: &[u8]) -> bool {
    let is_stored = in_place || matches!(item.home, Home::Mbox { .. } | Home::Maildir);
    match choice {
        Some(LineEnds::Lf) => true,
        Some(LineEnds::Crlf) => false,
        None if !is_stored => false,
        Some(LineEnds::Keep) | None => has_lf(message),
    }
}

fn has_lf(message: &[u8]) -> bool {
    memchr(b'\n', message).is_some_and(|at| at == 0 || message[at - 1] != b'\r')
}

/// Octets in which CR and LF stand only together, with LF for both.
pub fn with_lf(octets: Cow<'_, [u8]>) -> Cow<'_, [u8]> {
    if memchr(b'\r', &octets).is_none() {
        return octets;
    }
    let mut out = Vec::with_capacity(octets.len());
    let mut rest = &octets[..];
    while let Some(at) = memchr(b'\r', rest) {
        out.extend_from_slice(&rest[..at]);
        rest = &rest[at..];
        if !rest.starts_with(b"\r\n") {
            out.push(b'\r');
        }
        rest = &rest[1..];
    }
    out.extend_from_slice(rest);
    Cow::Owned(out)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn crlf_becomes_lf_and_nothing_else() {
        for (from, to) in [("a\r\nb\r\n", "a\nb\n"), ("a\rb\r", "a\rb\r"), ("\r\r\n", "\r\n"), ("", "")] {
            assert_eq!(*with_lf(Cow::Borrowed(from.as_bytes())), *to.as_bytes(), "{from:?}");
        }
        assert!(matches!(with_lf(Cow::Borrowed(b"a\n")), Cow::Borrowed(_)));
    }

    #[test]
    fn the_first_line_end_says_how_it_is_stored() {
        assert!(has_lf(b"a\nb\r\n") && has_lf(b"\n"));
        assert!(!has_lf(b"a\r\nb\n") && !has_lf(b"a\r") && !has_lf(b""));
    }
}
