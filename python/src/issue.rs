//! Issues of a message.

use std::hash::{DefaultHasher, Hash as _, Hasher as _};

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use sevenbit::{Charset, Span};

/// Something that was odd, or was done about it. The Python object is made on demand.
///
/// >>> issue = normalize(b"Subject: caf\xe9\r\n\r\n").issues[0]
/// >>> issue.code, issue.severity, issue.rule, issue.part, issue.span
/// ('raw-header-text', 'repair', 'H3', '0', (8, 13))
#[pyclass(frozen, eq, module = "sevenbit")]
#[derive(Clone)]
pub struct Issue {
    issue: sevenbit::Issue,
    charset: Option<Charset>,
}

impl From<sevenbit::Issue> for Issue {
    fn from(issue: sevenbit::Issue) -> Self {
        Self { charset: issue.charset(), issue }
    }
}

/// By what Python sees: the detail's words say what its values say, and `pickle` keeps words.
impl PartialEq for Issue {
    fn eq(&self, other: &Self) -> bool {
        self.__getnewargs__() == other.__getnewargs__()
    }
}

#[pymethods]
impl Issue {
    /// An issue, as `pickle` makes it again. A ValueError if there is no such code or span.
    #[new]
    #[pyo3(signature = (code, part = "0", span = (0, 0), detail = "", charset = None))]
    fn new(
        code: &str,
        part: &str,
        span: (usize, usize),
        detail: &str,
        charset: Option<&str>,
    ) -> PyResult<Self> {
        let unknown = |_| PyValueError::new_err(format!("argument 'code': there is no {code:?}"));
        let code = code.parse().map_err(unknown)?;
        if span.1 < span.0 {
            return Err(PyValueError::new_err("argument 'span': it ends before it begins"));
        }
        let no_charset =
            |label| PyValueError::new_err(format!("argument 'charset': there is no {label:?}"));
        let named = |label| Charset::for_label(label).ok_or_else(|| no_charset(label));
        Ok(Self {
            issue: sevenbit::Issue::from_parts(
                code,
                Span::new(span.0, span.1),
                part,
                detail.to_owned(),
            ),
            charset: charset.map(named).transpose()?,
        })
    }

    /// For `pickle` and `copy`.
    fn __getnewargs__(&self) -> (&'static str, &str, (usize, usize), String, Option<&'static str>) {
        (self.code(), self.part(), self.span(), self.detail(), self.charset())
    }

    /// The code, a stable word: "charset-guessed".
    #[getter]
    fn code(&self) -> &'static str {
        self.issue.code().as_str()
    }

    /// How bad it is: "note", "repair" or "loss".
    #[getter]
    fn severity(&self) -> &'static str {
        self.issue.severity().as_str()
    }

    /// The rule of the normal form that applies: "B7".
    #[getter]
    fn rule(&self) -> String {
        self.issue.rule().to_string()
    }

    /// The IMAP section of the part it is in; "0" is the message's own header.
    #[getter]
    fn part(&self) -> &str {
        self.issue.part()
    }

    /// The octets of the input that it is about, as (from, to).
    #[getter]
    fn span(&self) -> (usize, usize) {
        let span = self.issue.span();
        (span.start, span.end)
    }

    /// The detail, for people: what was done, or to what. May be empty.
    #[getter]
    fn detail(&self) -> String {
        self.issue.detail().to_string()
    }

    /// The charset that was guessed, of a "charset-guessed"; None of others, and if nobody knows it.
    #[getter]
    fn charset(&self) -> Option<&'static str> {
        self.charset.map(Charset::name)
    }

    fn __hash__(&self) -> u64 {
        let mut hasher = DefaultHasher::new();
        self.__getnewargs__().hash(&mut hasher);
        hasher.finish()
    }

    fn __str__(&self) -> String {
        self.issue.to_string()
    }

    fn __repr__(&self) -> String {
        format!("<sevenbit.Issue {}>", self.issue)
    }
}

/// The issues as Python objects.
pub fn all(issues: Vec<sevenbit::Issue>) -> Vec<Issue> {
    issues.into_iter().map(Issue::from).collect()
}
