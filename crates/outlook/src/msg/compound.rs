//! A compound file (MS-CFB), of which no more is read than is there.
//!
//! Several streams of a crafted file may share their sectors, and each look-up walks a tree that
//! may be a list. So octets and steps are counted, against the length of the file.

use std::borrow::Cow;
use std::io::{self, Cursor, Read};

use cfb::CompoundFile;

/// The octets by which a file may be longer than it is, for sectors that were cut off.
const MAX_PADDING: usize = 16 << 20;

/// How many names may be compared for each octet of the file, and at least.
const STEPS_FOR_AN_OCTET: u64 = 20;
const MIN_STEPS: u64 = 4 << 20;

pub(super) struct Compound<'o> {
    file: CompoundFile<Cursor<Cow<'o, [u8]>>>,
    octets_left: u64,
    steps_left: u64,
    is_exhausted: bool,
}

/// A stream or a storage in a storage.
pub(super) struct Entry {
    pub(super) name: String,
    pub(super) is_stream: bool,
}

impl<'o> Compound<'o> {
    pub(super) fn open(octets: &'o [u8]) -> io::Result<Self> {
        let length = octets.len() as u64;
        let file = CompoundFile::open(Cursor::new(Cow::Borrowed(octets))).or_else(|error| {
            let padded = padded(octets).ok_or(error)?;
            CompoundFile::open(Cursor::new(Cow::Owned(padded)))
        })?;
        Ok(Self {
            file,
            octets_left: length,
            steps_left: (length * STEPS_FOR_AN_OCTET).max(MIN_STEPS),
            is_exhausted: false,
        })
    }

    /// Returns whether something was left out, because the file claims more than it has octets for.
    pub(super) fn is_exhausted(&self) -> bool {
        self.is_exhausted
    }

    /// Returns what is in the storage `path`.
    pub(super) fn entries(&mut self, path: &str) -> Vec<Entry> {
        let Ok(entries) = self.file.read_storage(path) else { return Vec::new() };
        let entries: Vec<_> = entries
            .map(|entry| Entry { name: entry.name().to_owned(), is_stream: entry.is_stream() })
            .take(usize::try_from(self.steps_left).unwrap_or(usize::MAX))
            .collect();
        self.spend_steps(entries.len() as u64);
        entries
    }

    /// Returns the octets of the stream `path`; `None` if there is none, or not all of it.
    pub(super) fn stream(&mut self, path: &str) -> Option<Vec<u8>> {
        if self.steps_left == 0 {
            self.is_exhausted = true;
            return None;
        }
        let mut stream = self.file.open_stream(path).ok()?;
        let length = stream.len();
        if length > self.octets_left {
            self.is_exhausted = true;
            return None;
        }

        let mut octets = Vec::with_capacity(usize::try_from(length).ok()?);
        stream.read_to_end(&mut octets).ok()?;
        self.octets_left -= length;
        Some(octets)
    }

    /// Counts the steps of finding as many entries among as many.
    pub(super) fn spend_steps(&mut self, count: u64) {
        let steps = count.saturating_mul(count) / 2 + count;
        self.is_exhausted |= steps > self.steps_left;
        self.steps_left = self.steps_left.saturating_sub(steps);
    }

    pub(super) fn class(&self, path: &str) -> Option<cfb::CompoundFile<Cursor<Vec<u8>>>> {
        let class = *self.file.entry(path).ok()?.clsid();
        let mut file =
            CompoundFile::create_with_version(cfb::Version::V3, Cursor::new(Vec::new())).ok()?;
        file.set_storage_clsid("/", class).ok()?;
        Some(file)
    }
}

/// Returns `octets` with zeros after them, as long as the table of sectors says that the file is;
/// `None` if it is as long.
fn padded(octets: &[u8]) -> Option<Vec<u8>> {
    let number = |at: usize| Some(u32::from_le_bytes(*octets.get(at..)?.first_chunk()?));
    let sector = match number(30)? & 0xffff {
        9 => 512,
        12 => 4096,
        _ => return None,
    };
    let tables = usize::try_from(number(44)?).ok()?;
    let length = tables.checked_mul(sector / 4)?.checked_add(1)?.checked_mul(sector)?;
    if length <= octets.len() || length - octets.len() > MAX_PADDING {
        return None;
    }

    let mut padded = octets.to_vec();
    padded.resize(length, 0);
    Some(padded)
}
