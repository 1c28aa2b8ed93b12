//! Issues of a message.

use std::hash::{DefaultHasher, Hash as _, Hasher as _};

use pyo3::prelude::*;

/// Something that was odd, or was done about it. The Python object is made on demand.
#[pyclass(frozen, eq, module = "sevenbit")]
#[derive(Clone, PartialEq)]
pub struct Issue(pub sevenbit::Issue);

#[pymethods]
impl Issue {
    /// What it is, by its stable word: "charset-guessed".
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

    /// What was done, or to what, for people. May be empty.
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
