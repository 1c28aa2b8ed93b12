//! Decoded text as a Python string.
//!
//! Python keeps text in units of one size, two octets if most characters are above 7F: such units only have to be
//! copied. If they cannot be ([`units`]) it reads UTF-16, still several times as fast as UTF-8.

use std::ffi::CStr;

use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyString};
use sevenbit::{Charset, CodeUnits};

use crate::octets::unlocked;
use crate::units;

/// Shorter text is not worth the detour through UTF-16.
const SHORT: usize = 512;

/// One octet in this many, at least, is above 7F in text that is mostly above 7F.
const DENSE: usize = 8;

/// Units that go through Python's decoder together.
const PIECE: usize = 16 << 10;

const UTF_16LE: &CStr = c"utf-16-le";

/// The text of `octets`, if they are long and well-formed, and UTF-16 is the faster way to it.
pub fn long<'py>(
    py: Python<'py>,
    charset: Charset,
    octets: &[u8],
) -> Option<PyResult<Bound<'py, PyString>>> {
    let sample = octets.get(..SHORT)?;
    let above = sample.iter().filter(|octet| **octet >= 0x80).count();
    if !charset.is_stateful() && above < SHORT / DENSE {
        return None;
    }
    match unlocked(py, octets.len(), || charset.decode_code_units(octets))? {
        CodeUnits::Ascii(text) => Some(Ok(PyString::new(py, text))),
        CodeUnits::Utf16(units) => {
            units::string(py, &units).or_else(|| Some(by_decoder(py, units)))
        }
    }
}

/// Makes a string with Python's decoder. Each piece uses little memory, which is in the cache, and the buffer of the units
/// is freed before the whole takes its place: memory that is new to the process takes longer than everything else.
fn by_decoder(py: Python<'_>, units: Vec<u16>) -> PyResult<Bound<'_, PyString>> {
    let (mut pieces, mut rest) = (Vec::new(), &units[..]);
    while !rest.is_empty() {
        let end = rest.len().min(PIECE);
        // A pair of surrogates stays together.
        let is_high = end < rest.len() && matches!(rest[end - 1], 0xD800..0xDC00);
        let (piece, after) = rest.split_at(end - usize::from(is_high));
        pieces.push(of_piece(py, piece)?);
        rest = after;
    }
    drop(units);
    match pieces.pop() {
        Some(whole) if pieces.is_empty() => Ok(whole),
        Some(last) => {
            pieces.push(last);
            Ok(PyString::new(py, "").call_method1("join", (pieces,))?.cast_into()?)
        }
        None => Ok(PyString::new(py, "")),
    }
}

fn of_piece<'py>(py: Python<'py>, units: &[u16]) -> PyResult<Bound<'py, PyString>> {
    let octets = PyBytes::new_with(py, 2 * units.len(), |octets| {
        for (pair, unit) in octets.as_chunks_mut().0.iter_mut().zip(units) {
            *pair = unit.to_le_bytes();
        }
        Ok(())
    })?;
    PyString::from_encoded_object(&octets, Some(UTF_16LE), None)
}
