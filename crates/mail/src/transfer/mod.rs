//! Content transfer encodings: their names, the choice of one, decoding.

mod body;
mod choose;
mod counted;
mod encoding;
mod line_ends;
mod line_output;
mod survey;

pub use body::decode;
pub use choose::choose_encoded;
pub use counted::{counted, counted_with_lf};
pub use encoding::{NameSpelling, TransferEncoding};
pub use line_ends::{cr_as_lf, lf_as_crlf, lines, to_crlf};
pub use line_output::LineOutput;
pub use survey::{LineEnds, Survey, has_bare_line_end};
