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

/// The name of an option in Python: `text_encoding` for `text-encoding`.
pub fn in_python(name: &str) -> String {
    name.replace('-', "_")
}

/// The normaliser with the options that a call of `function` gives as keywords. Names and words are
/// those of the library's table.
///
/// # Errors
/// A TypeError or a ValueError, as Python raises them for arguments: no such option, no text, or no
/// word of the option.
pub fn normalizer(
    function: &str,
    given: Option<&Bound<'_, PyDict>>,
) -> PyResult<sevenbit::Normalizer> {
    let mut normalizer = sevenbit::Normalizer::new();
    for (name, value) in given.into_iter().flatten() {
        let name: String = name.extract()?;
        let Some(option) =
            sevenbit::Normalizer::OPTIONS.iter().find(|option| in_python(option.name) == name)
        else {
            let why = format!("{function}() got an unexpected keyword argument '{name}'");
            return Err(PyTypeError::new_err(why));
        };

        let text = word(value.as_borrowed()).map_err(|error| {
            PyTypeError::new_err(format!("argument '{name}': {}", error.value(value.py())))
        })?;
        normalizer.set(option.name, text).map_err(|_| {
            let known = words(option).iter().map(|word| format!("'{word}'")).collect::<Vec<_>>();
            let known = known.join(" or ");
            PyValueError::new_err(format!("argument '{name}': expected {known}, not {text:?}"))
        })?;
    }
    Ok(normalizer)
}

/// The words of an option, the default first.
pub fn words(option: &sevenbit::OptionSchema) -> Vec<&'static str> {
    let mut words: Vec<_> = option.values.iter().map(|value| value.word).collect();
    words.sort_by_key(|word| *word != option.default);
    words
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
