//! The messages of an mbox file.

use std::io::Cursor;

use sevenbit::mbox::{Dialect, Mbox};
use wasm_bindgen::prelude::*;

/// The messages of an mbox file, one at a time.
#[wasm_bindgen]
pub struct Mails(Mbox<Cursor<Vec<u8>>>);

#[wasm_bindgen]
impl Mails {
    /// The messages of a file.
    #[wasm_bindgen(constructor)]
    pub fn new(file: Vec<u8>) -> Self {
        Self(Mbox::new(Cursor::new(file), Dialect::Auto))
    }

    /// The next message.
    pub fn next(&mut self) -> Option<Vec<u8>> {
        let mail = self.0.next()?.expect("reading from memory does not fail");
        Some(mail.into_parts().1)
    }
}

/// Whether a file contains several messages of an mbox.
#[wasm_bindgen(js_name = isMbox)]
pub fn is_mbox(file: &[u8]) -> bool {
    sevenbit::mbox::holds_several(file).expect("reading from memory does not fail")
}
