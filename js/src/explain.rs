//! Everything that the page shows of a message.

use sevenbit::{Normalizer, Profile};
use wasm_bindgen::prelude::*;

use crate::facts::{Facts, SHOWN};
use crate::issue::to_json;

/// The facts about a message, as JSON; `whole` for texts of any length.
#[wasm_bindgen]
pub fn explain(message: &[u8], transport: bool, whole: bool) -> String {
    let profile = if transport { Profile::Transport } else { Profile::Archive };
    let plan = Normalizer::new().profile(profile).plan(message);
    to_json(&Facts::of(message, profile, &plan, if whole { usize::MAX } else { SHOWN }))
}
