//! The words by which options are named. `lib/options.ts` has the same ones as types.

use sevenbit::{Limits, Markup, Normalizer, Profile, Signed, TextEncoding, Undecodable, Unlabelled};
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

    /// Sets the option of that name to the value of a word; false if there is no such option or word.
    pub fn choose(&mut self, name: &str, word: &str) -> bool {
        let to = self.normalizer.clone();
        self.normalizer = match (name, word) {
            ("profile", "archive") => to.profile(Profile::Archive),
            ("profile", "transport") => to.profile(Profile::Transport),
            ("signed", "break") => to.signed(Signed::Break),
            ("signed", "refuse") => to.signed(Signed::Refuse),
            ("undecodable", "keep") => to.undecodable(Undecodable::Keep),
            ("undecodable", "replace") => to.undecodable(Undecodable::Replace),
            ("unlabelled", "keep") => to.unlabelled(Unlabelled::Keep),
            ("unlabelled", "guess") => to.unlabelled(Unlabelled::Guess),
            ("markup", "rewrite") => to.markup(Markup::Rewrite),
            ("markup", "keep") => to.markup(Markup::Keep),
            ("textEncoding", "mime") => to.text_encoding(TextEncoding::Mime),
            ("textEncoding", "utf-7") => to.text_encoding(TextEncoding::Utf7),
            _ => return false,
        };
        true
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
