//! Files of messages below one directory: never over another file, never through a link, and never
//! twice, however often the command is repeated.

use std::collections::{HashMap, HashSet};
use std::ffi::OsStr;
use std::fs::{File, Permissions};
use std::io::{self, BufReader, Read as _, Write as _};
use std::path::{Path, PathBuf};

use super::manifest::Manifest;
use crate::exit::Failure;
use crate::json;
use crate::output::{Beneath, are_alike, mode};
use crate::place::numbered;

/// The name of the list of what was written.
const MANIFEST: &str = "manifest.jsonl";

/// A directory that files are put into.
pub struct Store {
    root: PathBuf,
    /// The mode of new files: they are as closed to others as the mail that they are taken from.
    mode: u32,
    directory: Beneath,
    manifest: File,
    /// The length of the manifest in octets.
    length: u64,
    /// Whether a row of the manifest could not be written.
    is_lost: bool,
    /// The name of the manifest, which is another one than usual if there was one.
    name: PathBuf,
    place: PathBuf,
    /// The files of this run: what another one has left may be taken for one more. Their names are
    /// in lower case, since on some systems names that differ in case alone are one.
    taken: HashSet<String>,
    /// Whether copies of files are left out.
    pub is_unique: bool,
    /// The place of each file of this run by its digest, if copies are left out.
    places: HashMap<String, String>,
    counts: Counts,
}

/// The number of files and messages of a run.
#[derive(Clone, Debug, Default)]
pub struct Counts {
    pub files: u64,
    /// The files that were there already, with the same octets.
    pub were_there: u64,
    /// The files that were left out, since others have their octets.
    pub copies: u64,
    pub messages: u64,
    /// The name of the manifest, if it is another one than usual.
    pub manifest: Option<PathBuf>,
}

impl Store {
    /// Opens the directory, and begins the manifest in it; `is_unique` says that copies of files are
    /// left out. Files get these permissions.
    ///
    /// # Errors
    /// The directory or the manifest cannot be created.
    pub fn open(
        root: &Path,
        is_unique: bool,
        permissions: Option<&Permissions>,
    ) -> Result<Self, Failure> {
        let mode = mode(permissions);
        let failed = |error: &io::Error| Failure::creating(root, error);
        let directory = Beneath::enter(root, Path::new("")).map_err(|error| failed(&error))?;
        let (name, manifest) =
            create(&directory, MANIFEST, mode).map_err(|error| failed(&error))?;
        let place = root.join(&name);
        Ok(Self {
            root: root.to_owned(),
            mode,
            directory,
            manifest,
            length: 0,
            is_lost: false,
            name,
            place,
            taken: HashSet::new(),
            is_unique,
            places: HashMap::new(),
            counts: Counts::default(),
        })
    }

    /// Returns the name of a directory below the root: another one for each of its names that a
    /// file has, as the mailbox itself may have it that is read.
    pub fn folder(&self, wanted: &Path) -> PathBuf {
        let is_file = |folder: &Path| {
            self.root.join(folder).symlink_metadata().is_ok_and(|found| found.is_file())
        };
        wanted.iter().fold(PathBuf::new(), |above, name| {
            let wanted = above.join(name);
            let free = numbered(&wanted).find(|folder| !is_file(folder));
            free.unwrap_or(wanted)
        })
    }

    /// Writes a file into `folder`, and returns the name that it got: another one, if `name` is
    /// taken. A file of an earlier run with these octets is left as it is.
    ///
    /// # Errors
    /// The file cannot be created or written; then nothing is left of it.
    pub fn write(&mut self, folder: &Path, name: &str, octets: &[u8]) -> Result<String, Failure> {
        let path = self.root.join(folder).join(name);
        let failed = |error: io::Error| Failure::creating(&path, &error);
        let directory = Beneath::enter(&self.root, folder).map_err(failed)?;
        for place in numbered(&folder.join(name)) {
            let key = place.to_string_lossy().to_lowercase();
            if self.taken.contains(&key) {
                continue;
            }

            let name = place.file_name().unwrap_or_default();
            match directory.create(name, self.mode) {
                Ok(mut file) => {
                    if let Err(error) = file.write_all(octets) {
                        // A file that cannot be removed stays; the write failure is reported all
                        // the same.
                        let _ = directory.remove(name);
                        return Err(Failure::writing(&path, &error));
                    }
                }
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {
                    if !has_octets(&directory, name, octets) {
                        continue;
                    }
                    self.counts.were_there += 1;
                }
                Err(error) => return Err(failed(error)),
            }

            let name = name.to_string_lossy().into_owned();
            self.taken.insert(key);
            self.counts.files += 1;
            return Ok(name);
        }
        Err(failed(io::ErrorKind::AlreadyExists.into()))
    }

    /// Returns the place of a file of this run with this digest, if the one at hand is left out.
    pub fn first_place(&mut self, digest: &str) -> Option<String> {
        let place = self.places.get(digest)?.clone();
        self.counts.copies += 1;
        Some(place)
    }

    /// Remembers where a file was written, if copies of it are left out.
    pub fn remember(&mut self, digest: String, place: &str) {
        if self.is_unique {
            self.places.insert(digest, place.to_owned());
        }
    }

    /// Writes what was taken of a message into the manifest, at once: whoever stops the command has
    /// a list of what there is.
    ///
    /// # Errors
    /// The manifest cannot be written; then it ends with the row before, and is lost.
    pub fn note(&mut self, manifest: &Manifest<'_>) -> Result<(), Failure> {
        let mut row = Vec::new();
        let written =
            json::write_line(&mut row, manifest).and_then(|()| self.manifest.write_all(&row));
        if let Err(error) = written {
            self.is_lost = true;
            // If half a row cannot be cut off, it stays; the write failure is reported all the
            // same.
            let _ = self.manifest.set_len(self.length);
            return Err(Failure::writing(&self.place, &error));
        }

        self.length += row.len() as u64;
        self.counts.messages += u64::from(manifest.is_outermost());
        Ok(())
    }

    /// Returns whether the manifest can no longer be written.
    pub fn is_lost(&self) -> bool {
        self.is_lost
    }

    /// Ends the manifest, and counts. If the run `has_failed` before any message was noted, no
    /// manifest stays, nor does one that an earlier run has left already; that of a run that was
    /// stopped is replaced.
    ///
    /// # Errors
    /// The manifest cannot be written.
    pub fn finish(mut self, has_failed: bool) -> Result<Counts, Failure> {
        let failed = |error: io::Error| Failure::writing(&self.place, &error);
        let is_empty = has_failed && self.counts.messages == 0;
        let earlier = if is_empty { None } else { self.earlier_manifest().map_err(failed)? };
        if is_empty || matches!(earlier, Some((_, Extent::Whole))) {
            self.directory.remove(self.name.as_os_str()).map_err(failed)?;
        } else if let Some((earlier, Extent::Part)) = earlier {
            let (directory, name) = (&self.directory, self.name.as_os_str());
            directory.rename(name, directory, earlier.as_os_str()).map_err(failed)?;
        } else if self.name != Path::new(MANIFEST) {
            self.counts.manifest = Some(self.name);
        }
        Ok(self.counts)
    }

    /// Returns the manifest that an earlier run has left, if it is this one or the beginning of it.
    fn earlier_manifest(&self) -> io::Result<Option<(PathBuf, Extent)>> {
        let mut earlier =
            numbered(Path::new(MANIFEST)).take_while(|name| *name != self.name).peekable();
        if earlier.peek().is_none() {
            return Ok(None);
        }
        let mut octets = Vec::new();
        self.directory.read(self.name.as_os_str())?.read_to_end(&mut octets)?;
        Ok(earlier.find_map(|name| {
            let length = self.directory.read(name.as_os_str()).ok()?.metadata().ok()?.len();
            let beginning = octets.get(..usize::try_from(length).ok()?)?;
            let extent = if beginning.len() == octets.len() { Extent::Whole } else { Extent::Part };
            has_octets(&self.directory, name.as_os_str(), beginning).then_some((name, extent))
        }))
    }
}

/// The extent to which an earlier run has left a manifest.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Extent {
    Whole,
    Part,
}

/// Creates a file called `name`, or `name (2)` and so on: the first that is not taken.
fn create(directory: &Beneath, name: &str, mode: u32) -> io::Result<(PathBuf, File)> {
    for free in numbered(Path::new(name)) {
        match directory.create(free.as_os_str(), mode) {
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
            created => return created.map(|file| (free, file)),
        }
    }
    Err(io::ErrorKind::AlreadyExists.into())
}

/// Returns whether a file can be read, and holds these octets.
fn has_octets(directory: &Beneath, name: &OsStr, octets: &[u8]) -> bool {
    let length = octets.len() as u64;
    let file = directory.read(name);
    let Some(file) = file
        .ok()
        .filter(|file| file.metadata().is_ok_and(|found| found.is_file() && found.len() == length))
    else {
        return false;
    };
    are_alike(BufReader::new(file), octets).unwrap_or(false)
}
