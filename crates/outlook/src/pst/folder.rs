//! Folders of a store, and their names as text and as paths.

use std::borrow::Cow;
use std::fmt;
use std::path::PathBuf;

use sevenbit_charset::Charset;

/// A folder.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Folder {
    /// The id of the folder's node; 0 for the folder of messages whose own is lost.
    pub node: u32,
    /// The names of the folders around it, and its own; none for the root.
    pub path: Vec<FolderName>,
    /// The number of messages that the folder claims to have.
    pub messages: u64,
    /// The class of its items: `IPF.Note` and its like.
    pub class: Option<String>,
}

/// The name of a folder.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum FolderName {
    /// A name in Unicode.
    Text(String),
    /// A name in the code page of the store.
    Octets(Vec<u8>),
}

impl Folder {
    /// Returns the path of the folder in its store, which stays in its directory on any system:
    /// `Top/In_box`. Names that are not in Unicode are in the code page of the store.
    pub fn safe_path(&self, code_page: Option<u32>) -> PathBuf {
        if self.path.is_empty() {
            return PathBuf::from("root");
        }
        self.path.iter().map(|name| component(&name.text(code_page))).collect()
    }
}

impl FolderName {
    /// Returns the name as text. Octets that are not UTF-8 are in the code page of the store, or
    /// else in windows-1252.
    pub fn text(&self, code_page: Option<u32>) -> Cow<'_, str> {
        let octets = match self {
            Self::Text(text) => return Cow::Borrowed(text),
            Self::Octets(octets) => octets,
        };
        if let Ok(text) = std::str::from_utf8(octets) {
            return Cow::Borrowed(text);
        }
        let named = code_page.and_then(Charset::of_code_page);
        let charset =
            named.filter(|charset| charset.is_decodable()).unwrap_or(Charset::WINDOWS_1252);
        charset.decode(octets).text().to_owned().into()
    }
}

impl fmt::Display for FolderName {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Text(text) => formatter.write_str(text),
            Self::Octets(octets) => formatter.write_str(&String::from_utf8_lossy(octets)),
        }
    }
}

impl fmt::Display for Folder {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        for name in &self.path {
            write!(formatter, "/{name}")?;
        }
        Ok(())
    }
}

/// Returns a name as one component of a path, on any system.
fn component(name: &str) -> String {
    let is_unfit = |char: char| char.is_control() || "/\\:*?\"<>|".contains(char);
    let fit: String = name.chars().map(|char| if is_unfit(char) { '_' } else { char }).collect();
    let fit = fit.trim_matches([' ', '.']);
    if fit.is_empty() { "_".to_owned() } else { fit.to_owned() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_of_a_folder_never_leads_elsewhere() {
        for (name, expected) in [
            ("Inbox", "Inbox"),
            ("a/b\\c", "a_b_c"),
            ("..", "_"),
            ("", "_"),
            (".hidden.", "hidden"),
            ("{A9E2}", "{A9E2}"),
            ("Éléments supprimés", "Éléments supprimés"),
            ("a\u{0}b", "a_b"),
        ] {
            assert_eq!(component(name), expected);
        }
    }

    #[test]
    fn a_name_that_is_not_in_unicode_is_read() {
        let octets = FolderName::Octets(b"\xc4\xe5\xeb\xe0".to_vec());
        assert_eq!(octets.text(Some(1251)), "Дела");
        assert_eq!(octets.text(None), "Äåëà");
        assert_eq!(FolderName::Octets("ß".into()).text(Some(1252)), "ß");
    }
}
