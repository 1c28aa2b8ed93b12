//! The words by which options are named.

use pyo3::exceptions::{PyOverflowError, PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyString};

/// The text of an argument, whose name PyO3 notes.
///
/// # Errors
/// A TypeError in Python's words.
pub fn word<'a>(object: Borrowed<'a, '_, PyAny>) -> PyResult<&'a str> {
    if !object.is_instance_of::<PyString>() {
        let kind = object.get_type().name().map(|name| name.to_string()).unwrap_or_default();
        return Err(PyTypeError::new_err(format!("expected str, not {kind}")));
    }
    object.extract()
}

/// Options of one kind: the type, and the argument's name. The words are the library's.
macro_rules! words {
    ($($(#[$doc:meta])* $name:ident, $argument:literal;)+) => {$(
        $(#[$doc])*
        #[derive(Clone, Copy, Default)]
        pub struct $name(pub sevenbit::$name);

        impl $name {
            /// Its word in Python, which is the library's.
            pub fn word(self) -> &'static str {
                self.0.as_str()
            }
        }

        impl<'a, 'py> FromPyObject<'a, 'py> for $name {
            type Error = PyErr;

            fn extract(object: Borrowed<'a, 'py, PyAny>) -> PyResult<Self> {
                let given = word(object)?;
                given.parse().map(Self).map_err(|_| {
                    let mut known = sevenbit::$name::ALL.to_vec();
                    known.sort_by_key(|known| *known != Self::default().0); // the default first
                    let known: Vec<String> = known.iter().map(|known| format!("'{known}'")).collect();
                    let known = known.join(" or ");
                    PyValueError::new_err(format!("argument '{}': expected {known}, not {given:?}", $argument))
                })
            }
        }
    )+};
}

words! {
    /// How much is rewritten.
    Profile, "profile";
    /// The treatment of signed content that is not 7-bit safe.
    Signed, "signed";
    /// The treatment of text that does not decode under its label.
    Undecodable, "undecodable";
    /// How 8-bit text without a charset label is labelled in transport.
    Unlabelled, "unlabelled";
    /// The treatment of text that reads as mojibake.
    Doubtful, "doubtful";
    /// Which encodings a text body may be written in.
    TextEncoding, "text_encoding";
    /// Whether charset declarations in markup follow.
    Markup, "markup";
}

/// A number as Python gives it, which is checked where its name is known.
struct Count(i128);

impl Count {
    fn named(self, name: &str) -> PyResult<usize> {
        usize::try_from(self.0).map_err(|_| {
            let Self(given) = self;
            PyValueError::new_err(format!(
                "argument '{name}': expected a number from 0, not {given}"
            ))
        })
    }
}

impl<'a, 'py> FromPyObject<'a, 'py> for Count {
    type Error = PyErr;

    fn extract(object: Borrowed<'a, 'py, PyAny>) -> PyResult<Self> {
        let fits = object.extract::<i128>();
        fits.map(Self).map_err(|error| {
            if error.is_instance_of::<PyOverflowError>(object.py()) {
                PyValueError::new_err(format!("expected a number from 0, not {}", *object))
            } else {
                error
            }
        })
    }
}

/// Bounds on what is parsed of a message. Anything beyond is carried as an opaque part, and reported.
///
/// >>> Limits(depth=20).parts
/// 10000
#[pyclass(frozen, eq, hash, module = "sevenbit")]
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Limits(pub sevenbit::Limits);

#[pymethods]
impl Limits {
    #[new]
    #[pyo3(signature = (*, depth = Count(100), parts = Count(10_000), header_octets = Count(1048576)), text_signature = "(*, depth=100, parts=10000, header_octets=1048576)")]
    fn new(depth: Count, parts: Count, header_octets: Count) -> PyResult<Self> {
        let mut limits = sevenbit::Limits::default();
        limits.depth = depth.named("depth")?;
        limits.parts = parts.named("parts")?;
        limits.header_octets = header_octets.named("header_octets")?;
        Ok(Self(limits))
    }

    /// How deep multiparts and messages may nest.
    #[getter]
    fn depth(&self) -> usize {
        self.0.depth
    }

    /// How many entities a message may have.
    #[getter]
    fn parts(&self) -> usize {
        self.0.parts
    }

    /// How many octets of one header section are parsed.
    #[getter]
    fn header_octets(&self) -> usize {
        self.0.header_octets
    }

    /// For `pickle` and `copy`.
    fn __getnewargs_ex__<'py>(&self, py: Python<'py>) -> PyResult<((), Bound<'py, PyDict>)> {
        let arguments = PyDict::new(py);
        arguments.set_item("depth", self.depth())?;
        arguments.set_item("parts", self.parts())?;
        arguments.set_item("header_octets", self.header_octets())?;
        Ok(((), arguments))
    }

    pub fn __repr__(&self) -> String {
        let sevenbit::Limits { depth, parts, header_octets, .. } = self.0;
        format!("Limits(depth={depth}, parts={parts}, header_octets={header_octets})")
    }
}
