//! Where messages come from: local files, files that Python has opened, or messages that it has read itself.

use std::borrow::Cow;
use std::collections::VecDeque;
use std::ffi::OsStr;
use std::fs::File;
use std::io::{self, BufReader, Read, Seek, SeekFrom};
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::atomic::Ordering::Relaxed;
use std::sync::{Arc, Mutex, PoisonError};

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyBytes;
use sevenbit::mbox::{Dialect, Mbox, STRIDE, holds_several};
use sevenbit_store::ending::{self, Ending};
use sevenbit_store::members::{Members, Unreadable};
use sevenbit_store::old::{Cutter, Format};
use sevenbit_store::packed::pieces::{Piece, Pieces, Seekable};
use sevenbit_store::packed::{self, Packing};
use sevenbit_store::{HEAD, Recognised, recognise};
use tar::{Entry, EntryType};

use super::kind::{FileKind, Place, is_eml};
use super::outlook;
use crate::options::word;

/// How many octets are read at a time.
pub const BUFFER: usize = 256 << 10;

/// How messages are separated in an mbox file.
#[derive(Clone, Copy)]
pub struct DialectOption(pub Dialect);

impl<'a, 'py> FromPyObject<'a, 'py> for DialectOption {
    type Error = PyErr;

    fn extract(object: Borrowed<'a, 'py, PyAny>) -> PyResult<Self> {
        Ok(Self(match word(object)? {
            "auto" => Dialect::Auto,
            "mboxo" => Dialect::Mboxo,
            "mboxrd" => Dialect::Mboxrd,
            "mboxcl" => Dialect::Mboxcl,
            "mboxcl2" => Dialect::Mboxcl2,
            other => {
                let known = "'auto', 'mboxo', 'mboxrd', 'mboxcl' or 'mboxcl2'";
                return Err(PyValueError::new_err(format!(
                    "argument 'dialect': expected {known}, not {other:?}"
                )));
            }
        }))
    }
}

/// A message in a file.
#[derive(Default)]
pub struct Mail<'m> {
    /// Where it begins in the file, or in its unpacked form.
    pub offset: u64,
    /// The message, or as much of it as is allowed.
    pub octets: Cow<'m, [u8]>,
    /// Whether that is all of it.
    pub is_whole: bool,
    /// The `From ` line before it, in an mbox.
    pub from_line: Vec<u8>,
    /// When its file was last changed, in microseconds since 1970.
    pub mtime: Option<i64>,
    /// The path of its folder in a store of Outlook.
    pub folder: Option<Arc<str>>,
    /// What of it could not be read.
    pub error: Option<String>,
    /// What its octets are in words, if they may be something else than a message.
    pub kind: Option<&'static str>,
}

impl<'m> Mail<'m> {
    /// Octets that may be a message.
    pub fn of(octets: &'m [u8]) -> Self {
        let kind = match recognise(octets, Path::new("")) {
            Recognised::Message => None,
            other => Some(other.words()),
        };
        Self { octets: Cow::Borrowed(octets), is_whole: true, kind, ..Self::default() }
    }
}

/// A file that is no mail, or none that is read.
pub struct Other {
    pub offset: u64,
    /// What it is, in words: `a PDF document`.
    pub kind: &'static str,
    /// Why that is an error, if there is mail in it, or may be.
    pub error: Option<String>,
    /// Its octets, if they are wanted.
    pub octets: Vec<u8>,
    /// Its length.
    pub size: Option<u64>,
    /// When it was last changed, in microseconds since 1970.
    pub mtime: Option<i64>,
}

/// What is in a file.
pub enum Found {
    Mail(Mail<'static>),
    Other(Other),
}

impl Found {
    /// Adds the time at which the file was changed, if the thing has none of its own.
    fn dated(mut self, time: Option<i64>) -> Self {
        let (Self::Mail(Mail { mtime, .. }) | Self::Other(Other { mtime, .. })) = &mut self;
        *mtime = mtime.or(time);
        self
    }
}

/// A place in a file that cannot be read.
pub struct Damage {
    pub offset: u64,
    /// Why.
    pub error: String,
}

impl From<Unreadable> for Damage {
    fn from(place: Unreadable) -> Self {
        Self { offset: place.span.start, error: place.to_string() }
    }
}

/// The messages of a file, what else is in it, and the places in it that cannot be read.
pub type Mails = Box<dyn Iterator<Item = Result<Found, Damage>> + Send>;

/// How files are read.
#[derive(Clone, Copy)]
pub struct Reading {
    /// How messages are separated in mbox files.
    pub dialect: Dialect,
    /// Only this many octets of longer messages are returned.
    pub most_octets: usize,
    /// Whether the octets of what is no mail are wanted.
    pub keeps_others: bool,
}

/// The next item to read, from Python: `(path, kind, source, start, end, mtime, cut)`.
///
/// | kind | source is |
/// |---|---|
/// | `file` | the name of a local file |
/// | `opened` | a file that Python has opened, in which it can seek |
/// | `failed` | the error |
pub struct Item {
    pub path: String,
    source: Opening,
    range: Range<u64>,
    /// When the file was last changed, in microseconds since 1970.
    mtime: Option<i64>,
    cut: Option<Cut>,
}

/// The part of a plan about a range of a tar file or of a packed file.
#[derive(Clone, Copy)]
struct Cut {
    /// A piece that begins before the range, or with it.
    piece: Piece,
    /// The piece of the next range, if only an index says where that is: reading has to come to it.
    next: Option<Piece>,
}

/// The end of a range that has all of the rest.
const END: u64 = i64::MAX as u64;

enum Opening {
    File(PathBuf),
    Opened(PythonFile),
    Failed(String),
}

impl<'a, 'py> FromPyObject<'a, 'py> for Item {
    type Error = PyErr;

    fn extract(object: Borrowed<'a, 'py, PyAny>) -> PyResult<Self> {
        type Place = (u64, u64);
        type Parts<'py> = (
            String,
            String,
            Bound<'py, PyAny>,
            u64,
            u64,
            Option<i64>,
            Option<(Place, Option<Place>)>,
        );
        let (path, kind, source, start, end, mtime, cut): Parts<'py> = object.extract()?;
        let source = match kind.as_str() {
            "file" => Opening::File(source.extract()?),
            "opened" => Opening::Opened(PythonFile(source.unbind())),
            _ => Opening::Failed(source.str()?.to_string()),
        };
        let cut = cut.map(|(piece, next)| Cut { piece: piece_of(piece), next: next.map(piece_of) });
        Ok(Self { path, source, range: start..end, mtime, cut })
    }
}

/// A piece as Python has it.
pub fn piece_of((packed, unpacked): (u64, u64)) -> Piece {
    Piece { packed, unpacked }
}

impl Item {
    /// The messages in it. What goes wrong in its store is kept in `outage` as well.
    ///
    /// # Errors
    /// The item cannot be read.
    pub fn mails(self, reading: Reading, outage: &Outage) -> io::Result<Mails> {
        let (path, mtime) = (Path::new(&self.path), self.mtime);
        let mails = match self.source {
            Opening::File(name) => {
                let file = File::open(name).map_err(|error| outage.keep(error))?;
                let file = Watched::new(file, outage);
                reading.of_file(file, path, self.range, self.cut, outage)
            }
            Opening::Opened(file) => {
                let file = Watched::new(file, outage);
                reading.of_file(file, path, self.range, self.cut, outage)
            }
            Opening::Failed(why) => Err(io::Error::other(why)),
        }?;
        // A member of a tar file has a time of its own.
        Ok(Box::new(mails.map(move |found| found.map(|found| found.dated(mtime)))))
    }
}

impl Reading {
    /// The messages of a file that begin in a range of it, which counts octets, and in a store of Outlook messages. Without a cut,
    /// only these and an mbox have any outside the range of octet 0.
    fn of_file(
        self,
        mut file: impl Read + Seek + Send + Sync + 'static,
        path: &Path,
        range: Range<u64>,
        cut: Option<Cut>,
        outage: &Outage,
    ) -> io::Result<Mails> {
        let kind = FileKind::of(&first_octets(&mut file)?, path, Place::Alone);
        match (&kind, cut) {
            (FileKind::Packed, Some(cut)) => {
                return self.of_packed_range(file, path, range, cut, outage);
            }
            (FileKind::Tar, Some(_)) => {
                file.seek(SeekFrom::Start(range.start))?;
                return Ok(self.of_tar_range(file, range, outage));
            }
            _ => {}
        }
        if range.start > 0 && !matches!(kind, FileKind::Mbox | FileKind::Folders(_)) {
            return Ok(Box::new(std::iter::empty()));
        }

        file.rewind()?;
        match kind {
            FileKind::Packed => self.of_packed(file, path),
            FileKind::Tar => Ok(self.of_tar(file)),
            FileKind::Mbox if is_eml(path) && !holds_several(BufReader::new(&mut file))? => {
                file.rewind()?;
                self.of_message(file)
            }
            FileKind::Mbox => {
                let file = BufReader::with_capacity(BUFFER, file);
                Ok(self.of_mbox(Mbox::range(file, range, self.dialect)?))
            }
            FileKind::Old(format) => Ok(self.of_old(file, format)),
            FileKind::Folders(kind) => Ok(match outlook::messages(file, range, self.most_octets) {
                Ok(mails) => mails,
                Err(error) => one(Found::Other(Other::unread(kind, error))),
            }),
            FileKind::Other { kind, error } => {
                let size = file.seek(SeekFrom::End(0))?;
                file.rewind()?;
                Ok(one(Found::Other(Other { size: Some(size), ..self.other(kind, error, file)? })))
            }
            kind => self.of_one(kind, file),
        }
    }

    /// The messages of a packed file. Where it is damaged, those before are not lost.
    fn of_packed(self, file: impl Read + Send + 'static, path: &Path) -> io::Result<Mails> {
        let mut found = packed::unpack(file)?;
        let name = Packing::unpacked_name(path);
        let kind = FileKind::of(found.look_on(HEAD)?, &name, Place::Packed);
        let stream = found.into_stream();
        match kind {
            FileKind::Tar => Ok(self.of_tar(stream)),
            FileKind::Old(format) => {
                let (stream, damage) = Ending::new(stream);
                Ok(with_damage(self.of_old(stream, format), damage))
            }
            FileKind::Mbox if is_eml(&name) => self.of_message(stream),
            FileKind::Mbox => {
                let (stream, damage) = Ending::new(BufReader::with_capacity(BUFFER, stream));
                Ok(with_damage(self.of_mbox(Mbox::new(stream, self.dialect)), damage))
            }
            kind => self.of_one(kind, stream),
        }
    }

    /// The messages of a packed mailbox or tar file that begin in a range of its unpacked form.
    fn of_packed_range(
        self,
        file: impl Read + Seek + Send + 'static,
        path: &Path,
        range: Range<u64>,
        cut: Cut,
        outage: &Outage,
    ) -> io::Result<Mails> {
        let mut unpacked = Seekable::new(file, cut.piece);
        let kind = unpacked_kind(&first_octets(&mut unpacked)?, path);
        let is_met = cut.next.map(|next| unpacked.expect(next));
        let mails = match kind {
            Some(FileKind::Mbox) => {
                let (unpacked, damage) = Ending::new(BufReader::with_capacity(BUFFER, unpacked));
                with_damage(self.of_mbox(Mbox::range(unpacked, range, self.dialect)?), damage)
            }
            Some(FileKind::Tar) => {
                unpacked.seek(SeekFrom::Start(range.start))?;
                self.of_tar_range(unpacked, range, outage)
            }
            _ => return Err(outage.keep(is_not_as_planned())),
        };

        let outage = outage.clone();
        let end = std::iter::from_fn(move || {
            if is_met.as_ref().is_some_and(|is_met| !is_met.load(Relaxed)) {
                outage.keep(is_not_as_planned());
            }
            None
        });
        Ok(Box::new(mails.chain(end)))
    }

    /// What is in a stream that is one message, or none.
    fn of_one(self, kind: FileKind, stream: impl Read) -> io::Result<Mails> {
        match kind {
            FileKind::Emlx => {
                let mut octets = self.octets(stream)?;
                let range = sevenbit_store::emlx::message_in(&octets);
                octets.truncate(range.end);
                octets.drain(..range.start);
                Ok(one(Found::Mail(self.mail(octets))))
            }
            FileKind::Msg(kind) => {
                let octets = self.octets(stream)?;
                let is_whole = octets.len() <= self.most_octets;
                let read = if is_whole {
                    outlook::message(&octets)
                } else {
                    Err(too_long(self.most_octets))
                };
                Ok(one(match read {
                    Ok((octets, error)) => Found::Mail(Mail { error, ..self.mail(octets) }),
                    Err(error) => Found::Other(Other::unread(kind, error)),
                }))
            }
            FileKind::Other { kind, error } => {
                Ok(one(Found::Other(self.other(kind, error, stream)?)))
            }
            _ => self.of_message(stream),
        }
    }

    fn of_mbox(self, mut mails: Mbox<impl Read + Send + 'static>) -> Mails {
        mails = mails.limit(self.most_octets);
        let mut after = 0;
        let mut next = move || {
            Some(match mails.next()? {
                Ok(mail) => {
                    let (offset, is_whole) = (mail.start(), mail.is_whole());
                    after = mail.span().end;
                    let (from_line, octets) = mail.into_parts();
                    let octets = Cow::Owned(octets);
                    Ok(Found::Mail(Mail { offset, octets, is_whole, from_line, ..Mail::default() }))
                }
                Err(error) => Err(Damage { offset: after, error: error.to_string() }),
            })
        };
        // Nothing can be read after an error.
        let mut failed = false;
        Box::new(std::iter::from_fn(move || {
            let found = if failed { None } else { next() };
            failed = matches!(found, Some(Err(_)));
            found
        }))
    }

    /// The messages of a mailbox of an older program.
    fn of_old(self, stream: impl Read + Send + 'static, format: Format) -> Mails {
        let mut cutter = Cutter::new(stream, format);
        let mut next = move || -> Result<Option<Found>, Damage> {
            let begin = cutter.end();
            let failed = |error: io::Error| Damage { offset: begin, error: error.to_string() };
            let Some(envelope) = cutter.next_message().map_err(failed)? else { return Ok(None) };
            let mut mail = self.mail(self.octets(&mut cutter).map_err(failed)?);
            mail.octets = Cow::Owned(envelope.with_fields(mail.octets.into_owned()));
            Ok(Some(Found::Mail(Mail {
                offset: envelope.begin,
                from_line: envelope.postmark,
                ..mail
            })))
        };
        // Nothing can be read after an error.
        let mut failed = false;
        Box::new(std::iter::from_fn(move || {
            let found = if failed { None } else { next().transpose() };
            failed = matches!(found, Some(Err(_)));
            found
        }))
    }

    /// The messages of a tar file: its regular files, hidden ones excepted. A link has no octets of its own: a place that
    /// says where they are.
    fn of_tar(self, file: impl Read + Send + 'static) -> Mails {
        self.of_tar_range(file, 0..END, &Outage::default())
    }

    /// The messages of the members of a tar file in a range of it; `file` begins where the range does. The next range begins
    /// where it ends: if no member begins there, the index that says so is false, which is kept as an outage. So every range
    /// begins with a member, as the first one does, unless the reader of the one before it fails.
    fn of_tar_range(
        self,
        file: impl Read + Send + 'static,
        range: Range<u64>,
        outage: &Outage,
    ) -> Mails {
        let mut members = Members::at(range.start, BufReader::with_capacity(BUFFER, file));
        let mut waiting = VecDeque::new();
        let outage = outage.clone();
        Box::new(std::iter::from_fn(move || {
            while waiting.is_empty() {
                if members.position() == range.end {
                    return None;
                }
                let found = if members.position() > range.end {
                    None
                } else {
                    members.next(|member, offset| self.of_member(member, offset))
                };
                match found {
                    Some(Ok(mails)) => waiting.extend(mails),
                    Some(Err(place)) => return Some(Err(place.into())),
                    None => {
                        if range.end < END {
                            outage.keep(is_not_as_planned());
                        }
                        return None;
                    }
                }
            }
            waiting.pop_front()
        }))
    }

    /// The message that a member of a tar file is, or the messages, if it is an mbox.
    pub fn of_member(
        self,
        member: &mut Entry<'_, impl Read>,
        offset: u64,
    ) -> io::Result<Vec<Result<Found, Damage>>> {
        let kind = member.header().entry_type();
        let has_no_octets = kind.is_dir()
            || kind.is_fifo()
            || kind.is_character_special()
            || kind.is_block_special();
        if has_no_octets || is_hidden(&member.path()?) {
            return Ok(Vec::new());
        }
        if let Some(why) = unreadable(member, kind)? {
            let error = format!("{} is {why}", member.path()?.display());
            return Ok(vec![Err(Damage { offset, error })]);
        }
        // Python's calendar ends with the year 9999.
        let mtime = member.header().mtime().ok().filter(|&time| time < 253_402_300_800);
        let mtime = mtime.and_then(|time| i64::try_from(time).ok()?.checked_mul(1_000_000));
        let path = member.path()?.into_owned();
        let size = member.size();
        let mut octets = self.octets(member)?;
        let kind = FileKind::of(&octets[..octets.len().min(HEAD)], &path, Place::Tar);
        let is_whole = octets.len() <= self.most_octets;
        let is_mbox = match &kind {
            FileKind::Mbox => is_whole && (!is_eml(&path) || holds_several(&octets[..])?),
            FileKind::Message => is_whole && holds_several(&octets[..])?,
            _ => false,
        };
        if is_mbox {
            let mails = Mbox::new(&octets[..], self.dialect).map(|found| {
                let found = found?;
                let begins = offset + found.start();
                let (from_line, octets) = found.into_parts();
                let mail = Mail { from_line, mtime, ..self.mail(octets) };
                Ok(Ok(Found::Mail(Mail { offset: begins, ..mail })))
            });
            return mails.collect();
        }
        if let FileKind::Old(format) = kind
            && is_whole
        {
            let found = self.of_old(io::Cursor::new(octets), format).map(|found| {
                found.map(|found| match found.dated(mtime) {
                    Found::Mail(mail) => Found::Mail(Mail { offset: offset + mail.offset, ..mail }),
                    other @ Found::Other(_) => other,
                })
            });
            return Ok(found.collect());
        }
        if let FileKind::Other { kind, error } = kind {
            octets.truncate(if self.keeps_others { self.most_octets } else { 0 });
            let other = Other { offset, kind, error, octets, size: Some(size), mtime };
            return Ok(vec![Ok(Found::Other(other))]);
        }
        let found = self.of_one(kind, &octets[..])?.map(|found| {
            Ok(match found?.dated(mtime) {
                Found::Mail(mail) => Found::Mail(Mail { offset, ..mail }),
                Found::Other(other) => Found::Other(Other { offset, ..other }),
            })
        });
        Ok(found.collect())
    }

    /// The octets of a stream: one more than is allowed if there are more.
    fn octets(self, stream: impl Read) -> io::Result<Vec<u8>> {
        let mut octets = Vec::new();
        stream.take((self.most_octets as u64).saturating_add(1)).read_to_end(&mut octets)?;
        Ok(octets)
    }

    fn of_message(self, stream: impl Read) -> io::Result<Mails> {
        Ok(one(Found::Mail(self.mail(self.octets(stream)?))))
    }

    /// What is no mail, with its octets if they are wanted.
    fn other(
        self,
        kind: &'static str,
        error: Option<String>,
        stream: impl Read,
    ) -> io::Result<Other> {
        let mut octets = Vec::new();
        if self.keeps_others {
            octets = self.octets(stream)?;
            octets.truncate(self.most_octets);
        }
        Ok(Other { offset: 0, kind, error, octets, size: None, mtime: None })
    }

    /// A message of these octets, or as much of it as is allowed.
    fn mail(self, mut octets: Vec<u8>) -> Mail<'static> {
        let is_whole = octets.len() <= self.most_octets;
        octets.truncate(self.most_octets);
        Mail { octets: Cow::Owned(octets), is_whole, ..Mail::default() }
    }
}

impl Other {
    /// A file of mail that cannot be read.
    fn unread(kind: &'static str, error: String) -> Self {
        Self { offset: 0, kind, error: Some(error), octets: Vec::new(), size: None, mtime: None }
    }
}

/// The messages of a mailbox that may end with damage, which is the error of the last one: nobody
/// can tell whether it is whole. Its octets may be all of it, if only a checksum is wrong.
fn with_damage(mut mails: Mails, damage: ending::Damage) -> Mails {
    let mut held: Option<Found> = None;
    let mut waiting: Option<Damage> = None;
    Box::new(std::iter::from_fn(move || {
        if let Some(place) = waiting.take() {
            return Some(Err(place));
        }
        loop {
            match mails.next() {
                Some(Ok(found)) => match held.replace(found) {
                    Some(before) => return Some(Ok(before)),
                    None => continue,
                },
                Some(Err(place)) => {
                    let Some(before) = held.take() else { return Some(Err(place)) };
                    waiting = Some(place);
                    return Some(Ok(before));
                }
                None => {}
            }
            return match (held.take(), damage.take()) {
                (Some(Found::Mail(mail)), Some(error)) => {
                    let error = Some(format!("may not be whole: {error}"));
                    Some(Ok(Found::Mail(Mail { error, ..mail })))
                }
                (Some(found), _) => Some(Ok(found)),
                (None, Some(error)) => Some(Err(Damage { offset: 0, error: error.to_string() })),
                (None, None) => None,
            };
        }
    }))
}

/// The error of a file that cannot be read in the ranges of its plan. No row of it could be trusted, nor the lack of one.
fn is_not_as_planned() -> io::Error {
    let why = "it cannot be cut where the plan says: it has changed since, or its index is false; \
               plan again, or remove the index";
    io::Error::new(io::ErrorKind::InvalidData, why)
}

/// The octets that show what a file is.
pub fn first_octets(file: &mut impl Read) -> io::Result<Vec<u8>> {
    let mut first = Vec::with_capacity(HEAD);
    file.take(HEAD as u64).read_to_end(&mut first)?;
    Ok(first)
}

/// The kind of a packed file of this name that unpacks to these first octets, if it can be cut.
pub fn unpacked_kind(first: &[u8], path: &Path) -> Option<FileKind> {
    if Packing::of_octets(first) != Packing::None {
        return None;
    }
    let name = Packing::unpacked_name(path);
    let kind = FileKind::of(first, &name, Place::Packed);
    let can_be_cut = match kind {
        FileKind::Mbox => !is_eml(&name),
        FileKind::Tar => true,
        _ => false,
    };
    can_be_cut.then_some(kind)
}

/// Where a packed mailbox can be cut into ranges of about so many unpacked octets: the octets that
/// ranges after the first begin at, each with the piece of the file from which on it is read. None
/// if it cannot be cut.
pub fn cuts(file: File, path: &Path, step: u64) -> io::Result<Vec<(u64, Piece)>> {
    let mut file = file;
    let Some(pieces) = Pieces::find(&mut file)? else { return Ok(Vec::new()) };
    let first = first_octets(&mut Seekable::new(file, Piece::default()))?;
    let kind = unpacked_kind(&first, path);
    Ok(if kind == Some(FileKind::Mbox) { mbox_cuts(&pieces, step) } else { Vec::new() })
}

/// The places where a mailbox in such pieces can be cut, as [`cuts`] says.
pub fn mbox_cuts(pieces: &Pieces, step: u64) -> Vec<(u64, Piece)> {
    let least = step.min(STRIDE);
    let (mut found, mut last) = (Vec::new(), 0);
    let mut cut = step;
    while cut < pieces.length() {
        let octet = (cut - cut % STRIDE).saturating_sub(LOOK_BACK);
        let piece = pieces.before(octet);
        // What lies between is unpacked by both ranges.
        let is_near = piece.unpacked > 0 && cut - piece.unpacked < 2 * STRIDE;
        if is_near && cut - last >= step {
            found.push((cut, piece));
            last = cut;
        }

        let mut next = cut.saturating_add(least);
        if !is_near {
            // A piece may say that it is of any length: what no cut can be in is not walked through.
            let Some(piece) = pieces.after(octet) else { break };
            let steps = piece.unpacked.saturating_sub(step).div_ceil(least);
            next = next.max(step.saturating_add(steps.saturating_mul(least)));
        }
        cut = next;
    }
    found
}

/// A reader of a range looks at less before it.
const LOOK_BACK: u64 = 64 << 10;

/// A file of one thing.
fn one(found: Found) -> Mails {
    Box::new(std::iter::once(Ok(found)))
}

/// Why a message is not read whole.
pub fn too_long(most: usize) -> String {
    format!("longer than {most} octets")
}

/// Why the octets of a member cannot be read, if so.
fn unreadable(member: &mut Entry<'_, impl Read>, kind: EntryType) -> io::Result<Option<String>> {
    if kind.is_symlink() || kind.is_hard_link() {
        let target = member.link_name()?.unwrap_or_default();
        return Ok(Some(format!("a link to {}, where its octets are", target.display())));
    }
    if !(kind.is_file() || kind.is_contiguous() || kind.is_gnu_sparse()) {
        return Ok(Some("of a kind that is not known".to_owned()));
    }
    // The tar crate knows the sparse files of GNU, but not those of pax.
    let mut is_sparse = false;
    if let Some(extensions) = member.pax_extensions()? {
        is_sparse =
            extensions.flatten().any(|extension| extension.key_bytes().starts_with(b"GNU.sparse."));
    }
    Ok(is_sparse.then(|| "a sparse file in the form of pax, which is not read".to_owned()))
}

/// Whether a member of a tar file is hidden: its name begins with `.` or `_`, or that of a directory with `_`, in which work is
/// unfinished. A directory that begins with `.` may be a Maildir, or a folder of one.
fn is_hidden(path: &Path) -> bool {
    let begins = |name: &OsStr, octet| name.as_encoded_bytes().first() == Some(&octet);
    path.file_name().is_none_or(|name| begins(name, b'.'))
        || path.components().any(|part| begins(part.as_os_str(), b'_'))
}

/// An error of the store that a file is in: of the network, of a disk. It says nothing about mail, so it must not become a row,
/// whatever the readers of mailboxes and packed files make of it on its way.
#[derive(Clone, Default)]
pub struct Outage(Arc<Mutex<Option<io::Error>>>);

impl Outage {
    /// The first error, if there was one.
    pub fn take(&self) -> Option<io::Error> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).take()
    }

    /// Keeps an error, unless it belongs to this one place, so that trying again would not change it. Returns one that says
    /// the same.
    pub fn keep(&self, error: io::Error) -> io::Error {
        use io::ErrorKind::{
            Interrupted, InvalidFilename, IsADirectory, NotADirectory, NotFound, PermissionDenied,
        };

        let is_of_place = match error.kind() {
            NotFound | IsADirectory | NotADirectory | InvalidFilename | Interrupted => true,
            // On a disk that is a property of the file; a store refuses whoever has the wrong credentials.
            PermissionDenied => error.raw_os_error().is_some(),
            _ => false,
        };
        if is_of_place {
            return error;
        }
        let same = io::Error::new(error.kind(), error.to_string());
        self.0.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert(error);
        same
    }
}

/// A file whose errors are kept.
pub struct Watched<F> {
    file: F,
    outage: Outage,
}

impl<F> Watched<F> {
    pub fn new(file: F, outage: &Outage) -> Self {
        Self { file, outage: outage.clone() }
    }
}

impl<F: Read> Read for Watched<F> {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        self.file.read(into).map_err(|error| self.outage.keep(error))
    }
}

impl<F: Seek> Seek for Watched<F> {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        self.file.seek(to).map_err(|error| self.outage.keep(error))
    }
}

/// A file that Python has opened.
pub struct PythonFile(pub Py<PyAny>);

impl Read for PythonFile {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        Python::attach(|py| {
            let read = self.0.call_method1(py, "read", (into.len(),))?;
            let octets = read.bind(py).cast::<PyBytes>().map_err(PyErr::from)?.as_bytes();
            let length = octets.len().min(into.len());
            into[..length].copy_from_slice(&octets[..length]);
            Ok(length)
        })
    }
}

impl Seek for PythonFile {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        let (offset, whence) = match to {
            SeekFrom::Start(offset) => (i128::from(offset), 0),
            SeekFrom::Current(offset) => (i128::from(offset), 1),
            SeekFrom::End(offset) => (i128::from(offset), 2),
        };
        Python::attach(|py| Ok(self.0.call_method1(py, "seek", (offset, whence))?.extract(py)?))
    }
}
