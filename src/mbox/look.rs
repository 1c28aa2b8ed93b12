//! Whether a file looks like an mbox, and like one with more than one message.

use std::io::{self, Read};

use super::Dialect;
use super::postmark::{POSTMARK, beginning, from_line, has_time, line};
use super::separator::{First, Judged, LINE, Rules, has_header, next_from};
use super::window::Window;

/// Returns whether a file that begins with `octets` (8 KiB are enough) looks like an mbox: its
/// first non-empty line is a `From ` line with a time of day, or one before a header field.
///
/// ```
/// assert!(sevenbit::mbox::begins_mbox(b"From joe Thu Nov 19 10:00:00 2026\nSubject: x\n\n"));
/// assert!(sevenbit::mbox::begins_mbox(b"From \nSubject: x\n\n"));
/// assert!(!sevenbit::mbox::begins_mbox(b"From now on\n"));
/// ```
#[must_use]
pub fn begins_mbox(octets: &[u8]) -> bool {
    let octets = &octets[beginning(octets, true)..];
    let (first, length) = from_line(octets);
    let is_separator = || has_time(first) || has_header(line(&octets[length..]).0);
    octets.starts_with(POSTMARK) && is_separator()
}

/// Returns whether a stream is certainly an mbox of more than one message: it begins with a `From `
/// line, and another one with a whole date is between an empty line and a header field; or both are
/// bare, as Thunderbird writes them, each before a header field. A single message that was saved
/// with its `From ` line is not. Nor is one that quotes `git format-patch`.
///
/// # Errors
/// Those of the stream.
pub fn holds_several(from: impl Read) -> io::Result<bool> {
    look(from, |looks| looks.begins_mbox && looks.is_certain())
}

/// Returns whether a stream may be more than one message: one after another, not all of which is
/// certain. A message of which this is true should not be replaced by what one message would
/// become.
///
/// Such a stream begins with a `From ` line, even a quoted one, and has another that may separate
/// messages; or it has one that would certainly do so after a `From ` line at the beginning.
///
/// ```
/// let may = |octets: &[u8]| sevenbit::mbox::may_hold_several(octets).unwrap();
/// assert!(may(b"From joe\nSubject: x\n\nOne.\n\nFrom ann\nSubject: y\n\nTwo.\n"));
/// assert!(!may(b"From joe\nSubject: x\n\nFrom here on, text.\n"));
/// assert!(!may(b"Subject: x\n\nIt says:\n\nFrom ann\nSubject: y\n"));
/// ```
///
/// # Errors
/// Those of the stream.
pub fn may_hold_several(from: impl Read) -> io::Result<bool> {
    look(
        from,
        |looks| {
            if looks.begins { looks.separates || looks.is_doubtful } else { looks.is_certain() }
        },
    )
}

/// The facts about a `From ` line, and about the one that the file begins with.
struct Looks {
    /// Whether the file begins with one.
    begins: bool,
    /// Whether it is one of an mbox, and no prose.
    begins_mbox: bool,
    separates: bool,
    is_doubtful: bool,
}

impl Looks {
    fn is_certain(&self) -> bool {
        self.separates && !self.is_doubtful
    }
}

/// Returns whether this is true of any `From ` line after the beginning.
fn look(from: impl Read, is_it: impl Fn(Looks) -> bool) -> io::Result<bool> {
    let mut window = Window::new(from);
    let octets = window.open_to(3 * LINE)?;
    let octets = &octets[beginning(octets, true)..];
    let unquoted = octets.strip_prefix(b">").unwrap_or(octets);
    let (begins, begins_mbox) = (unquoted.starts_with(POSTMARK), begins_mbox(unquoted));
    let rules = Rules { dialect: Dialect::Auto, first: First::of(octets) };
    let mut examined = 1;
    loop {
        let octets = window.octets();
        let Some(at) = next_from(octets, examined) else {
            // The octets kept may be the beginning of such a line, after an empty one.
            let kept = POSTMARK.len() + 1 + LINE;
            let spent = octets.len().saturating_sub(kept);
            examined = (octets.len() - spent).saturating_sub(POSTMARK.len()).max(1);
            window.advance(spent);
            if window.more()? { continue } else { return Ok(false) }
        };
        let octets = window.open_to(at + 2 * LINE)?;
        let Judged { separates, is_doubtful } = rules.judge_at(octets, at);
        let looks = Looks { begins, begins_mbox, separates, is_doubtful };
        if is_it(looks) {
            return Ok(true);
        }
        let spent = at.saturating_sub(LINE);
        window.advance(spent);
        examined = at - spent + 1;
    }
}
