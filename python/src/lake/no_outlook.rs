//! Files of Outlook, in a build without the feature `outlook`: refused by name.

use std::io::{Read, Seek};

use super::source::Mails;
use crate::outlook::REASON;

/// Why a message of Outlook is not read.
pub fn message(file: &[u8]) -> Result<(Vec<u8>, Option<String>), String> {
    let _ = file;
    Err(REASON.to_owned())
}

/// Why a store of Outlook is not read.
pub fn messages(file: impl Read + Seek, most_octets: usize) -> Result<Mails, String> {
    let _ = (file, most_octets);
    Err(REASON.to_owned())
}
