//! `--in-place`: a file is replaced by its output, in one step, if it is still the file that was read.
//!
//! Others work on the same mail: a reader that renames a message when its flags change, a second job, a
//! delivery. The new file *exchanges* its name with the old one. That fails if the name is gone, so that no
//! message appears twice; and the old file is checked: if it is not the one that was read, it is put back.

use std::fs::{self, File, Metadata};
use std::io;
use std::path::{Path, PathBuf};

use super::Outgoing;
use super::temporary::Temporary;
use crate::exit::{Exit, Failure};
use crate::input::Home;

/// Replaces the file of a message.
///
/// # Errors
/// The file cannot be written, or has changed since it was read.
pub fn replace(outgoing: &Outgoing<'_>) -> Result<(), Failure> {
    let path = fs::canonicalize(&outgoing.item.name).unwrap_or_else(|_| outgoing.item.name.to_path_buf());
    let Some(before) = outgoing.file else {
        return Err(Failure::new(Exit::CannotWrite, &path, "is no file that could be replaced"));
    };
    let temporary = write(&path, outgoing, before).map_err(|error| Failure::writing(&path, &error))?;
    match swap(&temporary, &path, before) {
        Ok(()) => Ok(()),
        Err(error) if error.kind() == io::ErrorKind::NotFound => follow(&temporary, outgoing, &path, before),
        Err(error) => Err(failed(&path, &error)),
    }
}

/// Writes the replacement of `path`, with its owner, mode and times.
fn write(path: &Path, outgoing: &Outgoing<'_>, before: &Metadata) -> io::Result<Temporary> {
    let directory = path.parent().unwrap_or(Path::new("/"));
    let directory = match &outgoing.item.home {
        Home::Maildir => directory.with_file_name("tmp"),
        _ => directory.to_owned(),
    };
    let (mut file, temporary) = Temporary::within(&directory, None)?;
    outgoing.write_to(&mut file)?;
    keep(&file, path, before)?;
    file.sync_all()?;
    Ok(temporary)
}

fn keep(file: &File, path: &Path, before: &Metadata) -> io::Result<()> {
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
    keep_attributes(file, path)?;
    #[cfg(not(target_os = "linux"))]
    let _ = path;
    let mut times = fs::FileTimes::new();
    if let Ok(time) = before.modified() {
        times = times.set_modified(time);
    }
    if let Ok(time) = before.accessed() {
        times = times.set_accessed(time);
    }
    file.set_times(times)
}

/// Keeps the extended attributes, among them the access control lists. Those of the system that nobody may set are left to
/// it.
#[cfg(target_os = "linux")]
fn keep_attributes(file: &File, path: &Path) -> io::Result<()> {
    use rustix::fs::{XattrFlags, fgetxattr, flistxattr, fsetxattr};
    use rustix::io::Errno;

    let from = File::open(path)?;
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
fn swap(temporary: &Temporary, path: &Path, before: &Metadata) -> io::Result<()> {
    match temporary.exchange(path) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => {
            return replace_plainly(temporary, path, before);
        }
        exchanged => exchanged?,
    }
    if is_same(before, &fs::metadata(temporary.path())?) {
        return Ok(());
    }
    temporary.exchange(path)?;
    Err(io::Error::from(io::ErrorKind::StaleNetworkFileHandle))
}

/// Where names cannot be exchanged: checks, then renames.
fn replace_plainly(temporary: &Temporary, path: &Path, before: &Metadata) -> io::Result<()> {
    if !is_same(before, &fs::metadata(path)?) {
        return Err(io::Error::from(io::ErrorKind::StaleNetworkFileHandle));
    }
    fs::rename(temporary.path(), path)
}

/// A message that is gone from a Maildir may have been given other flags, and so another name.
fn follow(
    temporary: &Temporary,
    outgoing: &Outgoing<'_>,
    path: &Path,
    before: &Metadata,
) -> Result<(), Failure> {
    let renamed = matches!(outgoing.item.home, Home::Maildir).then(|| renamed(path)).flatten();
    let Some(renamed) = renamed else { return Err(failed(path, &io::Error::from(io::ErrorKind::NotFound))) };
    swap(temporary, &renamed, before).map_err(|error| failed(&renamed, &error))
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
        io::ErrorKind::NotFound => Failure::new(Exit::TryAgain, path, "vanished before it could be replaced"),
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
