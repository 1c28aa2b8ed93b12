//! mbox, in its dialects: messages one after the other, each after a `From ` line.
//!
//! What no standard says is decided like this:
//! 1. After an empty line, `From ` separates if the line has a time of day in it or a header field follows;
//!    without the empty line it takes a whole date and a field. Text that begins a paragraph with `From ` stays
//!    text, and a mailbox whose writer forgot the empty lines is read all the same. Where the dialect is
//!    given and quotes such lines, every `From ` after an empty line separates.
//! 2. `Content-Length` counts if a `From ` line or the end stands where it points; where it lies, the lines
//!    decide. Beyond [`TRUSTED`] it is not looked at, so that no field makes us hold a mailbox in memory.
//! 3. Where the dialect is not given, a message with a right length and a `From ` line in it is read as mboxcl2
//!    (its octets as they are), any other as mboxrd.
//! 4. One empty line before the next `From ` line, or the end, belongs to the mailbox, not to the message.
//! 5. Octets before the first `From ` line are a message without one: nothing is lost.

mod postmark;
mod quote;
mod window;

pub use postmark::begins_mbox;
pub use quote::quote;

use std::borrow::Cow;
use std::io::{self, Read};
use std::ops::Range;
use std::sync::LazyLock;

use memchr::memmem::Finder;

use postmark::{MARK, blank, blank_at_end, has_date, has_time, is_field, line};
use quote::{Quoting, unquote};
use window::Window;

/// The longest `Content-Length` that is believed.
const TRUSTED: usize = 64 << 20;

/// How far a line is looked at.
const LINE: usize = 4096;

/// How far the end of a header is looked for.
const HEADER: usize = 1 << 20;

static FROM_LINE: LazyLock<Finder<'static>> = LazyLock::new(|| Finder::new(b"\nFrom "));

/// How messages are kept apart.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Dialect {
    /// Found out message by message.
    #[default]
    Any,
    /// `>From ` for `From `, which is ambiguous.
    O,
    /// One `>` more for each `>*From `.
    Rd,
    /// `Content-Length`, and quoting as mboxo.
    Cl,
    /// `Content-Length`, and no quoting.
    Cl2,
}

/// A message as it lies in a mailbox.
#[derive(Debug, PartialEq, Eq)]
pub struct Mail {
    /// The `From ` line with its end; empty if there is none.
    pub postmark: Vec<u8>,
    /// The message, its quoting taken away.
    pub message: Vec<u8>,
    /// Where it lies in the mailbox, quoting and all.
    pub span: Range<u64>,
}

/// The messages of an mbox. One is held at a time.
#[derive(Debug)]
pub struct Mbox<R> {
    window: Window<R>,
    dialect: Dialect,
}

/// Where a message ends in the window, where the next begins, and how that was seen.
struct End {
    message: usize,
    next: usize,
    by_length: bool,
}

impl<R: Read> Mbox<R> {
    /// The mailbox that `from` holds.
    pub fn new(from: R, dialect: Dialect) -> Self {
        Self { window: Window::new(from), dialect }
    }

    /// The next message.
    ///
    /// # Errors
    /// Those of the stream.
    pub fn next_mail(&mut self) -> io::Result<Option<Mail>> {
        while let Some(length) = blank(self.window.open_to(2)?) {
            self.window.advance(length);
        }
        if self.window.open_to(LINE)?.is_empty() {
            return Ok(None);
        }
        let start = self.postmark()?;
        let end = self.end(start)?;
        let postmark = self.window.octets()[..start].to_vec();
        let span = self.window.offset() + start as u64..self.window.offset() + end.message as u64;
        let mut message = self.window.take(start, end.message);
        self.window.advance(end.next - end.message);
        let quoting = self.quoting(end.by_length && has_from(&message));
        if let Cow::Owned(unquoted) = unquote(&message, quoting) {
            message = unquoted;
        }
        Ok(Some(Mail { postmark, message, span }))
    }

    /// The length of the `From ` line that the window begins with.
    fn postmark(&mut self) -> io::Result<usize> {
        if !self.window.octets().starts_with(MARK) {
            return Ok(0);
        }
        while memchr::memchr(b'\n', self.window.octets()).is_none()
            && self.window.octets().len() < HEADER
            && self.window.more()?
        {}
        Ok(line(self.window.octets()).1)
    }

    fn quoting(&self, is_unquoted: bool) -> Quoting {
        match self.dialect {
            Dialect::Any if is_unquoted => Quoting::None,
            Dialect::Any | Dialect::Rd => Quoting::Any,
            Dialect::O | Dialect::Cl => Quoting::One,
            Dialect::Cl2 => Quoting::None,
        }
    }

    /// Where the message that begins at `start` ends.
    fn end(&mut self, start: usize) -> io::Result<End> {
        if matches!(self.dialect, Dialect::Any | Dialect::Cl | Dialect::Cl2)
            && let Some(end) = self.end_by_length(start)?
        {
            return Ok(end);
        }
        self.end_by_line(start)
    }

    /// Where `Content-Length` says that it ends, if it is right.
    fn end_by_length(&mut self, start: usize) -> io::Result<Option<End>> {
        let Some(message) = self.said_end(start)? else { return Ok(None) };
        let octets = self.window.open_to(message + LINE)?;
        if octets.len() < message {
            return Ok(None);
        }
        let mut next = message;
        // Some writers count the last line end, some do not: one or two stand before the next `From ` line.
        for _ in 0..2 {
            if octets[next..].starts_with(MARK) {
                break;
            }
            next += blank(&octets[next..]).unwrap_or_default();
        }
        let right = octets.len() == next
            || octets[next..].starts_with(MARK) && (next == 0 || octets[next - 1] == b'\n');
        Ok(right.then_some(End { message, next, by_length: true }))
    }

    /// Where a message ends that begins at `start`, as `Content-Length` in its header has it; nothing if a `From ` line
    /// comes first.
    fn said_end(&mut self, start: usize) -> io::Result<Option<usize>> {
        let mut at = start;
        let mut length = None;
        loop {
            let octets = self.window.octets();
            let (found, taken) = line(&octets[at..]);
            let whole = octets[at..at + taken].ends_with(b"\n");
            if whole && found.is_empty() {
                let length = length.flatten().filter(|length| *length <= TRUSTED);
                return Ok(length.map(|length| at + taken + length));
            }
            if whole && found.starts_with(MARK) && has_date(found) || at - start > HEADER {
                return Ok(None);
            }
            if whole {
                length = length.or_else(|| content_length(found));
                at += taken;
            } else if !self.window.more()? {
                return Ok(None);
            }
        }
    }

    /// Where the next `From ` line that separates says that it ends.
    fn end_by_line(&mut self, start: usize) -> io::Result<End> {
        let mut at = start.saturating_sub(1);
        loop {
            let octets = self.window.octets();
            if let Some(found) = FROM_LINE.find(&octets[at..]) {
                at += found + 1;
                if self.separates(start, at)? {
                    return Ok(self.ended(start, at));
                }
            } else {
                at = at.max(octets.len().saturating_sub(FROM_LINE.needle().len() - 1));
                if !self.window.more()? {
                    return Ok(self.ended(start, self.window.octets().len()));
                }
            }
        }
    }

    /// Whether the `From ` line at `at` separates the message from `start` on from another.
    fn separates(&mut self, start: usize, at: usize) -> io::Result<bool> {
        let octets = self.window.open_to(at + 2 * LINE)?;
        let (found, length) = line(&octets[at..]);
        let (next, _) = line(&octets[at + length..]);
        let header = is_field(next) || next.starts_with(b">From ");
        if at == start || blank_at_end(&octets[start - start.min(1)..at]).is_some() {
            let quotes = matches!(self.dialect, Dialect::O | Dialect::Rd);
            return Ok(quotes || header || has_time(found));
        }
        Ok(header && has_date(found))
    }

    fn ended(&self, start: usize, next: usize) -> End {
        let octets = &self.window.octets()[start - start.min(1)..next];
        let message = next - blank_at_end(octets).unwrap_or_default();
        End { message: message.max(start), next, by_length: false }
    }
}

/// Whether a stream is an mbox of more than one message, beyond doubt: it begins with a `From ` line, and another one
/// with a whole date stands between an empty line and a header field. A message that was saved with its `From ` line
/// is not.
///
/// # Errors
/// Those of the stream.
pub fn holds_many(from: impl Read) -> io::Result<bool> {
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

/// Whether a line of the message begins as those do that separate messages.
fn has_from(message: &[u8]) -> bool {
    FROM_LINE.find(message).is_some()
}

/// The value of `Content-Length`, if this line is that field, and if it is a number.
fn content_length(line: &[u8]) -> Option<Option<usize>> {
    const NAME: &[u8] = b"content-length:";
    let (name, value) = line.split_at_checked(NAME.len())?;
    let number = || std::str::from_utf8(value).ok()?.trim().parse().ok();
    name.eq_ignore_ascii_case(NAME).then(number)
}

#[cfg(test)]
mod tests;
