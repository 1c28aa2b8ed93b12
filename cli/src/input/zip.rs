//! ZIP archives: their members as entries like those of tar files.

use std::io::{self, Read};
use std::path::{Path, PathBuf};

use sevenbit::Date;
use sevenbit_store::zipped::{Member, MemberKind, Members, Source, Unreadable};
use tar::{EntryType, Header};

use super::long::Long;
use super::look::eml_name;
use super::names::{Names, is_safe};
use super::packed::Packing;
use super::tar::TarEntry;

/// The members of a ZIP archive.
#[derive(Debug)]
pub struct ZipEntries {
    members: Members,
    /// The names of members in the output directory.
    names: Names,
    /// The length in octets above which content is put into a temporary file.
    max: usize,
}

impl ZipEntries {
    /// Returns the members of the archive `from`, with content of at most `max` octets in memory.
    ///
    /// # Errors
    /// The archive cannot be read at all.
    pub fn new(from: Box<dyn Source>, max: usize) -> io::Result<Self> {
        Ok(Self { members: Members::new(from)?, names: Names::default(), max })
    }

    /// Returns a path below an output directory for the message that was made from the member of
    /// this name.
    pub fn unique(&mut self, path: &Path) -> PathBuf {
        self.names.unique(&eml_name(path))
    }

    /// Returns the next member, or the next thing that cannot be read.
    pub fn next_entry(&mut self) -> Option<Result<TarEntry, Unreadable>> {
        let Self { members, names, max } = self;
        members.next(|member, content| load(member, content, names, *max))
    }
}

/// Returns a member with its content, as an entry of a tar file.
fn load(
    member: &Member,
    content: &mut dyn Read,
    names: &mut Names,
    max: usize,
) -> io::Result<TarEntry> {
    let (mut octets, mut long) = (Vec::new(), None);
    content.take((max as u64).saturating_add(1)).read_to_end(&mut octets)?;
    if octets.len() > max {
        long = Some(Long::spooled(&octets, content)?);
        octets = Vec::new();
    }

    let path = member.path.clone();
    let is_file = member.kind == MemberKind::File;
    let unique = if is_file || !is_safe(&path) { names.unique(&path) } else { path.clone() };
    let times_before = if is_file { names.times_before(&path) } else { 0 };
    let link = (member.kind == MemberKind::Link)
        .then(|| String::from_utf8_lossy(&std::mem::take(&mut octets)).into_owned().into());
    Ok(TarEntry {
        path,
        unique,
        times_before,
        link,
        header: header(member, octets.len() as u64),
        octets,
        long,
        offset: member.span.start,
        packed: Some(member.span.clone()),
        packing: Packing::None,
        options: Some(member.options),
        is_opened: false,
    })
}

/// Returns the header that the member would have in a tar file. One without a date is of 1980, where
/// the dates of ZIP archives begin.
fn header(member: &Member, length: u64) -> Header {
    let (kind, mode) = match member.kind {
        MemberKind::File => (EntryType::Regular, 0o644),
        MemberKind::Directory => (EntryType::Directory, 0o755),
        MemberKind::Link => (EntryType::Symlink, 0o777),
    };

    let mut header = Header::new_gnu();
    header.set_entry_type(kind);
    header.set_mode(member.mode.unwrap_or(mode) & 0o7777);
    header.set_size(length);
    header.set_uid(0);
    header.set_gid(0);

    let [year, month, day, hour, minute, second] = member.modified.unwrap_or([1980, 1, 1, 0, 0, 0]);
    let written = format!("{year:04}-{month:02}-{day:02} {hour:02}:{minute:02}:{second:02}");
    let written = Date::read(written.as_bytes()).map_or(0, |date| date.timestamp());
    header.set_mtime(u64::try_from(written).unwrap_or_default());
    header
}
