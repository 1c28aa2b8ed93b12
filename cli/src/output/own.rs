//! Files with predictable names: they are created or opened only as files of our own, so that no
//! one who can write in the same directory turns them into something else.

use std::fs::{self, File, Metadata, OpenOptions};
use std::io;
use std::path::Path;

/// Creates the file at `path`; an existing one is opened if it is ours. No link is followed.
///
/// # Errors
/// The file cannot be created, or the existing one is not ours.
pub fn create_or_open(path: &Path, is_private: bool) -> io::Result<File> {
    match create(path, is_private) {
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {
            open(path, File::options().write(true))
        }
        made => made,
    }
}

/// Creates a new file.
///
/// # Errors
/// The file exists, or is a link, or cannot be created.
pub fn create(path: &Path, is_private: bool) -> io::Result<File> {
    let mut options = File::options();
    options.create_new(true).write(true);
    #[cfg(unix)]
    if is_private {
        // As private as it should be from the beginning.
        std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    }
    open_here(path, &mut options)
}

/// Opens a file to read it, if it is ours.
///
/// # Errors
/// The file does not exist, or is not ours.
pub fn read(path: &Path) -> io::Result<File> {
    open(path, File::options().read(true))
}

/// How many octets a file of ours has.
pub fn length(path: &Path) -> Option<u64> {
    fs::symlink_metadata(path).ok().filter(is_ours).map(|found| found.len())
}

fn open(path: &Path, options: &mut OpenOptions) -> io::Result<File> {
    let file = open_here(path, options)?;
    if is_ours(&file.metadata()?) { Ok(file) } else { Err(not_ours()) }
}

#[cfg(unix)]
fn open_here(path: &Path, options: &mut OpenOptions) -> io::Result<File> {
    use rustix::fs::OFlags;
    use std::os::unix::fs::OpenOptionsExt;
    // Nor is a pipe waited for.
    let flags = OFlags::NOFOLLOW | OFlags::NONBLOCK;
    options.custom_flags(flags.bits().cast_signed()).open(path).map_err(|error| {
        let is_link = rustix::io::Errno::from_io_error(&error) == Some(rustix::io::Errno::LOOP);
        if is_link { not_ours() } else { error }
    })
}

#[cfg(not(unix))]
fn open_here(path: &Path, options: &mut OpenOptions) -> io::Result<File> {
    options.open(path)
}

/// Whether it is a file that belongs to the user who runs this, with only one name.
fn is_ours(found: &Metadata) -> bool {
    #[cfg(unix)]
    {
        use std::os::unix::fs::MetadataExt;
        if found.nlink() > 1 || found.uid() != rustix::process::geteuid().as_raw() {
            return false;
        }
    }
    found.is_file()
}

fn not_ours() -> io::Error {
    let reason = "a link or somebody else's file has the name of what sevenbit keeps beside it; remove that first";
    io::Error::new(io::ErrorKind::AlreadyExists, reason)
}
