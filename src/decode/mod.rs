//! Header octets in, text out.

mod controls;
mod encoded_value;
mod evidence;
mod lossless;
mod mailbox;
mod parameter;
mod parameter_texts;
mod phrase;
mod text;
mod transfer_encoding;
mod unlabelled;
mod wanted;
mod word;

use crate::Decoded;

pub(crate) use controls::{Nul, without_controls};
pub(crate) use encoded_value::{encoded_value, is_encoded_value};
pub(crate) use evidence::{
    add_unlabelled, guess_of_value_beside, guess_of_values, may_hold_unlabelled, text_guessing,
};
pub(crate) use lossless::{is_text_in, lossless_text};
pub(crate) use mailbox::{Address, addresses, mailboxes, words_text};
pub(crate) use parameter::{Parameter, Parameters, held_controls, of_list};
pub(crate) use parameter_texts::ParameterTexts;
pub(crate) use phrase::{Stretch, comment_text, phrase_text, stretches};
pub(crate) use text::{
    Segment, literal_text, raw_text, raw_text_in, segments, text, unfolded_text,
};
pub(crate) use transfer_encoding::transfer_encoding;
pub(crate) use unlabelled::{RawCharset, RawText};
pub(crate) use wanted::{Wanted, decides};
pub(crate) use word::{Word, Words};

/// Reads the value of an unstructured header field: encoded-words decoded, folds undone.
///
/// Raw 8-bit octets are UTF-8 if they can be; otherwise their charset is guessed, and that is
/// reported.
///
/// ```
/// let subject = sevenbit::decode_header(b"=?iso-8859-1?Q?caf=E9?= au\r\n lait");
/// assert_eq!(subject.text(), "caf\u{e9} au lait");
/// ```
pub fn decode_header(value: &[u8]) -> Decoded<'_> {
    text_guessing(value, || RawText::in_value(value))
}
