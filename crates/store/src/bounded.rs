//! Inputs that unpack to far more than their size: reading them ends with an error.

use std::io::{self, BufRead, Read};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

/// The most that mail may be compressed by: unpacked octets for each packed one.
pub const MAX_RATIO: u64 = 1000;

/// Up to this length, an input may be compressed by any ratio.
pub const FREE: u64 = 1 << 30;

/// A stream that counts the octets read from it.
#[derive(Debug)]
pub struct Metered<R> {
    from: R,
    read: Arc<AtomicU64>,
}

impl<R> Metered<R> {
    /// The stream, and the count.
    pub fn new(from: R) -> (Self, Arc<AtomicU64>) {
        let read = Arc::default();
        (Self { from, read: Arc::clone(&read) }, read)
    }

    fn add(&self, octets: usize) {
        self.read.fetch_add(octets as u64, Relaxed);
    }
}

impl<R: Read> Read for Metered<R> {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        let octets = self.from.read(into)?;
        self.add(octets);
        Ok(octets)
    }
}

impl<R: BufRead> BufRead for Metered<R> {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        self.from.fill_buf()
    }

    fn consume(&mut self, octets: usize) {
        self.add(octets);
        self.from.consume(octets);
    }
}

/// A stream of unpacked octets that is an error once it is too long for what it was packed in.
#[derive(Debug)]
pub struct Bounded<R> {
    from: R,
    given: u64,
    packed: Arc<AtomicU64>,
}

impl<R> Bounded<R> {
    /// `packed` counts what `from` reads.
    pub fn new(from: R, packed: Arc<AtomicU64>) -> Self {
        Self { from, given: 0, packed }
    }
}

impl<R: Read> Read for Bounded<R> {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        let octets = self.from.read(into)?;
        self.given += octets as u64;
        if is_bomb(self.given, self.packed.load(Relaxed)) {
            return Err(bomb());
        }
        Ok(octets)
    }
}

/// Whether these are too many octets for the number that they were packed in.
pub fn is_bomb(unpacked: u64, packed: u64) -> bool {
    unpacked > FREE && unpacked / MAX_RATIO > packed
}

/// The error for such an input, of a kind that no damaged input has.
pub fn bomb() -> io::Error {
    let reason = "it unpacks to more than 1 GiB and more than 1,000 times its size";
    io::Error::new(io::ErrorKind::FileTooLarge, reason)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_is_both_long_and_much_longer_is_a_bomb() {
        for (unpacked, packed, bomb) in [
            (FREE, 0, false),
            (FREE + 1, 0, true),
            (FREE + 1, FREE / MAX_RATIO - 1, true),
            (FREE + 1, FREE / MAX_RATIO + 1, false),
        ] {
            assert_eq!(is_bomb(unpacked, packed), bomb, "{unpacked} of {packed}");
        }
    }

    #[test]
    fn a_stream_ends_where_it_is_too_long() {
        let (from, read) = Metered::new(io::repeat(0).take(10));
        let mut bounded = Bounded::new(from.chain(io::repeat(0)), read);
        let copied = io::copy(&mut bounded, &mut io::sink());
        assert_eq!(copied.map_err(|error| error.kind()), Err(io::ErrorKind::FileTooLarge));
    }
}
