//! tar: each regular file in it is a message, except hidden ones; other entries are copied only into tar files.

use std::io::{self, Read};
use std::path::{Component, Path, PathBuf};

use tar::{Archive, Entry, Header};

use super::bounded::{bomb, is_bomb};
use super::long::Long;
use super::names::{Names, is_safe};
use super::skipped::Skipped;

/// The size of the blocks that a tar file is made of.
const BLOCK: u64 = 512;

/// An entry of a tar file.
#[derive(Debug)]
pub struct TarEntry {
    /// Its name, as in the file.
    pub path: PathBuf,
    /// A path for it below an output directory that no other entry has, if it is a file.
    pub unique: PathBuf,
    /// How many entries before it had the same name.
    pub times_before: u32,
    /// The target, if it is a link.
    pub link: Option<PathBuf>,
    /// Mode, times, owner.
    pub header: Header,
    /// Its content; empty if that is too long.
    pub octets: Vec<u8>,
    /// Its content if that is too long.
    pub long: Option<Long>,
    /// The offset of the content in the tar file.
    pub offset: u64,
}

impl TarEntry {
    /// Whether it is a file that counts: most likely a message.
    pub fn is_message(&self) -> bool {
        self.header.entry_type().is_file() && !self.is_hidden()
    }

    /// The same entry without its content.
    pub fn emptied(&self) -> Self {
        let Self { path, unique, times_before, link, header, offset, .. } = self;
        Self {
            path: path.clone(),
            unique: unique.clone(),
            times_before: *times_before,
            link: link.clone(),
            header: header.clone(),
            octets: Vec::new(),
            long: None,
            offset: *offset,
        }
    }

    /// How an entry that is left out is counted; directories are not, since files imply them.
    pub fn skipped(&self) -> Option<Skipped> {
        let kind = self.header.entry_type();
        match () {
            () if kind.is_dir() => None,
            () if kind.is_symlink() || kind.is_hard_link() => Some(Skipped::Link),
            () if kind.is_file() => Some(Skipped::Hidden),
            () => Some(Skipped::Special),
        }
    }

    /// Whether it can be unpacked without leading anywhere else: no device, no pipe, and if it is a link, one that leads
    /// downwards from its place. (`..` may lead anywhere after another link.)
    pub fn is_harmless(&self) -> bool {
        let is_downwards = |path: &Path| {
            path.components().all(|part| matches!(part, Component::Normal(_) | Component::CurDir))
        };
        let kind = self.header.entry_type();
        match &self.link {
            Some(link) => is_downwards(link),
            None => !kind.is_character_special() && !kind.is_block_special() && !kind.is_fifo(),
        }
    }

    fn is_hidden(&self) -> bool {
        self.path.file_name().is_some_and(|name| name.as_encoded_bytes().starts_with(b"."))
    }
}

/// The entries of a tar file.
#[derive(Debug)]
pub struct Entries<R> {
    stream: Counted<R>,
    names: Names,
    /// Longer content is put into a temporary file.
    max: usize,
}

impl<R: Read> Entries<R> {
    /// The entries of the tar file `from`, with their content up to `max` octets.
    pub fn new(from: R, max: usize) -> Self {
        Self { stream: Counted { from, octets: 0 }, names: Names::default(), max }
    }

    /// Returns the next entry. It is read as the first of the rest: the crate's own iterator would borrow the stream, and
    /// could not be moved from one thread to another.
    ///
    /// # Errors
    /// Those of the stream, and that it is not a tar file.
    pub fn next_entry(&mut self) -> io::Result<Option<TarEntry>> {
        self.stream.skip_to_block()?;
        let begins = self.stream.octets;
        let mut archive = Archive::new(&mut self.stream);
        match archive.entries()?.next() {
            Some(entry) => load(entry?, begins, &mut self.names, self.max).map(Some),
            None => Ok(None),
        }
    }
}

/// A stream that counts what was read.
#[derive(Debug)]
struct Counted<R> {
    from: R,
    octets: u64,
}

impl<R: Read> Counted<R> {
    /// Skips the padding of the last block.
    fn skip_to_block(&mut self) -> io::Result<()> {
        let filler = self.octets.next_multiple_of(BLOCK) - self.octets;
        let skipped = io::copy(&mut self.by_ref().take(filler), &mut io::sink())?;
        if skipped == filler {
            Ok(())
        } else {
            Err(io::Error::new(io::ErrorKind::UnexpectedEof, "it ends within a block"))
        }
    }
}

impl<R: Read> Read for Counted<R> {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        let read = self.from.read(into)?;
        self.octets += read as u64;
        Ok(read)
    }
}

/// Loads an entry of an archive of which the octets before `begins` have already been read.
fn load(mut entry: Entry<'_, impl Read>, begins: u64, names: &mut Names, max: usize) -> io::Result<TarEntry> {
    let path = entry.path()?.into_owned();
    let link = entry.link_name()?.map(|link| link.into_owned());
    let (header, offset) = (entry.header().clone(), begins + entry.raw_file_position());
    let is_file = header.entry_type().is_file();
    let unique = if is_file || !is_safe(&path) { names.unique(&path) } else { path.clone() };
    let times_before = if is_file { names.times_before(&path) } else { 0 };
    // A sparse file claims to be longer than the octets stored for it.
    let size = entry.size();
    if header.entry_type().is_gnu_sparse() && is_bomb(size, header.entry_size()?) {
        return Err(bomb());
    }
    let (mut octets, mut long) = (Vec::new(), None);
    let read = if size <= max as u64 {
        entry.read_to_end(&mut octets)? as u64
    } else {
        long.insert(Long::spooled(&[], &mut entry)?).length
    };
    if read != size {
        return Err(io::Error::new(io::ErrorKind::UnexpectedEof, "it ends within a file"));
    }
    Ok(TarEntry { path, unique, times_before, link, header, octets, long, offset })
}

/// Whether a file that begins with `octets` is a tar file.
pub fn begins_tar(octets: &[u8]) -> bool {
    octets.get(257..262) == Some(b"ustar")
}
