//! The folder of a Maildir, or the mbox, that a message goes to.
//!
//! A Maildir that is read stays where it is in the tree of another. Everything else becomes
//! Maildir++: each mailbox, and each directory of messages, is a folder beside `cur` and `new`,
//! whose name begins with a dot, has one between its levels, and is written as IMAP names
//! mailboxes: `Archive.sbd/Entwürfe` is `.Archive.Entw&APw-rfe`.
//!
//! As an mbox each of them is a file, below directories for the levels around it, and has a name
//! for people: `Archive/Entwürfe.mbox`.

use std::ffi::OsStr;
use std::path::{Component, Path, PathBuf, is_separator};

use sevenbit::mailbox_name;

use super::Outgoing;
use crate::input::{Home, Packing, is_message_of_maildir, safe_name};

/// The extensions of mailboxes and of directories of mailboxes, which are no part of their names:
/// those of mbox files, and Thunderbird's for the folders below a folder.
const EXTENSIONS: [&str; 4] = ["mbox", "mbx", "mbs", "sbd"];

/// The folder that a message was in.
enum Folder {
    /// A Maildir, or a folder of one, at this path.
    Maildir(PathBuf),
    /// A mailbox, or a directory of messages, at this path. It is empty if there is only one.
    Mailbox(PathBuf),
}

impl Folder {
    /// Returns the folder of a message. `has_others` says that messages come from more than one
    /// file: if they do not, the name of that file says nothing.
    fn of(outgoing: &Outgoing<'_>, has_others: bool) -> Self {
        let relative = &*outgoing.item.relative;
        match &outgoing.item.home {
            Home::Maildir => {
                Self::Maildir(maildir_around(relative).unwrap_or(Path::new("")).into())
            }
            Home::Alone | Home::Inside => Self::Mailbox(parent(relative).into()),
            Home::Mbox { .. } => Self::of_mbox(relative, has_others),
            Home::Folder { .. } if has_others => Self::Mailbox(relative.into()),
            Home::Folder { .. } => Self::Mailbox(relative.iter().skip(1).collect()),
            Home::Tar { entry, within, .. } => {
                let around = if has_others { archive(relative) } else { PathBuf::new() };
                match (within, maildir_around(&entry.unique)) {
                    (Some(_), _) => Self::Mailbox(around.join(&entry.unique)),
                    (None, Some(maildir)) => Self::Maildir(around.join(maildir)),
                    (None, None) => Self::Mailbox(around.join(parent(&entry.unique))),
                }
            }
        }
    }

    /// Returns the folder that an mbox is.
    fn of_mbox(relative: &Path, has_others: bool) -> Self {
        Self::Mailbox(if has_others { relative.into() } else { PathBuf::new() })
    }

    /// Returns it as a path below a Maildir.
    fn in_maildir(self) -> PathBuf {
        match self {
            Self::Maildir(path) => path,
            Self::Mailbox(path) => called(&path),
        }
    }
}

/// Returns the folder of a message as a path below a Maildir, which is empty for the Maildir itself.
pub fn in_maildir(outgoing: &Outgoing<'_>, has_others: bool) -> PathBuf {
    Folder::of(outgoing, has_others).in_maildir()
}

/// Returns the mbox of a message as a path below a directory of them. A Maildir itself is `Inbox`.
pub fn as_mbox(outgoing: &Outgoing<'_>, has_others: bool) -> PathBuf {
    let levels = match Folder::of(outgoing, has_others) {
        Folder::Maildir(path) => return mbox_of_maildir(&path),
        // The name of the only mailbox is that of its mbox.
        Folder::Mailbox(path) if path.as_os_str().is_empty() && !has_others => {
            levels(&outgoing.item.relative)
        }
        Folder::Mailbox(path) => levels(&path),
    };
    as_path(&levels)
}

/// Returns the path of the mbox at these levels.
fn as_path(levels: &[String]) -> PathBuf {
    let mut mbox: PathBuf = levels.iter().map(|level| safe_name(level.as_ref())).collect();
    if levels.is_empty() {
        mbox.push("Inbox");
    }
    mbox.as_mut_os_string().push(".mbox");
    mbox
}

/// Returns the folder that an mbox becomes, as a path below a Maildir.
pub fn maildir_of_mbox(relative: &Path, has_others: bool) -> PathBuf {
    Folder::of_mbox(relative, has_others).in_maildir()
}

/// Returns the mbox that an mbox becomes, as a path below a directory of them.
pub fn mbox_of_mbox(relative: &Path) -> PathBuf {
    as_path(&levels(relative))
}

/// Returns the mbox of a Maildir, or of a folder of one, as a path below a directory of them.
pub fn mbox_of_maildir(path: &Path) -> PathBuf {
    as_path(&path.iter().flat_map(levels_of_maildir).collect::<Vec<_>>())
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
pub fn unpacked(mut name: &Path) -> &Path {
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
            // A dot is where a level ends, so there is none in it.
            let names: Vec<_> =
                levels.iter().map(|level| in_imap(&level.replace('.', "_"))).collect();
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

/// Returns the name of a level without its extensions.
fn level(name: &OsStr) -> String {
    let mut name = unpacked(Path::new(name));
    while is_called(name, &EXTENSIONS) {
        name = Path::new(name.file_stem().unwrap_or_default());
    }
    name.to_string_lossy().into_owned()
}

/// Returns the levels of a folder in the path of a Maildir: those of `.Archive.Entw&APw-rfe` are
/// `Archive` and `Entwürfe`, and a directory around Maildirs is one.
fn levels_of_maildir(name: &OsStr) -> Vec<String> {
    let name = name.to_string_lossy();
    let Some(folder) = name.strip_prefix('.') else { return vec![name.into_owned()] };
    folder.split('.').filter(|level| !level.is_empty()).map(for_people).collect()
}

/// Returns the name of a level, given as IMAP has it, as a name for people. One that would lead
/// elsewhere stays as it is.
fn for_people(level: &str) -> String {
    match mailbox_name::decode(level.as_bytes()).into_text() {
        read if matches!(&*read, "." | "..") => level.to_owned(),
        read => read.replace(is_separator, "_"),
    }
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

    /// No name leads out of the directory of mboxes, however it is written.
    #[test]
    fn levels_of_a_maildir_are_names_for_people() {
        let levels = |name| levels_of_maildir(OsStr::new(name)).join(" | ");
        for (name, expected) in [
            (".Sent", "Sent"),
            (".Archive.Entw&APw-rfe", "Archive | Entw\u{fc}rfe"),
            ("account", "account"),
            (".a..b.", "a | b"),
            (".&AC4ALg-.x", "&AC4ALg- | x"),
            (".&AC8-etc&AC8-x", "_etc_x"),
            (".R&D", "R&D"),
        ] {
            assert_eq!(levels(name), expected, "{name}");
        }
    }

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
