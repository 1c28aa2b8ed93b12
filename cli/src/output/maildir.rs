//! Delivery to a Maildir: written in `tmp`, synced, and renamed to where readers look.

use std::fs::Permissions;
use std::io;
use std::path::{Path, PathBuf};

use sevenbit::Message;
use sha2::{Digest, Sha256};

use super::Outgoing;
use super::beneath::Beneath;
use super::delivered::{Delivered, moved};
use super::flags::{self, Source};
use super::folder;
use super::keywords::Keywords;
use super::sizes::with_sizes;
use super::temporary::Temporary;
use crate::identity;
use crate::input::Home;
use crate::place::resolve;

/// The way a message is put into a Maildir.
pub struct Delivery<'k> {
    /// The messages that were there before the run.
    pub delivered: &'k mut Delivered,
    /// The lists of keywords that are written, whose letters names get. Without them letters stay.
    pub keywords: Option<&'k mut Keywords>,
    /// The permissions of its file.
    pub permissions: Option<Permissions>,
    /// Whether messages come from more than one file.
    pub has_others: bool,
}

/// Puts a message into a Maildir under `root`, in the folder that it comes from. No link below
/// `root` is followed.
///
/// The name is made from the file that the message is in and from what names it, so that a repeated
/// job delivers nothing twice, even if other messages of the file are gone or new meanwhile.
///
/// Returns whether each of its keywords has a letter.
///
/// # Errors
/// The message cannot be written or renamed.
pub fn deliver(root: &Path, outgoing: &Outgoing<'_>, delivery: Delivery<'_>) -> io::Result<bool> {
    let Delivery { delivered, keywords, permissions, has_others } = delivery;
    let folder = folder::in_maildir(outgoing, has_others);
    let place = match outgoing.item.home {
        Home::Maildir => {
            let relative = &outgoing.item.relative;
            relative.strip_prefix(&folder).unwrap_or(relative).to_owned()
        }
        _ => new_name(outgoing, delivered)?,
    };
    let (place, are_kept) = match keywords {
        Some(keywords) => with_keywords(keywords, root, &folder, place, outgoing)?,
        None => (place, true),
    };
    let old = delivered.take(root, &folder, &place);
    let place = old.as_deref().map_or(place.clone(), |old| moved(&place, old));
    let enter = |name: &Path| Beneath::enter(root, &folder.join(name));
    let tmp = enter(Path::new("tmp"))?;
    for name in ["new", "cur"] {
        enter(Path::new(name))?;
    }
    if is_folder(&folder) {
        for name in ["tmp", "new", "cur"] {
            Beneath::enter(root, Path::new(name))?;
        }
    }
    let directory = enter(place.parent().unwrap_or(Path::new("new")))?;
    let (mut file, temporary) = Temporary::beneath(&tmp, None, permissions.as_ref())?;
    outgoing.write_to(&mut file)?;
    // Mail programs show its time as that of arrival.
    let _ = outgoing.origin().give_to(&file);
    file.sync_all()?;
    let name = place.file_name().unwrap_or_default();
    let sized = with_sizes(name, outgoing)?;
    let name = sized.as_deref().unwrap_or(name);
    temporary.rename_beneath(&tmp, &directory, name)?;
    if let Some(old) = old
        && old != place.with_file_name(name)
    {
        enter(old.parent().unwrap_or(Path::new("new")))?
            .remove(old.file_name().unwrap_or_default())?;
    }
    Ok(are_kept)
}

/// Returns whether a directory is a folder of the Maildir that it lies in, which programs look for
/// first.
fn is_folder(directory: &Path) -> bool {
    let mut names = directory.iter();
    names.next().is_some_and(|name| name.as_encoded_bytes().starts_with(b"."))
        && names.next().is_none()
}

/// Returns a name with the letters that stand for a message's keywords in the list of the folder
/// that it goes to.
fn with_keywords(
    keywords: &mut Keywords,
    root: &Path,
    folder: &Path,
    place: PathBuf,
    outgoing: &Outgoing<'_>,
) -> io::Result<(PathBuf, bool)> {
    let item = outgoing.item;
    let (names, unnamed) = match Source::of(item) {
        Source::Name(path) => {
            let names = flags::keywords(item).unwrap_or_default();
            let unnamed = flags::keyword_letters(path) > names.len();
            (names, unnamed)
        }
        Source::Fields => (flags::keywords_of_fields(&Message::parse(&outgoing.head()?)), false),
        Source::None => (Vec::new(), false),
    };
    let (letters, are_all) = keywords.letters(root, folder, &names)?;

    let Some(old) = flags::of_name(&place) else {
        return Ok((in_cur(place, &letters), are_all && !unnamed));
    };
    let flags: String = old.chars().filter(|flag| !flag.is_ascii_lowercase()).collect();
    let name = place.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let base = name.strip_suffix(&old).unwrap_or(&name);
    Ok((place.with_file_name(format!("{base}{flags}{letters}")), are_all && !unnamed))
}

/// Returns the name of a message with keywords, which only names in `cur` have.
fn in_cur(place: PathBuf, letters: &str) -> PathBuf {
    if letters.is_empty() {
        return place;
    }
    let name = place.file_name().unwrap_or_default().to_string_lossy().into_owned();
    Path::new("cur").join(format!("{name}:2,{letters}"))
}

/// `cur/1795046400.0a1b2c3d4e5f6071.sevenbit:2,S`: the date as far as it is known, and a name that
/// is the same whenever the job is repeated, however its input is spelt. Copies of a message are
/// told apart by their order.
fn new_name(outgoing: &Outgoing<'_>, delivered: &mut Delivered) -> io::Result<PathBuf> {
    let octets = outgoing.head()?;
    let message = Message::parse(&octets);
    let date = outgoing.date(&message).unwrap_or_default().max(0);
    let mut digest = Sha256::new();
    let file = &*outgoing.item.name;
    let file = resolve(file).unwrap_or_else(|_| file.to_owned());
    digest.update(file.as_os_str().as_encoded_bytes());
    digest.update([0]);
    match &outgoing.item.home {
        Home::Tar { entry, .. } => digest.update(entry.path.as_os_str().as_encoded_bytes()),
        Home::Folder { .. } => {
            digest.update(outgoing.item.relative.as_os_str().as_encoded_bytes());
        }
        _ => {}
    }
    digest.update([0]);
    digest.update(identity::name(&octets));
    let digest: [u8; 32] = digest.finalize().into();
    let digest = delivered.told_apart(digest);
    let unique: String = digest.iter().take(8).map(|octet| format!("{octet:02x}")).collect();
    let name = format!("{date}.{unique}.sevenbit");
    Ok(match flags_of(outgoing, &message) {
        Some(flags) => PathBuf::from(format!("cur/{name}:2,{flags}")),
        None => PathBuf::from(format!("new/{name}")),
    })
}

/// The flags in a name or in fields of a mailbox, if there are any.
fn flags_of(outgoing: &Outgoing<'_>, message: &Message<'_>) -> Option<String> {
    match Source::of(outgoing.item) {
        Source::Name(path) => flags::of_name(path),
        Source::Fields => flags::of_fields(message),
        Source::None => None,
    }
}
