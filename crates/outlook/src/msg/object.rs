//! An OLE object: a storage in the file of the message, as a compound file of its own.

use std::io::Write;

use super::compound::Compound;

const MAX_DEPTH: usize = 16;

/// Returns the storage `path` of `file` as a compound file; `None` if not all of it can be read.
pub(super) fn copy(file: &mut Compound<'_>, path: &str) -> Option<Vec<u8>> {
    let mut copy = file.class(path)?;
    copy_storage(file, path, &mut copy, "/", 0)?;
    copy.flush().ok()?;
    Some(copy.into_inner().into_inner())
}

fn copy_storage(
    file: &mut Compound<'_>,
    from: &str,
    copy: &mut cfb::CompoundFile<std::io::Cursor<Vec<u8>>>,
    to: &str,
    depth: usize,
) -> Option<()> {
    if depth > MAX_DEPTH {
        return None;
    }
    for entry in file.entries(from) {
        let (from, to) = (format!("{from}{}", entry.name), format!("{to}{}", entry.name));
        if entry.is_stream {
            let octets = file.stream(&from)?;
            copy.create_stream(&to).ok()?.write_all(&octets).ok()?;
        } else {
            copy.create_storage(&to).ok()?;
            copy_storage(file, &format!("{from}/"), copy, &format!("{to}/"), depth + 1)?;
        }
    }
    Some(())
}
