//! One file per subject; each adds its rows to the table.

mod hostile;
mod messages;
mod names;
mod scale;
mod transfer;
mod utf16;
mod utf7;
mod words;

use std::path::Path;

use crate::table::Table;

/// Octets of text for a codec: few enough to stay in the nearest cache, enough for start-up not to
/// count.
const TEXT: usize = 64 << 10;

const ENCODIFY: &str = "encodify 1.0.2";
const MAIL_PARSER: &str = "mail-parser 1.0.1";
const MAIL_BUILDER: &str = "mail-builder 2.0.1";

/// `corpora`: where real mail is.
pub fn all(corpora: &Path, table: &mut Table) {
    messages::rows(corpora, table);
    utf7::rows(table);
    names::rows(table);
    transfer::rows(table);
    words::rows(table);
    utf16::rows(table);
    scale::rows(table);
    hostile::rows(table);
}
