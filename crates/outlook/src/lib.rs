//! A MAPI message, out of `winmail.dat`, `.msg` or `.pst`, as a MIME message.
//!
//! | to | use |
//! |---|---|
//! | hold a message as Outlook keeps it: properties, recipients, attachments | [`Message`] |
//! | read the messages of a `.pst` or `.ost`, folder by folder | [`Store`] |
//!
//! Any octets give an answer and a list of faults, never a panic.
#![forbid(unsafe_code)]
#![deny(missing_docs, missing_debug_implementations)]

mod fault;
mod model;
pub mod pst;
pub mod tags;

pub use self::fault::Fault;
pub use self::model::{
    Attachment, Content, Guid, Message, Name, Names, Properties, PropertyName, Value, kinds,
};
pub use self::pst::Store;
