//! Names from inside an archive, made safe and different from one another.
//!
//! The names depend only on those before them, so that a repeated job produces the same ones.

use std::collections::{HashMap, HashSet};
use std::ffi::{OsStr, OsString};
use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::{Component, Path, PathBuf};

/// The longest name of a file or directory, in octets: less than most file systems allow, with room
/// for a number.
const MAX_NAME: usize = 200;

/// The names given so far, as hashes. A name that has the hash of another one by accident is taken
/// for the same, and gets a new name.
#[derive(Debug, Default)]
pub struct Names {
    files: HashSet<u64>,
    directories: HashSet<u64>,
    /// The number of times that each name occurred.
    occurrences: HashMap<u64, u32>,
}

impl Names {
    /// Returns how often this name occurred before.
    pub fn times_before(&mut self, path: &Path) -> u32 {
        let times = self.occurrences.entry(hash_of(path)).or_default();
        let before = *times;
        *times = times.saturating_add(1);
        before
    }

    /// Returns the path of a file below an output directory: without `..` and anything else that
    /// would lead out of it, not the same as another file's, nor through another file as if that
    /// were a directory.
    pub fn unique(&mut self, path: &Path) -> PathBuf {
        let mut parts: Vec<OsString> = safe_parts(path);
        let name = parts.pop().unwrap_or_else(|| OsString::from("unnamed"));
        let mut unique = PathBuf::new();
        for part in parts {
            unique = free_path(&unique, &part, |path| self.files.contains(&hash_of(path)));
            self.directories.insert(hash_of(&unique));
        }

        let is_taken = |path: &Path| {
            self.files.contains(&hash_of(path)) || self.directories.contains(&hash_of(path))
        };
        unique = free_path(&unique, &name, is_taken);
        self.files.insert(hash_of(&unique));
        unique
    }
}

/// Returns whether a path stays inside its directory, and names a file.
pub fn is_safe(path: &Path) -> bool {
    path.file_name().is_some()
        && path.components().all(|part| match part {
            Component::Normal(name) => !name.as_encoded_bytes().contains(&0),
            Component::CurDir => true,
            _ => false,
        })
}

/// Returns `path` with `name`, or with the first of `name~2`, `name~3` and so on that is not taken:
/// before the extension.
fn free_path(path: &Path, name: &OsStr, is_taken: impl Fn(&Path) -> bool) -> PathBuf {
    let whole = path.join(name);
    if !is_taken(&whole) {
        return whole;
    }

    let mut numbered = (2_u64..).map(|number| {
        let mut file = whole.file_stem().unwrap_or_default().to_owned();
        file.push(format!("~{number}"));
        if let Some(extension) = whole.extension() {
            file.push(".");
            file.push(extension);
        }
        path.join(file)
    });
    // There is always one more number.
    numbered.find(|path| !is_taken(path)).unwrap_or_default()
}

/// Returns the parts of a path that name something, none too long.
fn safe_parts(path: &Path) -> Vec<OsString> {
    let parts = path.components().filter_map(|part| match part {
        Component::Normal(name) => Some(safe_name(name)),
        _ => None,
    });
    parts.collect()
}

/// Returns a name without NUL. The end of one that is too long is replaced by a hash, but for its
/// extension.
#[cfg(unix)]
pub fn safe_name(name: &OsStr) -> OsString {
    use std::os::unix::ffi::{OsStrExt, OsStringExt};
    let mut octets: Vec<u8> =
        name.as_bytes().iter().map(|octet| if *octet == 0 { b'_' } else { *octet }).collect();
    if octets.len() > MAX_NAME {
        let end = String::from_utf8_lossy(&octets[octets.len() - 16..]).into_owned();
        let extension = end.rfind('.').map_or("", |at| &end[at..]).to_owned();
        let hash = hash_of(Path::new(name));
        octets.truncate(MAX_NAME - 40);
        octets.extend_from_slice(format!("~{hash:016x}{extension}").as_bytes());
    }
    OsString::from_vec(octets)
}

/// Returns a name as it is.
#[cfg(not(unix))]
pub fn safe_name(name: &OsStr) -> OsString {
    name.to_owned()
}

/// Returns a hash of a path, without a secret, so that it is the same in the next run.
fn hash_of(path: &Path) -> u64 {
    let mut hasher = DefaultHasher::new();
    path.as_os_str().as_encoded_bytes().hash(&mut hasher);
    hasher.finish()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_safe_and_different() {
        let mut names = Names::default();
        let mut unique = |path: &str| names.unique(Path::new(path)).display().to_string();
        for (path, expected) in [
            ("a.eml", "a.eml"),
            ("./a.eml", "a~2.eml"),
            ("/a.eml", "a~3.eml"),
            ("../../a~2.eml", "a~2~2.eml"),
            ("a.eml/b", "a~4.eml/b"),
            ("d/x", "d/x"),
            ("d", "d~2"),
            ("..", "unnamed"),
            ("/", "unnamed~2"),
        ] {
            assert_eq!(unique(path), expected, "{path}");
        }
        let long = unique(&format!("{}.eml", "x".repeat(300)));
        assert!(long.len() <= MAX_NAME && long.ends_with(".eml"), "{long}");
    }

    #[test]
    fn a_name_that_comes_again_is_counted() {
        let mut names = Names::default();
        let counts = ["a", "b", "a", "a"].map(|name| names.times_before(Path::new(name)));
        assert_eq!(counts, [0, 0, 1, 2]);
    }
}
