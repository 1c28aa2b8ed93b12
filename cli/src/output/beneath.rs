//! Directories below an output directory, in which files are opened by the directory's descriptor.
//! No link that lies there is followed: an earlier job, an archive that was unpacked or another user
//! may have put it there, and it could lead anywhere. The output directory itself may be a link,
//! since somebody named it.

use std::ffi::OsStr;
use std::fs::{self, File};
use std::io;
use std::path::{Component, Path, PathBuf};

/// A directory below an output directory.
#[derive(Debug)]
pub struct Beneath {
    /// Its path, for messages; on systems without descriptors for all else, too.
    path: PathBuf,
    #[cfg(unix)]
    directory: std::os::fd::OwnedFd,
}

impl Beneath {
    /// Enters the directory `relative` below `root`; directories that are missing are created.
    ///
    /// # Errors
    /// One is a link or no directory, or cannot be created.
    pub fn enter(root: &Path, relative: &Path) -> io::Result<Self> {
        Self::enter_as_closed(root, relative, |_| None)
    }

    /// Enters the directory `relative` below `root`; directories that are missing are created, as
    /// closed to others as those that `like` names for each: `relative` itself is 0, the one around
    /// it 1.
    ///
    /// # Errors
    /// One is a link or no directory, or cannot be created.
    #[cfg(unix)]
    pub fn enter_as_closed<'a>(
        root: &Path,
        relative: &Path,
        like: impl Fn(usize) -> Option<&'a Path>,
    ) -> io::Result<Self> {
        use rustix::fs::{CWD, Mode, OFlags, fchmod, fstat, mkdirat, openat};
        use std::os::unix::fs::PermissionsExt;
        let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::CLOEXEC;
        fs::create_dir_all(root)?;
        let mut directory = openat(CWD, root, flags, Mode::empty())?;
        let names = names(relative)?;
        for (at, name) in names.iter().enumerate() {
            let made = mkdirat(&directory, *name, Mode::from_bits_truncate(0o777));
            if let Err(error) = made
                && error != rustix::io::Errno::EXIST
            {
                return Err(error.into());
            }
            directory = openat(&directory, *name, flags | OFlags::NOFOLLOW, Mode::empty())
                .map_err(no_link)?;
            let other = if made.is_ok() { like(names.len() - 1 - at) } else { None };
            if let Some(other) = other.and_then(|other| fs::metadata(other).ok()) {
                let mode = other.permissions().mode();
                // Of a file of mail: who may read it may search the directory of its messages.
                let open = if other.is_file() { mode | (mode & 0o444) >> 2 } else { mode } | 0o700;
                let mode = fstat(&directory)?.st_mode & open & 0o777;
                // A file system without modes has none to keep.
                let _ = fchmod(&directory, Mode::from_bits_truncate(mode));
            }
        }
        Ok(Self { path: root.join(relative), directory })
    }

    /// Enters the directory `relative` below `root`; directories that are missing are created.
    ///
    /// # Errors
    /// One is a link or no directory, or cannot be created.
    #[cfg(not(unix))]
    pub fn enter_as_closed<'a>(
        root: &Path,
        relative: &Path,
        _like: impl Fn(usize) -> Option<&'a Path>,
    ) -> io::Result<Self> {
        let mut path = root.to_owned();
        for name in names(relative)? {
            path.push(name);
            if fs::symlink_metadata(&path).is_ok_and(|found| found.is_symlink()) {
                return Err(io::Error::other(LINK));
            }
        }
        fs::create_dir_all(&path)?;
        Ok(Self { path })
    }

    /// Opens the directory `relative` below `root`, which has to be there.
    ///
    /// # Errors
    /// One is a link or no directory, or is missing.
    #[cfg(unix)]
    pub fn open(root: &Path, relative: &Path) -> io::Result<Self> {
        use rustix::fs::{CWD, Mode, OFlags, openat};
        let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::CLOEXEC;
        let mut directory = openat(CWD, root, flags, Mode::empty())?;
        for name in names(relative)? {
            directory = openat(&directory, name, flags | OFlags::NOFOLLOW, Mode::empty())
                .map_err(no_link)?;
        }
        Ok(Self { path: root.join(relative), directory })
    }

    /// Opens the directory `relative` below `root`, which has to be there.
    ///
    /// # Errors
    /// One is a link, or is missing.
    #[cfg(not(unix))]
    pub fn open(root: &Path, relative: &Path) -> io::Result<Self> {
        let path = root.join(relative);
        if fs::metadata(&path)?.is_dir() {
            Self::enter(root, relative)
        } else {
            Err(io::ErrorKind::NotADirectory.into())
        }
    }

    /// Opens a file in it for reading; a link is not followed.
    ///
    /// # Errors
    /// The file cannot be opened.
    #[cfg(unix)]
    pub fn read(&self, name: &OsStr) -> io::Result<File> {
        use rustix::fs::{Mode, OFlags, openat};
        let flags = OFlags::RDONLY | OFlags::NOFOLLOW | OFlags::NONBLOCK | OFlags::CLOEXEC;
        Ok(openat(&self.directory, name, flags, Mode::empty())?.into())
    }

    /// Opens a file in it for reading.
    ///
    /// # Errors
    /// The file cannot be opened.
    #[cfg(not(unix))]
    pub fn read(&self, name: &OsStr) -> io::Result<File> {
        File::open(self.path.join(name))
    }

    /// Exchanges the names of a file in it and of `place` in the directory `to`, in one step.
    ///
    /// # Errors
    /// One of them is missing, or the file system cannot do that.
    #[cfg(target_os = "linux")]
    pub fn exchange(&self, name: &OsStr, to: &Self, place: &OsStr) -> io::Result<()> {
        use rustix::fs::{RenameFlags, renameat_with};
        Ok(renameat_with(&self.directory, name, &to.directory, place, RenameFlags::EXCHANGE)?)
    }

    /// Fails: only Linux exchanges names in one step.
    ///
    /// # Errors
    /// Always.
    #[cfg(not(target_os = "linux"))]
    pub fn exchange(&self, _name: &OsStr, _to: &Self, _place: &OsStr) -> io::Result<()> {
        Err(io::Error::from(io::ErrorKind::Unsupported))
    }

    /// Returns its path.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Creates a file in it.
    ///
    /// # Errors
    /// The file exists, or cannot be created.
    #[cfg(unix)]
    pub fn create(&self, name: &OsStr, mode: u32) -> io::Result<File> {
        use rustix::fs::{Mode, OFlags, openat};
        let flags =
            OFlags::RDWR | OFlags::CREATE | OFlags::EXCL | OFlags::NOFOLLOW | OFlags::CLOEXEC;
        Ok(openat(&self.directory, name, flags, Mode::from_bits_truncate(mode))?.into())
    }

    /// Creates a file in it.
    ///
    /// # Errors
    /// The file exists, or cannot be created.
    #[cfg(not(unix))]
    pub fn create(&self, name: &OsStr, _mode: u32) -> io::Result<File> {
        File::options().read(true).write(true).create_new(true).open(self.path.join(name))
    }

    /// Gives a file in the directory `from` another name in this one; a link is not followed.
    ///
    /// # Errors
    /// There is a file of that name, or the file can have no more names.
    #[cfg(unix)]
    pub fn link(&self, from: &Self, file: &OsStr, name: &OsStr) -> io::Result<()> {
        let flags = rustix::fs::AtFlags::empty();
        Ok(rustix::fs::linkat(&from.directory, file, &self.directory, name, flags)?)
    }

    /// Gives a file in the directory `from` another name in this one.
    ///
    /// # Errors
    /// There is a file of that name, or the file can have no more names.
    #[cfg(not(unix))]
    pub fn link(&self, from: &Self, file: &OsStr, name: &OsStr) -> io::Result<()> {
        fs::hard_link(from.path.join(file), self.path.join(name))
    }

    /// Removes a file in it.
    ///
    /// # Errors
    /// The file cannot be removed.
    #[cfg(unix)]
    pub fn remove(&self, name: &OsStr) -> io::Result<()> {
        Ok(rustix::fs::unlinkat(&self.directory, name, rustix::fs::AtFlags::empty())?)
    }

    /// Removes a file in it.
    ///
    /// # Errors
    /// The file cannot be removed.
    #[cfg(not(unix))]
    pub fn remove(&self, name: &OsStr) -> io::Result<()> {
        fs::remove_file(self.path.join(name))
    }

    /// Moves a file in it to `place` in the directory `to`, where it replaces any file, link or
    /// pipe of that name.
    ///
    /// # Errors
    /// The file cannot be renamed.
    #[cfg(unix)]
    pub fn rename(&self, name: &OsStr, to: &Self, place: &OsStr) -> io::Result<()> {
        Ok(rustix::fs::renameat(&self.directory, name, &to.directory, place)?)
    }

    /// Moves a file in it to `place` in the directory `to`, where it replaces any file of that
    /// name.
    ///
    /// # Errors
    /// The file cannot be renamed.
    #[cfg(not(unix))]
    pub fn rename(&self, name: &OsStr, to: &Self, place: &OsStr) -> io::Result<()> {
        fs::rename(self.path.join(name), to.path.join(place))
    }
}

#[cfg(not(unix))]
const LINK: &str = "a link lies there, and is not followed";

/// An error of opening a directory, with the reason that people need: `ENOTDIR` says the same of a
/// link as of a file.
#[cfg(unix)]
fn no_link(error: rustix::io::Errno) -> io::Error {
    match error {
        rustix::io::Errno::NOTDIR | rustix::io::Errno::LOOP => io::Error::new(
            io::ErrorKind::NotADirectory,
            "a link or a file lies where a directory has to be",
        ),
        error => error.into(),
    }
}

/// The names of the directories in a path that leads downwards.
fn names(relative: &Path) -> io::Result<Vec<&OsStr>> {
    let parts =
        relative.components().filter(|part| *part != Component::CurDir).map(|part| match part {
            Component::Normal(name) => Ok(name),
            _ => Err(io::Error::new(
                io::ErrorKind::InvalidInput,
                "its name leads out of the directory",
            )),
        });
    parts.collect()
}
