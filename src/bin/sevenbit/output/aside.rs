//! Files that appear whole or not at all: written under a hidden name in the same directory, then renamed.

use std::fs::{self, File, Permissions};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use tempfile::{Builder, TempPath};

use super::begun::begun;
use crate::exit::Failure;
use crate::place::{Place, locate};

/// A file being written. Dropped without [`commit`](Self::commit), it leaves no trace.
#[derive(Debug)]
pub struct Aside {
    file: BufWriter<File>,
    place: PathBuf,
    /// None for a device, which is written directly.
    temporary: Option<Temporary>,
}

/// A hidden file, removed unless it is given its name.
#[derive(Debug)]
struct Temporary(Option<TempPath>);

impl Aside {
    /// Begins the file that `path` leads to, if `admit` lets it be written there. It gets the permissions of
    /// the file that it replaces, else those given.
    ///
    /// # Errors
    /// It cannot be created there.
    pub fn create(
        path: &Path,
        permissions: Option<&Permissions>,
        admit: impl FnOnce(&Path) -> Result<(), Failure>,
    ) -> Result<Self, Failure> {
        let failed = |error: io::Error| Failure::creating(path, &error);
        match locate(path).map_err(failed)? {
            Place::Device(place) => {
                let file = File::options().append(true).open(&place).map_err(failed)?;
                Ok(Self { file: BufWriter::new(file), place, temporary: None })
            }
            Place::File(place) => {
                admit(&place)?;
                let (file, temporary) = Temporary::beside(&place, permissions).map_err(failed)?;
                Ok(Self { file: BufWriter::with_capacity(1 << 16, file), place, temporary: Some(temporary) })
            }
        }
    }

    /// Where it will stand, all links resolved.
    pub fn place(&self) -> &Path {
        &self.place
    }

    /// Gives it its name, replacing what had it; gives the place.
    ///
    /// # Errors
    /// It cannot be written to its end or renamed.
    pub fn commit(mut self) -> io::Result<PathBuf> {
        self.file.flush()?;
        if let Some(temporary) = self.temporary.take() {
            temporary.rename(&self.place)?;
        }
        Ok(self.place)
    }
}

impl Write for Aside {
    fn write(&mut self, octets: &[u8]) -> io::Result<usize> {
        self.file.write(octets)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.flush()
    }
}

impl Temporary {
    fn beside(place: &Path, permissions: Option<&Permissions>) -> io::Result<(File, Self)> {
        let directory = place.parent().unwrap_or(Path::new("/"));
        let replaced = fs::metadata(place).ok().map(|found| found.permissions());
        let mut builder = Builder::new();
        builder.prefix(".sevenbit-");
        set_permissions(&mut builder, permissions);
        // Made and noted under one lock: whoever cleans up sees it or it is not there.
        let mut begun = begun();
        let (file, path) = builder.tempfile_in(directory)?.into_parts();
        begun.insert(path.to_path_buf());
        drop(begun);
        let temporary = Self(Some(path));
        if let Some(replaced) = replaced {
            // A file system without permissions has none to keep.
            let _ = file.set_permissions(replaced);
        }
        Ok((file, temporary))
    }

    fn rename(mut self, place: &Path) -> io::Result<()> {
        let Some(path) = self.0.take() else { return Ok(()) };
        let mut begun = begun();
        begun.remove(&*path);
        path.persist(place).map_err(|failed| failed.error)
    }
}

impl Drop for Temporary {
    fn drop(&mut self) {
        if let Some(path) = self.0.take() {
            let mut begun = begun();
            begun.remove(&*path);
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
