//! The text of header fields, and the names of IMAP mailboxes.

use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyString};

use crate::octets::Octets;

/// Octets, or text that stands for its UTF-8; lone surrogates in it stand for octets, as `email` holds raw headers
/// (`surrogateescape`).
pub struct Written(Octets);

impl Written {
    fn as_slice(&self) -> &[u8] {
        self.0.as_slice()
    }
}

impl<'a, 'py> FromPyObject<'a, 'py> for Written {
    type Error = PyErr;

    fn extract(object: Borrowed<'a, 'py, PyAny>) -> PyResult<Self> {
        let Ok(text) = object.cast::<PyString>() else {
            return Octets::seen(&object, "str, bytes").map(Self).map_err(PyTypeError::new_err);
        };
        let encoded = |errors| text.call_method1("encode", ("utf-8", errors));
        // Other surrogates stand for nothing.
        let octets = encoded("surrogateescape").or_else(|_| encoded("replace"))?;
        Octets::of(&octets, "value").map(Self)
    }
}

/// The text of an unstructured header field: encoded-words decoded, folds undone, raw 8-bit octets guessed.
///
/// >>> decode_header(b"=?iso-8859-1?Q?caf=E9?= au\r\n lait")
/// 'café au lait'
#[pyfunction]
pub fn decode_header<'py>(py: Python<'py>, value: Written) -> Bound<'py, PyString> {
    PyString::new(py, sevenbit::decode_header(value.as_slice()).text())
}

/// Text as the value of an unstructured header field: plain if possible, else in encoded-words, folded with
/// CRLF. It never begins with a fold, so that `decode_header` reads the text again; the field's first line may be longer
/// than 78 octets for that. Controls cannot be carried: NUL is dropped, others become a space, also a tab. More than eight
/// spaces in a row become one, and so do two before an encoded-word that fills its line.
///
/// >>> encode_header("un café noir")
/// 'un =?utf-8?B?Y2Fmw6k=?= noir'
#[pyfunction]
pub fn encode_header<'py>(py: Python<'py>, text: &str) -> Bound<'py, PyString> {
    let value = sevenbit::encode_header(text);
    PyString::new(py, value.strip_prefix("\r\n ").unwrap_or(&value))
}

/// Reads a mailbox name as IMAP4rev1 writes it (RFC 3501, 5.1.3). Ill-formed octets become U+FFFD, or with
/// errors="strict" a ValueError.
///
/// >>> decode_mailbox_name(b"Entw&APw-rfe")
/// 'Entwürfe'
#[pyfunction]
#[pyo3(signature = (name, errors = "replace"))]
pub fn decode_mailbox_name<'py>(
    py: Python<'py>,
    name: Written,
    errors: &str,
) -> PyResult<Bound<'py, PyString>> {
    let decoded = sevenbit::mailbox_name::decode(name.as_slice());
    match errors {
        "replace" => Ok(PyString::new(py, decoded.text())),
        "strict" => match decoded.into_strict() {
            Ok(text) => Ok(PyString::new(py, &text)),
            Err(error) => Err(PyValueError::new_err(format!("argument 'name': {error}"))),
        },
        other => Err(PyValueError::new_err(format!(
            "argument 'errors': expected 'replace' or 'strict', not {other:?}"
        ))),
    }
}

/// Writes a mailbox name as IMAP4rev1 wants it.
///
/// >>> encode_mailbox_name("Entwürfe")
/// b'Entw&APw-rfe'
#[pyfunction]
pub fn encode_mailbox_name<'py>(py: Python<'py>, name: &str) -> Bound<'py, PyBytes> {
    PyBytes::new(py, sevenbit::mailbox_name::encode(name).as_bytes())
}

/// Mends text that was read in a wrong charset, once or several times over, and that still holds an encoding. Lines are judged by
/// themselves; one that could have been meant as it stands stays.
///
/// >>> repair_text("schÃ¶ne GrÃ¼ÃŸe")
/// 'schöne Grüße'
#[pyfunction]
pub fn repair_text<'py>(py: Python<'py>, text: &str) -> Bound<'py, PyString> {
    PyString::new(py, sevenbit::repair_text(text).text())
}
