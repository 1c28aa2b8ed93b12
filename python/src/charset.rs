//! Charsets by their labels, and whole texts in them.

use std::borrow::Cow;
use std::hash::{DefaultHasher, Hash as _, Hasher as _};

use pyo3::exceptions::{PyUnicodeDecodeError, PyUnicodeEncodeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyString, PyTuple};
use sevenbit::{Code, Error, Malformed, Severity, Substitution};

use crate::octets::{Octets, unlocked};
use crate::text;

/// A character set that mail may be labelled with.
///
/// >>> Charset("cp866").name, Charset("cp866").decode(b"\x8f\xe0\xa8\xa2\xa5\xe2")
/// ('IBM866', 'Привет')
#[pyclass(frozen, eq, hash, from_py_object, module = "sevenbit")]
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Charset(pub sevenbit::Charset);

#[pymethods]
impl Charset {
    /// The charset that `label` names, in any case; with lenient=True even if it is misspelt, quoted or surrounded by
    /// something. A ValueError if there is none.
    #[new]
    #[pyo3(signature = (label, *, lenient = false))]
    fn new(label: &str, lenient: bool) -> PyResult<Self> {
        let found = if lenient {
            sevenbit::Charset::for_label_lenient(label).map(|(charset, _)| charset)
        } else {
            sevenbit::Charset::for_label(label)
        };
        let unknown =
            || PyValueError::new_err(format!("argument 'label': no charset is known by {label:?}"));
        found.map(Self).ok_or_else(unknown)
    }

    /// Every charset that is known, decodable or not.
    #[staticmethod]
    fn all() -> Vec<Self> {
        sevenbit::Charset::all().map(Self).collect()
    }

    /// The preferred MIME name.
    #[getter]
    fn name(&self) -> &'static str {
        self.0.name()
    }

    /// Its other labels.
    #[getter]
    fn aliases(&self) -> Vec<&'static str> {
        self.0.aliases().to_vec()
    }

    /// Whether IANA has registered it.
    #[getter]
    fn is_registered(&self) -> bool {
        self.0.is_registered()
    }

    /// Whether text in it can be read and written.
    #[getter]
    fn is_decodable(&self) -> bool {
        self.0.is_decodable()
    }

    /// Whether escapes or signatures carry state.
    #[getter]
    fn is_stateful(&self) -> bool {
        self.0.is_stateful()
    }

    /// Reads text. Ill-formed octets become U+FFFD, or with errors="strict" a UnicodeDecodeError.
    #[pyo3(signature = (octets, errors = "replace"))]
    fn decode<'py>(
        &self,
        py: Python<'py>,
        octets: Octets,
        errors: &str,
    ) -> PyResult<Bound<'py, PyString>> {
        decode(py, self.0, &octets, errors)
    }

    /// Writes text. A character that the charset lacks is a UnicodeEncodeError, or with errors="replace" a question mark if
    /// the charset has one.
    #[pyo3(signature = (text, errors = "strict"))]
    fn encode<'py>(
        &self,
        py: Python<'py>,
        text: &Bound<'py, PyString>,
        errors: &str,
    ) -> PyResult<Bound<'py, PyBytes>> {
        let whole = text.to_str()?;
        let written = match substitution(errors)? {
            Substitution::Refuse => unlocked(py, whole.len(), || self.0.encode(whole)),
            other => {
                unlocked(py, whole.len(), || substituting(self.0, whole, other).map(Cow::Owned))
            }
        };
        match written {
            Ok(octets) => Ok(PyBytes::new(py, &octets)),
            Err(error) => Err(not_encoded(text, self.0, characters(whole, error.offset()))),
        }
    }

    /// For `sevenbit.codecs`: reads from the octet `start` up to the first fault. Returns the text, and, unless it is the
    /// end, where the fault begins and ends and what it is.
    fn _decode_until_fault<'py>(
        &self,
        py: Python<'py>,
        octets: Octets,
        start: usize,
    ) -> (Bound<'py, PyString>, Option<(usize, usize, &'static str)>) {
        let rest = octets.as_slice().get(start..).unwrap_or_default();
        let (text, fault) = unlocked(py, rest.len(), || until_fault(self.0, rest));
        (PyString::new(py, &text), fault.map(|(from, to, what)| (start + from, start + to, what)))
    }

    /// For `pickle` and `copy`.
    fn __getnewargs__(&self) -> (&'static str,) {
        (self.0.name(),)
    }

    fn __str__(&self) -> &'static str {
        self.0.name()
    }

    fn __repr__(&self) -> String {
        format!("Charset('{}')", self.0.name())
    }
}

/// A charset that unlabelled text may be in, how probable that is, and what else it may be in.
///
/// >>> guess = detect("Привет, как дела?".encode("koi8-r"))
/// >>> guess.name, guess.sureness > 0.5
/// ('KOI8-R', True)
#[pyclass(frozen, eq, from_py_object, module = "sevenbit")]
#[derive(Clone, PartialEq)]
pub struct Guess {
    charset: Charset,
    sureness: f32,
    alternatives: Vec<Guess>,
}

impl From<sevenbit::Guess> for Guess {
    fn from(guess: sevenbit::Guess) -> Self {
        Self {
            charset: Charset(guess.charset()),
            sureness: guess.sureness(),
            alternatives: Vec::new(),
        }
    }
}

impl Guess {
    /// A guess with those of `others` that are of another charset.
    pub fn among(guess: sevenbit::Guess, others: Vec<sevenbit::Guess>) -> Self {
        let others = others.into_iter().filter(|other| other.charset() != guess.charset());
        Self { alternatives: others.map(Self::from).collect(), ..guess.into() }
    }
}

#[pymethods]
impl Guess {
    #[new]
    #[pyo3(signature = (charset, sureness, alternatives = Vec::new()))]
    fn new(charset: Charset, sureness: f32, alternatives: Vec<Guess>) -> PyResult<Self> {
        if !(0.0..=1.0).contains(&sureness) {
            let why = format!("argument 'sureness': expected a number from 0 to 1, not {sureness}");
            return Err(PyValueError::new_err(why));
        }
        Ok(Self { charset, sureness, alternatives })
    }

    /// The charset.
    #[getter]
    fn charset(&self) -> Charset {
        self.charset
    }

    /// The preferred MIME name of the charset.
    #[getter]
    fn name(&self) -> &'static str {
        self.charset.name()
    }

    /// How probable it is that the text reads as it was meant: from 0, nothing is known, to 1.
    #[getter]
    fn sureness(&self) -> f32 {
        self.sureness
    }

    /// The other charsets that it may be in, the most probable first.
    #[getter]
    fn alternatives<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        PyTuple::new(py, self.alternatives.clone())
    }

    /// For `pickle` and `copy`.
    fn __getnewargs__<'py>(
        &self,
        py: Python<'py>,
    ) -> PyResult<(Charset, f32, Bound<'py, PyTuple>)> {
        Ok((self.charset, self.sureness, self.alternatives(py)?))
    }

    fn __hash__(&self) -> u64 {
        let mut hasher = DefaultHasher::new();
        (self.charset, self.sureness.to_bits()).hash(&mut hasher);
        hasher.finish()
    }

    fn __repr__(&self) -> String {
        format!("<sevenbit.Guess {} ({:.2})>", self.name(), self.sureness)
    }
}

/// The charset that unlabelled text seems to be in, with how sure that is and its alternatives: a guess, and never UTF-7.
/// Octets below 80 without escapes are US-ASCII, surely.
///
/// >>> detect(b"plain text")
/// <sevenbit.Guess US-ASCII (1.00)>
/// >>> guess = detect("Это русский текст.".encode("cp866"))
/// >>> guess.name, guess.sureness > 0.9
/// ('IBM866', True)
#[pyfunction]
pub fn detect(py: Python<'_>, octets: Octets) -> Guess {
    let mut guesses = detect_all(py, octets).into_iter();
    let best = guesses.next().unwrap_or_else(|| sevenbit::Charset::guess(b"").into());
    Guess { alternatives: guesses.collect(), ..best }
}

/// Every charset that unlabelled text may be in, the most probable first; those below a hundredth are left out.
///
/// >>> [guess.name for guess in detect_all("Grüße".encode("latin-1"))][0]
/// 'windows-1252'
#[pyfunction]
pub fn detect_all(py: Python<'_>, octets: Octets) -> Vec<Guess> {
    let octets = octets.as_slice();
    let guesses = unlocked(py, octets.len(), || sevenbit::Charset::guesses(octets));
    // The library says what octets above 7F would be in; a person asks about these.
    let is_plain = !octets.is_empty()
        && octets.is_ascii()
        && guesses.first().is_none_or(|guess| guess.sureness() == 0.0);
    match sevenbit::Charset::for_label("US-ASCII") {
        Some(ascii) if is_plain => {
            vec![Guess { charset: Charset(ascii), sureness: 1.0, alternatives: Vec::new() }]
        }
        _ => guesses.into_iter().map(Guess::from).collect(),
    }
}

/// Reads a whole text, as errors="strict" or "replace" says.
pub fn decode<'py>(
    py: Python<'py>,
    charset: sevenbit::Charset,
    octets: &Octets,
    errors: &str,
) -> PyResult<Bound<'py, PyString>> {
    let octets = octets.as_slice();
    let malformed = malformed(errors)?;
    if let Some(text) = text::long(py, charset, octets) {
        return text;
    }
    match malformed {
        Malformed::Strict => match unlocked(py, octets.len(), || charset.decode_strict(octets)) {
            Ok(text) => Ok(PyString::new(py, &text)),
            Err(_) => {
                let (_, fault) = until_fault(charset, octets);
                Err(not_decoded(
                    py,
                    charset,
                    octets,
                    fault.unwrap_or((0, octets.len(), "not decodable")),
                ))
            }
        },
        _ => Ok(PyString::new(py, unlocked(py, octets.len(), || charset.decode(octets)).text())),
    }
}

/// How much is read after a fault; twice as much each time, so that no attempt goes far in vain.
const STEP: usize = 64;

/// Where ill-formed octets begin and end, and what they are.
pub type Fault = (usize, usize, &'static str);

/// The text before the first fault.
fn until_fault(charset: sevenbit::Charset, octets: &[u8]) -> (String, Option<Fault>) {
    if !charset.is_decodable() {
        return (String::new(), Some((0, octets.len(), Code::CharsetUnknown.summary())));
    }
    let (mut text, mut decoder) =
        (String::new(), charset.decoder().on_malformed(Malformed::Strict));
    let (mut at, mut step) = (0, STEP);
    while at < octets.len() && decoder.is_lossless() {
        let end = octets.len().min(at + step);
        decoder.push(&octets[at..end], &mut text);
        (at, step) = (end, step * 2);
    }
    let issues = decoder.finish(&mut text);
    let losses = issues.iter().filter(|issue| issue.severity() == Severity::Loss);
    let fault = losses.min_by_key(|issue| issue.span().start).map(|issue| {
        let start = issue.span().start.min(octets.len());
        (start, issue.span().end.clamp(start, octets.len()), issue.code().summary())
    });
    (text, fault)
}

/// The policy for ill-formed octets, by Python's word for it.
pub fn malformed(errors: &str) -> PyResult<Malformed> {
    match errors {
        "strict" => Ok(Malformed::Strict),
        "replace" => Ok(Malformed::Replace),
        other => Err(unknown_errors(other)),
    }
}

/// The policy for characters that a charset lacks, by Python's word for it.
pub fn substitution(errors: &str) -> PyResult<Substitution> {
    match errors {
        "strict" => Ok(Substitution::Refuse),
        "replace" => Ok(Substitution::QuestionMark),
        other => Err(unknown_errors(other)),
    }
}

fn unknown_errors(errors: &str) -> PyErr {
    PyValueError::new_err(format!(
        "argument 'errors': expected 'strict' or 'replace', not {errors:?}"
    ))
}

/// Python's error for octets that are not text.
pub fn not_decoded(
    py: Python<'_>,
    charset: sevenbit::Charset,
    octets: &[u8],
    fault: Fault,
) -> PyErr {
    let (start, end, reason) = fault;
    let made = py.get_type::<PyUnicodeDecodeError>().call1((
        charset.name(),
        PyBytes::new(py, octets),
        start,
        end,
        reason,
    ));
    made.map_or_else(|error| error, PyErr::from_value)
}

/// Writes a whole text.
fn substituting(
    charset: sevenbit::Charset,
    text: &str,
    substitution: Substitution,
) -> Result<Vec<u8>, Error> {
    let (mut encoder, mut octets) = (charset.encoder().substituting(substitution), Vec::new());
    encoder.push(text, &mut octets)?;
    encoder.finish(&mut octets);
    Ok(octets)
}

/// Python's error for the character `at` of `text`, which the charset lacks.
pub fn not_encoded(text: &Bound<'_, PyString>, charset: sevenbit::Charset, at: usize) -> PyErr {
    let arguments = (charset.name(), text, at, at + 1, Code::Unmappable.summary());
    let made = text.py().get_type::<PyUnicodeEncodeError>().call1(arguments);
    made.map_or_else(|error| error, PyErr::from_value)
}

/// How many characters come before an octet of a text.
pub fn characters(text: &str, octets: usize) -> usize {
    text[..octets].chars().count()
}
