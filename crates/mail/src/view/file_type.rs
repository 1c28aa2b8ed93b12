//! The kind of a file, for questions about attachments: by its first octets, and by its name. What
//! is written stands on [`common_types`](crate::facts::common_types).

/// Returns the media type that octets begin like; `None` if they are of no known kind, as text is.
///
/// ```
/// assert_eq!(sevenbit::file_type(b"GIF89a"), Some("image/gif"));
/// ```
pub fn file_type(octets: &[u8]) -> Option<&'static str> {
    let known = KNOWN.iter().find(|(start, _)| octets.starts_with(start)).map(|(_, kind)| *kind);
    let known = known.or_else(|| is_pkcs7(octets).then_some("application/pkcs7-mime"));
    known.or_else(|| infer::get(octets).map(|kind| kind.mime_type()))
}

/// Returns the media type that the extension of a name stands for.
pub(super) fn type_by_name(name: &str) -> Option<&'static str> {
    mime_guess::from_path(name).first_raw()
}

/// The kinds of files that nobody takes for one another. Within a kind names are often those of
/// neighbours: a JPEG is called `.png`, and a document of Office is a ZIP archive.
#[derive(Clone, Copy, PartialEq, Eq)]
enum FileKind {
    Program,
    Picture,
    Recording,
    Pdf,
    /// An archive, or a document of Office.
    Package,
    Text,
}

impl FileKind {
    /// Returns the kind of a media type; `None` if it says nothing, as `application/octet-stream`.
    fn of(media_type: &str) -> Option<Self> {
        const PROGRAMS: [&str; 8] = [
            "application/vnd.microsoft.portable-executable",
            "application/x-executable",
            "application/x-mach-binary",
            "application/x-msdownload",
            "application/x-sh",
            "application/x-ms-shortcut",
            "application/java",
            "text/x-shellscript",
        ];
        const PACKAGES: [&str; 11] = [
            "application/zip",
            "application/gzip",
            "application/vnd.rar",
            "application/x-rar-compressed",
            "application/x-7z-compressed",
            "application/x-tar",
            "application/x-bzip2",
            "application/x-xz",
            "application/x-ole-storage",
            "application/msword",
            "application/rtf",
        ];
        let is_office = |prefix: &&str| media_type.starts_with(*prefix);
        let (top, _) = media_type.split_once('/')?;
        Some(match top {
            _ if PROGRAMS.contains(&media_type) => Self::Program,
            _ if media_type.ends_with("xml") || media_type.ends_with("json") => Self::Text,
            "text" => Self::Text,
            "image" => Self::Picture,
            "audio" | "video" => Self::Recording,
            _ if media_type == "application/pdf" => Self::Pdf,
            _ if PACKAGES.contains(&media_type) => Self::Package,
            _ if OFFICE.iter().any(is_office) => Self::Package,
            _ => return None,
        })
    }
}

/// How the media types of documents of Office begin.
const OFFICE: [&str; 6] = [
    "application/vnd.ms-excel",
    "application/vnd.ms-powerpoint",
    "application/vnd.ms-word",
    "application/vnd.oasis.opendocument.",
    "application/vnd.openxmlformats-officedocument.",
    "application/epub+zip",
];

/// Returns the media type that octets begin like if it is of another kind than the one of their
/// name. Tables and documents of Office are often written as HTML and XML, under the names of
/// Office.
pub(super) fn other_type_than_named(octets: &[u8], name: &str) -> Option<&'static str> {
    let by_octets = file_type(octets)?;
    let (is, says) = (FileKind::of(by_octets)?, FileKind::of(type_by_name(name)?)?);
    let is_usual = is == says || (is, says) == (FileKind::Text, FileKind::Package);
    (!is_usual).then_some(by_octets)
}

/// How files of mail begin that `infer` does not know, or takes for others.
const KNOWN: [(&[u8], &str); 4] = [
    (b"-----BEGIN PGP SIGNATURE", "application/pgp-signature"),
    (b"-----BEGIN PGP MESSAGE", "application/pgp-encrypted"),
    (b"-----BEGIN PGP PUBLIC KEY", "application/pgp-keys"),
    (b"\x78\x9f\x3e\x22", "application/ms-tnef"),
];

/// Returns whether octets are a message of PKCS #7 (RFC 5652, 3), as those of S/MIME are: `infer`
/// takes each sequence of DER for a certificate.
fn is_pkcs7(octets: &[u8]) -> bool {
    /// 1.2.840.113549.1.7, whose last number says what the content is.
    const CONTENT_TYPE: &[u8] = b"\x06\x09\x2a\x86\x48\x86\xf7\x0d\x01\x07";
    let [0x30, length, ..] = octets else { return false };
    let header = 2 + if *length > 0x80 { usize::from(length & 0x7f) } else { 0 };
    octets.get(header..).is_some_and(|content| content.starts_with(CONTENT_TYPE))
}

#[cfg(test)]
mod tests {
    use super::other_type_than_named;

    #[test]
    fn octets_of_another_kind_than_the_name_are_found() {
        let program = b"MZ\x90\0\x03\0\0\0\x04\0\0\0\xff\xff\0\0";
        for (octets, name, found) in [
            (&program[..], "invoice.pdf", Some("application/vnd.microsoft.portable-executable")),
            (b"<!DOCTYPE html><html>", "invoice.pdf", Some("text/html")),
            (b"#!/bin/sh\n", "cat.jpg", Some("text/x-shellscript")),
            (b"PK\x03\x04\x14\0", "cat.jpg", Some("application/zip")),
            // Neighbours, usual names of others, and names that say nothing.
            (&program[..], "setup.exe", None),
            (&program[..], "setup", None),
            (b"\xff\xd8\xff\xe0", "cat.png", None),
            (b"PK\x03\x04\x14\0", "report.docx", None),
            (b"{\\rtf1", "report.doc", None),
            (b"<html><table>", "report.xls", None),
            (b"<?xml version=\"1.0\"?><svg>", "logo.svg", None),
            (b"<html>", "page.txt", None),
            (b"plain", "report.pdf", None),
        ] {
            assert_eq!(other_type_than_named(octets, name), found, "{name}");
        }
    }
}
