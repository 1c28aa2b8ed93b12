//! Text, with the issues of decoding it.

use wasm_bindgen::prelude::*;

use crate::issue;

/// Text, with the issues of decoding it.
#[wasm_bindgen]
pub struct Decoded {
    text: String,
    issues: String,
    lossless: bool,
}

impl From<sevenbit::Decoded<'_>> for Decoded {
    fn from(decoded: sevenbit::Decoded<'_>) -> Self {
        let (lossless, issues) = (decoded.is_lossless(), issue::json(decoded.issues()));
        Self { text: decoded.into_text().into_owned(), issues, lossless }
    }
}

#[wasm_bindgen]
impl Decoded {
    /// The text; can be taken once.
    pub fn text(&mut self) -> String {
        std::mem::take(&mut self.text)
    }

    /// The issues as JSON; empty if there are none.
    pub fn issues(&self) -> String {
        self.issues.clone()
    }

    /// Whether nothing was lost.
    pub fn lossless(&self) -> bool {
        self.lossless
    }
}
