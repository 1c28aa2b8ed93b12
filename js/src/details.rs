//! The details of a message beyond its structure. Only the module `view` has them (feature `view`).

use wasm_bindgen::prelude::*;

use crate::options::Options;
use crate::parse::Parsed;

/// As JSON a list: the text as a person reads it, the HTML, and what `inspect --json` writes of a message, but its issues. Beside
/// it the octets of the files, one after the other. Nothing if the module is another one.
#[wasm_bindgen]
pub fn details(octets: &[u8], options: &Options, nul: bool) -> Option<Parsed> {
    #[cfg(feature = "view")]
    return Some(found(&crate::parse::message(octets, options, nul)));
    #[cfg(not(feature = "view"))]
    {
        let _ = (octets, options, nul);
        None
    }
}

#[cfg(feature = "view")]
fn found(message: &sevenbit::Message<'_>) -> Parsed {
    let mut contents = Vec::new();
    for file in message.attachments() {
        contents.extend_from_slice(&file.octets());
    }
    let data = sevenbit::MessageData::of(message).issues(false);
    Parsed::new(crate::issue::to_json(&(message.text(), message.html(|_| None), data)), contents)
}
