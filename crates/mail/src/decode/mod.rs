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

pub use controls::{Nul, without_controls};
pub use encoded_value::{encoded_value, is_encoded_value};
pub use evidence::{
    add_unlabelled, guess_of_value_beside, guess_of_values, may_hold_unlabelled, text_guessing,
};
pub use lossless::{is_text_in, lossless_text};
pub use mailbox::{Address, addresses, mailboxes, words_text};
pub use parameter::{Parameter, Parameters, held_controls, of_list};
pub use parameter_texts::ParameterTexts;
pub use phrase::{Stretch, comment_text, phrase_text, stretches};
pub use text::{Segment, literal_text, raw_text, raw_text_in, segments, text, unfolded_text};
pub use transfer_encoding::transfer_encoding;
pub use unlabelled::{RawCharset, RawText};
pub use wanted::{Wanted, decides};
pub use word::{Word, Words};
