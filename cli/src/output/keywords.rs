//! The lists of keywords of Maildirs that are written, as Dovecot keeps them: a number and a name
//! in a line of `dovecot-keywords`. The letters `a` to `z` in the names of messages stand for the
//! numbers from 0 on.

use std::collections::HashMap;
use std::ffi::OsStr;
use std::fs;
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};

use super::beneath::Beneath;
use super::temporary::Temporary;

/// The name of a list.
pub const LIST: &str = "dovecot-keywords";

/// The number of keywords that have a letter.
const MAX_KEYWORDS: usize = 26;

/// The lists of a Maildir and its folders, as far as they were needed.
#[derive(Debug, Default)]
pub struct Keywords {
    lists: HashMap<PathBuf, Vec<String>>,
    /// Whether a folder had a list that is not the one of the Maildir that is copied there.
    has_other: HashMap<PathBuf, bool>,
}

impl Keywords {
    /// Returns the letters for keywords in a folder below `root`, in alphabetical order, and
    /// whether each keyword has one. What the list does not have yet is added to it.
    ///
    /// # Errors
    /// The list cannot be read or written.
    pub fn letters(
        &mut self,
        root: &Path,
        folder: &Path,
        keywords: &[String],
    ) -> io::Result<(String, bool)> {
        if keywords.is_empty() {
            return Ok((String::new(), true));
        }
        let directory = Beneath::enter(root, folder)?;
        let names = match self.lists.get_mut(folder) {
            Some(names) => names,
            None => self.lists.entry(folder.to_owned()).or_insert(read(&directory)?),
        };

        let (mut letters, mut are_all) = (Vec::new(), true);
        for keyword in keywords {
            let known = names.iter().position(|name| name == keyword);
            let number = match known {
                Some(number) => Some(number),
                None if is_atom(keyword) && names.len() < MAX_KEYWORDS => {
                    names.push(keyword.clone());
                    write(&directory, names)?;
                    Some(names.len() - 1)
                }
                None => None,
            };
            match number.and_then(|number| u8::try_from(number).ok()).filter(|number| *number < 26)
            {
                Some(number) => letters.push(b'a' + number),
                None => are_all = false,
            }
        }
        letters.sort_unstable();
        letters.dedup();
        Ok((letters.into_iter().map(char::from).collect(), are_all))
    }
}

impl Keywords {
    /// Returns whether the folder below `root` had a list of its own when the first message of the
    /// Maildir at `from` was copied there. Then letters mean something else in it.
    pub fn has_other(&mut self, root: &Path, folder: &Path, from: &Path) -> bool {
        if let Some(has_other) = self.has_other.get(folder) {
            return *has_other;
        }
        let mut here = Vec::new();
        let has_list = Beneath::open(root, folder)
            .and_then(|folder| folder.read(OsStr::new(LIST)))
            .and_then(|mut list| list.read_to_end(&mut here))
            .is_ok();
        let has_other = has_list && fs::read(from.join(LIST)).ok() != Some(here);
        self.has_other.insert(folder.to_owned(), has_other);
        has_other
    }
}

/// Returns whether a keyword is one in IMAP: characters of US-ASCII without those that mean
/// something there.
fn is_atom(keyword: &str) -> bool {
    keyword.bytes().all(|octet| octet.is_ascii_graphic() && !b"(){%*\"\\]".contains(&octet))
}

fn read(directory: &Beneath) -> io::Result<Vec<String>> {
    let mut text = String::new();
    match directory.read(OsStr::new(LIST)) {
        Ok(mut file) => _ = file.read_to_string(&mut text)?,
        Err(error) if error.kind() == io::ErrorKind::NotFound => {}
        Err(error) => return Err(error),
    }
    let mut names: Vec<String> = Vec::new();
    for (number, name) in text.lines().filter_map(|line| line.split_once(' ')) {
        let Ok(number) = number.parse::<usize>() else { continue };
        // No letter stands for a higher one.
        if number < MAX_KEYWORDS {
            names.resize(names.len().max(number + 1), String::new());
            name.trim().clone_into(&mut names[number]);
        }
    }
    Ok(names)
}

fn write(directory: &Beneath, names: &[String]) -> io::Result<()> {
    // It is as closed to others as the folder.
    let permissions = fs::metadata(directory.path()).ok().map(|found| found.permissions());
    let (mut file, temporary) =
        Temporary::beneath(directory, Some(OsStr::new(LIST)), permissions.as_ref())?;
    for (number, name) in names.iter().enumerate().filter(|(_, name)| !name.is_empty()) {
        writeln!(file, "{number} {name}")?;
    }
    temporary.rename_beneath(directory, directory, OsStr::new(LIST))
}
