//! Issues of a message.

use std::hash::{DefaultHasher, Hash as _, Hasher as _};

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use sevenbit::Span;

/// Something that was odd, or was done about it. The Python object is made on demand.
///
/// >>> issue = normalize(b"Subject: caf\xe9\r\n\r\n").issues[0]
/// >>> issue.code, issue.severity, issue.rule, issue.part, issue.span
/// ('raw-header-text', 'repair', 'H3', '0', (8, 13))
#[pyclass(frozen, eq, module = "sevenbit")]
#[derive(Clone, PartialEq)]
pub struct Issue(pub sevenbit::Issue);

#[pymethods]
impl Issue {
    /// An issue, as `pickle` makes it again. A ValueError if there is no such code or span.
    #[new]
    #[pyo3(signature = (code, part = "0", span = (0, 0), detail = ""))]
    fn new(code: &str, part: &str, span: (usize, usize), detail: &str) -> PyResult<Self> {
        let unknown = |_| PyValueError::new_err(format!("argument 'code': there is no {code:?}"));
        let code = code.parse().map_err(unknown)?;
        if span.1 < span.0 {
            return Err(PyValueError::new_err("argument 'span': it ends before it begins"));
        }
        Ok(Self(sevenbit::Issue::from_parts(code, Span::new(span.0, span.1), part, detail)))
    }

    /// For `pickle` and `copy`.
    fn __getnewargs__(&self) -> (&'static str, &str, (usize, usize), &str) {
        (self.code(), self.part(), self.span(), self.detail())
    }

    /// The code, a stable word: "charset-guessed".
    #[getter]
    fn code(&self) -> &'static str {
        self.0.code().as_str()
    }

    /// How bad it is: "note", "repair" or "loss".
    #[getter]
    fn severity(&self) -> &'static str {
        self.0.severity().as_str()
    }

    /// The rule of the normal form that applies: "B7".
    #[getter]
    fn rule(&self) -> String {
        self.0.rule().to_string()
    }

    /// The IMAP section of the part it is in; "0" is the message's own header.
    #[getter]
    fn part(&self) -> &str {
        self.0.part()
    }

    /// The octets of the input that it is about, as (from, to).
    #[getter]
    fn span(&self) -> (usize, usize) {
        let span = self.0.span();
        (span.start, span.end)
    }

    /// The detail, for people: what was done, or to what. May be empty.
    #[getter]
    fn detail(&self) -> &str {
        self.0.detail()
    }

    fn __hash__(&self) -> u64 {
        let mut hasher = DefaultHasher::new();
        (self.0.code(), self.0.span(), self.0.part(), self.0.detail()).hash(&mut hasher);
        hasher.finish()
    }

    fn __str__(&self) -> String {
        self.0.to_string()
    }

    fn __repr__(&self) -> String {
        format!("<sevenbit.Issue {}>", self.0)
    }
}

/// The issues as Python objects.
pub fn all(issues: Vec<sevenbit::Issue>) -> Vec<Issue> {
    issues.into_iter().map(Issue).collect()
}
