//! Maildir: a directory of `cur`, `new` and `tmp`. A message being delivered is in `tmp` and is
//! left alone.

use std::path::Path;

/// Whether a directory is a Maildir, or a folder of one.
pub fn is_maildir(directory: &Path) -> bool {
    ["cur", "new", "tmp"].iter().all(|name| directory.join(name).is_dir())
}

/// The name of a Maildir++ folder, for people: `.Entw&APw-rfe` is `Entwürfe`.
pub fn folder(relative: &Path) -> Option<String> {
    let directory = relative.parent()?.parent()?.file_name()?.to_str()?;
    let name = directory.strip_prefix('.')?;
    Some(sevenbit::mailbox_name::decode(name.as_bytes()).into_text().into_owned())
}
