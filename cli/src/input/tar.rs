//! tar: the regular files in it are looked at, except hidden ones; other entries are copied only
//! into archives.

use std::io::{self, Read};
use std::ops::Range;
use std::path::{Component, Path, PathBuf};

use tar::{Entry, Header};

use super::long::Long;
use super::look::eml_name;
use super::members::{Members, Unreadable};
use super::names::{Names, is_safe};
use super::packed::Packing;
use super::skipped::Skipped;
use zip::write::SimpleFileOptions;

/// An entry of a tar file, or of a ZIP archive.
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
    /// The offset of the content in the archive.
    pub offset: u64,
    /// Whether the message was made from the content, which was in a file of Outlook or Apple Mail:
    /// `unique` is its name then.
    pub is_opened: bool,
    /// Its octets in the outermost archive, if they are packed there.
    pub packed: Option<Range<u64>>,
    /// How a single file in it is packed, which is a message or an mbox.
    pub packing: Packing,
    /// What it needs in another ZIP archive, if it comes from one.
    pub options: Option<SimpleFileOptions>,
}

/// The member of an archive that another archive is.
#[derive(Clone, Debug)]
pub struct Inside {
    /// Its name.
    pub path: PathBuf,
    /// A path for it below an output directory.
    pub unique: PathBuf,
    /// Its octets in the outermost archive.
    pub span: Range<u64>,
}

impl TarEntry {
    /// Whether it is a file that counts: most likely a message.
    pub fn is_message(&self) -> bool {
        self.header.entry_type().is_file() && !self.is_hidden()
    }

    /// The entry without its content.
    pub fn emptied(&self) -> Self {
        let Self { path, unique, times_before, link, header, offset, .. } = self;
        let (packed, packing, options) = (&self.packed, self.packing, self.options);
        Self {
            path: path.clone(),
            unique: unique.clone(),
            times_before: *times_before,
            link: link.clone(),
            header: header.clone(),
            octets: Vec::new(),
            long: None,
            offset: *offset,
            is_opened: self.is_opened,
            packed: packed.clone(),
            packing,
            options,
        }
    }

    /// The length of its content.
    pub fn length(&self) -> u64 {
        self.long.as_ref().map_or(self.octets.len() as u64, |long| long.length)
    }

    /// Its octets in the outermost archive.
    pub fn span(&self) -> Range<u64> {
        self.packed.clone().unwrap_or(self.offset..self.offset + self.length())
    }

    /// Makes it an entry of the archive around its own, where that is a directory.
    pub fn lift(&mut self, inside: &Inside) {
        self.path = inside.path.join(&self.path);
        self.unique = inside.unique.join(&self.unique);
        self.packed = Some(inside.span.clone());
    }

    /// How an entry that is left out is counted; directories are not, since files imply them.
    pub fn skipped(&self) -> Option<Skipped> {
        let kind = self.header.entry_type();
        if kind.is_dir() {
            None
        } else if kind.is_symlink() || kind.is_hard_link() {
            Some(Skipped::Link)
        } else if kind.is_file() {
            Some(Skipped::Hidden)
        } else {
            Some(Skipped::Special)
        }
    }

    /// Whether it can be unpacked without leading anywhere else: no device, no pipe, and if it is a
    /// link, one that leads downwards from its place. (`..` may lead anywhere after another link.)
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

    /// Returns a path below an output directory for the message that was made from the entry of
    /// this name.
    pub fn unique(&mut self, path: &Path) -> PathBuf {
        self.names.unique(&eml_name(path))
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
    Ok(TarEntry {
        path,
        unique,
        times_before,
        link,
        header,
        octets,
        long,
        offset,
        packed: None,
        packing: Packing::None,
        options: None,
        is_opened: false,
    })
}
