//! The options of the library by their names in JavaScript. `lib/options.ts` has their words as types.

use sevenbit::{Charset, Limits, Normalizer};
use wasm_bindgen::prelude::*;

/// The options by which messages are treated.
#[wasm_bindgen]
#[derive(Clone, Default)]
pub struct Options {
    normalizer: Normalizer,
    limits: Limits,
}

impl Options {
    pub fn normalizer(&self) -> Normalizer {
        self.normalizer.clone().limits(self.limits)
    }

    pub fn limits(&self) -> Limits {
        self.limits
    }
}

#[wasm_bindgen]
impl Options {
    /// The default options.
    #[wasm_bindgen(constructor)]
    pub fn new() -> Self {
        Self::default()
    }

    /// Sets the option of that name (`textEncoding`) to the value of a word; false if there is no such option or word, or
    /// if the module does not know what doubtful text is.
    pub fn choose(&mut self, name: &str, word: &str) -> bool {
        let is_there = name != "doubtful" || cfg!(feature = "repair");
        is_there && self.normalizer.set(&with_dashes(name), word).is_ok()
    }

    /// Sets the charset that a person has chosen; false if the label means none that can be read.
    #[wasm_bindgen(js_name = readAs)]
    pub fn read_as(&mut self, label: &str) -> bool {
        let charset = Charset::for_label_lenient(label).map(|(charset, _)| charset);
        let charset = charset.filter(|charset| charset.is_decodable());
        self.normalizer = self.normalizer.clone().read_as(charset);
        charset.is_some()
    }

    /// Sets the limit of that name; false if there is none.
    pub fn limit(&mut self, name: &str, at: u32) -> bool {
        let at = at as usize;
        match name {
            "depth" => self.limits.depth = at,
            "parts" => self.limits.parts = at,
            "headerOctets" => self.limits.header_octets = at,
            _ => return false,
        }
        true
    }
}

/// Writes a name of JavaScript as the library has it: `textEncoding` as `text-encoding`.
fn with_dashes(name: &str) -> String {
    let mut written = String::with_capacity(name.len() + 2);
    for character in name.chars() {
        if character.is_ascii_uppercase() {
            written.push('-');
        }
        written.push(character.to_ascii_lowercase());
    }
    written
}
