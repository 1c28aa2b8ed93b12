//! Where encoders put what they write: a stream, or nowhere but a count.

use std::io::{self, Write};

/// Takes octets in order.
pub(crate) trait Sink {
    /// Why it may take no more.
    type Error;

    fn put(&mut self, octets: &[u8]) -> Result<(), Self::Error>;
}

/// Counts octets up to a limit.
pub(crate) struct Counter {
    pub(crate) octets: usize,
    pub(crate) limit: usize,
}

/// More octets than the limit of a [`Counter`].
pub(crate) struct Exceeded;

impl Sink for Counter {
    type Error = Exceeded;

    #[inline]
    fn put(&mut self, octets: &[u8]) -> Result<(), Exceeded> {
        self.octets += octets.len();
        if self.octets > self.limit { Err(Exceeded) } else { Ok(()) }
    }
}

/// Gathers octets before they go to a writer.
pub(crate) struct Stream<W: Write> {
    buffer: Vec<u8>,
    output: W,
}

impl<W: Write> Stream<W> {
    /// What is gathered before it is written.
    const OCTETS: usize = 64 * 1024;

    pub(crate) fn new(output: W) -> Self {
        Self { buffer: Vec::with_capacity(Self::OCTETS), output }
    }

    /// Writes what is left.
    pub(crate) fn finish(mut self) -> io::Result<()> {
        self.output.write_all(&self.buffer)
    }
}

impl<W: Write> Sink for Stream<W> {
    type Error = io::Error;

    #[inline]
    fn put(&mut self, octets: &[u8]) -> io::Result<()> {
        if self.buffer.len() + octets.len() > Self::OCTETS {
            self.output.write_all(&self.buffer)?;
            self.buffer.clear();
            if octets.len() > Self::OCTETS {
                return self.output.write_all(octets);
            }
        }
        self.buffer.extend_from_slice(octets);
        Ok(())
    }
}
