//! tar: each regular file in it is a message, except hidden ones; other entries are copied only into tar files.

use std::io::{self, Read};
use std::path::{Component, Path, PathBuf};

use tar::{Entry, Header};

use super::long::Long;
use super::look::eml_name;
use super::members::{Members, Unreadable};
use super::names::{Names, is_safe};
use super::skipped::Skipped;

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
    /// Whether the message was made from the content, which was in a file of Outlook: `unique` is its name then.
    pub is_opened: bool,
}

impl TarEntry {
    /// Whether it is a file that counts: most likely a message.
    pub fn is_message(&self) -> bool {
        self.header.entry_type().is_file() && !self.is_hidden()
    }

    /// The entry without its content.
    pub fn emptied(&self) -> Self {
        let Self { path, unique, times_before, link, header, offset, is_opened, .. } = self;
        Self {
            path: path.clone(),
            unique: unique.clone(),
            times_before: *times_before,
            link: link.clone(),
            header: header.clone(),
            octets: Vec::new(),
            long: None,
            offset: *offset,
            is_opened: *is_opened,
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
    members: Members<R>,
    names: Names,
    /// Longer content is put into a temporary file.
    max: usize,
}

impl<R: Read> Entries<R> {
    /// The entries of the tar file `from`, with their content up to `max` octets.
    pub fn new(from: R, max: usize) -> Self {
        Self { members: Members::new(from), names: Names::default(), max }
    }

    /// Gives the message that was made from an entry a path below an output directory.
    pub fn set_opened(&mut self, entry: &mut TarEntry) {
        entry.is_opened = true;
        entry.unique = self.names.unique(&eml_name(&entry.path));
    }

    /// Returns the next entry, or the next place that cannot be read.
    pub fn next_entry(&mut self) -> Option<Result<TarEntry, Unreadable>> {
        let Self { members, names, max } = self;
        members.next(|entry, offset| load(entry, offset, names, *max))
    }
}

/// Loads an entry whose content is at `offset`.
fn load(
    entry: &mut Entry<'_, impl Read>,
    offset: u64,
    names: &mut Names,
    max: usize,
) -> io::Result<TarEntry> {
    let path = entry.path()?.into_owned();
    let link = entry.link_name()?.map(|link| link.into_owned());
    let header = entry.header().clone();
    let is_file = header.entry_type().is_file();
    let unique = if is_file || !is_safe(&path) { names.unique(&path) } else { path.clone() };
    let times_before = if is_file { names.times_before(&path) } else { 0 };
    let size = entry.size();
    let (mut octets, mut long) = (Vec::new(), None);
    let read = if size <= max as u64 {
        entry.read_to_end(&mut octets)? as u64
    } else {
        long.insert(Long::spooled(&[], entry)?).length
    };
    if read != size {
        return Err(io::Error::new(io::ErrorKind::UnexpectedEof, "it ends within a file"));
    }
    Ok(TarEntry { path, unique, times_before, link, header, octets, long, offset, is_opened: false })
}
