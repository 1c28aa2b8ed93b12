//! tar: each regular file in it is a message, hidden ones excepted; what else is in it goes into tar files only.

use std::io::{self, Read};
use std::path::PathBuf;

use tar::{Archive, Entry, Header};

use super::bounded::{bomb, is_bomb};
use super::long::Long;
use super::names::{Names, is_safe};
use super::skipped::Skipped;

/// A tar file is made of blocks of so many octets.
const BLOCK: u64 = 512;

/// An entry of a tar file.
#[derive(Debug)]
pub struct TarEntry {
    /// Its name, as it came.
    pub path: PathBuf,
    /// A path for it below an output directory that no other entry has, if it is a file.
    pub unique: PathBuf,
    /// How many entries of its name came before.
    pub times_before: u32,
    /// What it leads to, if it is a link.
    pub link: Option<PathBuf>,
    /// Mode, times, owner.
    pub header: Header,
    /// What it holds; nothing if that is too long.
    pub octets: Vec<u8>,
    /// What it holds if that is too long.
    pub long: Option<Long>,
    /// Where that lies in the tar file.
    pub offset: u64,
}

impl TarEntry {
    /// Whether it is a file that counts: a message, most likely.
    pub fn is_message(&self) -> bool {
        self.header.entry_type().is_file() && !self.is_hidden()
    }

    /// What is said of an entry that is left out; nothing of directories, which files bring with them.
    pub fn skipped(&self) -> Option<Skipped> {
        let kind = self.header.entry_type();
        match () {
            () if kind.is_dir() => None,
            () if kind.is_symlink() || kind.is_hard_link() => Some(Skipped::Link),
            () if kind.is_file() => Some(Skipped::Hidden),
            () => Some(Skipped::Special),
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
    /// What is longer is put into a temporary file.
    max: usize,
}

impl<R: Read> Entries<R> {
    /// Those of the tar file that `from` holds; what they hold is given up to `max` octets.
    pub fn new(from: R, max: usize) -> Self {
        Self { stream: Counted { from, octets: 0 }, names: Names::default(), max }
    }

    /// The next entry. It is read as the first of what is left: the crate's own iterator would hold the stream, and
    /// could not be handed from one thread to another.
    ///
    /// # Errors
    /// Those of the stream, and that it is no tar file.
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
    /// Skips what fills up the last block.
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

/// Loads an entry of an archive whose octets before `begins` have been read before.
fn load(mut entry: Entry<'_, impl Read>, begins: u64, names: &mut Names, max: usize) -> io::Result<TarEntry> {
    let path = entry.path()?.into_owned();
    let link = entry.link_name()?.map(|link| link.into_owned());
    let (header, offset) = (entry.header().clone(), begins + entry.raw_file_position());
    let is_file = header.entry_type().is_file();
    let unique = if is_file || !is_safe(&path) { names.unique(&path) } else { path.clone() };
    let times_before = if is_file { names.times_before(&path) } else { 0 };
    // A sparse file says that it is longer than what is stored of it.
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
