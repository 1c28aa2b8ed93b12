//! The connections on both sides of a conversation, which may be encrypted from some octet on (RFC
//! 3207).

use std::io::{self, Read, Write};

/// A connection.
pub trait Channel: Read + Write {
    /// Whether it can be encrypted, and is not yet.
    fn can_be_secured(&self) -> bool {
        false
    }

    /// Encrypts all that follows.
    ///
    /// # Errors
    /// The other side does not agree; it cannot be encrypted.
    fn secure(&mut self) -> io::Result<()> {
        Err(io::ErrorKind::Unsupported.into())
    }

    /// Returns whether the other side has said something unasked, which a server does to end the
    /// connection, or has ended it.
    fn has_ended(&self) -> bool {
        false
    }

    /// Whether no one on the way can read it: it is encrypted, or does not leave this machine.
    fn is_private(&self) -> bool {
        false
    }
}
