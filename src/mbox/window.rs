//! A stream seen through a window that grows up to what is looked for.

use std::io::{self, Read};

/// How much is read at a time: less than what is processed together, so that little of what one
/// processor reads is split by another.
const CHUNK: usize = 64 << 10;

/// A buffer this large is released once what it was needed for is gone.
const LARGE: usize = 4 << 20;

/// The octets from some offset of a stream on, as many as have been requested.
#[derive(Debug)]
pub(super) struct Window<R> {
    from: R,
    /// Longer than what has been read: room that is filled with zeros once, not for each chunk.
    buffer: Vec<u8>,
    /// Where the window begins in the buffer.
    at: usize,
    /// Where what has been read ends in the buffer.
    end: usize,
    /// Where the window begins in the stream.
    offset: u64,
    ended: bool,
    /// The error that reading ended with after the octets in the buffer.
    failed: Option<io::Error>,
}

impl<R: Read> Window<R> {
    /// Returns the window at the beginning of a stream.
    pub(super) fn new(from: R) -> Self {
        Self { from, buffer: Vec::new(), at: 0, end: 0, offset: 0, ended: false, failed: None }
    }

    /// Sets where in the stream the window begins, before anything is read.
    pub(super) fn set_offset(&mut self, offset: u64) {
        self.offset = offset;
    }

    /// Returns the octets in the window.
    pub(super) fn octets(&self) -> &[u8] {
        &self.buffer[self.at..self.end]
    }

    /// Returns where it begins in the stream.
    pub(super) fn offset(&self) -> u64 {
        self.offset
    }

    /// Opens the window to `wanted` octets, or to the end of the stream, and returns its octets.
    pub(super) fn open_to(&mut self, wanted: usize) -> io::Result<&[u8]> {
        while self.octets().len() < wanted && self.more()? {}
        Ok(self.octets())
    }

    /// Opens the window a chunk further; returns `false` at the end of the stream.
    pub(super) fn more(&mut self) -> io::Result<bool> {
        // Octets before an error are good, and a caller that only looks ahead need not know of it
        // yet.
        if self.failed.is_some() && !self.octets().is_empty() {
            return Ok(false);
        }
        if let Some(error) = self.failed.take() {
            self.ended = true;
            return Err(error);
        }
        if self.ended {
            return Ok(false);
        }
        self.compact();
        // A long message is read in steps that grow with it.
        let chunk = CHUNK.max(self.octets().len() / 2);
        let before = self.end;
        match self.fill(chunk) {
            Err(error) if !self.octets().is_empty() => self.failed = Some(error),
            filled => filled?,
        }
        self.ended = self.end == before;
        Ok(!self.ended)
    }

    /// Reads `octets` octets, fewer only at the end of the stream or before an error.
    fn fill(&mut self, octets: usize) -> io::Result<()> {
        let full = self.end + octets;
        if self.buffer.len() < full {
            self.buffer.resize(full, 0);
        }
        while self.end < full {
            match self.from.read(&mut self.buffer[self.end..full]) {
                Ok(0) => break,
                Ok(octets) => self.end += octets,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Err(error),
            }
        }
        Ok(())
    }

    /// Checks that the stream has ended where nothing more came.
    ///
    /// # Errors
    /// Reading it failed there: what reaches so far may go on.
    pub(super) fn check_end(&mut self) -> io::Result<()> {
        self.failed.take().map_or(Ok(()), Err)
    }

    /// Removes the first `octets` octets from the window, and returns those of them from `start`
    /// on, without copying if there are many.
    pub(super) fn take(&mut self, start: usize, octets: usize) -> Vec<u8> {
        if octets < LARGE {
            let taken = self.octets()[start..octets].to_vec();
            self.advance(octets);
            return taken;
        }
        let rest = self.octets()[octets..].to_vec();
        self.end = rest.len();
        let mut taken = std::mem::replace(&mut self.buffer, rest);
        taken.truncate(self.at + octets);
        taken.drain(..self.at + start);
        self.at = 0;
        self.offset += octets as u64;
        taken
    }

    /// Moves the window over what has been read.
    pub(super) fn advance(&mut self, octets: usize) {
        let octets = octets.min(self.octets().len());
        self.at += octets;
        self.offset += octets as u64;
    }

    fn compact(&mut self) {
        if self.at >= self.octets().len() {
            self.buffer.copy_within(self.at..self.end, 0);
            self.end -= self.at;
            self.at = 0;
            if self.buffer.len() > LARGE && self.end < LARGE / 4 {
                self.buffer.truncate(self.end.max(CHUNK));
                self.buffer.shrink_to_fit();
            }
        }
    }
}
