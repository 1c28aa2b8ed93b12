//! The details of a message beyond its structure. Only the module `view` has them (feature `view`).

use wasm_bindgen::prelude::*;

use crate::options::Options;
use crate::parse::Parsed;

/// As JSON a list: the text as a person reads it, the HTML, and what `inspect --json` writes of a message. Beside it the octets of
/// the files, one after the other. Of all that only what is among `keys`, words with commas between: `text`, `html`, and those of
/// `inspect --json`. Nothing if the module is another one.
#[wasm_bindgen]
pub fn details(octets: &[u8], options: &Options, nul: bool, keys: &str) -> Option<Parsed> {
    #[cfg(feature = "view")]
    return Some(found(
        &crate::parse::message(octets, options, nul),
        &keys.split(',').collect::<Vec<_>>(),
    ));
    #[cfg(not(feature = "view"))]
    {
        let _ = (octets, options, nul, keys);
        None
    }
}

#[cfg(feature = "view")]
fn found(message: &sevenbit::Message<'_>, keys: &[&str]) -> Parsed {
    let wants = |key| keys.contains(&key);
    let files = if wants("attachments") { message.attachments() } else { Vec::new() };
    let mut contents = Vec::new();
    for file in &files {
        contents.extend_from_slice(&file.octets());
    }
    let text = wants("text").then(|| message.text());
    let html = if wants("html") { message.html(|_| None) } else { None };
    let data = sevenbit::MessageData::of(message).only(keys);
    Parsed::new(crate::issue::to_json(&(text, html, data)), contents)
}
