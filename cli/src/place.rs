//! Where a path really leads.

use std::borrow::Cow;
use std::ffi::OsStr;
use std::fs;
use std::io;
use std::path::{Component, Path, PathBuf};

/// The kind of file that is, or would be, at a path.
#[derive(Debug, PartialEq, Eq)]
pub enum PathState {
    /// A regular file, or nothing yet: it can be written aside and renamed. All links are resolved.
    File(PathBuf),
    /// A pipe, a terminal, `/dev/null`, an open file: it must not be replaced, only written.
    Device(PathBuf),
}

/// Whether it means standard input.
pub fn is_stdin(path: &Path) -> bool {
    path == Path::new("-") || path == Path::new("/dev/stdin")
}

/// Whether a name may be a pattern that a shell has left as it was.
pub fn is_pattern(path: &Path) -> bool {
    path.to_str().is_some_and(|name| name.contains(['*', '?', '[', '{']))
}

/// Returns a path, then its other names: `name (2).eml` and so on.
pub fn numbered(path: &Path) -> impl Iterator<Item = PathBuf> {
    let extension = path.extension();
    (1_u32..).map(move |number| {
        if number == 1 {
            return path.to_owned();
        }
        let mut name = path.file_stem().unwrap_or_default().to_owned();
        name.push(format!(" ({number})"));
        if let Some(extension) = extension {
            name.push(".");
            name.push(extension);
        }
        path.with_file_name(name)
    })
}

/// Whether it means standard output.
pub fn is_stdout(path: &Path) -> bool {
    path == Path::new("-") || path == Path::new("/dev/stdout")
}

/// Finds where `path` leads.
///
/// # Errors
/// The path leads to a directory, or cannot be examined.
pub fn locate(path: &Path) -> io::Result<PathState> {
    match fs::metadata(path) {
        Ok(found) if found.is_dir() => Err(io::Error::from(io::ErrorKind::IsADirectory)),
        Ok(found) if found.is_file() && !is_descriptor(path) => {
            Ok(PathState::File(fs::canonicalize(path)?))
        }
        Ok(_) => Ok(PathState::Device(path.to_owned())),
        Err(error) if error.kind() == io::ErrorKind::NotFound => {
            Ok(PathState::File(resolve(path)?))
        }
        Err(error) => Err(error),
    }
}

/// Whether `path` means a file that is already open (`/dev/stderr`, `/dev/fd/3`): the octets belong
/// there, not in a new file under its name.
fn is_descriptor(path: &Path) -> bool {
    let mut path = path.to_owned();
    // As many links as a kernel would follow.
    for _ in 0..40 {
        let Some(parent) = path.parent().and_then(|parent| fs::canonicalize(parent).ok()) else {
            return false;
        };
        if parent.starts_with("/proc") {
            return true;
        }
        match fs::read_link(&path) {
            Ok(link) => path = parent.join(link),
            Err(_) => return false,
        }
    }
    false
}

/// A name for people and reports. Octets that are not UTF-8 are written `\xFF`; where that would be
/// ambiguous, the name's own backslashes are doubled. So different names stay different.
pub fn shown(path: &Path) -> Cow<'_, str> {
    let name = path.as_os_str();
    if let Some(name) = name.to_str().filter(|name| !name.contains("\\x")) {
        return Cow::Borrowed(name);
    }
    let mut shown = String::new();
    for chunk in name.as_encoded_bytes().utf8_chunks() {
        shown.push_str(&chunk.valid().replace('\\', "\\\\"));
        shown.extend(chunk.invalid().iter().map(|octet| format!("\\x{octet:02X}")));
    }
    Cow::Owned(shown)
}

/// The absolute path without links, also of a file that does not exist yet.
///
/// # Errors
/// An ancestor cannot be examined.
pub fn resolve(path: &Path) -> io::Result<PathBuf> {
    let mut missing: Vec<&OsStr> = Vec::new();
    let mut ancestor = path;
    let mut whole = loop {
        let known = if ancestor.as_os_str().is_empty() { Path::new(".") } else { ancestor };
        match fs::canonicalize(known) {
            Ok(known) => break known,
            Err(error) if error.kind() == io::ErrorKind::NotFound => {}
            Err(error) => return Err(error),
        }
        match (ancestor.components().next_back(), ancestor.parent()) {
            (Some(Component::Normal(name)), Some(parent)) => {
                missing.push(name);
                ancestor = parent;
            }
            // `missing/..`: it cannot be created.
            _ => return Err(io::Error::from(io::ErrorKind::NotFound)),
        }
    };
    whole.extend(missing.into_iter().rev());
    Ok(whole)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_does_not_exist_yet_has_a_place() {
        let here = tempfile::tempdir().expect("a directory for the test");
        let root = fs::canonicalize(here.path()).expect("it exists");
        assert_eq!(resolve(&here.path().join("a/b.eml")).expect("a place"), root.join("a/b.eml"));
        assert_eq!(
            locate(&here.path().join("new")).expect("a place"),
            PathState::File(root.join("new"))
        );
        assert!(locate(here.path()).is_err());
        assert!(resolve(&here.path().join("a/../b")).is_err());
    }

    #[cfg(unix)]
    #[test]
    fn different_names_are_shown_as_different() {
        use std::os::unix::ffi::OsStrExt;
        let names: [(&[u8], &str); 5] = [
            (b"a\\b\xC3\xA4", "a\\b\u{e4}"),
            (b"a\xFF", "a\\xFF"),
            (b"a\xFE\\", "a\\xFE\\\\"),
            (b"a\\xFF", "a\\\\xFF"),
            (b"a\\\\xFF", "a\\\\\\\\xFF"),
        ];
        for (name, expected) in names {
            assert_eq!(shown(Path::new(OsStr::from_bytes(name))), expected);
        }
    }

    #[cfg(unix)]
    #[test]
    fn devices_are_never_replaced() {
        assert_eq!(
            locate(Path::new("/dev/null")).expect("a place"),
            PathState::Device("/dev/null".into())
        );
    }
}
