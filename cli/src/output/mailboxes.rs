//! A directory of mboxes, one for each folder, all of which stay open until the end: the messages
//! of a directory come by their names, among those of the directories in it.

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;
use std::path::PathBuf;

use super::{Open, Target};
use crate::exit::Failure;

/// The mboxes that are being written, by their paths below the directory.
#[derive(Default)]
pub struct Mailboxes(BTreeMap<PathBuf, Open>);

impl Mailboxes {
    /// Returns the mbox with this path, which `create` begins if it is new. One that cannot be
    /// created is lost.
    ///
    /// # Errors
    /// The errors of `create`.
    pub fn get(
        &mut self,
        path: PathBuf,
        create: impl FnOnce() -> Result<Open, Failure>,
    ) -> Result<&mut Open, Failure> {
        if self.0.is_empty() {
            allow_more_files();
        }
        match self.0.entry(path) {
            Entry::Occupied(known) => Ok(known.into_mut()),
            Entry::Vacant(new) => {
                let open = new.insert(Open::Lost);
                *open = create()?;
                Ok(open)
            }
        }
    }

    /// Gives each mbox its name.
    ///
    /// # Errors
    /// The first of those that could not be written; the others have their names.
    pub fn finish(self, target: &Target) -> Result<(), Failure> {
        let ended: Vec<_> = self.0.into_values().map(|mbox| mbox.commit(target)).collect();
        ended.into_iter().collect()
    }
}

/// Asks for as many open files as this process may have: there may be more folders than the 1,024
/// files that are usual.
fn allow_more_files() {
    #[cfg(unix)]
    {
        use rustix::process::{Resource, getrlimit, setrlimit};
        let mut limit = getrlimit(Resource::Nofile);
        limit.current = limit.maximum;
        // Without it the folder that is one too many is an error.
        let _ = setrlimit(Resource::Nofile, limit);
    }
}
