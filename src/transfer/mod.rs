//! Content transfer encodings: their names, the choice of one, decoding.

mod choose;
mod counted;
mod encoding;
mod line_ends;
mod line_output;
mod survey;

pub(crate) use choose::choose_encoded;
pub(crate) use counted::{counted, counted_with_lf};
pub(crate) use encoding::{NameSpelling, TransferEncoding};
pub(crate) use line_ends::{cr_as_lf, lf_as_crlf, lines, to_crlf};
pub(crate) use line_output::LineOutput;
pub(crate) use survey::{LineEnds, Survey, has_bare_line_end};
