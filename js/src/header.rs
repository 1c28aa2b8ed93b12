//! The text of header fields, and the names of IMAP mailboxes.

use wasm_bindgen::prelude::*;

use crate::decoded::Decoded;

/// The text of a field's value.
#[wasm_bindgen(js_name = decodeHeader)]
pub fn decode_header(value: &[u8]) -> Decoded {
    sevenbit::decode_header(value).into()
}

/// Text as a field's value.
#[wasm_bindgen(js_name = encodeHeader)]
pub fn encode_header(text: &str) -> String {
    sevenbit::encode_header(text).into_owned()
}

/// The text of a mailbox name.
#[wasm_bindgen(js_name = decodeMailboxName)]
pub fn decode_mailbox_name(name: &[u8]) -> Decoded {
    sevenbit::mailbox_name::decode(name).into()
}

/// Text as a mailbox name.
#[wasm_bindgen(js_name = encodeMailboxName)]
pub fn encode_mailbox_name(name: &str) -> String {
    sevenbit::mailbox_name::encode(name).into_owned()
}
