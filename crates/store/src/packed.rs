//! Streams that may be packed: with gzip, Zstandard, bzip2 or xz, or with one after another.

mod gz;
pub mod pieces;
mod pushed;
mod zst;

use std::fmt;
use std::fs::File;
use std::io::{self, BufReader, Chain, Cursor, Read};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::bounded::{Bounded, Metered};
use crate::recognise::{Recognised, Wrapping, recognise, wrapping};
use pieces::OnPiece;
use pushed::{Bz2, Pushed, Xz};

/// How many octets identify what a stream is packed with.
const MAGIC: u64 = 10;

/// How many octets are read to find out what a stream is.
const LOOK: usize = 4096;

/// How often a stream may be packed.
const MAX_LAYERS: usize = 4;

/// The memory that unpacking xz may take, in KiB: more than its highest level needs.
const XZ_MEMORY: u32 = 128 << 10;

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
    /// bzip2.
    Bz2,
    /// xz.
    Xz,
}

impl Packing {
    /// The compression of a file of this name.
    #[must_use]
    pub fn of_name(path: &Path) -> Self {
        match path.extension().and_then(|extension| extension.to_str()) {
            Some("gz" | "tgz") => Self::Gz,
            Some("zst" | "tzst") => Self::Zst,
            Some("bz2" | "tbz" | "tbz2") => Self::Bz2,
            Some("xz" | "txz") => Self::Xz,
            _ => Self::None,
        }
    }

    /// The name of a file of this name once it is unpacked: `a.tar` for `a.tar.gz` and `a.tgz`.
    #[must_use]
    pub fn unpacked_name(path: &Path) -> PathBuf {
        let extension =
            path.extension().and_then(|extension| extension.to_str()).unwrap_or_default();
        match Self::of_name(path) {
            Self::None => path.to_owned(),
            _ if extension.starts_with('t') => path.with_extension("tar"),
            _ => path.with_extension(""),
        }
    }

    /// The compression of a stream that begins with `octets`.
    #[must_use]
    pub fn of_octets(octets: &[u8]) -> Self {
        match wrapping::of(octets) {
            Some(Wrapping::Gz) => Self::Gz,
            Some(Wrapping::Zst) => Self::Zst,
            Some(Wrapping::Bz2) => Self::Bz2,
            Some(Wrapping::Xz) => Self::Xz,
            Some(Wrapping::Zip | Wrapping::Tar) | None => Self::None,
        }
    }
}

/// A stream and its first octets, unpacked.
pub struct Unpacked {
    /// How it was packed; if with one after another, the outer one.
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
    /// Reads on, until this many octets are available or the stream ends. If those before an error
    /// show that there is mail, the error comes after them in the stream.
    ///
    /// # Errors
    /// Those of the stream, if nothing before them shows what it is.
    pub fn look_on(&mut self, octets: usize) -> io::Result<&[u8]> {
        let wanted = octets.saturating_sub(self.first.len()) as u64;
        match self.remainder.by_ref().take(wanted).read_to_end(&mut self.first) {
            Err(error) if !is_no_mail(&self.first) => {
                self.remainder = Box::new(Failing(Some(error)));
            }
            read => _ = read?,
        }
        Ok(&self.first)
    }

    /// All of it.
    #[must_use]
    pub fn into_stream(self) -> Unpacking {
        Cursor::new(self.first).chain(self.remainder)
    }
}

fn is_no_mail(first: &[u8]) -> bool {
    matches!(recognise(first, Path::new("")), Recognised::NoMail(_))
}

/// A stream of which nothing but an error is left.
struct Failing(Option<io::Error>);

impl Read for Failing {
    fn read(&mut self, _: &mut [u8]) -> io::Result<usize> {
        self.0.take().map_or(Ok(0), Err)
    }
}

/// Opens a file, packed or not.
///
/// # Errors
/// The file cannot be read, or is not packed as it seems to be.
pub fn open(path: &Path) -> io::Result<Unpacked> {
    unpack(File::open(path)?)
}

/// Unpacks a stream if it is packed, and what is in it.
///
/// # Errors
/// The stream cannot be read, or is not packed as it seems to be.
pub fn unpack(from: impl Read + Send + 'static) -> io::Result<Unpacked> {
    let (mut packing, mut remainder) = layer(from)?;
    let outer = packing;
    for _ in 1..MAX_LAYERS {
        if packing == Packing::None {
            break;
        }
        (packing, remainder) = layer(remainder)?;
    }
    let mut found = Unpacked { packing: outer, first: Vec::new(), remainder };
    found.look_on(LOOK)?;
    Ok(found)
}

/// Unpacks a stream once; returns how it was packed.
fn layer(from: impl Read + Send + 'static) -> io::Result<(Packing, Box<dyn Read + Send>)> {
    observed_layer(from, None)
}

/// Unpacks a stream once, with an observer of the members of a gz file or the frames of a zst file;
/// returns how it was packed.
fn observed_layer(
    from: impl Read + Send + 'static,
    observer: Option<OnPiece>,
) -> io::Result<(Packing, Box<dyn Read + Send>)> {
    let mut from = BufReader::with_capacity(256 << 10, from);
    // A pipe may give one octet at a time.
    let mut magic = Vec::new();
    from.by_ref().take(MAGIC).read_to_end(&mut magic)?;
    let packing = Packing::of_octets(&magic);
    let (from, read) = Metered::new(Cursor::new(magic).chain(from));
    let observer = observer.map(|observer| (Arc::clone(&read), observer));
    let unpacked: Box<dyn Read + Send> = match packing {
        Packing::None => Box::new(from),
        Packing::Gz => Box::new(Bounded::new(gz::Members::new(from, observer), read)),
        Packing::Zst => Box::new(Bounded::new(zst::Frames::new(from, observer), read)),
        Packing::Bz2 => Box::new(Bounded::new(Pushed::new(from, Bz2::new()), read)),
        Packing::Xz => Box::new(Bounded::new(Pushed::new(from, Xz::new(XZ_MEMORY)), read)),
    };
    Ok((packing, unpacked))
}

#[cfg(test)]
mod tests;
