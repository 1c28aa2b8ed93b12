#![doc = include_str!("../README.md")]
#![forbid(unsafe_code)]
#![deny(missing_docs)]

mod ascii;
mod decoded;
mod error;
mod issue;

mod codec;

mod charset;
mod transfer;

mod syntax;

mod decode;
mod encode;

mod message;

pub use charset::{Charset, Decoder, Encoder, Spelling, Substitution};
pub use codec::malformed::Malformed;
pub use codec::{mailbox_name, utf7, utf8, utf16};
pub use decode::decode_header;
pub use decoded::Decoded;
pub use encode::encode_header;
pub use error::Error;
pub use issue::{Code, Issue, Rule, Severity, Span};
pub use message::{
    Edit, Limits, Mailbox, Markup, Message, Normalized, Normalizer, Part, Plan, Profile, Report, Signed,
    TextEncoding, Undecodable, normalize,
};
