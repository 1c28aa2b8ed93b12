//! Whether a file looks like an mbox, and like one with more than one message.

use std::io::{self, Read};

use super::postmark::{POSTMARK, blank, blank_at_end, has_date, has_time, is_field, line};
use super::separator::{FROM_LINE, LINE};
use super::window::Window;

/// Returns whether a file that begins with `octets` (4 KiB are enough) looks like an mbox: its first
/// non-empty line is a `From ` line with a time of day.
///
/// ```
/// assert!(sevenbit::mbox::begins_mbox(b"From joe Thu Nov 19 10:00:00 2026\nSubject: x\n\n"));
/// assert!(!sevenbit::mbox::begins_mbox(b"From now on\n"));
/// ```
#[must_use]
pub fn begins_mbox(octets: &[u8]) -> bool {
    let mut octets = octets;
    while let Some(length) = blank(octets) {
        octets = &octets[length..];
    }
    octets.starts_with(POSTMARK) && has_time(line(octets).0)
}

/// Returns whether a stream is certainly an mbox of more than one message: it begins with a `From ` line, and
/// another one with a whole date is between an empty line and a header field. A single message that was saved
/// with its `From ` line is not.
///
/// # Errors
/// Those of the stream.
pub fn holds_several(from: impl Read) -> io::Result<bool> {
    let mut window = Window::new(from);
    if !begins_mbox(window.open_to(LINE)?) {
        return Ok(false);
    }
    loop {
        let octets = window.octets();
        let Some(at) = FROM_LINE.find(octets).map(|found| found + 1) else {
            // What is kept may be the beginning of such a line, after an empty one.
            let kept = FROM_LINE.needle().len() + 2;
            window.advance(octets.len().saturating_sub(kept));
            if window.more()? { continue } else { return Ok(false) }
        };
        let octets = window.open_to(at + 2 * LINE)?;
        let (found, length) = line(&octets[at..]);
        let (next, _) = line(&octets[at + length..]);
        if blank_at_end(&octets[..at]).is_some() && has_date(found) && is_field(next) {
            return Ok(true);
        }
        window.advance(at);
    }
}
