//! Packed files that can be read from their middle, since their pieces say how long they are: where
//! each begins is known without unpacking it.
//!
//! ```text
//! bgzf     = *block                        ; gzip in blocks: SAM specification, 4.1
//! block    = header *OCTET crc length      ; its header has its length, its end that of its content
//! zst      = *frame                        ; RFC 8878, 3.1.1: each with the length of its content
//! ```
//!
//! The members of any other gz file do not say how long they are, nor need the frames of a zst file.
//! Where they begin is found by unpacking it once ([`observed`]), and may be remembered for later.

use std::io::{self, Read, Seek, SeekFrom};
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::{Arc, Mutex, PoisonError};

use super::zst::{Header, Magic};
use super::{Packing, layer, observed_layer};

/// Pieces that begin within so many unpacked octets of another one are not kept apart.
const GRAIN: u64 = 1 << 20;

/// The octets of a block of bgzf up to its length.
const BLOCK_HEADER: usize = 18;

/// Where a piece begins.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Piece {
    /// In the packed file.
    pub packed: u64,
    /// In its unpacked form.
    pub unpacked: u64,
}

/// A function that is told where pieces begin, as they are come to.
pub type OnPiece = Box<dyn FnMut(Piece) + Send>;

/// Unpacks a gz or zst file once, and tells `observer` where each of its members or frames begins.
///
/// # Errors
/// The file cannot be read, or is neither.
pub fn observed(
    from: impl Read + Send + 'static,
    observer: OnPiece,
) -> io::Result<Box<dyn Read + Send>> {
    match observed_layer(from, Some(observer))? {
        (Packing::Gz | Packing::Zst, unpacked) => Ok(unpacked),
        _ => Err(io::Error::new(io::ErrorKind::InvalidData, "is neither a gz nor a zst file")),
    }
}

/// The pieces of a packed file.
#[derive(Debug, PartialEq, Eq)]
pub struct Pieces {
    starts: Vec<Piece>,
    length: u64,
}

impl Pieces {
    /// Pieces that are known already, in their order, and the length of the unpacked form.
    #[must_use]
    pub fn new(starts: Vec<Piece>, length: u64) -> Self {
        Self { starts, length }
    }

    /// The pieces of a file; nothing if it is not packed in pieces that say how long they are, or
    /// is damaged.
    ///
    /// # Errors
    /// The file cannot be read.
    pub fn find(file: &mut (impl Read + Seek)) -> io::Result<Option<Self>> {
        let end = file.seek(SeekFrom::End(0))?;
        file.rewind()?;
        let mut magic = Vec::new();
        file.by_ref().take(4).read_to_end(&mut magic)?;
        let next = match Packing::of_octets(&magic) {
            Packing::Gz => block_at,
            Packing::Zst => frame_at,
            _ => return Ok(None),
        };

        let (mut at, mut found) = (Piece::default(), Self { starts: Vec::new(), length: 0 });
        while at.packed < end {
            let after = match next(file, at) {
                Ok(Some(after)) if after.packed <= end => after,
                Ok(_) => return Ok(None),
                Err(error) if error.kind() == io::ErrorKind::UnexpectedEof => return Ok(None),
                Err(error) => return Err(error),
            };
            if after.unpacked > at.unpacked {
                found.push(at);
            }
            at = after;
        }
        found.length = at.unpacked;
        Ok(Some(found))
    }

    fn push(&mut self, start: Piece) {
        if self.starts.last().is_none_or(|last| start.unpacked - last.unpacked >= GRAIN) {
            self.starts.push(start);
        }
    }

    /// The length of the unpacked form.
    #[must_use]
    pub fn length(&self) -> u64 {
        self.length
    }

    /// The last piece that begins at or before an unpacked octet.
    #[must_use]
    pub fn before(&self, octet: u64) -> Piece {
        let after = self.starts.partition_point(|start| start.unpacked <= octet);
        after.checked_sub(1).map(|at| self.starts[at]).unwrap_or_default()
    }

    /// The first piece that begins after an unpacked octet.
    #[must_use]
    pub fn after(&self, octet: u64) -> Option<Piece> {
        let after = self.starts.partition_point(|start| start.unpacked <= octet);
        self.starts.get(after).copied()
    }
}

/// Returns where the block after the one at a place begins.
fn block_at(file: &mut (impl Read + Seek), at: Piece) -> io::Result<Option<Piece>> {
    file.seek(SeekFrom::Start(at.packed))?;
    let mut header = [0; BLOCK_HEADER];
    file.read_exact(&mut header)?;
    let [0x1F, 0x8B, 8, 4, _, _, _, _, _, _, 6, 0, b'B', b'C', 2, 0, length @ ..] = header else {
        return Ok(None);
    };
    let end = at.packed + u64::from(u16::from_le_bytes(length)) + 1;

    file.seek(SeekFrom::Start(end - 4))?;
    let mut unpacked = [0; 4];
    file.read_exact(&mut unpacked)?;
    let unpacked = at.unpacked + u64::from(u32::from_le_bytes(unpacked));
    Ok(Some(Piece { packed: end, unpacked }))
}

/// Returns where the frame after the one at a place begins.
fn frame_at(file: &mut (impl Read + Seek), at: Piece) -> io::Result<Option<Piece>> {
    file.seek(SeekFrom::Start(at.packed))?;
    let mut octets = [0; 4];
    file.read_exact(&mut octets)?;
    match Magic::of(&octets) {
        Magic::Skippable => {
            file.read_exact(&mut octets)?;
            let packed = at.packed + 8 + u64::from(u32::from_le_bytes(octets));
            return Ok(Some(Piece { packed, ..at }));
        }
        Magic::Frame => {}
        Magic::Unknown => return Ok(None),
    }

    let header = Header::read(file, octets.to_vec())?;
    let Some(length) = header.content_length() else { return Ok(None) };
    let mut packed = at.packed + header.octets.len() as u64;
    loop {
        file.seek(SeekFrom::Start(packed))?;
        let mut block = [0; 3];
        file.read_exact(&mut block)?;
        let block = super::zst::Block::of(block);
        packed += 3 + block.octets as u64;
        if block.is_last {
            break;
        }
    }
    packed += if header.has_checksum() { 4 } else { 0 };
    let unpacked = at.unpacked.checked_add(length);
    Ok(unpacked.map(|unpacked| Piece { packed, unpacked }))
}

/// The unpacked form of a file in pieces, to be read from any octet on.
pub struct Seekable<F> {
    file: Arc<Mutex<F>>,
    /// A piece in the middle of the file.
    piece: Piece,
    at: u64,
    open: Option<Box<dyn Read + Send>>,
    /// The place of a later member or frame, and whether one began there.
    expected: Option<(Piece, Arc<AtomicBool>)>,
}

impl<F: Read + Seek + Send + 'static> Seekable<F> {
    /// Reads a file in pieces, of which one in its middle is known besides the first.
    pub fn new(file: F, piece: Piece) -> Self {
        Self { file: Arc::new(Mutex::new(file)), piece, at: 0, open: None, expected: None }
    }

    /// Expects a member of a gz file, or a frame of a zst file, to begin at a place. Returns whether
    /// reading has come to it: if its own piece is one, so is that, whoever has said so.
    pub fn expect(&mut self, place: Piece) -> Arc<AtomicBool> {
        let is_met = Arc::default();
        self.expected = Some((place, Arc::clone(&is_met)));
        is_met
    }

    /// Unpacks from where the next octet is.
    fn open(&self) -> io::Result<Box<dyn Read + Send>> {
        let start = if self.piece.unpacked <= self.at { self.piece } else { Piece::default() };
        let window = Window { file: Arc::clone(&self.file), at: start.packed };
        let (_, mut opened) = match self.expected.clone() {
            None => layer(window)?,
            Some((place, is_met)) => {
                let observer = move |found: Piece| {
                    let packed = start.packed.checked_add(found.packed);
                    let unpacked = start.unpacked.checked_add(found.unpacked);
                    if (packed, unpacked) == (Some(place.packed), Some(place.unpacked)) {
                        is_met.store(true, Relaxed);
                    }
                };
                observed_layer(window, Some(Box::new(observer)))?
            }
        };
        let before = self.at - start.unpacked;
        io::copy(&mut opened.by_ref().take(before), &mut io::sink())?;
        Ok(opened)
    }
}

impl<F: Read + Seek + Send + 'static> Read for Seekable<F> {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        let mut open = match self.open.take() {
            Some(open) => open,
            None => self.open()?,
        };
        let read = open.read(into)?;
        self.at += read as u64;
        self.open = Some(open);
        Ok(read)
    }
}

impl<F: Read + Seek + Send + 'static> Seek for Seekable<F> {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        let octet = match to {
            SeekFrom::Start(octet) => Some(octet),
            SeekFrom::Current(offset) => self.at.checked_add_signed(offset),
            SeekFrom::End(_) => return Err(io::ErrorKind::Unsupported.into()),
        };
        let octet = octet.ok_or(io::ErrorKind::InvalidInput)?;
        if octet != self.at {
            self.at = octet;
            self.open = None;
        }
        Ok(octet)
    }
}

/// A file from an octet on. Others may read it meanwhile.
struct Window<F> {
    file: Arc<Mutex<F>>,
    at: u64,
}

impl<F: Read + Seek> Read for Window<F> {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        let mut file = self.file.lock().unwrap_or_else(PoisonError::into_inner);
        file.seek(SeekFrom::Start(self.at))?;
        let read = file.read(into)?;
        self.at += read as u64;
        Ok(read)
    }
}
