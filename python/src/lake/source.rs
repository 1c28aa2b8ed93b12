//! Where messages come from: local files, files that Python has opened, or messages that it has read itself.

use std::borrow::Cow;
use std::collections::VecDeque;
use std::ffi::OsStr;
use std::fs::File;
use std::io::{self, BufReader, Read, Seek, SeekFrom};
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyBytes;
use sevenbit::mbox::{Dialect, Mbox, begins_mbox, holds_several};
use tar::{Entry, EntryType};

use super::members::{Members, Unreadable, begins_tar};
use super::packed::{self, Packing};
use crate::options::word;

/// How many octets of a file are read to find out what it is.
const LOOK: usize = 4096;

/// How many octets are read at a time.
const BUFFER: usize = 256 << 10;

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
}

impl<'m> Mail<'m> {
    /// A message of which no more is known.
    pub fn of(octets: &'m [u8]) -> Self {
        Self { octets: Cow::Borrowed(octets), is_whole: true, ..Self::default() }
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

/// The messages of a file, and the places in it that cannot be read.
pub type Mails = Box<dyn Iterator<Item = Result<Mail<'static>, Damage>> + Send>;

/// How files are read.
#[derive(Clone, Copy)]
pub struct Reading {
    /// How messages are separated in mbox files.
    pub dialect: Dialect,
    /// Only this many octets of longer messages are returned.
    pub most_octets: usize,
}

/// The next item to read, from Python: `(path, kind, source, start, end, mtime)`.
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
}

enum Opening {
    File(PathBuf),
    Opened(PythonFile),
    Failed(String),
}

impl<'a, 'py> FromPyObject<'a, 'py> for Item {
    type Error = PyErr;

    fn extract(object: Borrowed<'a, 'py, PyAny>) -> PyResult<Self> {
        type Parts<'py> = (String, String, Bound<'py, PyAny>, u64, u64, Option<i64>);
        let (path, kind, source, start, end, mtime): Parts<'py> = object.extract()?;
        let source = match kind.as_str() {
            "file" => Opening::File(source.extract()?),
            "opened" => Opening::Opened(PythonFile(source.unbind())),
            _ => Opening::Failed(source.str()?.to_string()),
        };
        Ok(Self { path, source, range: start..end, mtime })
    }
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
                reading.of_file(Watched { file, outage: outage.clone() }, path, self.range)
            }
            Opening::Opened(file) => {
                reading.of_file(Watched { file, outage: outage.clone() }, path, self.range)
            }
            Opening::Failed(why) => Err(io::Error::other(why)),
        }?;
        // A member of a tar file has a time of its own.
        let dated = move |mail: Mail<'static>| Mail { mtime: mail.mtime.or(mtime), ..mail };
        Ok(Box::new(mails.map(move |found| found.map(dated))))
    }
}

impl Reading {
    /// The messages of a file that begin in a range of it. Only an mbox has any outside the range of octet 0.
    fn of_file(
        self,
        mut file: impl Read + Seek + Send + 'static,
        path: &Path,
        range: Range<u64>,
    ) -> io::Result<Mails> {
        let mut octets = Vec::with_capacity(LOOK);
        file.by_ref().take(LOOK as u64).read_to_end(&mut octets)?;
        if Packing::of_octets(&octets) != Packing::None {
            file.rewind()?;
            let is_first = range.start == 0;
            return if is_first { self.of_packed(file, path) } else { Ok(Box::new(std::iter::empty())) };
        }
        if octets.is_empty() {
            return Ok(self.of_message(octets));
        }
        if is_tar(&octets, path) {
            file.rewind()?;
            let is_first = range.start == 0;
            return Ok(if is_first { self.of_tar(file) } else { Box::new(std::iter::empty()) });
        }
        if is_mbox(&octets, path, &mut file)? {
            let file = BufReader::with_capacity(BUFFER, file);
            return Ok(self.of_mbox(Mbox::range(file, range, self.dialect)?));
        }
        if range.start > 0 {
            return Ok(Box::new(std::iter::empty()));
        }
        if octets.len() == LOOK {
            file.seek(SeekFrom::Start(LOOK as u64))?;
            file.take((self.most_octets as u64).saturating_add(1)).read_to_end(&mut octets)?;
        }
        Ok(self.of_message(octets))
    }

    /// The messages of a packed file. Where it is damaged, those before are not lost.
    fn of_packed(self, file: impl Read + Send + 'static, path: &Path) -> io::Result<Mails> {
        let found = packed::unpack(file)?;
        if found.first.is_empty() {
            return Ok(self.of_message(found.first));
        }
        if is_tar(&found.first, path) {
            return Ok(self.of_tar(found.into_stream()));
        }
        if begins_mbox(&found.first) {
            let stream = BufReader::with_capacity(BUFFER, found.into_stream());
            return Ok(self.of_mbox(Mbox::new(stream, self.dialect)));
        }
        let mut octets = Vec::new();
        found.into_stream().take((self.most_octets as u64).saturating_add(1)).read_to_end(&mut octets)?;
        Ok(self.of_message(octets))
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
                    Ok(Mail { offset, octets: Cow::Owned(octets), is_whole, from_line, mtime: None })
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

    /// The messages of a tar file: its regular files, hidden ones excepted. A link has no octets of its own: a place that
    /// says where they are.
    fn of_tar(self, file: impl Read + Send + 'static) -> Mails {
        let mut members = Members::new(BufReader::with_capacity(BUFFER, file));
        let mut waiting = VecDeque::new();
        Box::new(std::iter::from_fn(move || {
            while waiting.is_empty() {
                match members.next(|member, offset| self.of_member(member, offset))? {
                    Ok(mails) => waiting.extend(mails),
                    Err(place) => return Some(Err(place.into())),
                }
            }
            waiting.pop_front()
        }))
    }

    /// The message that a member of a tar file is, or the messages, if it is an mbox.
    fn of_member(
        self,
        member: &mut Entry<'_, impl Read>,
        offset: u64,
    ) -> io::Result<Vec<Result<Mail<'static>, Damage>>> {
        let kind = member.header().entry_type();
        let has_no_octets =
            kind.is_dir() || kind.is_fifo() || kind.is_character_special() || kind.is_block_special();
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
        let mut octets = Vec::new();
        member.take((self.most_octets as u64).saturating_add(1)).read_to_end(&mut octets)?;
        let mail = self.mail(octets);
        if !mail.is_whole || !holds_several(&mail.octets[..])? {
            return Ok(vec![Ok(Mail { offset, mtime, ..mail })]);
        }
        let mails = Mbox::new(&mail.octets[..], self.dialect).map(|found| {
            let found = found?;
            let begins = offset + found.start();
            let (from_line, octets) = found.into_parts();
            Ok(Ok(Mail { offset: begins, octets: Cow::Owned(octets), is_whole: true, from_line, mtime }))
        });
        mails.collect()
    }

    fn of_message(self, octets: Vec<u8>) -> Mails {
        Box::new(std::iter::once(Ok(self.mail(octets))))
    }

    /// A message of these octets, or as much of it as is allowed.
    fn mail(self, mut octets: Vec<u8>) -> Mail<'static> {
        let is_whole = octets.len() <= self.most_octets;
        octets.truncate(self.most_octets);
        Mail { octets: Cow::Owned(octets), is_whole, ..Mail::default() }
    }
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
        is_sparse = extensions.flatten().any(|extension| extension.key_bytes().starts_with(b"GNU.sparse."));
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

/// How the names of tar files end, packed or not.
const TAR_NAMES: [&str; 10] =
    [".tar", ".tgz", ".tzst", ".tbz", ".tbz2", ".txz", ".tar.gz", ".tar.zst", ".tar.bz2", ".tar.xz"];

/// Whether a file is a tar file, by its octets or by its name: one that is damaged need not look like it.
fn is_tar(first: &[u8], path: &Path) -> bool {
    let name = path.file_name().and_then(OsStr::to_str).unwrap_or_default().to_ascii_lowercase();
    begins_tar(first) || TAR_NAMES.iter().any(|end| name.ends_with(end))
}

/// Whether a file is an mbox, by the rules of the command: one not named as a mailbox must certainly contain several
/// messages, since one message may have a `From ` line before it. Leaves the position of the file anywhere.
fn is_mbox(first: &[u8], path: &Path, file: &mut (impl Read + Seek)) -> io::Result<bool> {
    let extension = path.extension().and_then(OsStr::to_str).unwrap_or_default();
    let start = first.trim_ascii_start();
    if !start.starts_with(b"From ") && !start.starts_with(b">From ") {
        return Ok(false);
    }
    let is_called_so =
        matches!(extension, "mbox" | "mbx") || path.file_name().is_some_and(|name| name == "mbox");
    if is_called_so && begins_mbox(first) {
        return Ok(true);
    }
    file.rewind()?;
    holds_several(BufReader::with_capacity(BUFFER, file))
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
    fn keep(&self, error: io::Error) -> io::Error {
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
struct Watched<F> {
    file: F,
    outage: Outage,
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
struct PythonFile(Py<PyAny>);

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
