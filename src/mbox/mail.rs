//! A message in an mbox file.

use std::ops::Range;

/// A message of an mbox file, without its quoting.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mail {
    pub(super) postmark: Vec<u8>,
    pub(super) octets: Vec<u8>,
    pub(super) start: u64,
    pub(super) span: Range<u64>,
    pub(super) is_whole: bool,
}

impl Mail {
    /// Returns its `From ` line with its line end; empty if there is none, which only the first
    /// message of a file may lack.
    #[must_use]
    pub fn postmark(&self) -> &[u8] {
        &self.postmark
    }

    /// Returns the message without its `From ` line, quoting undone; if it is longer than
    /// [`Mbox::limit`], its beginning.
    ///
    /// [`Mbox::limit`]: super::Mbox::limit
    #[must_use]
    pub fn octets(&self) -> &[u8] {
        &self.octets
    }

    /// Returns [`postmark`](Self::postmark) and [`octets`](Self::octets), without copying.
    #[must_use]
    pub fn into_parts(self) -> (Vec<u8>, Vec<u8>) {
        (self.postmark, self.octets)
    }

    /// Returns where its `From ` line begins in the file; 0 if there is none. The byte range that
    /// holds this octet owns the message.
    #[must_use]
    pub fn start(&self) -> u64 {
        self.start
    }

    /// Returns where the returned octets are in the file, including their quoting, without the
    /// `From ` line.
    #[must_use]
    pub fn span(&self) -> Range<u64> {
        self.span.clone()
    }

    /// Returns whether this is the whole message: if not, [`Mbox::rest`] reads what follows.
    ///
    /// [`Mbox::rest`]: super::Mbox::rest
    #[must_use]
    pub fn is_whole(&self) -> bool {
        self.is_whole
    }
}
