//! What the texts of a message may read as. Only modules with the feature `repair` have it.

use sevenbit::{Message, TextReadings};
use wasm_bindgen::prelude::*;

use crate::issue::to_json;

/// The readings of each text of a message, as JSON.
#[wasm_bindgen]
pub fn readings(message: &[u8]) -> String {
    to_json(&TextReadings::of_message(&Message::parse(message)))
}
