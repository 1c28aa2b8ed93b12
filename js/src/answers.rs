//! Answers about a text, a name, a whole message. Only the module `view` has them.

use std::path::Path;

use sevenbit_store::{HEAD, Recognised, recognise as recognise_file};
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

/// The message with the parts that are in a `winmail.dat`; none if there is no such part.
#[wasm_bindgen(js_name = unpackTnef)]
pub fn unpack_tnef(message: &[u8]) -> Option<Vec<u8>> {
    sevenbit::UnpackedTnef::of(message).map(|unpacked| unpacked.octets().to_vec())
}

/// A message of Outlook (`.msg`, `.oft`) as mail; none if the octets are no such file, or one that cannot be read.
#[wasm_bindgen(js_name = outlookMessage)]
pub fn outlook_message(file: &[u8]) -> Option<Vec<u8>> {
    Some(sevenbit_outlook::Message::read_msg(file).ok()?.compose().into_octets())
}

/// What a file is: a class in one word, a tabulator, and its kind in words for people.
#[wasm_bindgen]
pub fn recognise(file: &[u8], name: &str) -> String {
    let found = recognise_file(&file[..file.len().min(HEAD)], Path::new(name));
    let class = match found {
        Recognised::Message | Recognised::Emlx => "message",
        Recognised::Mailbox(_) => "mailbox",
        Recognised::Wrapping(_) => "wrapping",
        Recognised::Outlook(_) => "outlook",
        Recognised::NoMail(_) => "other",
    };
    format!("{class}\t{}", found.words())
}
