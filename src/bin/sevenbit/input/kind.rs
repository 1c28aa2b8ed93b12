//! What an input is: said with `--format`, or found out by looking.

use std::fs::File;
use std::io::{self, IsTerminal as _};
use std::path::Path;

use super::format::Format;
use super::maildir::is_maildir;
use super::packed::{Packing, Unpacked, open, unpack};
use super::tar::begins_tar;
use sevenbit::mbox::{Dialect, begins_mbox, holds_several};

/// How far a second message is looked for in standard input.
const FAR: usize = 1 << 20;

/// What a file is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// One message.
    Message,
    /// One message, packed.
    Packed,
    /// An mbox.
    Mbox(Dialect),
    /// A tar file.
    Tar,
}

impl Kind {
    /// What `--format` says a file is; nothing if it is to be looked at.
    pub fn said(format: Format) -> Option<Self> {
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

    /// What a file given by name is: if it cannot be looked at, reading it will show. A pipe gives what it has
    /// only once, so it is a message unless something else was said.
    pub fn of_file(path: &Path, format: Format) -> Self {
        let looked = || if path.is_file() { Some(look(path)) } else { None };
        Self::said(format).or_else(looked).unwrap_or(Self::Message)
    }

    /// What standard input is, and what was read of it to see that. An mbox is one of several messages beyond doubt:
    /// whoever delivers a single message to a program may have put a `From ` line before it.
    ///
    /// # Errors
    /// It cannot be read.
    pub fn of_stdin(format: Format) -> io::Result<(Self, Option<Unpacked>)> {
        if let Some(said) = Self::said(format) {
            return Ok((said, None));
        }
        if io::stdin().is_terminal() {
            return Ok((Self::Message, None));
        }
        let mut found = unpack(io::stdin())?;
        let mut kind = seen(&found);
        if matches!((kind, found.packing), (Self::Mbox(_), Packing::None))
            && !holds_several(found.look_on(FAR)?)?
        {
            kind = Self::Message;
        }
        Ok((kind, Some(found)))
    }

    /// What a file is that lies in a directory: a message, unless its octets are those of several, or its name says
    /// that it is more and its octets agree, or it was said. If it cannot be looked at, reading it will show.
    pub fn in_directory(path: &Path, format: Format) -> Self {
        if let Some(said) = Self::said(format) {
            return said;
        }
        let extension = path.extension().and_then(|extension| extension.to_str()).unwrap_or_default();
        let is_said = matches!(extension, "mbox" | "mbx" | "tar" | "tgz" | "tzst" | "gz" | "zst");
        if is_said || path.file_name().is_some_and(|name| name == "mbox") {
            return look(path);
        }
        let many = || File::open(path).and_then(holds_several).unwrap_or_default();
        if !is_eml(path) && many() { Self::Mbox(Dialect::Auto) } else { Self::Message }
    }
}

/// Looks at the first octets. A message may begin with a `From ` line of its own where its name says that it is one.
/// What begins as if it were packed is packed, even if it cannot be unpacked: reading will say so.
fn look(path: &Path) -> Kind {
    let Ok(found) = open(path) else { return Kind::Packed };
    match seen(&found) {
        Kind::Mbox(_) if is_eml(path) && found.packing == Packing::None => Kind::Message,
        Kind::Mbox(_) if is_eml(path) => Kind::Packed,
        kind => kind,
    }
}

/// What a stream is by its first octets.
fn seen(found: &Unpacked) -> Kind {
    if begins_tar(&found.first) {
        Kind::Tar
    } else if begins_mbox(&found.first) {
        Kind::Mbox(Dialect::Auto)
    } else if found.packing == Packing::None {
        Kind::Message
    } else {
        Kind::Packed
    }
}

/// Whether octets that are to be one message are several, or hide what they are.
pub fn holds_more(octets: &[u8]) -> bool {
    // Reading from memory does not fail.
    Packing::of_octets(octets) != Packing::None
        || begins_tar(octets)
        || holds_several(octets).unwrap_or_default()
}

fn is_eml(path: &Path) -> bool {
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
