//! Hidden files that exist only while an output is written.

use std::ffi::OsStr;
use std::fs::{self, File, Permissions};
use std::io;
use std::path::Path;

use tempfile::{Builder, TempPath};

use super::beneath::Beneath;
use super::lock::lock;
use super::unfinished::unfinished;

/// How the names of such files begin; six letters and digits follow.
pub const PREFIX: &str = ".sevenbit-";

/// A hidden file, removed unless it is given its name.
#[derive(Debug)]
pub struct Temporary(Option<TempPath>);

impl Temporary {
    /// Creates a file in the directory of `place`, with the permissions of the file there, else
    /// those given.
    ///
    /// # Errors
    /// The file cannot be created.
    pub fn beside(place: &Path, permissions: Option<&Permissions>) -> io::Result<(File, Self)> {
        let (file, temporary) =
            Self::within(place.parent().unwrap_or(Path::new("/")), permissions)?;
        if let Ok(replaced) = fs::metadata(place) {
            // A file system without permissions has none to keep.
            let _ = file.set_permissions(replaced.permissions());
        }
        Ok((file, temporary))
    }

    /// Creates a file in `directory`.
    ///
    /// # Errors
    /// The file cannot be created.
    pub fn within(directory: &Path, permissions: Option<&Permissions>) -> io::Result<(File, Self)> {
        let mut builder = Builder::new();
        builder.prefix(PREFIX);
        set_permissions(&mut builder, permissions);
        // Created and registered under one lock: the clean-up sees it, or it does not exist.
        let mut unfinished = unfinished();
        let (file, path) = builder.tempfile_in(directory)?.into_parts();
        // The lock keeps other runs from taking it for a leftover.
        lock(&file);
        unfinished.insert(path.to_path_buf());
        Ok((file, Self(Some(path))))
    }

    /// Creates a file in a directory below an output directory, with the permissions of the file
    /// called `replaced` in it, else those given.
    ///
    /// # Errors
    /// The file cannot be created.
    pub fn beneath(
        directory: &Beneath,
        replaced: Option<&OsStr>,
        permissions: Option<&Permissions>,
    ) -> io::Result<(File, Self)> {
        let mut unfinished = unfinished();
        let create =
            |path: &Path| directory.create(path.file_name().unwrap_or_default(), mode(permissions));
        let made = Builder::new().prefix(PREFIX).make_in(directory.path(), create)?;
        let (file, path) = made.into_parts();
        lock(&file);
        unfinished.insert(path.to_path_buf());
        let found = replaced.map(|name| fs::symlink_metadata(directory.path().join(name)));
        if let Some(Ok(found)) = found
            && found.is_file()
        {
            // A file system without permissions has none to keep.
            let _ = file.set_permissions(found.permissions());
        }
        Ok((file, Self(Some(path))))
    }

    /// Gives the file called `name` in the directory `from` another name in `directory`.
    ///
    /// # Errors
    /// The file can have no more names, or none there.
    pub fn linked(directory: &Beneath, from: &Beneath, name: &OsStr) -> io::Result<Self> {
        let mut unfinished = unfinished();
        let link = |path: &Path| directory.link(from, name, path.file_name().unwrap_or_default());
        let ((), path) =
            Builder::new().prefix(PREFIX).make_in(directory.path(), link)?.into_parts();
        unfinished.insert(path.to_path_buf());
        Ok(Self(Some(path)))
    }

    /// Moves it from the directory that it was created in to a place in another, or in the same,
    /// replacing any file of that name.
    ///
    /// # Errors
    /// The file cannot be renamed; then it is removed.
    pub fn rename_beneath(mut self, from: &Beneath, to: &Beneath, place: &OsStr) -> io::Result<()> {
        let Some(path) = self.0.take() else { return Ok(()) };
        let mut unfinished = unfinished();
        unfinished.remove(&*path);
        from.rename(path.file_name().unwrap_or_default(), to, place)?;
        // The file is no longer there to be removed.
        let _ = path.keep();
        Ok(())
    }

    /// Gives it its name, replacing any file of that name.
    ///
    /// # Errors
    /// The file cannot be renamed; then it is removed.
    pub fn rename(mut self, place: &Path) -> io::Result<()> {
        let Some(path) = self.0.take() else { return Ok(()) };
        let mut unfinished = unfinished();
        unfinished.remove(&*path);
        path.persist(place).map_err(|failed| failed.error)
    }

    /// Its name in its directory.
    pub fn name(&self) -> &OsStr {
        self.path().file_name().unwrap_or_default()
    }

    /// Where it is.
    fn path(&self) -> &Path {
        self.0.as_deref().unwrap_or(Path::new(""))
    }
}

impl Drop for Temporary {
    fn drop(&mut self) {
        if let Some(path) = self.0.take() {
            let mut unfinished = unfinished();
            unfinished.remove(&*path);
            // Dropping the path removes the file, still under the lock.
            drop(path);
        }
    }
}

/// Permissions to read and write as for the input, else as for any new file; the umask applies.
#[cfg(unix)]
fn set_permissions(builder: &mut Builder<'_, '_>, permissions: Option<&Permissions>) {
    use std::os::unix::fs::PermissionsExt;
    builder.permissions(Permissions::from_mode(mode(permissions)));
}

/// The mode of a new file with these permissions, as the umask leaves it: none can be executed, and
/// the owner may always write a file in progress.
#[cfg(unix)]
pub fn mode(permissions: Option<&Permissions>) -> u32 {
    use std::os::unix::fs::PermissionsExt;
    permissions.map_or(0o666, |found| found.mode() & 0o666 | 0o600)
}

/// Other systems have no such mode.
#[cfg(not(unix))]
pub fn mode(_permissions: Option<&Permissions>) -> u32 {
    0
}

/// On other systems a new file has the permissions that its directory gives it.
#[cfg(not(unix))]
fn set_permissions(_builder: &mut Builder<'_, '_>, _permissions: Option<&Permissions>) {}
