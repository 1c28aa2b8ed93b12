//! Octets from Python, and work on them without its lock.

use std::path::Path;

use pyo3::create_exception;
use pyo3::exceptions::{PyTypeError, PyUserWarning};
use pyo3::prelude::*;
use pyo3::pybacked::PyBackedBytes;
use pyo3::types::{PyBytes, PyMemoryView, PyString};
use sevenbit::mbox::holds_several;
use sevenbit_store::{HEAD, Mailbox, Recognised, recognise};

create_exception!(
    sevenbit,
    MailboxWarning,
    PyUserWarning,
    r#"The warning that an mbox of several messages is taken for one message. `mailbox.mbox` of Python and `sevenbit.lake.read` read
each message in it.

>>> import warnings
>>> box = b"From a@example.org Thu Nov 19 10:00:00 2026\nSubject: one\n\n" * 2
>>> with warnings.catch_warnings(action="error"):
...     parse(box)
Traceback (most recent call last):
    ...
sevenbit.MailboxWarning: an mbox of several messages is taken for one message; mailbox.mbox or sevenbit.lake.read reads each of them"#
);

/// Less work takes less time than releasing the lock and taking it again.
const QUICK: usize = 512;

/// More take longer to copy than other threads should wait.
const MANY: usize = 1 << 20;

/// An argument of octets: `bytes` as they are, a copy of any other buffer.
pub struct Octets(PyBackedBytes);

impl Octets {
    /// The octets of `object`, which was given as the argument `name`.
    ///
    /// # Errors
    /// A TypeError if it is not a buffer of octets.
    pub fn of(object: &Bound<'_, PyAny>, name: &str) -> PyResult<Self> {
        Self::seen(object, "bytes")
            .map_err(|kind| PyTypeError::new_err(format!("argument '{name}': {kind}")))
    }

    /// The octets of `object`; where text is accepted as well, `first` says so in the error.
    pub fn seen(object: &Bound<'_, PyAny>, first: &str) -> Result<Self, String> {
        if let Ok(bytes) = object.cast::<PyBytes>() {
            return Ok(Self(bytes.clone().into()));
        }
        // Of whatever type its items are: `array`, `pyarrow.Buffer`, what NumPy has.
        let view = PyMemoryView::from(object).map_err(|_| {
            let kind = object.get_type();
            let kind = kind.name().map(|name| name.to_string()).unwrap_or_default();
            format!("expected {first}, bytearray, memoryview or another buffer, not {kind}")
        })?;
        let copy = view.call_method0("tobytes").map_err(|error| error.to_string())?;
        let copy = copy.cast_into::<PyBytes>().map_err(|error| error.to_string())?;
        Ok(Self(copy.into()))
    }

    /// The octets.
    pub fn as_slice(&self) -> &[u8] {
        &self.0
    }

    /// The octets in a form that Python counts references to.
    pub fn into_backed(self) -> PyBackedBytes {
        self.0
    }

    /// The same object that was given, if it was `bytes`.
    pub fn into_object(self, py: Python<'_>) -> PyResult<Py<PyBytes>> {
        Ok(self.0.into_pyobject(py)?.cast_into::<PyBytes>()?.unbind())
    }
}

impl<'a, 'py> FromPyObject<'a, 'py> for Octets {
    type Error = PyErr;

    fn extract(object: Borrowed<'a, 'py, PyAny>) -> PyResult<Self> {
        // PyO3 notes the argument's name.
        Self::seen(&object, "bytes").map_err(PyTypeError::new_err)
    }
}

/// A message as an argument: octets, a path, or a binary file that is read to its end.
pub struct Mail(pub Octets);

impl Mail {
    /// The octets of `object`, which was given as the argument `name`.
    ///
    /// # Errors
    /// A TypeError if it is none of these; the error of whatever is read.
    pub fn of(object: &Bound<'_, PyAny>, name: &str) -> PyResult<Self> {
        let py = object.py();
        if object.hasattr("__fspath__")? {
            let octets = py
                .import("pathlib")?
                .getattr("Path")?
                .call1((object,))?
                .call_method0("read_bytes")?;
            return Octets::of(&octets, name).map(Self);
        }
        if !object.hasattr("read")? {
            return Octets::seen(object, "a path, a binary file, bytes").map(Self).map_err(
                |kind| {
                    let instead = instead(object);
                    PyTypeError::new_err(format!("argument '{name}': {kind}{instead}"))
                },
            );
        }

        let read = object.call_method0("read")?;
        if read.is_instance_of::<PyString>() {
            let why =
                format!("argument '{name}': the file is open as text: open it with mode 'rb'");
            return Err(PyTypeError::new_err(why));
        }
        Octets::of(&read, name).map(Self)
    }

    /// Warns if it is an mbox of several messages, which whoever gives it as one has overlooked.
    ///
    /// # Errors
    /// The warning, if Python's filters make errors of them.
    pub fn warn_of_mbox(&self, py: Python<'_>) -> PyResult<()> {
        let octets = self.0.as_slice();
        if !octets.starts_with(b"From ") {
            return Ok(());
        }
        let first = &octets[..octets.len().min(HEAD)];
        if recognise(first, Path::new("")) != Recognised::Mailbox(Mailbox::Mbox)
            || !unlocked(py, octets.len(), || holds_several(octets))?
        {
            return Ok(());
        }
        let what = c"an mbox of several messages is taken for one message; \
                     mailbox.mbox or sevenbit.lake.read reads each of them";
        PyErr::warn(py, &py.get_type::<MailboxWarning>(), what, 1)
    }
}

/// The advice on an object that is no message, though people take it for one: what to give instead.
fn instead(object: &Bound<'_, PyAny>) -> &'static str {
    if object.is_instance_of::<PyString>() {
        return ": a path is a pathlib.Path, and a text has to be encoded";
    }
    let message = object.py().import("email.message").and_then(|module| module.getattr("Message"));
    let is_of_email = message.is_ok_and(|class| object.is_instance(&class).unwrap_or_default());
    if is_of_email {
        ": sevenbit.email.as_bytes gives its octets, and get_bytes of a mailbox those that are stored"
    } else {
        ""
    }
}

impl<'a, 'py> FromPyObject<'a, 'py> for Mail {
    type Error = PyErr;

    fn extract(object: Borrowed<'a, 'py, PyAny>) -> PyResult<Self> {
        if let Ok(bytes) = object.cast::<PyBytes>() {
            return Ok(Self(Octets(bytes.to_owned().into())));
        }
        Self::of(&object, "message")
    }
}

/// Octets as `bytes`. Many are copied without the lock.
///
/// # Errors
/// There is no memory for them.
pub fn to_bytes<'py>(py: Python<'py>, octets: &[u8]) -> PyResult<Bound<'py, PyBytes>> {
    if octets.len() < MANY {
        return Ok(PyBytes::new(py, octets));
    }
    PyBytes::new_with(py, octets.len(), |copy| {
        py.detach(|| copy.copy_from_slice(octets));
        Ok(())
    })
}

/// Does `work` on this many octets, without Python's lock if that is worth it.
pub fn unlocked<T: Send>(py: Python<'_>, octets: usize, work: impl FnOnce() -> T + Send) -> T {
    if octets > QUICK { py.detach(work) } else { work() }
}
