//! `--in-place`: a file is replaced by its output, in one step, if it is still the file that was
//! read.
//!
//! Others work on the same mail: a reader that renames a message when its flags change, a second
//! job, a delivery. The new file *exchanges* its name with the old one. That fails if the name is
//! gone, so that no message appears twice; and the old file is checked: if it is not the one that
//! was read, it is put back.

use std::ffi::{OsStr, OsString};
use std::fs::{self, File, Metadata};
use std::io::{self, Read as _, Seek as _};
use std::path::{Path, PathBuf};

use super::Outgoing;
use super::beneath::Beneath;
use super::links::{self, Links, Replaced};
use super::packer::{Packer, Sink};
use super::sizes::with_sizes;
use super::temporary::Temporary;
use crate::exit::{Exit, Failure};
use crate::input::{Home, Item, Packing};

/// The number of octets that show how a file is packed.
const PACKING_SHOWS: u64 = 16;

/// A file to be replaced. Its directory is open, and no link below the INPUT led there: one that
/// takes the place of a directory meanwhile leads no write elsewhere.
struct Place {
    /// The path, for messages.
    path: PathBuf,
    directory: Beneath,
    name: OsString,
}

impl Place {
    fn open(item: &Item) -> io::Result<Self> {
        let (root, relative) = root_of(item)?;
        let directory = Beneath::open(&root, relative.parent().unwrap_or(Path::new("")))?;
        let name = relative.file_name().ok_or(io::ErrorKind::InvalidInput)?.to_owned();
        Ok(Self { path: item.name.to_path_buf(), directory, name })
    }
}

/// Returns the INPUT that a file is in, or the directory of a file that was named, and the path of
/// the file below it.
fn root_of(item: &Item) -> io::Result<(PathBuf, PathBuf)> {
    let (path, relative) = (&*item.name, &*item.relative);
    let above = relative.components().count();
    let root = path.ancestors().nth(above).filter(|root| root.join(relative) == path);
    match root {
        Some(root) if root.as_os_str().is_empty() => Ok((PathBuf::from("."), relative.to_owned())),
        Some(root) => Ok((root.to_owned(), relative.to_owned())),
        None => Err(io::ErrorKind::InvalidInput.into()),
    }
}

/// Replaces the file of a message.
///
/// # Errors
/// The file cannot be written, or has changed since it was read.
pub fn replace(outgoing: &Outgoing<'_>, links: &mut Links) -> Result<(), Failure> {
    let name = &*outgoing.item.name;
    let Some(before) = outgoing.file else {
        return Err(Failure::new(Exit::CannotWrite, name, "is no file that could be replaced"));
    };
    let place = Place::open(outgoing.item).map_err(|error| failed(name, &error))?;
    let here = |error: io::Error| failed(&place.path, &error);
    if let Some((aside, temporary)) = link(outgoing, links.replaced(before)).map_err(here)? {
        exchange(&aside, &temporary, outgoing, &place, before)?;
        links.joined(before);
        return Ok(());
    }

    let Written { aside, temporary, file } = write(&place, outgoing, before).map_err(here)?;
    let name = exchange(&aside, &temporary, outgoing, &place, before)?;
    let (root, relative) = root_of(outgoing.item).map_err(here)?;
    let directory = relative.parent().unwrap_or(Path::new("")).to_owned();
    links.note(before, &file, (root, directory, name), place.path);
    Ok(())
}

/// Lets a file and its replacement exchange their names; returns the name that it then has.
fn exchange(
    aside: &Beneath,
    temporary: &Temporary,
    outgoing: &Outgoing<'_>,
    place: &Place,
    before: &Metadata,
) -> Result<OsString, Failure> {
    let swapped = match outgoing.item.home {
        Home::Maildir => {
            swap_sized(aside, temporary, outgoing, &place.directory, &place.name, before)
        }
        _ => swap(aside, temporary, &place.directory, &place.name, before)
            .map(|()| place.name.clone()),
    };
    match swapped {
        Ok(name) => Ok(name),
        Err(error) if error.kind() == io::ErrorKind::NotFound => {
            follow(aside, temporary, outgoing, place, before)
        }
        Err(error) => Err(failed(&place.path, &error)),
    }
}

/// Returns the directory in which the replacement of a file is written.
fn aside_of(outgoing: &Outgoing<'_>) -> io::Result<Beneath> {
    let (root, relative) = root_of(outgoing.item)?;
    let directory = relative.parent().unwrap_or(Path::new(""));
    match &outgoing.item.home {
        // A copy of a Maildir may lack `tmp`, which is empty: readers pass over hidden names in `cur`.
        Home::Maildir => Beneath::open(&root, &directory.with_file_name("tmp"))
            .or_else(|_| Beneath::open(&root, directory)),
        _ => Beneath::open(&root, directory),
    }
}

/// Makes another name of the file that another name of this one was replaced with, if it is still
/// that file.
fn link(
    outgoing: &Outgoing<'_>,
    replaced: Option<&Replaced>,
) -> io::Result<Option<(Beneath, Temporary)>> {
    let Some(replaced) = replaced else { return Ok(None) };
    let (root, directory, name) = &replaced.place;
    let Ok(from) = Beneath::open(root, directory) else { return Ok(None) };
    let aside = aside_of(outgoing)?;
    // Where a file may have no more names, a new one is written.
    let Ok(temporary) = Temporary::linked(&aside, &from, name) else { return Ok(None) };
    let found = aside.read(temporary.name())?.metadata()?;
    Ok((links::id(&found) == Some(replaced.file)).then_some((aside, temporary)))
}

/// A replacement and the directory that it is in.
struct Written {
    aside: Beneath,
    temporary: Temporary,
    file: Metadata,
}

/// Writes the replacement of a file, with its owner, mode and times.
fn write(place: &Place, outgoing: &Outgoing<'_>, before: &Metadata) -> io::Result<Written> {
    let aside = aside_of(outgoing)?;
    let (mut file, temporary) = Temporary::beneath(&aside, None, None)?;
    write_packed(place, outgoing, &mut file)?;
    keep(&file, place, before)?;
    file.sync_all()?;
    let file = file.metadata()?;
    Ok(Written { aside, temporary, file })
}

/// Writes a message as its file had it: packed, if it was.
fn write_packed(place: &Place, outgoing: &Outgoing<'_>, file: &mut File) -> io::Result<()> {
    let mut first = Vec::new();
    place.directory.read(&place.name)?.take(PACKING_SHOWS).read_to_end(&mut first)?;
    let packing = Packing::of_octets(&first);
    if packing == Packing::None {
        return outgoing.write_to(file);
    }
    let mut packer = Packer::new(packing, Sink::spooled())?;
    outgoing.write_to(&mut packer)?;
    let mut packed = packer.into_spooled()?;
    packed.rewind()?;
    io::copy(&mut packed, file).map(drop)
}

fn keep(file: &File, place: &Place, before: &Metadata) -> io::Result<()> {
    #[cfg(unix)]
    {
        use std::os::unix::fs::{MetadataExt, fchown};
        // Only root may give files away; other users own the file already.
        let _ = fchown(file, Some(before.uid()), Some(before.gid()));
        if file.metadata()?.uid() != before.uid() {
            let reason = "it belongs to another user, who would lose it";
            return Err(io::Error::new(io::ErrorKind::PermissionDenied, reason));
        }
    }
    file.set_permissions(before.permissions())?;
    #[cfg(target_os = "linux")]
    keep_attributes(file, place)?;
    #[cfg(not(target_os = "linux"))]
    let _ = place;
    let mut times = fs::FileTimes::new();
    if let Ok(time) = before.modified() {
        times = times.set_modified(time);
    }
    if let Ok(time) = before.accessed() {
        times = times.set_accessed(time);
    }
    file.set_times(times)
}

/// Keeps the extended attributes, among them the access control lists. Those of the system that
/// nobody may set are left to it.
#[cfg(target_os = "linux")]
fn keep_attributes(file: &File, place: &Place) -> io::Result<()> {
    use rustix::fs::{XattrFlags, fgetxattr, flistxattr, fsetxattr};
    use rustix::io::Errno;

    let from = place.directory.read(&place.name)?;
    let mut names = vec![0; 64 << 10];
    let length = match flistxattr(&from, names.as_mut_slice()) {
        Err(Errno::NOTSUP) => return Ok(()),
        length => length?,
    };
    for name in names[..length].split(|octet| *octet == 0).filter(|name| !name.is_empty()) {
        let mut value = vec![0; 64 << 10];
        let length = fgetxattr(&from, name, value.as_mut_slice())?;
        match fsetxattr(file, name, &value[..length], XattrFlags::empty()) {
            Err(Errno::PERM | Errno::NOTSUP) if !name.starts_with(b"user.") => {}
            set => set?,
        }
    }
    Ok(())
}

/// Exchanges the two, and checks that it was the right one.
fn swap(
    aside: &Beneath,
    temporary: &Temporary,
    directory: &Beneath,
    name: &OsStr,
    before: &Metadata,
) -> io::Result<()> {
    match aside.exchange(temporary.name(), directory, name) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => {
            // Where names cannot be exchanged: checks, then renames.
            if !is_same(before, &directory.read(name)?.metadata()?) {
                return Err(io::Error::from(io::ErrorKind::StaleNetworkFileHandle));
            }
            return aside.rename(temporary.name(), directory, name);
        }
        exchanged => exchanged?,
    }
    // A file that cannot be opened is not the one that was read.
    let found = aside.read(temporary.name()).and_then(|file| file.metadata());
    if found.is_ok_and(|found| is_same(before, &found)) {
        return Ok(());
    }
    aside.exchange(temporary.name(), directory, name)?;
    Err(io::Error::from(io::ErrorKind::StaleNetworkFileHandle))
}

/// Exchanges the two, once the file of a Maildir has a name with the sizes of its replacement;
/// returns that name. Whenever this is interrupted, there is one file, and another run ends it.
fn swap_sized(
    aside: &Beneath,
    temporary: &Temporary,
    outgoing: &Outgoing<'_>,
    directory: &Beneath,
    name: &OsStr,
    before: &Metadata,
) -> io::Result<OsString> {
    let sized = with_sizes(name, outgoing)?;
    // No other file is written over.
    let Some(sized) = sized.filter(|sized| directory.read(sized).is_err()) else {
        swap(aside, temporary, directory, name, before)?;
        return Ok(name.to_owned());
    };

    directory.rename(name, directory, &sized)?;
    match swap(aside, temporary, directory, &sized, before) {
        Ok(()) => Ok(sized),
        Err(error) => {
            // Its own name is better than none: if even that fails, the first error says more.
            let _ = directory.rename(&sized, directory, name);
            Err(error)
        }
    }
}

/// A message that is gone from a Maildir may have been given other flags, and so another name.
fn follow(
    aside: &Beneath,
    temporary: &Temporary,
    outgoing: &Outgoing<'_>,
    place: &Place,
    before: &Metadata,
) -> Result<OsString, Failure> {
    let gone = || failed(&place.path, &io::Error::from(io::ErrorKind::NotFound));
    let renamed =
        matches!(outgoing.item.home, Home::Maildir).then(|| renamed(&place.path)).flatten();
    let Some(renamed) = renamed else { return Err(gone()) };

    let (root, relative) = root_of(outgoing.item).map_err(|error| failed(&place.path, &error))?;
    let cur = relative.parent().unwrap_or(Path::new("")).with_file_name("cur");
    let swapped = Beneath::open(&root, &cur).and_then(|cur| {
        let name = renamed.file_name().unwrap_or_default();
        swap_sized(aside, temporary, outgoing, &cur, name, before)
    });
    swapped.map_err(|error| failed(&renamed, &error))
}

/// The file in `cur` that has the same unique name.
fn renamed(path: &Path) -> Option<PathBuf> {
    let name = path.file_name()?.to_str()?;
    let unique = name.split(':').next()?;
    let cur = path.parent()?.with_file_name("cur");
    let mut entries = fs::read_dir(cur).ok()?.flatten();
    let is_it = |name: &str| name.strip_prefix(unique).is_some_and(|rest| rest.starts_with(':'));
    entries.find(|entry| entry.file_name().to_str().is_some_and(is_it)).map(|entry| entry.path())
}

fn failed(path: &Path, error: &io::Error) -> Failure {
    match error.kind() {
        io::ErrorKind::NotFound => {
            Failure::new(Exit::TryAgain, path, "vanished before it could be replaced")
        }
        io::ErrorKind::StaleNetworkFileHandle => {
            Failure::new(Exit::TryAgain, path, "was changed by another program; left as it is")
        }
        _ => Failure::writing(path, error),
    }
}

/// Whether this is the file that was read, unchanged.
fn is_same(before: &Metadata, now: &Metadata) -> bool {
    #[cfg(unix)]
    {
        use std::os::unix::fs::MetadataExt;
        if (before.dev(), before.ino()) != (now.dev(), now.ino()) {
            return false;
        }
    }
    before.len() == now.len() && before.modified().ok() == now.modified().ok()
}

#[cfg(all(test, unix))]
mod tests {
    use std::os::unix::fs::symlink;

    use super::*;

    /// A link below the INPUT leads to no file, neither one that is there nor one that takes the
    /// place of a directory.
    #[test]
    fn a_link_on_the_way_is_not_followed() {
        let world = tempfile::tempdir().expect("a directory");
        let at = |name: &str| world.path().join(name);
        for (directory, text) in [("victim", "theirs"), ("in/d", "ours")] {
            fs::create_dir_all(at(directory)).expect("a directory");
            fs::write(at(directory).join("x.eml"), text).expect("a file");
        }
        symlink(at("victim"), at("in/link")).expect("a link");
        let item = |name: &str| {
            let relative = Path::new(name).join("x.eml");
            Item::file(at("in").join(&relative), relative, Home::Alone)
        };
        assert!(Place::open(&item("link")).is_err());

        let place = Place::open(&item("d")).expect("a place");
        fs::rename(at("in/d"), at("in/moved")).expect("renamed");
        symlink(at("victim"), at("in/d")).expect("a link");
        let mut text = String::new();
        place.directory.read(&place.name).expect("a file").read_to_string(&mut text).expect("text");
        assert_eq!(text, "ours");
        assert!(Place::open(&item("d")).is_err());
    }
}
