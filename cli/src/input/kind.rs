//! The kind of an input: declared with `--format`, or detected.

use std::fs::File;
use std::io::{self, IsTerminal as _, Read as _, Seek as _};
use std::path::Path;

use super::format::Format;
use super::maildir::is_maildir;
use super::members::begins_tar;
use super::packed::{Packing, Unpacked, open, unpack};
use sevenbit::mbox::{Dialect, begins_mbox, holds_several};

/// How far into standard input a second message is searched for.
const FAR: usize = 1 << 20;

/// The kind of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FileKind {
    /// One message.
    Message,
    /// One message, packed.
    Packed,
    /// An mbox.
    Mbox(Dialect),
    /// A tar file.
    Tar,
}

impl FileKind {
    /// Returns what `--format` declares a file to be; nothing if it is to be detected.
    pub fn declared(format: Format) -> Option<Self> {
        Some(match format {
            Format::Auto | Format::Maildir => return None,
            Format::Eml => Self::Message,
            Format::Mbox => Self::Mbox(Dialect::Auto),
            Format::Mboxo => Self::Mbox(Dialect::Mboxo),
            Format::Mboxrd => Self::Mbox(Dialect::Mboxrd),
            Format::Mboxcl => Self::Mbox(Dialect::Mboxcl),
            Format::Mboxcl2 => Self::Mbox(Dialect::Mboxcl2),
            Format::Tar => Self::Tar,
        })
    }

    /// Returns what a file given by name is: if it cannot be opened, reading it will show that. A pipe can be read only
    /// once, so it is a message unless declared otherwise.
    pub fn of_file(path: &Path, format: Format) -> Self {
        let looked = || if path.is_file() { Some(look(path)) } else { None };
        Self::declared(format).or_else(looked).unwrap_or(Self::Message)
    }

    /// Returns what standard input is, and what was read of it to find out. An mbox is assumed only if it certainly has
    /// several messages: a program that delivers a single one may have put a `From ` line before it.
    ///
    /// # Errors
    /// Standard input cannot be read.
    pub fn of_stdin(format: Format) -> io::Result<(Self, Option<Unpacked>)> {
        if let Some(declared) = Self::declared(format) {
            return Ok((declared, None));
        }
        if io::stdin().is_terminal() {
            return Ok((Self::Message, None));
        }
        let mut found = unpack(io::stdin())?;
        let mut kind = seen(&found);
        if found.packing == Packing::None && begins_from_line(&found.first) {
            let several = holds_several(found.look_on(FAR)?)?;
            kind = if several { Self::Mbox(Dialect::Auto) } else { Self::Message };
        }
        Ok((kind, Some(found)))
    }

    /// Returns what a file in a directory is: a message, unless its octets are those of several, or its name says
    /// that it is more and its octets agree, or it was declared. If it cannot be opened, reading it will show that.
    pub fn in_directory(path: &Path, format: Format) -> Self {
        if let Some(declared) = Self::declared(format) {
            return declared;
        }
        let extension = path.extension().and_then(|extension| extension.to_str()).unwrap_or_default();
        let is_said = matches!(extension, "mbox" | "mbx" | "tar" | "tgz" | "tzst" | "gz" | "zst");
        if is_said || path.file_name().is_some_and(|name| name == "mbox") {
            return look(path);
        }
        if is_several(path) { Self::Mbox(Dialect::Auto) } else { Self::Message }
    }
}

/// Examines the first octets. A file may begin with a `From ` line and still be one message if its name says so, or if that
/// line is a quoted one, unless there certainly is a second message.
/// A file that begins as if it were packed is packed, even if it cannot be unpacked: reading it will report that.
fn look(path: &Path) -> FileKind {
    let Ok(found) = open(path) else { return FileKind::Packed };
    match seen(&found) {
        FileKind::Mbox(_) if !is_eml(path) => FileKind::Mbox(Dialect::Auto),
        FileKind::Mbox(_) if found.packing != Packing::None => FileKind::Packed,
        FileKind::Mbox(_) | FileKind::Message if is_several(path) => FileKind::Mbox(Dialect::Auto),
        FileKind::Mbox(_) => FileKind::Message,
        kind => kind,
    }
}

/// Returns what a stream is by its first octets.
fn seen(found: &Unpacked) -> FileKind {
    if begins_tar(&found.first) {
        FileKind::Tar
    } else if begins_mbox(&found.first) {
        FileKind::Mbox(Dialect::Auto)
    } else if found.packing == Packing::None {
        FileKind::Message
    } else {
        FileKind::Packed
    }
}

/// Whether octets that should be one message are several, or are packed.
pub fn holds_more(octets: &[u8]) -> bool {
    // Reading from memory does not fail.
    is_packed(octets) || holds_several(octets).unwrap_or_default()
}

/// Whether octets that should be one message are packed.
pub fn is_packed(octets: &[u8]) -> bool {
    Packing::of_octets(octets) != Packing::None || begins_tar(octets)
}

/// Whether a file certainly contains several messages. Most files are not searched: they begin with no `From ` line. If one
/// cannot be read, reading it again will report that.
fn is_several(path: &Path) -> bool {
    let search = || {
        let mut file = File::open(path)?;
        let mut first = [0; 64];
        let length = file.read(&mut first)?;
        if !begins_from_line(&first[..length]) {
            return Ok(false);
        }
        file.rewind()?;
        holds_several(file)
    };
    search().unwrap_or_default()
}

/// Whether octets begin with a `From ` line, quoted or not, after empty lines. Nothing but empty lines may go on like that.
pub fn begins_from_line(octets: &[u8]) -> bool {
    let first = octets.trim_ascii_start();
    first.is_empty() || first.starts_with(b"From ") || first.starts_with(b">From ")
}

/// Whether the name of a file says that it is one message.
pub fn is_eml(path: &Path) -> bool {
    path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("eml"))
}

/// Whether a directory is read as a Maildir.
pub fn is_read_as_maildir(directory: &Path, format: Format) -> bool {
    match format {
        Format::Auto => is_maildir(directory),
        Format::Maildir => directory.join("cur").is_dir() || directory.join("new").is_dir(),
        _ => false,
    }
}
