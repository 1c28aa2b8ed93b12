//! The messages that a Maildir had before the run: one that is delivered again takes its own place,
//! where a mail program may have moved it meanwhile, with other flags.

use std::collections::{HashMap, HashSet};
use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};

use sha2::{Digest as _, Sha256};

/// The messages of each folder, by the unique parts of their names, and those of this run.
#[derive(Default)]
pub struct Delivered {
    before: HashMap<PathBuf, Folder>,
    /// The first octets by which each message of this run was told apart.
    now: HashSet<u64>,
}

/// The places of a folder's messages, below it, by the unique parts of their names.
type Folder = HashMap<Vec<u8>, Vec<PathBuf>>;

impl Delivered {
    /// Takes the place of a message in the folder `folder` below `root`, if it was there before the
    /// run: the one with this very name, or else with its unique part.
    pub fn take(&mut self, root: &Path, folder: &Path, place: &Path) -> Option<PathBuf> {
        let messages =
            self.before.entry(folder.to_owned()).or_insert_with(|| messages(&root.join(folder)));
        let places = messages.get_mut(unique(place.file_name()?))?;
        let at = places.iter().position(|known| known == place).unwrap_or(0);
        (at < places.len()).then(|| places.swap_remove(at))
    }

    /// Returns a digest by which no other message of this run is told apart: `digest`, or for a copy
    /// of a message a digest of that.
    pub fn told_apart(&mut self, mut digest: [u8; 32]) -> [u8; 32] {
        while !self.now.insert(u64::from_be_bytes(*digest.first_chunk().expect("a digest"))) {
            digest = Sha256::digest(digest).into();
        }
        digest
    }
}

/// Returns the messages in the folder at `path`.
fn messages(path: &Path) -> Folder {
    let mut messages = Folder::new();
    for directory in ["new", "cur"] {
        let entries = fs::read_dir(path.join(directory)).into_iter().flatten().flatten();
        for name in entries.map(|entry| entry.file_name()) {
            let place = Path::new(directory).join(&name);
            messages.entry(unique(&name).to_vec()).or_default().push(place);
        }
    }
    messages
}

/// Returns the place that a message gets which was at `old` before the run: a mail program has moved
/// it to `cur`, and its flags are those that it has there.
pub fn moved(place: &Path, old: &Path) -> PathBuf {
    if !old.starts_with("cur") {
        return place.to_owned();
    }
    let [name, old] =
        [place, old].map(|path| path.file_name().unwrap_or_default().to_string_lossy());
    let base = name.split(':').next().unwrap_or_default();
    let flags = old.find(':').map_or("", |at| &old[at..]);
    Path::new("cur").join(format!("{base}{flags}"))
}

/// Returns the part of a name that no other message has: what is before sizes and flags.
fn unique(name: &OsStr) -> &[u8] {
    let name = name.as_encoded_bytes();
    let end = name.iter().position(|octet| matches!(octet, b',' | b':')).unwrap_or(name.len());
    &name[..end]
}
