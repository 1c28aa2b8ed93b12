//! Files of Outlook, opened for Python.

use std::fs::File;
use std::io::{Cursor, Read, Seek};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use pyo3::exceptions::{PyOSError, PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyString};
use sevenbit_store::{HEAD, Outlook, Recognised, recognise};

use crate::lake::outlook::{faults_of, message};
use crate::octets::{Mail, Octets, to_bytes};

/// What is read from first to last, and may be gone through again.
trait Seekable: Read + Seek + Send + Sync {}
impl<T: Read + Seek + Send + Sync> Seekable for T {}

/// Opens a file of Outlook: a path, a binary file, or its octets. Returns an iterator of the folder and the octets of each message:
/// those of a `.pst` or `.ost`, or the one of a `.msg` or `.oft`, whose folder is empty. Each is mail (RFC 5322) with a header in UTF-8:
/// `normalize` makes it 7-bit safe. What could not be read is in `errors` of the iterator.
///
/// A ValueError says what the file is if it is none of Outlook, or why it cannot be read.
///
/// >>> read_outlook(b"%PDF-1.7")
/// Traceback (most recent call last):
///     ...
/// ValueError: argument 'file': is no file of Outlook, but a PDF document
#[pyfunction]
pub fn read_outlook(py: Python<'_>, file: &Bound<'_, PyAny>) -> PyResult<OutlookMessages> {
    let mut opened = open(file)?;
    let mut first = Vec::with_capacity(HEAD);
    opened.by_ref().take(HEAD as u64).read_to_end(&mut first)?;
    opened.rewind()?;

    // Whoever calls this says that it is a file of Outlook: then a compound file is a message.
    match recognise(&first, Path::new("file.msg")) {
        Recognised::Outlook(Outlook::Msg | Outlook::Oft) => {
            let read = py.detach(|| {
                let mut octets = Vec::new();
                opened.read_to_end(&mut octets)?;
                Ok::<_, std::io::Error>(message(&octets))
            });
            let (octets, error) = read?.map_err(PyValueError::new_err)?;
            Ok(OutlookMessages::of_one(octets, error))
        }
        Recognised::Outlook(Outlook::Pst | Outlook::Ost) => {
            let store = py.detach(|| sevenbit_outlook::Store::open(opened)).map_err(failed)?;
            Ok(OutlookMessages::of_store(store))
        }
        Recognised::Outlook(other) => Err(PyValueError::new_err(format!(
            "argument 'file': is {}, which is not read",
            other.words()
        ))),
        other => {
            let kind = other.words();
            Err(PyValueError::new_err(format!(
                "argument 'file': is no file of Outlook, but {kind}"
            )))
        }
    }
}

/// Opens a path, or what Python has in memory or open.
fn open(file: &Bound<'_, PyAny>) -> PyResult<Box<dyn Seekable>> {
    if file.is_instance_of::<PyString>() || file.hasattr("__fspath__")? {
        let path = file.extract::<PathBuf>()?;
        return match File::open(&path) {
            Ok(file) => Ok(Box::new(file)),
            Err(error) => Err(named(file, error)),
        };
    }
    if !file.hasattr("read")? && Octets::of(file, "file").is_err() {
        let kind = file.get_type().name()?.to_string();
        return Err(PyTypeError::new_err(format!(
            "argument 'file': expected a path, a binary file, bytes or another buffer, not {kind}"
        )));
    }
    let Mail(octets) = Mail::of(file, "file")?;
    Ok(Box::new(Cursor::new(octets.into_backed())))
}

/// The error of a path as Python's own `open` raises it, with the name.
fn named(path: &Bound<'_, PyAny>, error: std::io::Error) -> PyErr {
    let Some(code) = error.raw_os_error() else { return error.into() };
    let said = || {
        let os = path.py().import("os")?;
        let (why, name) =
            (os.call_method1("strerror", (code,))?, os.call_method1("fspath", (path,))?);
        Ok((code, why.unbind(), name.unbind()))
    };
    said().map_or_else(|error: PyErr| error, PyOSError::new_err)
}

fn failed(error: sevenbit_outlook::pst::Error) -> PyErr {
    match error {
        sevenbit_outlook::pst::Error::Io(error) => error.into(),
        other => PyValueError::new_err(format!("argument 'file': cannot be read: {other}")),
    }
}

/// The messages of a file of Outlook, from `read_outlook`: an iterator of `(folder, octets)`.
///
/// >>> for folder, octets in read_outlook("mail.pst"):  # doctest: +SKIP
/// ...     print(folder, parse(octets).subject)
/// >>> [(_, octets)] = read_outlook("message.msg")  # doctest: +SKIP
#[pyclass(module = "sevenbit", frozen)]
pub struct OutlookMessages {
    /// Python may ask for these from any thread, one at a time.
    state: Mutex<State>,
}

struct State {
    source: Source,
    errors: Vec<(String, String)>,
}

/// What messages are still to be given.
enum Source {
    One(Option<Vec<u8>>),
    Store {
        messages: Box<sevenbit_outlook::pst::IntoMessages<Box<dyn Seekable>>>,
        code_page: Option<u32>,
    },
}

impl OutlookMessages {
    /// The message of a file that is one, and what of it could not be read.
    fn of_one(octets: Vec<u8>, error: Option<String>) -> Self {
        let errors = error.map(|why| (String::new(), why)).into_iter().collect();
        Self { state: Mutex::new(State { source: Source::One(Some(octets)), errors }) }
    }

    fn of_store(store: sevenbit_outlook::Store<Box<dyn Seekable>>) -> Self {
        let damaged = store.damaged_folders().iter();
        let errors =
            damaged.map(|(node, error)| (format!("node {node:x}"), error.to_string())).collect();
        let code_page = store.code_page();
        let source = Source::Store { messages: Box::new(store.into_messages()), code_page };
        Self { state: Mutex::new(State { source, errors }) }
    }

    /// The next message that can be read.
    fn read(&self) -> PyResult<Option<(String, Vec<u8>)>> {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        let State { source, errors } = &mut *state;
        let (messages, code_page) = match source {
            Source::One(octets) => return Ok(octets.take().map(|octets| (String::new(), octets))),
            Source::Store { messages, code_page } => (messages, *code_page),
        };
        loop {
            let Some(found) = messages.next() else { return Ok(None) };
            let folder = found.folder.safe_path(code_page).display().to_string();
            match found.message {
                Ok(message) => {
                    errors.extend(faults_of(&message.faults).map(|why| (folder.clone(), why)));
                    return Ok(Some((folder, message.compose().into_octets())));
                }
                Err(sevenbit_outlook::pst::Error::Io(error)) => {
                    return Err(PyOSError::new_err(error.to_string()));
                }
                Err(error) => errors.push((folder, error.to_string())),
            }
        }
    }
}

#[pymethods]
impl OutlookMessages {
    fn __iter__(this: PyRef<'_, Self>) -> PyRef<'_, Self> {
        this
    }

    fn __next__<'py>(&self, py: Python<'py>) -> PyResult<Option<(String, Bound<'py, PyBytes>)>> {
        let found = py.detach(|| self.read())?;
        found.map(|(folder, octets)| Ok((folder, to_bytes(py, &octets)?))).transpose()
    }

    /// What could not be read so far: the folder, and why.
    #[getter]
    fn errors(&self) -> Vec<(String, String)> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner).errors.clone()
    }
}
