//! Octets on their way to a file of many messages, packed according to its name.

use std::fs::Permissions;
use std::io::{self, BufWriter, Stdout, Write};
use std::path::Path;

use bzip2::write::BzEncoder;
use flate2::Compression;
use flate2::write::GzEncoder;
use lzma_rust2::{XzOptions, XzWriter};
use ruzstd::encoding::{CompressionLevel, compress_to_vec};
use tempfile::SpooledTempFile;

use super::atomic_file::AtomicFile;
use super::journal::Reached;
use super::origin::Origin;
use super::resumable::Resumable;
use crate::exit::Failure;
use crate::input::Packing;

/// How many octets go into one frame of a zst file.
const FRAME: usize = 4 << 20;

/// The level of xz: that of its program.
const XZ_LEVEL: u32 = 6;

/// The destination of the octets.
#[derive(Debug)]
pub enum Sink {
    /// Standard output.
    Stdout(BufWriter<Stdout>),
    /// A file that appears when it is whole.
    Atomic(AtomicFile),
    /// A file that appears when it is whole; the part already written stays when the job is
    /// interrupted.
    Resumable(Resumable),
    /// Memory, and from some length on a file without a name: a member of an archive, whose length
    /// comes first.
    Spooled(SpooledTempFile),
}

/// How many octets of a member are in memory.
const HELD: usize = 64 << 20;

impl Sink {
    /// Standard output.
    pub fn stdout() -> Self {
        Self::Stdout(BufWriter::with_capacity(1 << 16, io::stdout()))
    }

    /// Memory, or a file without a name.
    pub fn spooled() -> Self {
        Self::Spooled(SpooledTempFile::new(HELD))
    }

    fn commit(self, origin: &Origin) -> io::Result<()> {
        match self {
            Self::Spooled(_) => Ok(()),
            Self::Stdout(mut out) => out.flush(),
            Self::Atomic(mut file) => {
                file.take_from(origin)?;
                file.commit().map(drop)
            }
            Self::Resumable(mut file) => {
                file.take_from(origin)?;
                file.commit()
            }
        }
    }

    fn inner(&mut self) -> &mut dyn Write {
        match self {
            Self::Stdout(out) => out,
            Self::Atomic(file) => file,
            Self::Resumable(file) => file,
            Self::Spooled(file) => file,
        }
    }
}

impl Write for Sink {
    fn write(&mut self, octets: &[u8]) -> io::Result<usize> {
        self.inner().write(octets)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.inner().flush()
    }
}

/// A sink that packs.
pub enum Packer {
    /// Not at all.
    None(Sink),
    /// gzip, without a name or a time in it: the same octets give the same file.
    Gz(Box<GzEncoder<Sink>>),
    /// Zstandard, in frames of a fixed number of octets.
    Zst(Sink, Vec<u8>),
    /// bzip2.
    Bz2(Box<BzEncoder<Sink>>),
    /// xz.
    Xz(Box<XzWriter<Sink>>),
}

impl Packer {
    /// Packs on the way to `sink`.
    ///
    /// # Errors
    /// Those of the sink.
    pub fn new(packing: Packing, sink: Sink) -> io::Result<Self> {
        Ok(match packing {
            Packing::None => Self::None(sink),
            Packing::Gz => Self::Gz(Box::new(GzEncoder::new(sink, Compression::default()))),
            Packing::Zst => Self::Zst(sink, Vec::new()),
            Packing::Bz2 => Self::Bz2(Box::new(BzEncoder::new(sink, bzip2::Compression::best()))),
            Packing::Xz => {
                Self::Xz(Box::new(XzWriter::new(sink, XzOptions::with_preset(XZ_LEVEL))?))
            }
        })
    }

    /// Octets on their way to the file at `path`.
    ///
    /// # Errors
    /// The file cannot be created there.
    pub fn atomic(
        path: &Path,
        permissions: Option<&Permissions>,
        admit: impl FnOnce(&Path) -> Result<(), Failure>,
    ) -> Result<Self, Failure> {
        let file = AtomicFile::create(path, permissions, admit)?;
        Self::new(Packing::of_name(path), Sink::Atomic(file))
            .map_err(|error| Failure::writing(path, &error))
    }

    /// Octets on their way to the file `relative` below the directory `root`; no link below it is
    /// followed.
    ///
    /// # Errors
    /// The file cannot be created there.
    pub fn beneath(
        root: &Path,
        relative: &Path,
        permissions: Option<&Permissions>,
        admit: impl FnOnce(&Path) -> Result<(), Failure>,
    ) -> Result<Self, Failure> {
        let file = AtomicFile::beneath(root, relative, permissions, admit)?;
        let packed = Self::new(Packing::of_name(relative), Sink::Atomic(file));
        packed.map_err(|error| Failure::writing(&root.join(relative), &error))
    }

    /// How much of a file that stays has been flushed to the system, if this is one.
    ///
    /// # Errors
    /// The file cannot be written.
    pub fn reached(&mut self) -> io::Result<Option<Reached>> {
        match self {
            Self::None(Sink::Resumable(part)) => part.reached().map(Some),
            _ => Ok(None),
        }
    }

    /// Removes what is written of a file that stays; others leave nothing when they are dropped.
    ///
    /// # Errors
    /// It cannot be removed.
    pub fn discard(&mut self) -> io::Result<()> {
        match self {
            Self::None(Sink::Resumable(part)) => part.discard(),
            _ => Ok(()),
        }
    }

    /// Ends the file and gives it its name, and the time and the owner of the file that it is made
    /// from.
    ///
    /// # Errors
    /// The file cannot be written to its end or renamed.
    pub fn commit(self, origin: &Origin) -> io::Result<()> {
        self.end()?.commit(origin)
    }

    /// Ends the packing, and returns what was put aside; nothing of a file that has a name.
    ///
    /// # Errors
    /// Those of the sink.
    pub fn into_spooled(self) -> io::Result<SpooledTempFile> {
        match self.end()? {
            Sink::Spooled(file) => Ok(file),
            other => other.commit(&Origin::default()).map(|()| SpooledTempFile::new(HELD)),
        }
    }

    /// Ends the packing.
    fn end(mut self) -> io::Result<Sink> {
        self.frame(1)?;
        match self {
            Self::None(sink) | Self::Zst(sink, _) => Ok(sink),
            Self::Gz(encoder) => encoder.finish(),
            Self::Bz2(encoder) => encoder.finish(),
            Self::Xz(encoder) => encoder.finish(),
        }
    }

    /// Writes the pending octets, if there are at least `least`.
    fn frame(&mut self, least: usize) -> io::Result<()> {
        if let Self::Zst(sink, waiting) = self
            && waiting.len() >= least
        {
            sink.write_all(&compress_to_vec(waiting.as_slice(), CompressionLevel::Fastest))?;
            waiting.clear();
        }
        Ok(())
    }
}

impl Write for Packer {
    fn write(&mut self, octets: &[u8]) -> io::Result<usize> {
        match self {
            Self::None(sink) => sink.write(octets),
            Self::Gz(encoder) => encoder.write(octets),
            Self::Bz2(encoder) => encoder.write(octets),
            Self::Xz(encoder) => encoder.write(octets),
            Self::Zst(_, waiting) => {
                waiting.extend_from_slice(octets);
                self.frame(FRAME).map(|()| octets.len())
            }
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        match self {
            Self::None(sink) | Self::Zst(sink, _) => sink.flush(),
            Self::Gz(encoder) => encoder.flush(),
            Self::Bz2(encoder) => encoder.flush(),
            Self::Xz(encoder) => encoder.flush(),
        }
    }
}
