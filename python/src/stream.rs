//! Text in a charset that arrives in pieces.

use std::mem::replace;
use std::sync::{Mutex, PoisonError};

use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyString};
use sevenbit::{Issue, Malformed, Severity, Substitution};

use crate::charset::{
    Charset, Fault, characters, malformed, not_decoded, not_encoded, substitution,
};
use crate::octets::{Octets, unlocked};

/// Reads a text that arrives in pieces of any size: the result is the same as in one piece.
///
/// >>> decoder = Decoder(Charset("utf-7"))
/// >>> decoder.decode(b"+Jj") + decoder.decode(b"o-", final=True)
/// '☺'
#[pyclass(module = "sevenbit")]
pub struct Decoder {
    charset: sevenbit::Charset,
    malformed: Malformed,
    /// Threads take turns by Python's own rules; the mutex says so to the compiler.
    decoder: Mutex<sevenbit::Decoder>,
    /// Octets of the previous pieces.
    before: usize,
}

#[pymethods]
impl Decoder {
    /// errors: "strict" or "replace".
    #[new]
    #[pyo3(signature = (charset, errors = "strict"))]
    fn new(charset: &Bound<'_, Charset>, errors: &str) -> PyResult<Self> {
        let (charset, malformed) = (charset.get().0, malformed(errors)?);
        let decoder = charset.decoder().on_malformed(malformed).into();
        Ok(Self { charset, malformed, decoder, before: 0 })
    }

    /// The text of the next octets; `final` says that no more come.
    #[pyo3(signature = (octets, r#final = false))]
    fn decode<'py>(
        &mut self,
        py: Python<'py>,
        octets: Octets,
        r#final: bool,
    ) -> PyResult<Bound<'py, PyString>> {
        let piece = octets.as_slice();
        let mut text = String::with_capacity(piece.len());
        let decoder = held(&mut self.decoder);
        unlocked(py, piece.len(), || decoder.push(piece, &mut text));
        let mut issues = Vec::new();
        if r#final {
            issues = self.renewed().finish(&mut text);
        }
        let fault = if self.malformed == Malformed::Strict {
            self.fault(piece.len(), &issues)
        } else {
            None
        };
        self.before = if r#final { 0 } else { self.before + piece.len() };
        match fault {
            Some(fault) => Err(not_decoded(py, self.charset, piece, fault)),
            None => Ok(PyString::new(py, &text)),
        }
    }

    /// Begins again.
    fn reset(&mut self) {
        self.renewed();
        self.before = 0;
    }
}

impl Decoder {
    /// The first fault in a piece of this many octets: after the text has ended, according to its issues.
    fn fault(&mut self, octets: usize, issues: &[Issue]) -> Option<Fault> {
        let losses = issues.iter().filter(|issue| issue.severity() == Severity::Loss);
        let at_end = losses.map(|issue| (issue.span().start, issue.code().summary())).min();
        let so_far = || {
            held(&mut self.decoder).error().map(|error| (error.offset(), error.code().summary()))
        };
        let (at, what) = at_end.or_else(so_far)?;
        Some((at.saturating_sub(self.before).min(octets), octets, what))
    }

    /// Replaces the decoder in use by one in its initial state, and returns it.
    fn renewed(&mut self) -> sevenbit::Decoder {
        replace(held(&mut self.decoder), self.charset.decoder().on_malformed(self.malformed))
    }
}

/// Writes a text that arrives in pieces of any size: the result is the same as in one piece.
///
/// >>> encoder = Encoder(Charset("utf-7"))
/// >>> encoder.encode("☺") + encoder.encode("", final=True)
/// b'+Jjo-'
#[pyclass(module = "sevenbit")]
pub struct Encoder {
    charset: sevenbit::Charset,
    substitution: Substitution,
    encoder: Mutex<sevenbit::Encoder>,
    /// Octets of the UTF-8 of the previous pieces.
    before: usize,
}

#[pymethods]
impl Encoder {
    /// errors: "strict" or "replace".
    #[new]
    #[pyo3(signature = (charset, errors = "strict"))]
    fn new(charset: &Bound<'_, Charset>, errors: &str) -> PyResult<Self> {
        let (charset, substitution) = (charset.get().0, substitution(errors)?);
        let encoder = charset.encoder().substituting(substitution).into();
        Ok(Self { charset, substitution, encoder, before: 0 })
    }

    /// The octets of the next piece of text; `final` says that no more comes.
    #[pyo3(signature = (text, r#final = false))]
    fn encode<'py>(
        &mut self,
        text: &Bound<'py, PyString>,
        r#final: bool,
    ) -> PyResult<Bound<'py, PyBytes>> {
        let (mut octets, missing) = self.pushed(text)?;
        if let Some(at) = missing {
            self.reset();
            return Err(not_encoded(text, self.charset, at));
        }
        if r#final {
            self.renewed().finish(&mut octets);
            self.before = 0;
        }
        Ok(PyBytes::new(text.py(), &octets))
    }

    /// For `sevenbit.codecs`: the octets of the text up to a character that the charset lacks, and that
    /// character's place in `text`, if there is one. The text after it may be pushed next.
    fn _push<'py>(
        &mut self,
        text: &Bound<'py, PyString>,
    ) -> PyResult<(Bound<'py, PyBytes>, Option<usize>)> {
        let (octets, missing) = self.pushed(text)?;
        Ok((PyBytes::new(text.py(), &octets), missing))
    }

    /// For `sevenbit.codecs`: what was held back, and what ends a text; more text may follow.
    fn _complete<'py>(&mut self, py: Python<'py>) -> Bound<'py, PyBytes> {
        let mut octets = Vec::new();
        held(&mut self.encoder).complete(&mut octets);
        PyBytes::new(py, &octets)
    }

    /// Begins again.
    fn reset(&mut self) {
        self.renewed();
        self.before = 0;
    }
}

impl Encoder {
    /// The octets written for `text`, and the place of the character that stopped it.
    fn pushed(&mut self, text: &Bound<'_, PyString>) -> PyResult<(Vec<u8>, Option<usize>)> {
        let whole = text.to_str()?;
        let (mut octets, encoder) = (Vec::with_capacity(whole.len()), held(&mut self.encoder));
        let missing = unlocked(text.py(), whole.len(), || encoder.push(whole, &mut octets)).err();
        let missing = missing.map(|error| error.offset() - self.before);
        self.before += missing.unwrap_or(whole.len());
        Ok((octets, missing.map(|at| characters(whole, at))))
    }

    fn renewed(&mut self) -> sevenbit::Encoder {
        replace(held(&mut self.encoder), self.charset.encoder().substituting(self.substitution))
    }
}

/// The content of a mutex to which this is the only access.
fn held<T>(mutex: &mut Mutex<T>) -> &mut T {
    mutex.get_mut().unwrap_or_else(PoisonError::into_inner)
}
