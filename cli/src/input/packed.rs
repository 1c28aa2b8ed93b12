//! Streams that may be compressed.

use std::fmt;
use std::fs::File;
use std::io::{self, BufRead, BufReader, Chain, Cursor, Read};
use std::path::Path;

use flate2::bufread::MultiGzDecoder;
use ruzstd::decoding::{FrameDecoder, StreamingDecoder};

use super::bounded::{Bounded, Metered};

/// How many octets identify what a stream is packed with.
const MAGIC: u64 = 4;

/// How many octets are read to find out what a stream is.
const LOOK: usize = 4096;

/// The compression of a file.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Packing {
    /// None.
    #[default]
    None,
    /// gzip.
    Gz,
    /// Zstandard.
    Zst,
}

impl Packing {
    /// The compression of a file of this name.
    pub fn of_name(path: &Path) -> Self {
        match path.extension().and_then(|extension| extension.to_str()) {
            Some("gz" | "tgz") => Self::Gz,
            Some("zst" | "tzst") => Self::Zst,
            _ => Self::None,
        }
    }

    /// The compression of a stream that begins with `octets`.
    pub fn of_octets(octets: &[u8]) -> Self {
        match octets {
            [0x1F, 0x8B, ..] => Self::Gz,
            [0x28, 0xB5, 0x2F, 0xFD, ..] => Self::Zst,
            _ => Self::None,
        }
    }
}

/// A stream and its first octets, unpacked.
pub struct Unpacked {
    /// How it was packed.
    pub packing: Packing,
    /// Its first octets.
    pub first: Vec<u8>,
    remainder: Box<dyn Read + Send>,
}

impl fmt::Debug for Unpacked {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Unpacked").field("packing", &self.packing).finish_non_exhaustive()
    }
}

/// A stream that is being unpacked.
pub type Unpacking = Chain<Cursor<Vec<u8>>, Box<dyn Read + Send>>;

impl Unpacked {
    /// Reads on, until this many octets are available or the stream ends.
    ///
    /// # Errors
    /// Those of the stream.
    pub fn look_on(&mut self, octets: usize) -> io::Result<&[u8]> {
        let wanted = octets.saturating_sub(self.first.len()) as u64;
        self.remainder.by_ref().take(wanted).read_to_end(&mut self.first)?;
        Ok(&self.first)
    }

    /// All of it.
    pub fn into_stream(self) -> Unpacking {
        Cursor::new(self.first).chain(self.remainder)
    }
}

/// Opens a file, packed or not.
///
/// # Errors
/// The file cannot be read, or is not packed as it seems to be.
pub fn open(path: &Path) -> io::Result<Unpacked> {
    unpack(File::open(path)?)
}

/// Unpacks a stream if it is packed.
///
/// # Errors
/// The stream cannot be read, or is not packed as it seems to be.
pub fn unpack(from: impl Read + Send + 'static) -> io::Result<Unpacked> {
    let mut from = BufReader::with_capacity(256 << 10, from);
    // A pipe may give one octet at a time.
    let mut magic = Vec::new();
    from.by_ref().take(MAGIC).read_to_end(&mut magic)?;
    let packing = Packing::of_octets(&magic);
    let (from, read) = Metered::new(Cursor::new(magic).chain(from));
    let remainder: Box<dyn Read + Send> = match packing {
        Packing::None => Box::new(from),
        Packing::Gz => Box::new(Bounded::new(MultiGzDecoder::new(from), read)),
        Packing::Zst => Box::new(Bounded::new(Frames(State::Between(from)), read)),
    };
    let mut found = Unpacked { packing, first: Vec::new(), remainder };
    found.look_on(LOOK)?;
    Ok(found)
}

/// The frames of a zst file, one after the other.
struct Frames<R: BufRead>(State<R>);

enum State<R: BufRead> {
    Between(R),
    Within(Box<StreamingDecoder<R, FrameDecoder>>),
    Ended,
}

impl<R: BufRead> Read for Frames<R> {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        loop {
            match std::mem::replace(&mut self.0, State::Ended) {
                State::Ended => return Ok(0),
                State::Between(mut from) => {
                    if !from.fill_buf()?.is_empty() {
                        self.0 =
                            State::Within(Box::new(StreamingDecoder::new(from).map_err(io::Error::other)?));
                    }
                }
                State::Within(mut frame) => match frame.read(into)? {
                    0 if !into.is_empty() => self.0 = State::Between(frame.into_inner()),
                    length => {
                        self.0 = State::Within(frame);
                        return Ok(length);
                    }
                },
            }
        }
    }
}
