//! The text of header fields, and the names of IMAP mailboxes.

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyString};

use crate::octets::Octets;

/// Octets, or text that stands for its UTF-8.
#[derive(FromPyObject)]
pub enum Written {
    Text(String),
    Octets(Octets),
}

impl Written {
    fn as_slice(&self) -> &[u8] {
        match self {
            Self::Text(text) => text.as_bytes(),
            Self::Octets(octets) => octets.as_slice(),
        }
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
/// CRLF.
///
/// >>> encode_header("un café noir")
/// 'un =?utf-8?B?Y2Fmw6k=?= noir'
#[pyfunction]
pub fn encode_header<'py>(py: Python<'py>, text: &str) -> Bound<'py, PyString> {
    PyString::new(py, &sevenbit::encode_header(text))
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
        "strict" => match decoded.into_lossless() {
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
