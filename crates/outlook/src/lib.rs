//! A MAPI message, out of `winmail.dat`, `.msg` or `.pst`, as a MIME message.
//!
//! | to | use |
//! |---|---|
//! | read a `.msg` or `.oft` | [`Message::read_msg`] |
//! | hold a message as Outlook keeps it: properties, recipients, attachments | [`Message`] |
//! | read the messages of a `.pst` or `.ost`, folder by folder | [`Store`] |
//! | make it mail | [`Message::compose`] |
//!
//! Any octets give an answer and a list of faults, never a panic. What is composed is a message
//! with UTF-8 in its header; `sevenbit::Normalizer` makes it 7-bit safe, as it does any other.
#![forbid(unsafe_code)]
#![deny(missing_docs, missing_debug_implementations)]

mod characters;
mod code_pages;
mod compose;
mod fault;
mod model;
mod msg;
pub mod pst;
mod rtf;
pub mod tags;

pub use self::characters::{Basis, Choice};
pub use self::compose::Composed;
pub use self::fault::Fault;
pub use self::model::{
    Attachment, Content, Guid, Message, Name, Names, Properties, PropertyName, Value, kinds,
};
pub use self::msg::MsgError;
pub use self::pst::Store;
