//! A message to be written.

use std::borrow::Cow;
use std::cell::RefCell;
use std::fs::{File, Metadata};
use std::io::{self, BufWriter, Seek, Write};
use std::path::Path;
use std::time::{Duration, UNIX_EPOCH};

use sevenbit::{AbridgedPlan, Message, Normalizer, Opaque, Plan};

use super::existing::has_octets;
use super::origin::Origin;
use crate::input::{Item, postmark_date};
use crate::place::shown;

/// A message to be written.
pub struct Outgoing<'a> {
    /// Where it comes from.
    pub item: &'a Item,
    /// The file that it comes from, if it is one.
    pub file: Option<&'a Metadata>,
    /// The content to be written.
    pub content: Content<'a>,
    /// Whether its octets differ from the input.
    pub changed: bool,
}

/// The content of a message to be written.
#[derive(Clone, Copy)]
pub enum Content<'a> {
    /// These octets.
    Octets(&'a [u8]),
    /// The output of this plan: a large message is not in memory twice.
    Plan(&'a Plan<'a>),
    /// The output of this plan, read from its file.
    Abridged {
        /// The plan.
        plan: &'a RefCell<AbridgedPlan<'a, File>>,
        /// Whether it is written with LF.
        lf: bool,
    },
    /// A message that is not in memory at all.
    Opaque {
        /// The file that contains it.
        file: &'a File,
        /// How its header is written.
        normalizer: &'a Normalizer,
        /// Whether it is written with LF.
        lf: bool,
    },
}

impl Outgoing<'_> {
    /// When the message was sent, delivered, or else when its file was written, in seconds since
    /// 1970.
    pub fn date(&self, message: &Message<'_>) -> Option<i64> {
        let sent = || message.date().map(|date| date.timestamp());
        let delivered = || postmark_date(std::str::from_utf8(self.item.postmark()?).ok()?);
        let written = || self.file?.modified().ok()?.duration_since(UNIX_EPOCH).ok();
        sent().or_else(delivered).or_else(|| written().map(|time| time.as_secs().cast_signed()))
    }

    /// Returns the time when the message arrived, in seconds since 1970: that of its `From ` line,
    /// or else that of its file.
    pub fn arrived(&self) -> Option<i64> {
        let delivered = || postmark_date(std::str::from_utf8(self.item.postmark()?).ok()?);
        let written = || self.file?.modified().ok()?.duration_since(UNIX_EPOCH).ok();
        delivered().or_else(|| written().map(|time| time.as_secs().cast_signed()))
    }

    /// The time and the owner that a file of its own gets: those of its file, or the time of its
    /// `From ` line.
    pub fn origin(&self) -> Origin {
        let mut origin = self.file.map(Origin::of).unwrap_or_default();
        let after = |seconds: i64| {
            UNIX_EPOCH.checked_add(Duration::from_secs(u64::try_from(seconds).ok()?))
        };
        origin.modified = origin.modified.or_else(|| self.arrived().and_then(after));
        origin
    }

    /// Returns whether the file at `place` is this message already. Of one that is not in memory
    /// that is not known.
    pub fn is_at(&self, place: &Path) -> bool {
        match self.content {
            Content::Octets(octets) => has_octets(place, octets, octets.len() as u64),
            Content::Plan(_) | Content::Abridged { .. } | Content::Opaque { .. } => false,
        }
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
            Content::Opaque { file, normalizer, lf } => {
                let opaque = opaque(file, normalizer)?;
                let written = if lf { opaque.write_lf_to(out) } else { opaque.write_to(out) };
                written.map(drop)
            }
        }
    }

    /// Returns all of it in memory, for code that needs the whole.
    ///
    /// # Errors
    /// Those of its file.
    pub fn octets(&self) -> io::Result<Cow<'_, [u8]>> {
        Ok(match self.content {
            Content::Octets(octets) => Cow::Borrowed(octets),
            Content::Plan(plan) => plan.octets(),
            Content::Abridged { .. } | Content::Opaque { .. } => {
                let mut octets = Vec::new();
                self.write_to(&mut octets)?;
                Cow::Owned(octets)
            }
        })
    }

    /// Returns at least its header in memory.
    ///
    /// # Errors
    /// Those of its file.
    pub fn head(&self) -> io::Result<Cow<'_, [u8]>> {
        match self.content {
            Content::Opaque { file, normalizer, .. } => {
                Ok(Cow::Owned(opaque(file, normalizer)?.head().to_owned()))
            }
            _ => self.octets(),
        }
    }

    /// Returns its first octets: all of its header but in mail that nobody has.
    pub fn beginning(&self) -> Vec<u8> {
        let mut beginning = Beginning(Vec::new());
        // It ends with an error where enough is written.
        let _ = self.write_to(&mut beginning);
        beginning.0
    }

    /// Returns all of it in a file, if it is too long to be held.
    ///
    /// # Errors
    /// Those of its file, and of a temporary one.
    pub fn spooled(&self) -> io::Result<Option<(File, u64)>> {
        let Content::Opaque { .. } = self.content else { return Ok(None) };
        let mut file = tempfile::tempfile()?;
        self.write_to(BufWriter::with_capacity(1 << 16, &file))?;
        let length = file.stream_position()?;
        file.rewind()?;
        Ok(Some((file, length)))
    }

    /// The error that another program has changed its file.
    fn changed(&self) -> io::Error {
        let reason = format!("{} was changed while it was read", shown(&self.item.called()));
        io::Error::new(io::ErrorKind::StaleNetworkFileHandle, reason)
    }
}

/// The first octets of a message; more cannot be written.
struct Beginning(Vec<u8>);

impl Beginning {
    /// The most octets.
    const MAX: usize = 256 << 10;
}

impl Write for Beginning {
    fn write(&mut self, octets: &[u8]) -> io::Result<usize> {
        let length = octets.len().min(Self::MAX - self.0.len());
        self.0.extend_from_slice(&octets[..length]);
        Ok(length)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// A message that is too long to be held, from its beginning.
fn opaque<'f>(mut file: &'f File, normalizer: &Normalizer) -> io::Result<Opaque<&'f File>> {
    file.rewind()?;
    Opaque::read(file, normalizer)
}
