//! A stream seen through a window that grows up to what is looked for.

use std::io::{self, Read};

/// How much is read at a time: less than what is processed together, so that little of what one
/// processor reads is split by another.
const CHUNK: usize = 64 << 10;

/// How much is read at first: most streams that are only looked at are no longer.
const FIRST_CHUNK: usize = 4 << 10;

/// A buffer this large is released once what it was needed for is gone.
const LARGE: usize = 4 << 20;

/// The octets from some offset of a stream on, as many as have been requested.
#[derive(Debug)]
pub(super) struct Window<R> {
    from: R,
    buffer: Vec<u8>,
    /// What is read goes through here: a reader writes into octets that are there already, and
    /// making them in the buffer each time would cost more than to copy what was read.
    chunk: Box<[u8]>,
    /// Where the window begins in the buffer.
    at: usize,
    /// Where the window begins in the stream.
    offset: u64,
    ended: bool,
    /// The error that reading ended with after the octets in the buffer.
    failed: Option<io::Error>,
}

impl<R: Read> Window<R> {
    /// Returns the window at the beginning of a stream.
    pub(super) fn new(from: R) -> Self {
        let (buffer, chunk) = (Vec::new(), Box::default());
        Self { from, buffer, chunk, at: 0, offset: 0, ended: false, failed: None }
    }

    /// Sets where in the stream the window begins, before anything is read.
    pub(super) fn set_offset(&mut self, offset: u64) {
        self.offset = offset;
    }

    /// Returns the octets in the window.
    pub(super) fn octets(&self) -> &[u8] {
        &self.buffer[self.at..]
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
        let before = self.buffer.len();
        // A long message is read in steps that grow with it.
        match self.read(CHUNK.max(self.octets().len() / 2)) {
            Err(error) if !self.octets().is_empty() => self.failed = Some(error),
            read => read?,
        }
        self.ended = self.buffer.len() == before;
        Ok(!self.ended)
    }

    /// Reads so many octets into the buffer, or as many as come before the end or an error.
    fn read(&mut self, mut octets: usize) -> io::Result<()> {
        let mut is_filled = self.chunk.is_empty();
        while octets > 0 {
            if is_filled && self.chunk.len() < CHUNK {
                self.chunk = vec![0; (4 * self.chunk.len()).max(FIRST_CHUNK)].into();
            }
            let length = octets.min(self.chunk.len());
            let chunk = &mut self.chunk[..length];
            match self.from.read(chunk) {
                Ok(0) => break,
                Ok(read) => {
                    self.buffer.extend_from_slice(&chunk[..read]);
                    octets -= read;
                    is_filled = read == length;
                }
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
            self.buffer.drain(..self.at);
            self.at = 0;
            if self.buffer.capacity() > LARGE && self.buffer.len() < LARGE / 4 {
                self.buffer.shrink_to(CHUNK);
            }
        }
    }
}
