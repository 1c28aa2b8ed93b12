//! Maildir: a directory of `cur`, `new` and `tmp`. A message being delivered is in `tmp` and is
//! left alone.

use std::fs;
use std::path::Path;

/// Returns whether a directory is a Maildir. Copies lose directories that are empty: two of the
/// three tell it, or the flags that names in `cur` have, where no other files lie beside.
pub fn is_maildir(directory: &Path) -> bool {
    match ["cur", "new", "tmp"].iter().filter(|name| directory.join(name).is_dir()).count() {
        0 => false,
        1 => has_flags(&directory.join("cur")) && !has_other_files(directory),
        2 => !has_other_files(directory),
        _ => true,
    }
}

/// Returns whether a directory in a Maildir is a folder of it: Maildir++ marks those without mail too.
pub fn is_folder(directory: &Path) -> bool {
    ["cur", "new"].iter().any(|name| directory.join(name).is_dir())
        || directory.join("maildirfolder").is_file()
}

/// Returns whether a directory has a file whose name says the flags of a message.
fn has_flags(directory: &Path) -> bool {
    let entries = fs::read_dir(directory).into_iter().flatten().flatten();
    entries.map(|entry| entry.file_name()).any(|name| name.to_string_lossy().contains(":2,"))
}

/// Returns whether a directory has files that are not those of mail servers.
fn has_other_files(directory: &Path) -> bool {
    const OF_SERVERS: [&str; 5] = [".", "courier", "dovecot", "maildir", "subscriptions"];
    let entries = fs::read_dir(directory).into_iter().flatten().flatten();
    let files = entries.filter(|entry| entry.file_type().is_ok_and(|kind| kind.is_file()));
    files.map(|file| file.file_name()).any(|name| {
        let name = name.to_string_lossy();
        !OF_SERVERS.iter().any(|begin| name.starts_with(begin))
    })
}

/// The name of a Maildir++ folder, for people: `.Entw&APw-rfe` is `Entwürfe`.
pub fn folder(relative: &Path) -> Option<String> {
    let directory = relative.parent()?.parent()?.file_name()?.to_str()?;
    let name = directory.strip_prefix('.')?;
    Some(sevenbit::mailbox_name::decode(name.as_bytes()).into_text().into_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_maildir_is_known_without_its_empty_directories() {
        for (files, expected) in [
            (&["cur/1", "new/", "tmp/"][..], true),
            (&["cur/1", "new/"], true),
            (&["cur/1", "tmp/"], true),
            (&["cur/1:2,S", "dovecot-uidlist"], true),
            (&["cur/1:2,S", "1.eml"], false),
            (&["cur/1", "new/", "1.eml"], false),
            (&["cur/1"], false),
            (&["new/1:2,S"], false),
            (&["1:2,S"], false),
        ] {
            let world = tempfile::tempdir().expect("a directory");
            for file in files {
                let path = world.path().join(file);
                let directory = path.parent().expect("a directory");
                let directory = if file.ends_with('/') { &path } else { directory };
                fs::create_dir_all(directory).expect("a directory");
                if !file.ends_with('/') {
                    fs::write(&path, "Subject: x\n\n").expect("a file");
                }
            }
            assert_eq!(is_maildir(world.path()), expected, "{files:?}");
        }
    }
}
