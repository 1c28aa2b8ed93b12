//! Messages that are large because of their attachments: planned without most of them, and written
//! from the file.
//!
//! A large message is mostly base64 in lines of equal length. When it is read, all but the first
//! and last lines of a long run of such lines are left out ([`reader`]), and what was kept is
//! planned like any message. That plan holds for the whole message if no rule had to know what was
//! left out ([`holds_for_the_whole`]): each verdict about a body says so itself. The edits of that
//! plan are written; lines omitted from what is copied between them come from the file.

mod omissions;
mod reader;
#[cfg(test)]
mod tests;

use std::io::{self, Read, Seek, SeekFrom, Write};
use std::ops::Range;

use self::omissions::{Omission, Omissions};
use self::reader::Scale;
use super::edit::Edit;
use super::normalizer::Normalizer;
use super::plan::{Basis, counts_octets};
use super::planned::{Plan, Report};
use crate::Issue;
use crate::codec::base64::{Checksum, MAX_RUN_LINE};
use crate::facts::tree::Entity;
use crate::transfer::{LineOutput, counted, counted_with_lf};

/// A message in a file, with only what matters in memory: without the long middles of base64
/// attachments.
///
/// How much is in memory depends on the message: all of it if nothing is attached in base64, and up
/// to 200 kB of each larger base64 attachment.
///
/// ```
/// use std::io::{Cursor, Write};
/// use sevenbit::{Abridged, Normalizer};
///
/// let mut mail = "Subject: caf\u{e9}\r\nContent-Type: application/zip\r\n\
///     Content-Transfer-Encoding: base64\r\nMIME-Version: 1.0\r\n\r\n".as_bytes().to_vec();
/// for _ in 0..100_000 {
///     mail.extend_from_slice(b"UEsDBBQAAAAIAFs8UEsDBBQAAAAIAFs8UEsDBBQAAAAIAFs8UEsDBBQAAAAIAFs8\r\n");
/// }
///
/// let mut message = Abridged::read(Cursor::new(&mail))?; // or a file
/// assert!(message.held() < 250_000);
/// let mut out = Vec::new();
/// match message.plan(&Normalizer::new()) {
///     Some(mut plan) => plan.write_to(&mut out)?,
///     None => Normalizer::new().plan(&message.into_whole()?).write_to(&mut out)?,
/// };
/// assert_eq!(out, Normalizer::new().normalize(&mail).octets());
/// # Ok::<(), std::io::Error>(())
/// ```
#[derive(Debug)]
pub struct Abridged<R> {
    input: R,
    /// Where the message begins in `input`.
    start: u64,
    octets: Vec<u8>,
    omissions: Omissions,
    scale: Scale,
}

impl<R: Read + Seek> Abridged<R> {
    /// Reads a message, from the current position of `input` to its end.
    ///
    /// # Errors
    /// Those of reading; [`FileTooLarge`](io::ErrorKind::FileTooLarge) for more octets than a
    /// `usize` counts.
    pub fn read(input: R) -> io::Result<Self> {
        Self::read_by(input, Scale::default(), usize::MAX)
    }

    /// Reads a message as [`read`](Self::read) does, holding no more than `octets` octets.
    ///
    /// # Errors
    /// As for `read`; [`FileTooLarge`](io::ErrorKind::FileTooLarge) if more have to be held.
    pub fn read_within(input: R, octets: usize) -> io::Result<Self> {
        Self::read_by(input, Scale::default(), octets)
    }

    fn read_by(mut input: R, scale: Scale, most: usize) -> io::Result<Self> {
        let start = input.stream_position()?;
        let (octets, omissions) = reader::read(&mut input, scale, most)?;
        Ok(Self { input, start, octets, omissions, scale })
    }

    /// Returns the length of the message in octets.
    pub fn length(&self) -> u64 {
        self.omissions.in_whole(self.octets.len()) as u64
    }

    /// Returns the number of octets in memory.
    pub fn held(&self) -> usize {
        self.octets.len()
    }

    /// Returns the first octets of the message, up to the first omission: everything before its
    /// first large attachment.
    pub fn head(&self) -> &[u8] {
        &self.octets[..self.omissions.first().unwrap_or(self.octets.len())]
    }

    /// Decides what must change, with the same edits, issues and spans as [`Normalizer::plan`].
    /// Returns `None` if that depends on what was left out: text in base64 that has to be
    /// converted, an attachment that has to be decoded, a signature over a given number of octets.
    pub fn plan(&mut self, normalizer: &Normalizer) -> Option<AbridgedPlan<'_, R>> {
        let Self { input, start, octets, omissions, scale } = self;
        let mut plan = normalizer.plan(octets);
        if !holds_for_the_whole(&plan, omissions) {
            return None;
        }
        for issue in &mut plan.report.issues {
            *issue = issue.clone().at(omissions.span_in_whole(issue.span()));
        }
        let file = File { input, start: *start, omissions, window: scale.window };
        Some(AbridgedPlan { plan, file })
    }

    /// Returns the whole message, read again if something was left out.
    ///
    /// # Errors
    /// Those of reading; [`InvalidData`](io::ErrorKind::InvalidData) if its length has changed.
    pub fn into_whole(self) -> io::Result<Vec<u8>> {
        let length = self.omissions.in_whole(self.octets.len());
        let Self { mut input, start, octets, omissions, .. } = self;
        if omissions.first().is_none() {
            return Ok(octets);
        }
        drop(octets);
        input.seek(SeekFrom::Start(start))?;
        let mut whole = Vec::new();
        // One octet more, so that the end is seen without growing.
        whole.try_reserve_exact(length.saturating_add(1))?;
        input.read_to_end(&mut whole)?;
        if whole.len() == length { Ok(whole) } else { Err(has_changed()) }
    }
}

/// Returns whether `plan`, made from what was kept, is the plan of the whole message.
///
/// The omissions are whole lines of base64 symbols in the middle of others that look alike. None of
/// them is a delimiter, a field or the end of a header, none has 8-bit octets, a stray line end or
/// too many octets, and their symbols are whole quads without padding. So a survey of a message, a
/// part or a body finds what it would find in the whole one. The questions that remain are what
/// octets mean, how many there are, and where they are:
///
/// 1. Lines may be missing only from bodies of leaves that were merely surveyed: not from headers,
///    preambles, epilogues, or encoded composites, which are read, shown in reports, measured
///    against limits, decoded. Where a charset was guessed, all inline text was looked at.
/// 2. No lines may be missing inside octets that are replaced, nor at either end of them.
/// 3. A DKIM signature with `l=` covers a given number of octets of the body: there must be none.
///    Others cover all of it.
/// 4. The ends of spans must be found in the whole message: none may be where lines are missing.
///
/// The tests compare both plans for messages of every shape.
fn holds_for_the_whole(plan: &Plan<'_>, omissions: &Omissions) -> bool {
    if omissions.first().is_none() {
        return true;
    }
    let guesses = plan.tree.guesses.get();
    let is_evidence = |entity: &Entity| guesses.is_some() && entity.content.is_inline_text();
    let is_surveyed = |(entity, basis): &(&Entity, &Basis)| {
        entity.is_leaf() && entity.source == 0 && **basis < Basis::Content && !is_evidence(entity)
    };
    let surveyed = plan.tree.entities.iter().zip(&plan.bases).filter(is_surveyed);
    let in_bodies = surveyed.map(|(entity, _)| omissions.within(&entity.body).len());
    let is_at_omission = |at: usize| omissions.touch(&(at..at));
    let mut spans = plan.report.issues.iter().map(Issue::span);
    in_bodies.sum::<usize>() == omissions.0.len()
        && !plan.splices[0].list.iter().any(|splice| omissions.touch(&splice.span))
        && !counts_octets(&plan.tree)
        && !spans.any(|span| is_at_omission(span.start) || is_at_omission(span.end))
}

/// The [`Plan`] of an [`Abridged`] message: ordered, disjoint edits of the original octets, and the
/// report.
#[derive(Debug)]
pub struct AbridgedPlan<'a, R> {
    plan: Plan<'a>,
    file: File<'a, R>,
}

impl<R> AbridgedPlan<'_, R> {
    /// Returns the replacements, as [`Plan::edits`] returns them.
    pub fn edits(&self) -> impl Iterator<Item = Edit<'_>> {
        self.plan.edits().map(|edit| {
            let span = self.file.omissions.span_in_whole(edit.span());
            edit.at(span)
        })
    }

    /// Returns what was found.
    pub fn report(&self) -> &Report {
        self.plan.report()
    }

    /// Returns the charset labels of the message's leaves, as [`Plan::charset_labels`] returns
    /// them.
    pub fn charset_labels(&self) -> impl Iterator<Item = &str> {
        self.plan.charset_labels()
    }
}

impl<R: Read + Seek> AbridgedPlan<'_, R> {
    /// Writes the normalised message and returns the number of octets written. What was left out is
    /// read again, a window at a time.
    ///
    /// Whatever happens to the file meanwhile, the output has the structure that was planned and is
    /// 7-bit safe: only whole lines of base64 are taken from the file. A checksum, which no
    /// accident passes, shows whether they are the same as before; what was kept is not read again.
    ///
    /// # Errors
    /// Those of reading and of `output`; [`InvalidData`](io::ErrorKind::InvalidData) if what was
    /// left out has changed. By then, part of a message has been written.
    pub fn write_to(&mut self, output: impl Write) -> io::Result<u64> {
        counted(output, |out| self.write(out))
    }

    /// Writes the message with LF for each CR LF, as [`Plan::write_lf_to`] does.
    ///
    /// # Errors
    /// As for `write_to`.
    pub fn write_lf_to(&mut self, output: impl Write) -> io::Result<u64> {
        counted_with_lf(output, |out| self.write(out))
    }

    fn write(&mut self, out: &mut impl LineOutput) -> io::Result<()> {
        let Self { plan, file } = self;
        let (octets, splices) = (&plan.tree.sources[0].octets, &plan.splices[0]);
        let copied = |range, out: &mut _| file.copy(octets, range, splices.bare_line_ends, out);
        plan.spliced().write_range(0, 0..octets.len(), &splices.list, out, copied)
    }
}

impl Normalizer {
    /// Reads one message, from the current position of `input` to its end, and writes it in its
    /// normal form as [`normalize_reader`](Self::normalize_reader) does, in less memory if the
    /// message is large because of base64 attachments ([`Abridged`]).
    ///
    /// # Errors
    /// Those of reading and writing, and of a file that changes meanwhile
    /// ([`AbridgedPlan::write_to`]).
    pub fn normalize_file(
        &self,
        input: impl Read + Seek,
        output: impl Write,
    ) -> io::Result<Report> {
        let mut message = Abridged::read(input)?;
        if let Some(mut plan) = message.plan(self) {
            plan.write_to(output)?;
            return Ok(plan.plan.report);
        }
        self.normalize_reader(message.into_whole()?.as_slice(), output)
    }
}

/// The file that holds the octets that were left out.
#[derive(Debug)]
struct File<'a, R> {
    input: &'a mut R,
    start: u64,
    omissions: &'a Omissions,
    window: usize,
}

impl<R: Read + Seek> File<'_, R> {
    /// Writes `range` of the abridged `octets` with the lines that belong inside it. None are
    /// missing at either end.
    fn copy(
        &mut self,
        octets: &[u8],
        range: Range<usize>,
        bare_line_ends: bool,
        out: &mut impl LineOutput,
    ) -> io::Result<()> {
        let mut at = range.start;
        for omission in self.omissions.within(&range) {
            out.copy(&octets[at..omission.at], bare_line_ends)?;
            self.fill(omission, bare_line_ends, out)?;
            at = omission.at;
        }
        out.copy(&octets[at..range.end], bare_line_ends)
    }

    /// Writes what was left out, if it has not changed.
    fn fill(
        &mut self,
        omission: &Omission,
        bare_line_ends: bool,
        out: &mut impl LineOutput,
    ) -> io::Result<()> {
        self.input.seek(SeekFrom::Start(self.start + (omission.at + omission.before) as u64))?;
        let mut missing = self.input.by_ref().take(omission.len as u64);
        let size = omission.len.min(self.window.max(MAX_RUN_LINE));
        let (mut window, mut checksum) = (Vec::with_capacity(size), Checksum::default());
        loop {
            // The window begins with what is left of it after the last whole lines.
            missing.by_ref().take((size - window.len()) as u64).read_to_end(&mut window)?;
            if window.is_empty() {
                return if checksum == omission.checksum { Ok(()) } else { Err(has_changed()) };
            }
            let lines = omission.line.run(&window, |alike, lines| checksum.add(alike, lines));
            if lines == 0 {
                return Err(has_changed());
            }
            out.copy(&window[..lines], bare_line_ends)?;
            window.drain(..lines);
        }
    }
}

fn has_changed() -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, "the message was changed while it was read")
}
