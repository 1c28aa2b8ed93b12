//! Delivery to a Maildir: written in `tmp`, synced, and renamed to where readers look.

use std::fs::Permissions;
use std::io;
use std::path::{Path, PathBuf};

use sevenbit::Message;
use sha2::{Digest, Sha256};

use super::Outgoing;
use super::beneath::Beneath;
use super::flags;
use super::temporary::Temporary;
use crate::input::Home;

/// Puts a message into a Maildir under `root`, in the folder that it comes from. No link below `root` is followed.
///
/// The name is made from the origin of the message, so that a repeated job delivers nothing twice.
///
/// # Errors
/// The message cannot be written or renamed.
pub fn deliver(root: &Path, outgoing: &Outgoing<'_>) -> io::Result<()> {
    // A folder of a store is a Maildir of its own.
    let in_folder = outgoing.item.relative.with_extension("");
    let (folder, place) = match &outgoing.item.home {
        Home::Maildir => {
            let folder = outgoing.item.relative.parent().and_then(Path::parent).unwrap_or(Path::new(""));
            let rest = outgoing.item.relative.strip_prefix(folder).unwrap_or(&outgoing.item.relative);
            (folder, rest.to_owned())
        }
        Home::Folder { .. } => (&*in_folder, new_name(outgoing)?),
        _ => (Path::new(""), new_name(outgoing)?),
    };
    let enter = |name: &Path| Beneath::enter(root, &folder.join(name));
    let tmp = enter(Path::new("tmp"))?;
    for name in ["new", "cur"] {
        enter(Path::new(name))?;
    }
    let directory = enter(place.parent().unwrap_or(Path::new("new")))?;
    let permissions: Option<Permissions> = outgoing.file.map(|file| file.permissions());
    let (mut file, temporary) = Temporary::beneath(&tmp, None, permissions.as_ref())?;
    outgoing.write_to(&mut file)?;
    if let Some(modified) = outgoing.file.and_then(|file| file.modified().ok()) {
        // Mail programs show it as the time of arrival.
        let _ = file.set_modified(modified);
    }
    file.sync_all()?;
    temporary.rename_beneath(&tmp, &directory, place.file_name().unwrap_or_default())
}

/// `cur/1795046400.0a1b2c3d4e5f6071.sevenbit:2,S`: the date as far as it is known, and a name that is the same
/// whenever the job is repeated.
fn new_name(outgoing: &Outgoing<'_>) -> io::Result<PathBuf> {
    let octets = outgoing.head()?;
    let message = Message::parse(&octets);
    let date = outgoing.date(&message).unwrap_or_default().max(0);
    let mut digest = Sha256::new();
    digest.update(outgoing.item.called().as_os_str().as_encoded_bytes());
    if let Home::Tar { entry, .. } = &outgoing.item.home
        && entry.times_before > 0
    {
        digest.update(entry.times_before.to_be_bytes());
    }
    let unique: String = digest.finalize().iter().take(8).map(|octet| format!("{octet:02x}")).collect();
    let name = format!("{date}.{unique}.sevenbit");
    Ok(match flags_of(outgoing, &message) {
        Some(flags) => PathBuf::from(format!("cur/{name}:2,{flags}")),
        None => PathBuf::from(format!("new/{name}")),
    })
}

/// The flags in a name or in fields of a mailbox, if there are any.
fn flags_of(outgoing: &Outgoing<'_>, message: &Message<'_>) -> Option<String> {
    match &outgoing.item.home {
        Home::Mbox { .. } | Home::Folder { .. } | Home::Tar { within: Some(_), .. } => {
            flags::of_fields(message)
        }
        Home::Tar { entry, .. } => flags::of_name(&entry.path),
        Home::Alone | Home::Inside | Home::Maildir => flags::of_name(&outgoing.item.relative),
    }
}
