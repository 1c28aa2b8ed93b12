//! What an output has in common with the files that it is made from: time, owner, and who may read it.

use std::fs::{File, Metadata};
use std::io;
use std::time::SystemTime;

/// The time and the owner of a file, and what its mode may be.
#[derive(Clone, Copy, Debug, Default)]
pub struct Origin {
    /// The time when the file was written last.
    pub modified: Option<SystemTime>,
    /// The user and the group.
    #[cfg(unix)]
    owner: Option<(u32, u32)>,
    /// The bits that the mode may have, if it is that of a new file.
    #[cfg(unix)]
    mode: Option<u32>,
}

impl Origin {
    /// Those of a file.
    pub fn of(file: &Metadata) -> Self {
        #[cfg(unix)]
        use std::os::unix::fs::MetadataExt;
        Self {
            modified: file.modified().ok(),
            #[cfg(unix)]
            owner: Some((file.uid(), file.gid())),
            #[cfg(unix)]
            mode: None,
        }
    }

    /// Those of a new file, which is as closed to others as all that it is made from.
    pub fn of_new(mut self) -> Self {
        #[cfg(unix)]
        {
            self.mode = Some(0o777);
        }
        self
    }

    /// Adds a file that a new one is made from.
    pub fn add(&mut self, file: &Metadata) {
        #[cfg(unix)]
        if let Some(mode) = &mut self.mode {
            use std::os::unix::fs::PermissionsExt;
            *mode &= file.permissions().mode() | 0o600;
        }
        #[cfg(not(unix))]
        let _ = file;
    }

    /// Gives them to `file`: programs sort by the time. Only root may give files away; what others
    /// write is theirs.
    ///
    /// # Errors
    /// The file has no time.
    pub fn give_to(&self, file: &File) -> io::Result<()> {
        #[cfg(unix)]
        if let Some((user, group)) = self.owner
            && rustix::process::geteuid().is_root()
        {
            // A file system without owners has none to keep.
            let _ = std::os::unix::fs::fchown(file, Some(user), Some(group));
        }
        #[cfg(unix)]
        if let Some(open) = self.mode {
            use std::os::unix::fs::PermissionsExt;
            let mut permissions = file.metadata()?.permissions();
            let mode = permissions.mode();
            if mode & open & 0o777 != mode & 0o777 {
                permissions.set_mode(mode & open);
                // A file system without modes has none to keep.
                let _ = file.set_permissions(permissions);
            }
        }
        self.modified.map_or(Ok(()), |time| file.set_modified(time))
    }
}
