//! What an output has in common with the file that it is made from: its time and its owner.

use std::fs::{File, Metadata};
use std::io;
use std::time::SystemTime;

/// The time and the owner of a file.
#[derive(Clone, Copy, Debug, Default)]
pub struct Origin {
    /// The time when the file was written last.
    pub modified: Option<SystemTime>,
    /// The user and the group.
    #[cfg(unix)]
    owner: Option<(u32, u32)>,
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
        }
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
        self.modified.map_or(Ok(()), |time| file.set_modified(time))
    }
}
