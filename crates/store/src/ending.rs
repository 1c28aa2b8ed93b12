//! Streams that end where their octets are damaged, so that what comes before is not lost.
//!
//! A reader of mailboxes gives a message when it has seen its end. An error in the stream would
//! take away the last message, which may be whole: often only a checksum after it is wrong.

use std::io::{self, Read, Seek, SeekFrom};
use std::sync::{Arc, Mutex, PoisonError};

/// A stream that ends where its octets are damaged. Every other error remains one.
///
/// ```
/// use std::io::{self, Read};
/// use sevenbit_store::ending::Ending;
///
/// let octets = &b"too few octets for a gz file"[..];
/// let (mut stream, damage) = Ending::new(sevenbit_store::packed::unpack(octets)?.into_stream());
/// io::copy(&mut stream, &mut io::sink())?;
/// assert!(damage.take().is_none(), "they are not packed at all");
/// # io::Result::Ok(())
/// ```
#[derive(Debug)]
pub struct Ending<R> {
    from: R,
    damage: Damage,
}

/// The damage at which a stream ended, if there was any.
#[derive(Clone, Debug, Default)]
pub struct Damage(Arc<Mutex<Option<io::Error>>>);

impl Damage {
    /// Returns the damage once; nothing if the stream was whole, or has not ended.
    #[must_use]
    pub fn take(&self) -> Option<io::Error> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).take()
    }
}

impl<R> Ending<R> {
    /// Returns the stream, and the damage that will have ended it.
    pub fn new(from: R) -> (Self, Damage) {
        let damage = Damage::default();
        (Self { from, damage: damage.clone() }, damage)
    }
}

impl<R: Read> Read for Ending<R> {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        let mut damage = self.damage.0.lock().unwrap_or_else(PoisonError::into_inner);
        if damage.is_some() {
            return Ok(0);
        }

        match self.from.read(into) {
            Err(error) if is_damage(&error) => {
                *damage = Some(error);
                Ok(0)
            }
            read => read,
        }
    }
}

impl<R: Seek> Seek for Ending<R> {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        self.from.seek(to)
    }
}

/// Returns whether an error is one of octets that are wrong or missing: what comes before them may
/// be used, and trying again would not help. An error of the system may pass; a stream that is
/// [too long for its size](crate::bounded) is not to be used at all.
#[must_use]
pub fn is_damage(error: &io::Error) -> bool {
    use io::ErrorKind::{InvalidData, InvalidInput, Other, UnexpectedEof, Unsupported};
    let is_known =
        matches!(error.kind(), InvalidData | InvalidInput | Other | UnexpectedEof | Unsupported);
    is_known && error.raw_os_error().is_none()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bounded::bomb;

    /// A stream of these octets and this error.
    struct Failing(&'static [u8], Option<io::Error>);

    impl Read for Failing {
        fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
            match self.0.read(into)? {
                0 => self.1.take().map_or(Ok(0), Err),
                length => Ok(length),
            }
        }
    }

    #[test]
    fn damage_is_the_end_and_every_other_error_is_one() {
        let damaged = || io::Error::new(io::ErrorKind::InvalidData, "a wrong checksum");
        let outage = || io::Error::from_raw_os_error(5);
        for (error, is_the_end) in [(damaged(), true), (outage(), false), (bomb(), false)] {
            let (mut stream, damage) = Ending::new(Failing(b"octets", Some(error)));
            let mut read = Vec::new();
            let ended = stream.read_to_end(&mut read);
            assert_eq!(read, b"octets");
            assert_eq!((ended.is_ok(), damage.take().is_some()), (is_the_end, is_the_end));
        }
    }
}
