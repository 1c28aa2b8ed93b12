//! Hidden files that exist only while something is written.

use std::fs::{self, File, Permissions};
use std::io;
use std::path::Path;

use tempfile::{Builder, TempPath};

use super::lock::lock;
use super::unfinished::unfinished;

/// What the names of such files begin with; six letters and digits follow.
pub const PREFIX: &str = ".sevenbit-";

/// A hidden file, removed unless it is given its name.
#[derive(Debug)]
pub struct Temporary(Option<TempPath>);

impl Temporary {
    /// A file in the directory of `place`, with the permissions of what is there, else those given.
    ///
    /// # Errors
    /// It cannot be made.
    pub fn beside(place: &Path, permissions: Option<&Permissions>) -> io::Result<(File, Self)> {
        let (file, temporary) = Self::within(place.parent().unwrap_or(Path::new("/")), permissions)?;
        if let Ok(replaced) = fs::metadata(place) {
            // A file system without permissions has none to keep.
            let _ = file.set_permissions(replaced.permissions());
        }
        Ok((file, temporary))
    }

    /// A file in `directory`.
    ///
    /// # Errors
    /// It cannot be made.
    pub fn within(directory: &Path, permissions: Option<&Permissions>) -> io::Result<(File, Self)> {
        let mut builder = Builder::new();
        builder.prefix(PREFIX);
        set_permissions(&mut builder, permissions);
        // Made and noted under one lock: whoever cleans up sees it or it is not there.
        let mut unfinished = unfinished();
        let (file, path) = builder.tempfile_in(directory)?.into_parts();
        // While it is written, no other run takes it for what a killed one has left.
        lock(&file);
        unfinished.insert(path.to_path_buf());
        Ok((file, Self(Some(path))))
    }

    /// Gives it its name, replacing what had it.
    ///
    /// # Errors
    /// It cannot be renamed; then it is removed.
    pub fn rename(mut self, place: &Path) -> io::Result<()> {
        let Some(path) = self.0.take() else { return Ok(()) };
        let mut unfinished = unfinished();
        unfinished.remove(&*path);
        path.persist(place).map_err(|failed| failed.error)
    }

    /// Changes places with the file at `place`, if there is one, in one step. What was there is a temporary
    /// file now.
    ///
    /// # Errors
    /// There is no file, or the file system cannot do that.
    #[cfg(target_os = "linux")]
    pub fn exchange(&self, place: &Path) -> io::Result<()> {
        use rustix::fs::{CWD, RenameFlags, renameat_with};
        Ok(renameat_with(CWD, self.path(), CWD, place, RenameFlags::EXCHANGE)?)
    }

    /// Other systems cannot do that.
    #[cfg(not(target_os = "linux"))]
    pub fn exchange(&self, _place: &Path) -> io::Result<()> {
        Err(io::Error::from(io::ErrorKind::Unsupported))
    }

    /// Where it is.
    pub fn path(&self) -> &Path {
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
    // The owner may always write what is being written.
    builder
        .permissions(Permissions::from_mode(permissions.map_or(0o666, |found| found.mode() & 0o666 | 0o600)));
}

/// Elsewhere a new file has what its directory gives it.
#[cfg(not(unix))]
fn set_permissions(_builder: &mut Builder<'_, '_>, _permissions: Option<&Permissions>) {}
