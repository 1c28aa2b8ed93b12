//! Names under which files may be stored, made from names that strangers chose.

use std::collections::{HashMap, HashSet};

/// The most octets of a safe name; no usual file system takes more than 255, and programs add to
/// names.
const MOST: usize = 200;

/// The octets that are kept for a number: ` (1000000)`.
const MOST_OF_NUMBER: usize = 10;

/// The most octets of what counts as an extension.
const MOST_OF_EXTENSION: usize = 16;

/// Names that Windows keeps for devices, with or without an extension.
const DEVICES: [&str; 6] = ["CON", "PRN", "AUX", "NUL", "CONIN$", "CONOUT$"];

/// Returns a name that is safe to store a file under, on any usual system.
///
/// - What is before the last `/` or `\` is left out: no name leads elsewhere.
/// - Controls, line separators and the characters that turn the direction of text
///   (`invoice<RLO>fdp.exe`) are left out.
/// - `< > : " | ? *`, which Windows does not take, become `_`.
/// - White space at the ends is left out, and so are dots at the end. A dot, hyphen or tilde at the
///   start, which has a meaning for shells, gets a `_` before it, and so does the name of a device
///   (`CON`, `LPT1.txt`).
/// - Longer names are cut to 200 octets, before their extension.
/// - If nothing is left the name is `unnamed`.
///
/// A file of that name may exist: that is for the caller to see.
///
/// ```
/// use sevenbit::safe_file_name;
///
/// assert_eq!(safe_file_name("../../etc/passwd"), "passwd");
/// assert_eq!(safe_file_name("C:\\temp\\nul.txt"), "_nul.txt");
/// assert_eq!(safe_file_name("invoice\u{202e}fdp.exe"), "invoicefdp.exe");
/// assert_eq!(safe_file_name(".."), "unnamed");
/// ```
pub fn safe_file_name(name: &str) -> String {
    let last = name.trim_end_matches(['/', '\\']).rsplit(['/', '\\']).next().unwrap_or_default();
    let kept =
        last.chars().filter(|c| !is_unseen(*c)).map(|c| if is_forbidden(c) { '_' } else { c });
    let kept: String = kept.collect();
    let kept = ended(kept.trim_start());
    let mark = if kept.starts_with(['.', '-', '~']) || is_device(kept) { "_" } else { "" };
    let safe = cut(&format!("{mark}{kept}"), MOST);
    if safe.chars().all(|c| matches!(c, '.' | '_')) { String::from("unnamed") } else { safe }
}

/// Returns the media type that octets begin like if their name says that they are something else:
/// of a program that is called `invoice.pdf`. `None` without the feature `files`.
///
/// ```
/// # #[cfg(feature = "files")]
/// assert_eq!(sevenbit::disguised_type(b"#!/bin/sh\n", "invoice.pdf"), Some("text/x-shellscript"));
/// assert_eq!(sevenbit::disguised_type(b"%PDF-1.7\n", "invoice.pdf"), None);
/// ```
pub fn disguised_type(octets: &[u8], name: &str) -> Option<&'static str> {
    #[cfg(feature = "files")]
    return super::file_type::other_type_than_named(octets, name);
    #[cfg(not(feature = "files"))]
    {
        let _ = (octets, name);
        None
    }
}

/// The names that are taken in a message.
#[derive(Debug, Default)]
pub(super) struct Taken {
    /// The names that are taken, as [`same`] returns them.
    names: HashSet<String>,
    /// With each name that has namesakes, the number that the next one gets.
    numbers: HashMap<String, usize>,
}

impl Taken {
    /// Returns `name`, or the first of `name (2)`, `name (3)`... that is not taken; the number is
    /// before the extension, and a long name is cut before it.
    pub(super) fn unique(&mut self, name: String) -> String {
        if self.names.insert(same(&name)) {
            return name;
        }
        let name = cut(&name, MOST - MOST_OF_NUMBER);
        let (stem, extension) = name.split_at(extension(&name));
        // Names that are alike once they are cut share their numbers, so that no number is tried
        // for each of them.
        let number = self.numbers.entry(same(&name)).or_insert(2);
        loop {
            let free = format!("{stem} ({number}){extension}");
            *number += 1;
            if self.names.insert(same(&free)) {
                return free;
            }
        }
    }
}

/// Returns what names have in common that are the same file for some systems: those that differ
/// only in case, or in how their characters are composed.
fn same(name: &str) -> String {
    let lower = name.to_lowercase();
    #[cfg(feature = "domains")]
    let lower =
        icu_normalizer::ComposingNormalizerBorrowed::new_nfc().normalize(&lower).into_owned();
    lower
}

/// Returns the extension that files of a type usually have, with its dot.
pub(super) fn usual_extension(media_type: &str) -> &'static str {
    match media_type {
        "text/plain" | "text/rfc822-headers" => ".txt",
        "message/delivery-status"
        | "message/disposition-notification"
        | "message/feedback-report" => ".txt",
        "text/html" => ".html",
        "text/calendar" => ".ics",
        "text/csv" => ".csv",
        "text/vcard" | "text/x-vcard" => ".vcf",
        "text/rtf" | "application/rtf" => ".rtf",
        "message/rfc822" | "message/global" | "message/news" => ".eml",
        "image/jpeg" => ".jpg",
        "image/png" => ".png",
        "image/gif" => ".gif",
        "image/svg+xml" => ".svg",
        "image/tiff" => ".tif",
        "image/bmp" => ".bmp",
        "audio/mpeg" => ".mp3",
        "audio/wav" | "audio/x-wav" => ".wav",
        "video/mp4" => ".mp4",
        "application/pdf" => ".pdf",
        "application/zip" => ".zip",
        "application/json" => ".json",
        "application/msword" => ".doc",
        "application/vnd.ms-excel" => ".xls",
        "application/pgp-signature" | "application/pgp-keys" => ".asc",
        "application/pkcs7-signature" | "application/x-pkcs7-signature" => ".p7s",
        "application/pkcs7-mime" | "application/x-pkcs7-mime" => ".p7m",
        "application/ms-tnef" => ".dat",
        _ => "",
    }
}

/// Returns whether a character is not seen, or changes where others are.
fn is_unseen(c: char) -> bool {
    c.is_control()
        || matches!(c, '\u{61c}' | '\u{200b}' | '\u{200e}' | '\u{200f}' | '\u{2028}'..='\u{202e}')
        || matches!(c, '\u{2060}'..='\u{206f}' | '\u{feff}' | '\u{fff9}'..='\u{fffb}')
        || matches!(c, '\u{e0000}'..='\u{e007f}')
}

fn is_forbidden(c: char) -> bool {
    matches!(c, '<' | '>' | ':' | '"' | '|' | '?' | '*')
}

fn ended(name: &str) -> &str {
    name.trim_end_matches(|c: char| c.is_whitespace() || c == '.')
}

fn is_device(name: &str) -> bool {
    let stem = name.split('.').next().unwrap_or_default().trim_end().to_ascii_uppercase();
    let is_port = |prefix: &str| {
        let number = stem.strip_prefix(prefix).map(|rest| rest.chars().collect::<Vec<_>>());
        matches!(number.as_deref(), Some(['0'..='9' | '¹' | '²' | '³']))
    };
    DEVICES.contains(&&*stem) || is_port("COM") || is_port("LPT")
}

/// Returns where the extension begins, with its dot; the end if there is none.
pub fn extension(name: &str) -> usize {
    match name.rfind('.') {
        Some(dot) if dot > 0 && name.len() - dot <= MOST_OF_EXTENSION => dot,
        _ => name.len(),
    }
}

/// Returns a name of at most `most` octets; its extension is kept.
fn cut(name: &str, most: usize) -> String {
    if name.len() <= most {
        return name.to_owned();
    }
    let (stem, extension) = name.split_at(extension(name));
    let end = (0..=most - extension.len()).rev().find(|&at| stem.is_char_boundary(at)).unwrap_or(0);
    // A base without the marks that were on it is another character, but none of another kind.
    format!("{}{extension}", ended(&stem[..end]))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn names_become_safe() {
        let long = format!("{}.tar.gz", "é".repeat(150));
        for (name, safe) in [
            ("report.pdf", "report.pdf"),
            ("Zoë 字 👩\u{200d}💻.txt", "Zoë 字 👩\u{200d}💻.txt"),
            ("/etc/passwd", "passwd"),
            ("a/b\\..\\c.txt", "c.txt"),
            ("..", "unnamed"),
            ("", "unnamed"),
            (" . ", "unnamed"),
            ("\0\r\n", "unnamed"),
            ("dir/", "dir"),
            (".bashrc", "_.bashrc"),
            ("-rf", "_-rf"),
            ("CON", "_CON"),
            ("lpt1.txt", "_lpt1.txt"),
            ("com².log", "_com².log"),
            ("console", "console"),
            ("a<b>:\"|?*.txt", "a_b______.txt"),
            ("invoice\u{202e}fdp.exe", "invoicefdp.exe"),
            ("a\r\nb.txt. . ", "ab.txt"),
            ("::$DATA", "__$DATA"),
            (&long, &format!("{}.gz", &long[..196])),
        ] {
            assert_eq!(safe_file_name(name), safe, "{name:?}");
        }
    }

    #[test]
    fn names_are_told_apart() {
        let mut taken = Taken::default();
        let mut next = |name: &str| taken.unique(name.to_owned());
        assert_eq!(
            ["a.txt", "A.TXT", "a (2).txt", "a.txt", "b", "b"].map(&mut next),
            ["a.txt", "A (2).TXT", "a (2) (2).txt", "a (3).txt", "b", "b (2)"]
        );
    }

    #[test]
    fn long_names_are_told_apart_within_the_limit() {
        let mut taken = Taken::default();
        let name = safe_file_name(&format!("{}.txt", "é".repeat(150)));
        let unique: Vec<_> = (0..1000).map(|_| taken.unique(name.clone())).collect();
        assert_eq!((unique[0].len(), &*unique[0]), (200, &*name));
        assert!(unique.iter().all(|name| name.len() <= MOST && name.ends_with(".txt")));
        assert_eq!(unique.iter().collect::<HashSet<_>>().len(), 1000);
        assert!(unique[999].ends_with("é (1000).txt"), "{}", unique[999]);
    }

    #[cfg(feature = "domains")]
    #[test]
    fn names_that_are_composed_otherwise_are_the_same() {
        let mut taken = Taken::default();
        let unique = ["caf\u{e9}.txt", "cafe\u{301}.txt", "CAFE\u{301}.TXT"]
            .map(|name| taken.unique(name.to_owned()));
        assert_eq!(unique, ["caf\u{e9}.txt", "cafe\u{301} (2).txt", "CAFE\u{301} (3).TXT"]);
    }

    proptest! {
        #[test]
        fn any_name_is_safe(name in "([ -~]|[.]|[/\\\\]|\\PC|[\0-\u{1f}\u{202e}]|CON|nul){0,300}") {
            let safe = safe_file_name(&name);
            prop_assert!(!safe.is_empty() && safe.len() <= MOST);
            let bad = |c: char| "/\\:\0\u{202e}".contains(c);
            prop_assert!(!safe.contains(bad) && !safe.starts_with('.'));
            prop_assert!(!is_device(&safe) && !safe.ends_with(['.', ' ']));
            prop_assert_eq!(safe_file_name(&safe), safe);
        }
    }
}
