//! Answers about a text or a name. Only the module `view` has them.

use wasm_bindgen::prelude::*;

/// Three numbers for each passage of a text: how many code units of UTF-16 it has, how deep it is quoted, and whether it is
/// the signature. JavaScript cuts its own text by them, so that none of it passes the border twice.
#[wasm_bindgen]
pub fn passages(text: &str) -> Vec<u32> {
    let units = |text: &str| text.encode_utf16().count() as u32;
    sevenbit::passages(text)
        .flat_map(|one| [units(one.text()), one.quote_depth() as u32, one.is_signature().into()])
        .collect()
}

/// A name that is safe to store a file under.
#[wasm_bindgen(js_name = safeFileName)]
pub fn safe_file_name(name: &str) -> String {
    sevenbit::safe_file_name(name)
}

/// The subject without `Re:` and its like.
#[wasm_bindgen(js_name = baseSubject)]
pub fn base_subject(subject: &str) -> String {
    sevenbit::base_subject(subject)
}
