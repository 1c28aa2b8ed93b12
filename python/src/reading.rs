//! What octets may read as, for a person to choose from.

use std::hash::{DefaultHasher, Hash as _, Hasher as _};

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::{PyString, PyTuple};
use sevenbit::{ReadingOrigin, RepairStep};

use crate::charset::Charset;
use crate::octets::{Octets, unlocked};

/// A text that octets may be taken for, how sure that is, and how it comes about.
///
/// >>> best = readings("schÃ¶ne GrÃ¼ÃŸe".encode(), "utf-8")[0]
/// >>> best.text, best.by, best.undone
/// ('schöne Grüße', 'repair', ('UTF-8 that was read as windows-1252',))
#[pyclass(frozen, eq, module = "sevenbit")]
#[derive(Clone, PartialEq)]
pub struct Reading {
    text: String,
    charset: Charset,
    by: String,
    sureness: f32,
    undone: Vec<String>,
}

impl From<sevenbit::Reading> for Reading {
    fn from(reading: sevenbit::Reading) -> Self {
        let undone = match reading.origin() {
            ReadingOrigin::Repair(steps) => steps.iter().map(RepairStep::to_string).collect(),
            _ => Vec::new(),
        };
        Self {
            text: reading.text().to_owned(),
            charset: Charset(reading.charset()),
            by: reading.origin().as_str().to_owned(),
            sureness: reading.sureness(),
            undone,
        }
    }
}

#[pymethods]
impl Reading {
    #[new]
    #[pyo3(signature = (text, charset, by, sureness, undone = Vec::new()))]
    fn new(
        text: String,
        charset: Charset,
        by: String,
        sureness: f32,
        undone: Vec<String>,
    ) -> PyResult<Self> {
        if !["label", "guess", "repair"].contains(&by.as_str()) {
            let known = "'label', 'guess' or 'repair'";
            let why = format!("argument 'by': expected {known}, not {by:?}");
            return Err(PyValueError::new_err(why));
        }
        if !(0.0..=1.0).contains(&sureness) {
            let why = format!("argument 'sureness': expected a number from 0 to 1, not {sureness}");
            return Err(PyValueError::new_err(why));
        }
        Ok(Self { text, charset, by, sureness, undone })
    }

    /// The text.
    #[getter]
    fn text<'py>(&self, py: Python<'py>) -> Bound<'py, PyString> {
        PyString::new(py, &self.text)
    }

    /// The charset that the octets are read in.
    #[getter]
    fn charset(&self) -> Charset {
        self.charset
    }

    /// What the reading rests on: the "label", a "guess" from the octets, or a "repair" of text that was misread before it was
    /// written. `normalize` writes it with `doubtful="keep"`, with its charset as `read_as`, or with `doubtful="repair"`.
    #[getter]
    fn by(&self) -> &str {
        &self.by
    }

    /// How probable it is that the text reads as it was meant, from 0 to 1.
    #[getter]
    fn sureness(&self) -> f32 {
        self.sureness
    }

    /// What a repair undoes, in words: "UTF-8 that was read as windows-1252".
    #[getter]
    fn undone<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        PyTuple::new(py, &self.undone)
    }

    /// For `pickle` and `copy`.
    #[expect(clippy::type_complexity, reason = "they are the arguments")]
    fn __getnewargs__<'py>(
        &self,
        py: Python<'py>,
    ) -> PyResult<(Bound<'py, PyString>, Charset, &str, f32, Bound<'py, PyTuple>)> {
        Ok((self.text(py), self.charset, &self.by, self.sureness, self.undone(py)?))
    }

    fn __hash__(&self) -> u64 {
        let mut hasher = DefaultHasher::new();
        (&self.text, self.charset, &self.by, self.sureness.to_bits()).hash(&mut hasher);
        hasher.finish()
    }

    fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        let text = self.text(py).repr()?;
        let Self { charset, by, sureness, .. } = self;
        Ok(format!("<sevenbit.Reading {text} in {} by {by} ({sureness:.2})>", charset.0.name()))
    }
}

/// The plausible readings of octets, the most probable first: as labelled, as they seem to be, and with what mangled them
/// undone. The others are for a person who finds the first one unreadable. `label` is a charset or its label; one that is not
/// known says nothing. `Part.readings` has those of a text in a message.
///
/// >>> found = readings("Привет, как дела?".encode(), "koi8-r")
/// >>> [(reading.text, reading.by) for reading in found][:2]
/// [('Привет, как дела?', 'repair'), ('п÷я─п╦п╡п╣я┌, п╨п╟п╨ п╢п╣п╩п╟?', 'label')]
#[pyfunction]
#[pyo3(signature = (octets, label = None))]
pub fn readings(py: Python<'_>, octets: Octets, label: Option<Label>) -> Vec<Reading> {
    let octets = octets.as_slice();
    let charset = label.and_then(|label| label.0);
    of_all(unlocked(py, octets.len(), || sevenbit::readings(octets, charset)))
}

/// Readings as Python's.
pub fn of_all(readings: Vec<sevenbit::Reading>) -> Vec<Reading> {
    readings.into_iter().map(Reading::from).collect()
}

/// A charset as an argument, by itself or by its label, spelt as mail spells it.
pub struct Label(Option<sevenbit::Charset>);

impl<'a, 'py> FromPyObject<'a, 'py> for Label {
    type Error = PyErr;

    fn extract(object: Borrowed<'a, 'py, PyAny>) -> PyResult<Self> {
        if let Ok(charset) = object.cast::<Charset>() {
            return Ok(Self(Some(charset.get().0)));
        }
        let label = crate::options::word(object)?;
        let found = sevenbit::Charset::for_label_lenient(label);
        Ok(Self(found.map(|(charset, _)| charset)))
    }
}

/// The charset that a person has chosen, as an argument.
#[derive(Clone, Copy)]
pub struct ReadAs(pub sevenbit::Charset);

impl<'a, 'py> FromPyObject<'a, 'py> for ReadAs {
    type Error = PyErr;

    fn extract(object: Borrowed<'a, 'py, PyAny>) -> PyResult<Self> {
        let Label(charset) = object.extract()?;
        charset.filter(|charset| charset.is_decodable()).map(Self).ok_or_else(|| {
            let why = format!("argument 'read_as': no charset is read by {}", repr(&object));
            PyValueError::new_err(why)
        })
    }
}

fn repr(object: &Bound<'_, PyAny>) -> String {
    object.repr().map(|shown| shown.to_string()).unwrap_or_default()
}
