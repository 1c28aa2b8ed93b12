//! Zstandard: one frame after another, each block by block, so that a file that was cut gives all
//! that was in whole blocks.
//!
//! ```text
//! frame       = magic header *block [checksum]       ; RFC 8878, 3.1.1
//! block       = 3OCTET *OCTET                        ; its last bit, its type, its size, its content
//! skippable   = magic 4OCTET *OCTET                  ; 3.1.2: its size, its content
//! ```

use std::io::{self, BufRead, Read};
use std::mem;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use ruzstd::decoding::{BlockDecodingStrategy, FrameDecoder};

use super::pieces::{OnPiece, Piece};

/// The frames of a zst file, one after the other.
pub(super) struct Frames<R: BufRead> {
    state: State<R>,
    /// The number of octets that have been unpacked.
    unpacked: u64,
    /// The observer of where frames begin, with the count of what has been read. A frame begins with
    /// those before it that are skipped.
    observer: Option<(Arc<AtomicU64>, OnPiece)>,
}

enum State<R: BufRead> {
    Between(R),
    Within(Box<Frame<R>>),
    Ended,
}

impl<R: BufRead> Frames<R> {
    pub(super) fn new(from: R, observer: Option<(Arc<AtomicU64>, OnPiece)>) -> Self {
        Self { state: State::Between(from), unpacked: 0, observer }
    }
}

impl<R: BufRead> Read for Frames<R> {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        loop {
            match mem::replace(&mut self.state, State::Ended) {
                State::Ended => return Ok(0),
                State::Between(from) => {
                    let packed = self.observer.as_ref().map(|(read, _)| read.load(Relaxed));
                    if let Some(blocks) = Blocks::begin(from)? {
                        let frame = Frame::new(blocks)?;
                        if let (Some((_, observer)), Some(packed)) = (&mut self.observer, packed) {
                            observer(Piece { packed, unpacked: self.unpacked });
                        }
                        self.state = State::Within(Box::new(frame));
                    }
                }
                State::Within(mut frame) => match frame.read(into)? {
                    0 if !into.is_empty() => self.state = State::Between(frame.end()?),
                    length => {
                        self.state = State::Within(frame);
                        self.unpacked += length as u64;
                        return Ok(length);
                    }
                },
            }
        }
    }
}

/// A frame that is being decoded.
struct Frame<R> {
    blocks: Blocks<R>,
    decoder: FrameDecoder,
    /// Whether a block could not be decoded.
    is_damaged: bool,
    /// How many octets were given.
    given: u64,
}

impl<R: Read> Frame<R> {
    fn new(mut blocks: Blocks<R>) -> io::Result<Self> {
        let mut decoder = FrameDecoder::new();
        decoder.init(&mut blocks).map_err(|_| damaged("the header of a frame"))?;
        Ok(Self { blocks, decoder, is_damaged: false, given: 0 })
    }

    /// Decodes another block. One that is damaged is the last: what was decoded before it is given.
    fn advance(&mut self) -> io::Result<()> {
        let one = BlockDecodingStrategy::UptoBlocks(1);
        if self.decoder.decode_blocks(&mut self.blocks, one).is_err() {
            // An error of the stream is one of the stream, not of its octets.
            self.blocks.failed.take().map_or(Ok(()), Err)?;
            self.is_damaged = true;
            let end = [LAST.as_slice(), &[0; 4]].concat();
            let ended = self.decoder.decode_blocks(end.as_slice(), BlockDecodingStrategy::All);
            ended.map_err(|_| damaged("a block"))?;
        }
        Ok(())
    }

    /// Returns the stream after the frame.
    ///
    /// # Errors
    /// The stream ended within the frame, or the frame is damaged.
    fn end(self) -> io::Result<R> {
        if self.is_damaged {
            return Err(damaged("a block"));
        }
        let stated = self.decoder.get_checksum_from_data();
        let is_cut = self.blocks.next == Next::Cut;
        if !is_cut && stated.is_some() && stated != self.decoder.get_calculated_checksum() {
            return Err(io::Error::new(
                io::ErrorKind::InvalidData,
                "the checksum of a frame is wrong",
            ));
        }
        if !is_cut && self.blocks.stated.is_some_and(|stated| stated != self.given) {
            return Err(io::Error::new(
                io::ErrorKind::InvalidData,
                "a frame is not as long as it says",
            ));
        }
        self.blocks.end()
    }
}

impl<R: Read> Read for Frame<R> {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        while self.decoder.can_collect() == 0 && !self.decoder.is_finished() {
            self.advance()?;
        }
        let length = self.decoder.read(into)?;
        self.given += length as u64;
        Ok(length)
    }
}

fn damaged(what: &str) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, format!("{what} is damaged"))
}

/// What the first four octets of a frame say.
pub(super) enum Magic {
    Frame,
    /// A frame without content, to be skipped.
    Skippable,
    Unknown,
}

impl Magic {
    pub(super) fn of(octets: &[u8]) -> Self {
        match octets {
            [0x28, 0xB5, 0x2F, 0xFD] => Self::Frame,
            [0x50..=0x5F, 0x2A, 0x4D, 0x18] => Self::Skippable,
            _ => Self::Unknown,
        }
    }
}

/// The header of a frame.
pub(super) struct Header {
    /// Its octets, the magic included; fewer if the stream was cut within it.
    pub(super) octets: Vec<u8>,
    /// How many of them are the length of the content.
    length_octets: usize,
}

impl Header {
    /// Reads on after the magic.
    pub(super) fn read(from: &mut impl Read, magic: Vec<u8>) -> io::Result<Self> {
        let mut octets = magic;
        fill(from, &mut octets, 1)?;
        let descriptor = octets.get(4).copied().unwrap_or_default();
        let is_single = descriptor & 0x20 != 0;
        let dictionary = [0, 1, 2, 4][usize::from(descriptor & 3)];
        let length_octets = match descriptor >> 6 {
            0 => usize::from(is_single),
            flag => 1 << flag,
        };
        // If it is cut here, the decoder says so.
        fill(from, &mut octets, usize::from(!is_single) + dictionary + length_octets)?;
        Ok(Self { octets, length_octets })
    }

    pub(super) fn has_checksum(&self) -> bool {
        self.octets.get(4).is_some_and(|descriptor| descriptor & 4 != 0)
    }

    /// Returns the length of the content, if the header has it.
    pub(super) fn content_length(&self) -> Option<u64> {
        let start = self.octets.len().checked_sub(self.length_octets)?;
        let stated = self.octets.get(start..).filter(|stated| !stated.is_empty() && start > 4)?;
        let mut octets = [0; 8];
        octets[..stated.len()].copy_from_slice(stated);
        let base = if stated.len() == 2 { 256 } else { 0 };
        u64::from_le_bytes(octets).checked_add(base)
    }
}

/// What the first three octets of a block say.
pub(super) struct Block {
    pub(super) is_last: bool,
    /// How many octets follow.
    pub(super) octets: usize,
}

impl Block {
    pub(super) fn of(head: [u8; 3]) -> Self {
        let head = u32::from_le_bytes([head[0], head[1], head[2], 0]);
        let is_run = head >> 1 & 3 == 1;
        Self { is_last: head & 1 != 0, octets: if is_run { 1 } else { (head >> 3) as usize } }
    }
}

/// A frame whose blocks are given whole. Where the stream ends within one, an empty last block
/// takes its place.
struct Blocks<R> {
    from: R,
    /// The octets of the header, or of a block, that are still to be given.
    piece: io::Cursor<Vec<u8>>,
    next: Next,
    has_checksum: bool,
    /// The length of the content, if the header has it.
    stated: Option<u64>,
    /// The error of the stream, if there was one.
    failed: Option<io::Error>,
}

/// What comes after the piece.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Next {
    Block,
    /// Nothing: the frame is complete.
    End,
    /// Nothing: the stream ended within the frame.
    Cut,
}

/// A block that is the last one, raw, and has no octets.
const LAST: [u8; 3] = [1, 0, 0];

impl<R: Read> Blocks<R> {
    /// Reads the header of the next frame, past those that are to be skipped; nothing at the end of
    /// the stream.
    fn begin(mut from: R) -> io::Result<Option<Self>> {
        loop {
            let mut magic = Vec::new();
            if !fill(&mut from, &mut magic, 4)? && magic.is_empty() {
                return Ok(None);
            }
            match Magic::of(&magic) {
                Magic::Skippable => skip(&mut from)?,
                // What is neither, the decoder refuses.
                Magic::Frame | Magic::Unknown => return Self::frame(from, magic).map(Some),
            }
        }
    }

    fn frame(mut from: R, magic: Vec<u8>) -> io::Result<Self> {
        let header = Header::read(&mut from, magic)?;
        let (has_checksum, stated) = (header.has_checksum(), header.content_length());
        Ok(Self {
            from,
            piece: io::Cursor::new(header.octets),
            next: Next::Block,
            has_checksum,
            stated,
            failed: None,
        })
    }

    /// Reads the next block.
    fn advance(&mut self) -> io::Result<()> {
        let mut block = mem::take(self.piece.get_mut());
        block.clear();
        let mut is_whole = fill(&mut self.from, &mut block, 3)?;
        let mut is_last = false;
        if is_whole {
            let head = Block::of([block[0], block[1], block[2]]);
            is_last = head.is_last;
            is_whole = fill(&mut self.from, &mut block, head.octets)?;
        }
        if !is_whole {
            block.clear();
            block.extend(LAST);
            is_last = true;
        }

        let mut is_cut = !is_whole;
        if is_last && self.has_checksum {
            let end = block.len() + 4;
            is_cut |= !fill(&mut self.from, &mut block, 4)?;
            block.resize(end, 0);
        }
        self.next = match (is_cut, is_last) {
            (true, _) => Next::Cut,
            (false, true) => Next::End,
            (false, false) => Next::Block,
        };
        self.piece = io::Cursor::new(block);
        Ok(())
    }

    /// Returns the stream after the frame.
    ///
    /// # Errors
    /// The stream ended within the frame.
    fn end(self) -> io::Result<R> {
        match self.next {
            Next::Cut => {
                Err(io::Error::new(io::ErrorKind::UnexpectedEof, "it ends within a frame"))
            }
            Next::Block | Next::End => Ok(self.from),
        }
    }
}

impl<R: Read> Read for Blocks<R> {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        loop {
            let length = self.piece.read(into)?;
            if length > 0 || into.is_empty() || self.next != Next::Block {
                return Ok(length);
            }
            if let Err(error) = self.advance() {
                let kind = error.kind();
                self.failed = Some(error);
                return Err(kind.into());
            }
        }
    }
}

/// Appends this many octets to `out`; returns whether there were as many.
fn fill(from: &mut impl Read, out: &mut Vec<u8>, octets: usize) -> io::Result<bool> {
    let read = from.take(octets as u64).read_to_end(out)?;
    Ok(read == octets)
}

/// Skips the rest of a frame without mail in it.
fn skip(from: &mut impl Read) -> io::Result<()> {
    let mut size = [0; 4];
    from.read_exact(&mut size)?;
    let size = u64::from(u32::from_le_bytes(size));
    io::copy(&mut from.take(size), &mut io::sink()).map(drop)
}
