//! Content transfer encodings: which one, and to and from it.

#![allow(unused_imports, reason = "the message layer takes them")]

mod choose;
mod encoding;
mod survey;

pub(crate) use choose::{Content, choose, choose_encoded};
pub(crate) use encoding::{Spelling, TransferEncoding};
pub(crate) use survey::{LINE_LIMIT, LineEnds, Survey};
