//! UTF-7 (RFC 2152).

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyString};
use sevenbit::utf7::Direct;

use crate::charset;
use crate::octets::{Octets, unlocked};

/// Reads UTF-7. Ill-formed octets become U+FFFD, or with errors="strict" a UnicodeDecodeError.
///
/// >>> decode_utf7(b"Hi Mom -+Jjo--!")
/// 'Hi Mom -☺-!'
#[pyfunction]
#[pyo3(signature = (octets, errors = "replace"))]
pub fn decode_utf7<'py>(
    py: Python<'py>,
    octets: Octets,
    errors: &str,
) -> PyResult<Bound<'py, PyString>> {
    charset::decode(py, sevenbit::Charset::UTF_7, &octets, errors)
}

/// Writes UTF-7. `direct`: with "mail-safe" only characters that every gateway and header field preserves are direct,
/// with "optional-direct" the optional direct characters of RFC 2152 as well.
///
/// >>> encode_utf7("1 + 1 = 2")
/// b'1 +- 1 +AD0 2'
/// >>> encode_utf7("1 + 1 = 2", direct="optional-direct")
/// b'1 +- 1 = 2'
#[pyfunction]
#[pyo3(signature = (text, *, direct = "mail-safe"))]
pub fn encode_utf7<'py>(
    py: Python<'py>,
    text: &str,
    direct: &str,
) -> PyResult<Bound<'py, PyBytes>> {
    let direct = match direct {
        "mail-safe" => Direct::MailSafe,
        "optional-direct" => Direct::OptionalDirect,
        other => {
            return Err(PyValueError::new_err(format!(
                "argument 'direct': expected 'mail-safe' or 'optional-direct', not {other:?}"
            )));
        }
    };
    let octets = unlocked(py, text.len(), || sevenbit::utf7::encode(text, direct));
    Ok(PyBytes::new(py, octets.as_bytes()))
}
