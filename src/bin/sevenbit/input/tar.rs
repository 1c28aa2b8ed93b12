//! tar: each regular file in it is a message, hidden ones excepted; what else is in it is handed on.

use std::io::{self, Read};
use std::path::PathBuf;

use tar::{Archive, Entry, Header};

/// A tar file is made of blocks of so many octets.
const BLOCK: u64 = 512;

/// An entry of a tar file.
#[derive(Debug)]
pub struct TarEntry {
    /// Its name.
    pub path: PathBuf,
    /// What it leads to, if it is a link.
    pub link: Option<PathBuf>,
    /// Mode, times, owner.
    pub header: Header,
    /// What it holds.
    pub octets: Vec<u8>,
    /// Where that lies in the tar file.
    pub offset: u64,
}

impl TarEntry {
    /// Whether it is a file that counts: a message, most likely.
    pub fn is_file(&self) -> bool {
        let hidden = self.path.file_name().is_none_or(|name| name.as_encoded_bytes().starts_with(b"."));
        self.header.entry_type().is_file() && !hidden
    }
}

/// The entries of a tar file.
#[derive(Debug)]
pub struct Entries<R> {
    stream: Counted<R>,
}

impl<R: Read> Entries<R> {
    /// Those of the tar file that `from` holds.
    pub fn new(from: R) -> Self {
        Self { stream: Counted { from, octets: 0 } }
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
            Some(entry) => load(entry?, begins).map(Some),
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
fn load(mut entry: Entry<'_, impl Read>, begins: u64) -> io::Result<TarEntry> {
    let path = entry.path()?.into_owned();
    let link = entry.link_name()?.map(|link| link.into_owned());
    let (header, offset) = (entry.header().clone(), begins + entry.raw_file_position());
    let mut octets = Vec::new();
    entry.read_to_end(&mut octets)?;
    if octets.len() as u64 != entry.size() {
        return Err(io::Error::new(io::ErrorKind::UnexpectedEof, "it ends within a file"));
    }
    Ok(TarEntry { path, link, header, octets, offset })
}

/// Whether a file that begins with `octets` is a tar file.
pub fn begins_tar(octets: &[u8]) -> bool {
    octets.get(257..262) == Some(b"ustar")
}
