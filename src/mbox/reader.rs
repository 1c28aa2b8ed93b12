//! The messages of an mbox file, one at a time.

use std::borrow::Cow;
use std::io::{self, Read};

use super::cut::{Cutter, Doubts, End};
use super::postmark::{beginning, line_end_before};
use super::quote::{Quoting, without_quoting};
use super::rest::Open;
use super::separator::{First, LINE, Rules, next_from};
use super::window::Window;
use super::{Dialect, Mail};

/// Byte ranges with [`Dialect::Auto`] that begin at multiples of this are read from their beginning
/// on; others from the previous multiple.
pub const STRIDE: u64 = 16 << 20;

/// The messages of an mbox file, one at a time, in order: an iterator that ends after the first
/// error.
///
/// The iterator holds one message in memory and a little more: at most [`limit`](Self::limit)
/// octets of it, but always up to 64 MiB of one whose `Content-Length` says so.
#[derive(Debug)]
pub struct Mbox<R> {
    pub(super) cutter: Cutter<R>,
    limit: usize,
    /// Messages whose `From ` line begins before this belong to another range.
    pub(super) begin: u64,
    /// Messages whose `From ` line begins here or later belong to another range.
    pub(super) end: u64,
    /// Whether the first message of the file is still to come.
    pub(super) is_first: bool,
    /// The rest, still to be read, of the message returned last.
    open: Option<Open>,
    pub(super) has_ended: bool,
}

impl<R: Read> Mbox<R> {
    /// Reads the messages of the mbox file in `from`, which may also be a slice of octets.
    pub fn new(from: R, dialect: Dialect) -> Self {
        Self {
            cutter: Cutter {
                window: Window::new(from),
                rules: Rules { dialect, first: First::Other },
                doubts: Doubts::default(),
                stride: STRIDE,
            },
            limit: usize::MAX,
            begin: 0,
            end: u64::MAX,
            is_first: true,
            open: None,
            has_ended: false,
        }
    }

    /// Sets a limit: of messages longer than `octets` octets, only the beginning is returned, and
    /// what follows is read with [`rest`](Self::rest) or skipped. Without a limit, each message is
    /// returned whole.
    #[must_use]
    pub fn limit(mut self, octets: usize) -> Self {
        self.limit = octets;
        self
    }

    /// Returns the remainder of the message returned last, if that is longer than the
    /// [`limit`](Self::limit): octets without their quoting, read in constant memory. What is not
    /// read is skipped when the next message is requested.
    pub fn rest(&mut self) -> Rest<'_, R> {
        Rest(self)
    }

    /// Returns where in the file it is doubtful whether a `From ` line separates messages, as far
    /// as this was seen since it was asked last: in the message returned last, and at its end. Some
    /// of these lines did separate, others did not; [`Mail::start`] tells them apart. Of one
    /// message, 1,000 at most are given, and those of its [`rest`](Self::rest) once that is read.
    pub fn doubts(&mut self) -> Vec<u64> {
        self.cutter.doubts.take()
    }

    /// Returns the next message; errors are those of the stream.
    fn next_mail(&mut self) -> io::Result<Option<Mail>> {
        loop {
            self.close()?;
            let start = self.postmark()?;
            let window = &mut self.cutter.window;
            let position = if start > 0 { window.offset() } else { 0 };
            if window.octets().is_empty() || position >= self.end {
                return Ok(None);
            }
            if position >= self.begin {
                return self.mail(start, position, self.limit).map(Some);
            }
            self.mail(start, position, 0)?;
            self.close()?;
            self.cutter.doubts.take();
        }
    }

    /// Skips what is still to be read of the message returned last.
    fn close(&mut self) -> io::Result<()> {
        if let Some(mut open) = self.open.take() {
            while open.read_on(&mut self.cutter)? {}
        }
        Ok(())
    }

    /// Returns the length of the `From ` line that the window begins with, after skipping empty
    /// lines at the beginning of a file. There, `From ` alone is enough for one, if it is near the
    /// beginning.
    fn postmark(&mut self) -> io::Result<usize> {
        let Cutter { window, rules, .. } = &mut self.cutter;
        if self.is_first {
            loop {
                let is_first = window.offset() == 0;
                let length = beginning(window.open_to(2 * LINE)?, is_first);
                if length == 0 {
                    break;
                }
                window.advance(length);
            }
        }
        window.open_to(2 * LINE)?;
        let octets = window.octets();
        if std::mem::take(&mut self.is_first) {
            if window.offset() <= LINE as u64 {
                rules.first = First::of(octets);
            } else if !rules.judge(b"\n\n", octets).separates {
                return Ok(0);
            }
        }
        self.cutter.postmark()
    }

    /// Returns the message that begins at `start` in the window, after its `From ` line, as far as
    /// `limit` allows.
    fn mail(&mut self, start: usize, position: u64, limit: usize) -> io::Result<Mail> {
        let end = self.cutter.end(start, position, limit)?;
        let Cutter { window, rules, .. } = &mut self.cutter;
        let postmark = window.octets()[..start].to_vec();
        let begins = window.offset() + start as u64;
        let has_from = |end: End| next_from(&window.octets()[..end.message], start).is_some();
        let is_unquoted = end.is_some_and(|end| end.by_length && has_from(end));
        let quoting = match rules.dialect {
            Dialect::Auto if is_unquoted => Quoting::None,
            dialect => Quoting::of(dialect),
        };
        let whole = end.filter(|end| end.message - start <= limit);
        let (octets, is_whole, length) = match whole {
            Some(End { message, next, .. }) => {
                let octets = window.take(start, message);
                window.advance(next - message);
                (octets, true, message - start)
            }
            None => {
                let beginning = &window.octets()[start..start + limit];
                // A quoted line has to be seen whole.
                let within = if beginning.starts_with(b">") { 0 } else { limit };
                let cut = line_end_before(beginning).unwrap_or(within);
                let octets = window.octets()[start..start + cut].to_vec();
                self.open = Some(Open::at(start + cut, end, quoting, octets.last()));
                (octets, false, cut)
            }
        };
        let octets = match without_quoting(&octets, quoting) {
            Cow::Owned(unquoted) => unquoted,
            Cow::Borrowed(_) => octets,
        };
        Ok(Mail {
            postmark,
            octets,
            start: position,
            span: begins..begins + length as u64,
            is_whole,
        })
    }
}

impl<R: Read> Iterator for Mbox<R> {
    type Item = io::Result<Mail>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.has_ended {
            return None;
        }
        let next = self.next_mail().transpose();
        self.has_ended = !matches!(next, Some(Ok(_)));
        next
    }
}

/// The remainder of a message that is longer than the [`limit`](Mbox::limit). Made by
/// [`Mbox::rest`].
#[derive(Debug)]
pub struct Rest<'a, R>(&'a mut Mbox<R>);

impl<R: Read> Read for Rest<'_, R> {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        let Mbox { open, cutter, has_ended, .. } = &mut *self.0;
        let Some(open) = open else { return Ok(0) };
        open.read(cutter, into).inspect_err(|_| *has_ended = true)
    }
}
