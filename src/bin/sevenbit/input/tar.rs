//! tar: each regular file in it is a message, hidden ones excepted; what else is in it is handed on.

use std::io::{self, Read};
use std::ops::ControlFlow;
use std::path::PathBuf;

use tar::{Archive, Entry, Header};

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

/// Calls `each` with every entry until it breaks.
///
/// # Errors
/// Those of the stream, and that it is no tar file.
pub fn entries(
    from: impl Read,
    mut each: impl FnMut(TarEntry) -> ControlFlow<()>,
) -> io::Result<ControlFlow<()>> {
    let mut archive = Archive::new(from);
    for entry in archive.entries()? {
        if each(load(entry?)?).is_break() {
            return Ok(ControlFlow::Break(()));
        }
    }
    Ok(ControlFlow::Continue(()))
}

fn load(mut entry: Entry<'_, impl Read>) -> io::Result<TarEntry> {
    let path = entry.path()?.into_owned();
    let link = entry.link_name()?.map(|link| link.into_owned());
    let (header, offset) = (entry.header().clone(), entry.raw_file_position());
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
