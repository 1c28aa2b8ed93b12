//! Charsets by their labels.

use serde::Serialize;
use sevenbit::{Charset, CodeUnits};
use wasm_bindgen::prelude::*;

use crate::decoded::Decoded;
use crate::issue::to_json;

/// A charset as JavaScript sees it.
#[derive(Serialize)]
struct Row {
    name: &'static str,
    aliases: &'static [&'static str],
    readable: bool,
}

/// The name of the charset that a label means, even if it is misspelt.
#[wasm_bindgen(js_name = charsetName)]
pub fn charset_name(label: &str) -> Option<String> {
    Some(meant(label)?.name().to_owned())
}

/// Every charset that is known, as JSON.
#[wasm_bindgen]
pub fn charsets() -> String {
    let row = |charset: Charset| Row {
        name: charset.name(),
        aliases: charset.aliases(),
        readable: charset.is_decodable(),
    };
    to_json(&Charset::all().map(row).collect::<Vec<_>>())
}

/// Octets as text if all of them are well-formed; none otherwise, or if the charset cannot be read.
#[wasm_bindgen(js_name = decodeLossless)]
pub fn decode_lossless(octets: &[u8], label: &str) -> Option<String> {
    Some(meant(label)?.decode_strict(octets).ok()?.into_owned())
}

/// Octets as the code units of UTF-16 if all of them are well-formed, and not US-ASCII; none otherwise.
#[wasm_bindgen(js_name = decodeUnits)]
pub fn decode_units(octets: &[u8], label: &str) -> Option<Vec<u16>> {
    match meant(label)?.decode_code_units(octets)? {
        CodeUnits::Utf16(units) => Some(units),
        CodeUnits::Ascii(_) => None,
    }
}

/// Octets as text; none if the charset cannot be read.
#[wasm_bindgen]
pub fn decode(octets: &[u8], label: &str) -> Option<Decoded> {
    let charset = meant(label).filter(|charset| charset.is_decodable())?;
    Some(charset.decode(octets).into())
}

/// The code units of UTF-16 as octets, in a charset that is a table; none in others, if a surrogate is alone, or if the
/// charset lacks a character or is not known.
#[wasm_bindgen(js_name = encodeUnits)]
pub fn encode_units(units: &[u16], label: &str) -> Option<Vec<u8>> {
    meant(label)?.encode_code_units(units)
}

/// Text as octets.
///
/// # Errors
/// Describes what is wrong, and at which octet of the text in UTF-8.
#[wasm_bindgen]
pub fn encode(text: &str, label: &str) -> Result<Vec<u8>, String> {
    let charset = meant(label).filter(|charset| charset.is_encodable());
    let charset = charset.ok_or_else(|| format!("charset not known: {label}"))?;
    charset.encode(text).map(Into::into).map_err(|error| error.to_string())
}

/// The name of the charset that text without a label seems to be in.
#[wasm_bindgen]
pub fn detect(octets: &[u8]) -> String {
    Charset::detect(octets).name().to_owned()
}

fn meant(label: &str) -> Option<Charset> {
    Charset::for_label_lenient(label).map(|(charset, _)| charset)
}
