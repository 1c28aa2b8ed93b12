//! The folder of a Maildir that a message goes to.
//!
//! A Maildir that is read stays where it is in the tree. Everything else becomes Maildir++: each
//! mailbox, and each directory of messages, is a folder beside `cur` and `new`, whose name begins
//! with a dot, has one between its levels, and is written as IMAP names mailboxes:
//! `Archive.sbd/Entwürfe` is `.Archive.Entw&APw-rfe`.

use std::ffi::OsStr;
use std::path::{Component, Path, PathBuf};

use sevenbit::mailbox_name;

use super::Outgoing;
use crate::input::{Home, Packing, is_message_of_maildir, safe_name};

/// The extensions of mailboxes and of directories of mailboxes, which are no part of their names:
/// those of mbox files, and Thunderbird's for the folders below a folder.
const EXTENSIONS: [&str; 4] = ["mbox", "mbx", "mbs", "sbd"];

/// Returns the folder of a message as a path below the Maildir, which is empty for the Maildir
/// itself. `has_others` says that messages come from more than one file.
pub fn of(outgoing: &Outgoing<'_>, has_others: bool) -> PathBuf {
    let relative = &*outgoing.item.relative;
    match &outgoing.item.home {
        Home::Maildir => maildir_around(relative).unwrap_or(Path::new("")).to_owned(),
        Home::Alone | Home::Inside => called(parent(relative)),
        Home::Mbox { .. } if has_others => called(relative),
        Home::Mbox { .. } => PathBuf::new(),
        // The name of a store says nothing if there is no other.
        Home::Folder { .. } if has_others => called(relative),
        Home::Folder { .. } => called(&relative.iter().skip(1).collect::<PathBuf>()),
        // Nor does that of an archive.
        Home::Tar { entry, within, .. } => {
            let around = if has_others { archive(relative) } else { PathBuf::new() };
            match (within, maildir_around(&entry.unique)) {
                (Some(_), _) => called(&around.join(&entry.unique)),
                (None, Some(maildir)) => around.join(maildir),
                (None, None) => called(&around.join(parent(&entry.unique))),
            }
        }
    }
}

/// Returns the Maildir, or the folder of one, that a file with this name is in.
fn maildir_around(path: &Path) -> Option<&Path> {
    if is_message_of_maildir(path) { path.parent()?.parent() } else { None }
}

/// Returns the path of an archive without its extension.
fn archive(relative: &Path) -> PathBuf {
    let name = Path::new(relative.file_name().unwrap_or_default());
    let unpacked = unpacked(name);
    relative.with_file_name(unpacked.file_stem().unwrap_or(unpacked.as_os_str()))
}

/// Returns a name without the extensions of what it is packed with.
fn unpacked(mut name: &Path) -> &Path {
    while Packing::of_name(name) != Packing::None
        && name.file_stem().is_some_and(|stem| stem != name)
    {
        name = Path::new(name.file_stem().unwrap_or_default());
    }
    name
}

fn parent(path: &Path) -> &Path {
    path.parent().unwrap_or(Path::new(""))
}

/// Returns the folder that a mailbox with this path becomes. The one called `Inbox` is the Maildir
/// itself, as in IMAP.
fn called(mailbox: &Path) -> PathBuf {
    let levels = levels(mailbox);
    match levels.as_slice() {
        [] => PathBuf::new(),
        [inbox] if inbox.eq_ignore_ascii_case("inbox") => PathBuf::new(),
        levels => {
            let names: Vec<_> = levels.iter().map(|level| in_imap(level)).collect();
            safe_name(OsStr::new(&format!(".{}", names.join(".")))).into()
        }
    }
}

/// Returns the names of a mailbox and of those around it, from the outermost.
fn levels(mailbox: &Path) -> Vec<String> {
    let mut names: Vec<&OsStr> = mailbox
        .components()
        .filter_map(|part| match part {
            Component::Normal(name) => Some(name),
            _ => None,
        })
        .collect();
    // Apple Mail has the messages of `X.mbox` in `X.mbox/mbox`, or below `X.mbox/UUID/Data`.
    let around = names.iter().rposition(|name| is_called(Path::new(name), &["mbox"]));
    if let Some(around) = around {
        names.truncate(around + 1);
    }
    names.into_iter().map(level).collect()
}

/// Returns the name of a level without its extensions. A dot is where a level ends, so there is
/// none in it.
fn level(name: &OsStr) -> String {
    let mut name = unpacked(Path::new(name));
    while is_called(name, &EXTENSIONS) {
        name = Path::new(name.file_stem().unwrap_or_default());
    }
    name.to_string_lossy().replace('.', "_")
}

fn is_called(name: &Path, extensions: &[&str]) -> bool {
    let own = name.extension().unwrap_or_default();
    extensions.iter().any(|extension| own.eq_ignore_ascii_case(extension))
}

/// Returns the name of a level as IMAP has it. The files of programs that read mail by IMAP are
/// named so already.
fn in_imap(level: &str) -> String {
    let read = mailbox_name::decode(level.as_bytes()).into_text();
    if *read != *level && mailbox_name::encode(&read) == level {
        return level.to_owned();
    }
    mailbox_name::encode(level).into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_folder_is_called_as_its_mailbox() {
        for (mailbox, folder) in [
            ("", ""),
            ("Inbox", ""),
            ("INBOX.mbox.gz", ""),
            ("Sent", ".Sent"),
            ("Local Folders/Inbox", ".Local Folders.Inbox"),
            ("Archive.sbd/2019.sbd/Entw\u{fc}rfe", ".Archive.2019.Entw&APw-rfe"),
            ("pop.example.org/R&D", ".pop_example_org.R&-D"),
            ("imap.example.org/Entw&APw-rfe", ".imap_example_org.Entw&APw-rfe"),
            ("In.mbox/mbox", ".In"),
            ("V10/a1/In.mbox/Old.mbox/b2/Data/1/Messages", ".V10.a1.In.Old"),
            ("../x/./y.mbx", ".x.y"),
            (".hidden/.mbox", "._hidden._mbox"),
        ] {
            assert_eq!(called(Path::new(mailbox)), Path::new(folder), "{mailbox}");
        }
        let long = called(Path::new(&"level/".repeat(60)));
        assert!(long.as_os_str().len() <= 200, "{}", long.display());
    }
}
