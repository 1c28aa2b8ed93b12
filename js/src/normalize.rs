//! A message in, its normal form out.

use std::borrow::Cow;

use wasm_bindgen::prelude::*;

use crate::issue;
use crate::options::Options;

/// The result for a message.
#[wasm_bindgen]
pub struct Outcome {
    octets: Option<Vec<u8>>,
    issues: String,
    refused: bool,
}

#[wasm_bindgen]
impl Outcome {
    /// The octets, which can be taken once; none if the message stays as it is.
    pub fn octets(&mut self) -> Option<Vec<u8>> {
        self.octets.take()
    }

    /// The issues as JSON; empty if there are none.
    pub fn issues(&self) -> String {
        self.issues.clone()
    }

    /// Whether the message was refused and stays as it is for that reason.
    pub fn refused(&self) -> bool {
        self.refused
    }

    /// Whether there are issues.
    pub fn has_issues(&self) -> bool {
        !self.issues.is_empty()
    }
}

/// The normal form of a message.
#[wasm_bindgen]
pub fn normalize(message: &[u8], options: &Options) -> Outcome {
    let (octets, report) = options.normalizer().normalize(message).into_parts();
    let octets = match octets {
        Cow::Owned(octets) => Some(octets),
        Cow::Borrowed(_) => None,
    };
    Outcome { octets, issues: issue::json(report.issues()), refused: report.is_refused() }
}
