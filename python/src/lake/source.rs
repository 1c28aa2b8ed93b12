//! Where messages come from: local files, files that Python has opened, or messages that it has read itself.

use std::ffi::OsStr;
use std::fs::File;
use std::io::{self, BufReader, Cursor, Read, Seek, SeekFrom};
use std::ops::Range;
use std::path::{Path, PathBuf};

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::pybacked::PyBackedBytes;
use pyo3::types::PyBytes;
use sevenbit::mbox::{Dialect, Mbox, begins_mbox, holds_several};

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
        Ok(Self(match object.extract::<&str>()? {
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
pub struct Mail {
    /// Where it begins in the file, or in its unpacked form.
    pub offset: u64,
    /// The message, or as much of it as is allowed.
    pub octets: Vec<u8>,
    /// Whether that is all of it.
    pub is_whole: bool,
}

/// The messages of a file.
pub type Mails = Box<dyn Iterator<Item = io::Result<Mail>> + Send + Sync>;

/// How files are read.
#[derive(Clone, Copy)]
pub struct Reading {
    /// How messages are separated in mbox files.
    pub dialect: Dialect,
    /// Only this many octets of longer messages are returned.
    pub most_octets: usize,
}

/// The next item to read, from Python: `(path, kind, source, start, end)`.
///
/// | kind | source is |
/// |---|---|
/// | `file` | the name of a local file |
/// | `opened` | a file that Python has opened, in which it can seek |
/// | `stream` | one in which it cannot: the unpacked form of a packed file |
/// | `message` | the octets of a message, which is at `start` |
/// | `failed` | the error |
pub struct Item {
    pub path: String,
    source: Source,
    range: Range<u64>,
}

enum Source {
    File(PathBuf),
    Opened(PythonFile),
    Stream(PythonFile),
    Message(PyBackedBytes),
    Failed(String),
}

impl<'a, 'py> FromPyObject<'a, 'py> for Item {
    type Error = PyErr;

    fn extract(object: Borrowed<'a, 'py, PyAny>) -> PyResult<Self> {
        let (path, kind, source, start, end): (String, String, Bound<'py, PyAny>, u64, u64) =
            object.extract()?;
        let source = match kind.as_str() {
            "file" => Source::File(source.extract()?),
            "opened" => Source::Opened(PythonFile(source.unbind())),
            "stream" => Source::Stream(PythonFile(source.unbind())),
            "message" => Source::Message(source.extract()?),
            _ => Source::Failed(source.str()?.to_string()),
        };
        Ok(Self { path, source, range: start..end })
    }
}

impl Item {
    /// The messages in it.
    ///
    /// # Errors
    /// It cannot be read.
    pub fn mails(self, reading: Reading) -> io::Result<Mails> {
        let path = Path::new(&self.path);
        match self.source {
            Source::File(name) => reading.of_file(File::open(name)?, path, self.range),
            Source::Opened(file) => reading.of_file(file, path, self.range),
            Source::Stream(stream) => reading.of_stream(stream),
            Source::Message(octets) => Ok(reading.of_message(self.range.start, octets.to_vec())),
            Source::Failed(why) => Err(io::Error::other(why)),
        }
    }
}

impl Reading {
    /// The messages of a file that begin in a range of it. Only an mbox has any outside the range of octet 0.
    fn of_file(
        self,
        mut file: impl Read + Seek + Send + Sync + 'static,
        path: &Path,
        range: Range<u64>,
    ) -> io::Result<Mails> {
        let mut octets = Vec::with_capacity(LOOK);
        file.by_ref().take(LOOK as u64).read_to_end(&mut octets)?;
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
        Ok(self.of_message(0, octets))
    }

    /// The messages of the unpacked form of a file.
    fn of_stream(self, mut stream: impl Read + Send + Sync + 'static) -> io::Result<Mails> {
        let mut octets = Vec::with_capacity(LOOK);
        stream.by_ref().take(LOOK as u64).read_to_end(&mut octets)?;
        if begins_mbox(&octets) {
            let stream = BufReader::with_capacity(BUFFER, Cursor::new(octets).chain(stream));
            return Ok(self.of_mbox(Mbox::new(stream, self.dialect)));
        }
        stream.take((self.most_octets as u64).saturating_add(1)).read_to_end(&mut octets)?;
        Ok(self.of_message(0, octets))
    }

    fn of_mbox(self, mails: Mbox<impl Read + Send + Sync + 'static>) -> Mails {
        let mail = |mail: sevenbit::mbox::Mail| {
            let (offset, is_whole) = (mail.start(), mail.is_whole());
            Mail { offset, octets: mail.into_parts().1, is_whole }
        };
        Box::new(mails.limit(self.most_octets).map(move |found| found.map(mail)))
    }

    fn of_message(self, offset: u64, mut octets: Vec<u8>) -> Mails {
        let is_whole = octets.len() <= self.most_octets;
        octets.truncate(self.most_octets);
        Box::new(std::iter::once(Ok(Mail { offset, octets, is_whole })))
    }
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
