//! Messages in their normal form.

use std::borrow::Cow;
use std::hash::{Hash, Hasher};
use std::io;

use pyo3::exceptions::PyMemoryError;
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyBytes, PyDict, PyTuple};
use sevenbit::Report;

use crate::issue::{self, Issue};
use crate::octets::{Mail, Octets, unlocked};
use crate::options::{self, Limits};
use crate::reading::ReadAs;

/// How messages are normalised: options once, then any number of messages, from any number of threads.
///
/// >>> transport = Normalizer(profile="transport")
/// >>> transport.normalize("Subject: café\r\n\r\n".encode()).octets
/// b'Subject: =?utf-8?B?Y2Fmw6k=?=\r\n\r\n'
#[pyclass(frozen, eq, hash, module = "sevenbit")]
pub struct Normalizer(pub sevenbit::Normalizer, Options);

/// What else it was made with, for `pickle`, `repr` and `==`.
#[derive(Clone, Copy)]
struct Options {
    limits: Option<sevenbit::Limits>,
    read_as: Option<sevenbit::Charset>,
}

impl Normalizer {
    /// The normaliser with what a call of `function` gives.
    ///
    /// # Errors
    /// Those of [`options::normalizer`].
    pub fn of(
        function: &str,
        limits: Option<&Bound<'_, Limits>>,
        read_as: Option<ReadAs>,
        given: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<Self> {
        let limits = limits.map(|limits| limits.get().0);
        let read_as = read_as.map(|chosen| chosen.0);
        let normalizer = options::normalizer(function, given)?
            .limits(limits.unwrap_or_default())
            .read_as(read_as);
        Ok(Self(normalizer, Options { limits, read_as }))
    }

    /// Each option that is a word: its name in Python, and the word.
    fn words(&self) -> impl Iterator<Item = (String, &'static str)> {
        sevenbit::Normalizer::OPTIONS.iter().map(|option| {
            let word = self.0.option(option.name).unwrap_or(option.default);
            (options::in_python(option.name), word)
        })
    }

    fn key(&self) -> impl Eq + Hash {
        let words: Vec<_> = self.words().map(|(_, word)| word).collect();
        (words, self.1.limits.unwrap_or_default(), self.1.read_as)
    }
}

impl PartialEq for Normalizer {
    fn eq(&self, other: &Self) -> bool {
        self.key() == other.key()
    }
}

impl Eq for Normalizer {}

impl Hash for Normalizer {
    fn hash<H: Hasher>(&self, hasher: &mut H) {
        self.key().hash(hasher);
    }
}

#[pymethods]
impl Normalizer {
    #[new]
    #[pyo3(signature = (*, limits = None, read_as = None, **options))]
    fn new(
        limits: Option<&Bound<'_, Limits>>,
        read_as: Option<ReadAs>,
        options: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<Self> {
        Self::of("Normalizer", limits, read_as, options)
    }

    /// For `pickle` and `copy`.
    fn __getnewargs_ex__<'py>(&self, py: Python<'py>) -> PyResult<((), Bound<'py, PyDict>)> {
        let arguments = PyDict::new(py);
        for (name, word) in self.words() {
            arguments.set_item(name, word)?;
        }
        arguments.set_item("limits", self.1.limits.map(Limits))?;
        arguments.set_item("read_as", self.1.read_as.map(|charset| charset.name()))?;
        Ok(((), arguments))
    }

    fn __repr__(&self) -> String {
        let mut given: Vec<_> =
            self.words().map(|(name, word)| format!("{name}='{word}'")).collect();
        if let Some(limits) = self.1.limits {
            given.push(format!("limits={}", Limits(limits).__repr__()));
        }
        if let Some(charset) = self.1.read_as {
            given.push(format!("read_as='{}'", charset.name()));
        }
        format!("Normalizer({})", given.join(", "))
    }

    /// The message in its normal form.
    pub fn normalize(&self, py: Python<'_>, message: Mail) -> PyResult<Normalized> {
        message.warn_of_mbox(py)?;
        let Mail(message) = message;
        if message.as_slice().len() >= LARGE {
            return self.normalize_large(py, message);
        }
        let (octets, report) =
            unlocked(py, message.as_slice().len(), || done(&self.0, message.as_slice()));
        Normalized::new(py, message, octets, report)
    }

    /// The messages in their normal form, in order, produced on demand. Up to a quarter of a megabyte is taken from
    /// `messages` and processed together: faster than one by one, and other threads run meanwhile.
    fn normalize_many(&self, messages: &Bound<'_, PyAny>) -> PyResult<crate::batch::Many> {
        crate::batch::Many::new(self.0.clone(), messages)
    }
}

/// Longer messages are written straight into Python's memory, which takes a second pass to know the length.
const LARGE: usize = 64 << 20;

impl Normalizer {
    /// The message in its normal form, which is in memory only once.
    fn normalize_large(&self, py: Python<'_>, message: Octets) -> PyResult<Normalized> {
        let plan = py.detach(|| self.0.plan(message.as_slice()));
        let report = plan.report().clone();
        if !report.is_changed() {
            drop(plan);
            return Normalized::new(py, message, None, report);
        }
        let length = py.detach(|| plan.write_to(io::sink()))?;
        let length = usize::try_from(length)
            .map_err(|_| PyMemoryError::new_err("the normal form is too long"))?;
        let octets = PyBytes::new_with(py, length, |octets| {
            py.detach(|| plan.write_to(octets))?;
            Ok(())
        })?;
        Ok(Normalized::of(octets.unbind(), report))
    }
}

/// The new octets, if any, and the report.
pub type Done = (Option<Vec<u8>>, Report);

/// Processes one message.
pub fn done(normalizer: &sevenbit::Normalizer, message: &[u8]) -> Done {
    let (octets, report) = normalizer.normalize(message).into_parts();
    match octets {
        Cow::Borrowed(_) => (None, report),
        Cow::Owned(octets) => (Some(octets), report),
    }
}

/// The message in its normal form, with the issues found. Any octets give a result.
///
/// `message` is one message, with any line ends: a buffer, a path, or a file that is open for reading octets. A message that is already in its normal form comes back as
/// the same object, if that was `bytes`. An mbox of several messages is taken for one, with a `MailboxWarning`.
///
/// `profile`: "archive" makes every header and text UTF-8; "transport" changes only what is not 7-bit safe.
/// `signed`: "break" makes signed content safe anyway and reports it; "refuse" returns such messages as they were.
/// `undecodable`: "replace" writes U+FFFD for octets that are not text under its label, where "keep" keeps the octets.
/// `markup`: "rewrite" changes the charset that HTML and XML declare inside, "keep" does not.
/// `limits`: bounds on what is parsed.
/// `unlabelled`: in transport, "guess" (the default) labels 8-bit text without a label with the charset that it seems
/// to be in, if that is sure; "keep" labels it unknown-8bit. The octets are the same.
/// `text_encoding`: "utf-7" writes text in UTF-7 as well, if that is shorter.
/// `doubtful`: in an archive, text that reads as mojibake is reported ("note"), written as it was meant ("repair"), or
/// passed over ("keep").
/// `comment_names`: in an archive, "rewrite" writes the name of `ada@example.org (Ada)` before the address.
/// `read_as`: the charset that a person has chosen, itself or its label: an archive reads text in it, whatever its label,
/// wherever the octets are text in it. What is labelled UTF-8, and is, stays. `Part.readings` says which charsets are plausible.
///
/// >>> done = normalize("Subject: déjà vu\r\n\r\n".encode("latin-1"))
/// >>> done.octets
/// b'Subject: =?utf-8?B?ZMOpasOg?= vu\r\n\r\n'
/// >>> [issue.code for issue in done.issues]
/// ['raw-header-text', 'charset-guessed']
#[pyfunction]
#[pyo3(signature = (message, *, limits = None, read_as = None, **options))]
pub fn normalize(
    py: Python<'_>,
    message: Mail,
    limits: Option<&Bound<'_, Limits>>,
    read_as: Option<ReadAs>,
    options: Option<&Bound<'_, PyDict>>,
) -> PyResult<Normalized> {
    Normalizer::of("normalize", limits, read_as, options)?.normalize(py, message)
}

/// A message in its normal form.
///
/// >>> done = normalize(b"Subject: caf\xe9\r\n\r\n")
/// >>> done.octets, done.changed, [issue.code for issue in done.issues]
/// (b'Subject: =?utf-8?B?Y2Fmw6k=?=\r\n\r\n', True, ['raw-header-text', 'charset-guessed'])
#[pyclass(frozen, eq, module = "sevenbit")]
pub struct Normalized {
    octets: Py<PyBytes>,
    changed: bool,
    refused: bool,
    /// The library's issues, of which those for Python are made.
    found: Vec<Issue>,
    issues: PyOnceLock<Py<PyTuple>>,
}

impl Normalized {
    /// The result for `message`; without `rewritten` it stays as it is.
    pub fn new(
        py: Python<'_>,
        message: Octets,
        rewritten: Option<Vec<u8>>,
        report: Report,
    ) -> PyResult<Self> {
        let octets = match rewritten {
            Some(octets) => PyBytes::new(py, &octets).unbind(),
            None => message.into_object(py)?,
        };
        Ok(Self::of(octets, report))
    }

    fn of(octets: Py<PyBytes>, report: Report) -> Self {
        let (changed, refused) = (report.is_changed(), report.is_refused());
        Self {
            octets,
            changed,
            refused,
            found: issue::all(report.into_issues()),
            issues: PyOnceLock::new(),
        }
    }
}

impl PartialEq for Normalized {
    fn eq(&self, other: &Self) -> bool {
        let fields = |done: &Self| (done.changed, done.refused);
        fields(self) == fields(other)
            && self.found == other.found
            && Python::attach(|py| self.octets.as_bytes(py) == other.octets.as_bytes(py))
    }
}

#[pymethods]
impl Normalized {
    /// Such a result, as `pickle` makes it again.
    #[new]
    #[pyo3(signature = (octets, issues = Vec::new(), changed = false, refused = false))]
    fn made(
        octets: Py<PyBytes>,
        issues: Vec<PyRef<'_, Issue>>,
        changed: bool,
        refused: bool,
    ) -> Self {
        let found = issues.iter().map(|issue| (**issue).clone()).collect();
        Self { octets, changed, refused, found, issues: PyOnceLock::new() }
    }

    /// For `pickle` and `copy`.
    fn __getnewargs__(&self, py: Python<'_>) -> PyResult<(Py<PyBytes>, Py<PyTuple>, bool, bool)> {
        Ok((self.octets(py), self.issues(py)?, self.changed, self.refused))
    }

    /// The octets of the message.
    #[getter]
    fn octets(&self, py: Python<'_>) -> Py<PyBytes> {
        self.octets.clone_ref(py)
    }

    /// Whether they differ from the input.
    #[getter]
    fn changed(&self) -> bool {
        self.changed
    }

    /// Whether the message stays as it was because a signature would have broken (`signed="refuse"`).
    #[getter]
    fn refused(&self) -> bool {
        self.refused
    }

    /// The issues, in the order of the input. Made when first asked for.
    #[getter]
    fn issues(&self, py: Python<'_>) -> PyResult<Py<PyTuple>> {
        let make = || Ok::<_, PyErr>(PyTuple::new(py, self.found.clone())?.unbind());
        Ok(self.issues.get_or_try_init(py, make)?.clone_ref(py))
    }

    fn __bytes__(&self, py: Python<'_>) -> Py<PyBytes> {
        self.octets(py)
    }

    fn __hash__(&self, py: Python<'_>) -> PyResult<isize> {
        self.octets.bind(py).hash()
    }

    fn __repr__(&self, py: Python<'_>) -> String {
        let (length, issues) = (self.octets.as_bytes(py).len(), self.found.len());
        let changed = if self.changed { "True" } else { "False" };
        format!("<sevenbit.Normalized of {length} octets, changed={changed}, {issues} issues>")
    }
}
