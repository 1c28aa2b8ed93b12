//! Content transfer encodings: their names, the choice of one, decoding.

mod choose;
mod encoding;
mod survey;

pub(crate) use choose::choose_encoded;
pub(crate) use encoding::{NameSpelling, TransferEncoding};
pub(crate) use survey::{LineEnds, Survey, has_bare_line_end};
