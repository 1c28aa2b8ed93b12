//! Files of Outlook, in a build without the feature `outlook`: they are named and not read, so that
//! nothing is opened here.

use std::convert::Infallible;
use std::path::Path;

use super::item::{Found, TextCharset};
use super::select::{OutlookMail, Select};
use crate::exit::{Exit, Failure};

/// Why no file of Outlook is read.
const REASON: &str = "is a file of Outlook, which this build does not read (feature `outlook`)";

/// Returns why no message of Outlook is read.
pub fn message(_: &[u8], _: OutlookMail) -> Result<(Vec<u8>, Vec<TextCharset>), String> {
    Err(REASON.to_owned())
}

/// The messages of a store, of which there are none in this build.
pub struct Folders(Infallible);

impl Folders {
    /// Refuses the store at `path`.
    ///
    /// # Errors
    /// This build reads no stores.
    pub fn open(path: &Path, _: &Path, _: &Select) -> Result<Self, Failure> {
        Err(Failure::new(Exit::Refused, path, REASON))
    }
}

impl Iterator for Folders {
    type Item = Result<Found, Failure>;

    fn next(&mut self) -> Option<Self::Item> {
        match self.0 {}
    }
}
