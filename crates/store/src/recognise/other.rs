//! Files that are no mail, and what they are in words.

use super::Name;
use super::message::is_control;
use super::outlook::COMPOUND;

/// The kind of a file that is no mail.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Kind {
    /// One such file: `a PDF document`.
    pub one: &'static str,
    /// Several of them: `PDF documents`.
    pub many: &'static str,
}

const fn kind(one: &'static str, many: &'static str) -> Kind {
    Kind { one, many }
}

/// A ZIP archive that was opened, in which nothing is mail.
pub const ZIP_WITHOUT_MAIL: Kind = kind("a ZIP archive without mail", "ZIP archives without mail");

/// A tar file that was read to its end, in which nothing is mail.
pub const TAR_WITHOUT_MAIL: Kind = kind("a tar file without mail", "tar files without mail");

/// How files begin that hold text which could be taken for mail, or that `infer` does not know.
const SIGNATURES: [(&[u8], Kind); 22] = [
    (b"SQLite format 3\0", kind("a SQLite database", "SQLite databases")),
    (b"%PDF-", kind("a PDF document", "PDF documents")),
    (b"!<arch>\n", kind("an ar archive", "ar archives")),
    (b"070701", kind("a cpio archive", "cpio archives")),
    (b"070702", kind("a cpio archive", "cpio archives")),
    (b"070707", kind("a cpio archive", "cpio archives")),
    (b"\xC7\x71", kind("a cpio archive", "cpio archives")),
    (COMPOUND, kind("an Office document", "Office documents")),
    (b"// <!-- <mdb:mork:z", kind("a Mork database", "Mork databases")),
    (b"bplist00", kind("a property list", "property lists")),
    (b"#!", kind("a script", "scripts")),
    (b"%!PS", kind("a PostScript document", "PostScript documents")),
    (b"{\\rtf", kind("an RTF document", "RTF documents")),
    (b"<?xml", kind("an XML document", "XML documents")),
    (b"<?php", kind("a PHP program", "PHP programs")),
    (b"<!DOCTYPE html", kind("a web page", "web pages")),
    (b"<html", kind("a web page", "web pages")),
    (b"\x7FELF", kind("a program", "programs")),
    (b"MZ", kind("a program", "programs")),
    (b"\x1A\x00\x00\x04\x00\x00", kind("a Lotus Notes database", "Lotus Notes databases")),
    (b"7z\xBC\xAF\x27\x1C", kind("a 7z archive", "7z archives")),
    (b"Rar!\x1A\x07", kind("a RAR archive", "RAR archives")),
];

/// Returns the kind of a file that its first octets prove to be no mail.
pub(super) fn by_signature(first: &[u8]) -> Option<Kind> {
    let known = SIGNATURES.iter().find(|(begin, _)| starts_with_letters(first, begin));
    if let Some((begin, kind)) = known {
        // Two octets are few: text begins like that too.
        let is_doubtful = begin.len() == 2 && *begin != b"#!" && is_text(first);
        return (!is_doubtful).then_some(*kind);
    }
    // What comes now also knows mail by words like `Received`, and text of many kinds.
    if is_text(first) {
        return None;
    }
    let found = infer::get(first)?;
    // A tar file whose first header is damaged: there may be mail behind it.
    if found.mime_type() == "application/x-tar" {
        return None;
    }
    Some(match found.matcher_type() {
        infer::MatcherType::Image => kind("an image", "images"),
        infer::MatcherType::Audio => kind("a sound", "sounds"),
        infer::MatcherType::Video => kind("a video", "videos"),
        infer::MatcherType::Font => kind("a font", "fonts"),
        infer::MatcherType::App => kind("a program", "programs"),
        infer::MatcherType::Archive => kind("an archive", "archives"),
        infer::MatcherType::Doc | infer::MatcherType::Book => kind("a document", "documents"),
        _ => return None,
    })
}

/// Returns whether a file begins with text, by its first octets alone.
pub(super) fn is_text(first: &[u8]) -> bool {
    !first.iter().take(64).any(|octet| is_control(*octet))
}

/// The first names in ZIP archives that are documents or programs.
const IN_ZIP: [(&[u8], Kind); 8] = [
    (b"[Content_Types].xml", kind("an Office document", "Office documents")),
    (b"_rels/", kind("an Office document", "Office documents")),
    (b"docProps/", kind("an Office document", "Office documents")),
    (b"word/", kind("an Office document", "Office documents")),
    (b"xl/", kind("an Office document", "Office documents")),
    (b"mimetype", kind("a document", "documents")),
    (b"META-INF/", kind("a program", "programs")),
    (b"AndroidManifest.xml", kind("a program", "programs")),
];

/// Returns the kind of a ZIP archive that its first name proves to be none of mail.
pub(super) fn of_zip(first: &[u8]) -> Option<Kind> {
    let name = first.get(30..)?;
    IN_ZIP.iter().find(|(begin, _)| name.starts_with(begin)).map(|(_, kind)| *kind)
}

/// Returns the kind of a ZIP archive whose own name says that it is something else.
pub(super) fn of_zip_name(name: &Name) -> Option<Kind> {
    (!name.has(&["", "zip", "eml"])).then_some(kind("a package", "packages"))
}

/// A file without octets.
pub const EMPTY: Kind = kind("an empty file", "empty files");

/// A text that does not begin as mail does.
pub const TEXT: Kind = kind("a text without a header of mail", "texts without a header of mail");

/// Returns whether octets begin with these, letters in either case.
fn starts_with_letters(first: &[u8], begin: &[u8]) -> bool {
    first.get(..begin.len()).is_some_and(|first| first.eq_ignore_ascii_case(begin))
}

/// Returns the kind of a file that nothing else is known of.
pub(super) fn of(first: &[u8]) -> Kind {
    if first.is_empty() {
        EMPTY
    } else if first.iter().any(|octet| is_control(*octet)) {
        kind("data", "files of data")
    } else {
        TEXT
    }
}
