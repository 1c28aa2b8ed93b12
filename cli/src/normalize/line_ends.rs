//! The line ends that a message is written with.

use memchr::memchr;

use crate::args::LineEnds;
use crate::input::{Home, Item};

/// Whether `message`, found in `item`, is written with LF. By default an mbox, a Maildir and what
/// is changed in place keep the line ends that they came with; what comes out of a store of Outlook
/// has LF, as mailboxes have; all other messages have CRLF.
pub fn wants_lf(choice: Option<LineEnds>, in_place: bool, item: &Item, message: &[u8]) -> bool {
    let is_stored =
        in_place || item.postmark_line().is_some() || matches!(item.home, Home::Maildir);
    match choice {
        Some(LineEnds::Lf) => true,
        Some(LineEnds::Crlf) => false,
        None if matches!(item.home, Home::Folder { .. }) => true,
        None if !is_stored => false,
        Some(LineEnds::Keep) | None => has_lf(message),
    }
}

fn has_lf(message: &[u8]) -> bool {
    memchr(b'\n', message).is_some_and(|at| at == 0 || message[at - 1] != b'\r')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_line_end_says_how_it_is_stored() {
        assert!(has_lf(b"a\nb\r\n") && has_lf(b"\n"));
        assert!(!has_lf(b"a\r\nb\n") && !has_lf(b"a\r") && !has_lf(b""));
    }
}
