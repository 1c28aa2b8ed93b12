//! Files of Outlook, in a build without the feature `outlook`: refused by name.

use std::io::{Read, Seek};
use std::ops::Range;
use std::path::PathBuf;

use pyo3::prelude::*;

use super::source::Mails;
use crate::outlook::REASON;

/// Why a message of Outlook is not read.
pub fn message(file: &[u8]) -> Result<(Vec<u8>, Option<String>), String> {
    let _ = file;
    Err(REASON.to_owned())
}

/// For `sevenbit.lake`: a store of Outlook is not opened in this build, and reading it says why.
#[pyfunction(name = "_messages_in")]
pub fn messages_in(path: PathBuf) -> PyResult<u64> {
    let _ = path;
    Err(std::io::Error::other(REASON).into())
}

/// Why a store of Outlook is not read.
pub fn messages(
    file: impl Read + Seek,
    range: Range<u64>,
    most_octets: usize,
) -> Result<Mails, String> {
    let _ = (file, range, most_octets);
    Err(REASON.to_owned())
}
