//! What is put down.

use std::borrow::Cow;
use std::cell::RefCell;
use std::fs::{File, Metadata};
use std::io::{self, Write};
use std::time::UNIX_EPOCH;

use sevenbit::{AbridgedPlan, Message, Plan};

use crate::input::{Item, parse_date, postmark_date};
use crate::place::shown;

/// A message to be put down.
pub struct Outgoing<'a> {
    /// Where it comes from.
    pub item: &'a Item,
    /// The file that it comes from, if it is one.
    pub file: Option<&'a Metadata>,
    /// What is written.
    pub content: Content<'a>,
    /// Whether that are other octets than came.
    pub changed: bool,
}

/// What is written of a message.
#[derive(Clone, Copy)]
pub enum Content<'a> {
    /// These octets.
    Octets(&'a [u8]),
    /// Those that this makes of it: a large message is not in memory twice.
    Plan(&'a Plan<'a>),
    /// Those that this makes of it, from its file.
    Abridged {
        /// What changes.
        plan: &'a RefCell<AbridgedPlan<'a, File>>,
        /// Whether it is written with LF.
        lf: bool,
    },
}

impl Outgoing<'_> {
    /// When the message was sent, delivered, or else when its file was written, in seconds since 1970.
    pub fn date(&self, message: &Message<'_>) -> Option<i64> {
        let sent = || message.header("date").and_then(|date| parse_date(&date));
        let delivered = || postmark_date(std::str::from_utf8(self.item.postmark()?).ok()?);
        let written = || self.file?.modified().ok()?.duration_since(UNIX_EPOCH).ok();
        sent().or_else(delivered).or_else(|| written().map(|time| time.as_secs().cast_signed()))
    }

    /// Writes it.
    ///
    /// # Errors
    /// Those of `out`.
    pub fn write_to(&self, mut out: impl Write) -> io::Result<()> {
        match self.content {
            Content::Octets(octets) => out.write_all(octets),
            Content::Plan(plan) => plan.write_to(out).map(drop),
            Content::Abridged { plan, lf } => {
                let mut plan = plan.borrow_mut();
                let written = if lf { plan.write_lf_to(out) } else { plan.write_to(out) };
                written.map(drop).map_err(|error| match error.kind() {
                    io::ErrorKind::InvalidData => self.changed(),
                    _ => error,
                })
            }
        }
    }

    /// All of it in memory, for what cannot be written without a look at the whole.
    ///
    /// # Errors
    /// Those of its file.
    pub fn octets(&self) -> io::Result<Cow<'_, [u8]>> {
        Ok(match self.content {
            Content::Octets(octets) => Cow::Borrowed(octets),
            Content::Plan(plan) => plan.octets(),
            Content::Abridged { .. } => {
                let mut octets = Vec::new();
                self.write_to(&mut octets)?;
                Cow::Owned(octets)
            }
        })
    }

    /// Another program was at its file.
    fn changed(&self) -> io::Error {
        let reason = format!("{} was changed while it was read", shown(&self.item.called()));
        io::Error::new(io::ErrorKind::StaleNetworkFileHandle, reason)
    }
}
