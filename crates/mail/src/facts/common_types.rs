//! The types of files that mail carries: by the extension of a name, and by first octets. What is
//! written where a media type cannot be read stands on this table, so that every build writes the
//! same. Longer lists, for questions, are those of `file_type`.

/// A media type, the extensions of its files' names, and the octets that its files begin with.
type Row = (&'static str, &'static [&'static str], &'static [&'static [u8]]);

/// The types of files.
const TYPES: [Row; 43] = [
    ("application/gzip", &["gz", "tgz"], &[b"\x1f\x8b\x08"]),
    ("application/json", &["json"], &[]),
    ("application/msword", &["doc", "dot"], &[]),
    (
        "application/octet-stream",
        &["bin", "com", "dll", "dmg", "exe", "img", "iso", "msi", "scr"],
        &[],
    ),
    ("application/pdf", &["pdf"], &[b"%PDF-"]),
    ("application/pgp-encrypted", &[], &[b"-----BEGIN PGP MESSAGE"]),
    ("application/pgp-keys", &[], &[b"-----BEGIN PGP PUBLIC KEY"]),
    ("application/pgp-signature", &[], &[b"-----BEGIN PGP SIGNATURE"]),
    ("application/postscript", &["ps", "eps", "ai"], &[b"%!PS"]),
    ("application/rtf", &["rtf"], &[b"{\\rtf"]),
    ("application/vnd.ms-excel", &["xls", "xlt"], &[]),
    ("application/vnd.ms-powerpoint", &["ppt", "pps"], &[]),
    ("application/vnd.oasis.opendocument.presentation", &["odp"], &[]),
    ("application/vnd.oasis.opendocument.spreadsheet", &["ods"], &[]),
    ("application/vnd.oasis.opendocument.text", &["odt"], &[]),
    ("application/vnd.openxmlformats-officedocument.presentationml.presentation", &["pptx"], &[]),
    ("application/vnd.openxmlformats-officedocument.spreadsheetml.sheet", &["xlsx"], &[]),
    ("application/vnd.openxmlformats-officedocument.wordprocessingml.document", &["docx"], &[]),
    ("application/x-7z-compressed", &["7z"], &[b"7z\xbc\xaf\x27\x1c"]),
    ("application/x-bzip2", &["bz2"], &[b"BZh"]),
    ("application/x-rar-compressed", &["rar"], &[b"Rar!\x1a\x07"]),
    ("application/x-tar", &["tar"], &[]),
    ("application/zip", &["zip"], &[b"PK\x03\x04", b"PK\x05\x06"]),
    ("audio/midi", &["mid", "midi"], &[b"MThd"]),
    ("audio/mpeg", &["mp3"], &[b"ID3"]),
    ("audio/ogg", &["ogg", "oga", "opus"], &[b"OggS"]),
    ("audio/x-wav", &["wav"], &[]),
    ("image/bmp", &["bmp"], &[]),
    ("image/gif", &["gif"], &[b"GIF87a", b"GIF89a"]),
    ("image/jpeg", &["jpg", "jpeg", "jpe"], &[b"\xff\xd8\xff"]),
    ("image/png", &["png"], &[b"\x89PNG\r\n\x1a\n"]),
    ("image/svg+xml", &["svg"], &[]),
    ("image/tiff", &["tif", "tiff"], &[b"II*\0", b"MM\0*"]),
    ("image/webp", &["webp"], &[]),
    ("image/x-icon", &["ico"], &[b"\0\0\x01\0"]),
    ("text/calendar", &["ics"], &[b"BEGIN:VCALENDAR"]),
    ("text/css", &["css"], &[]),
    ("text/csv", &["csv"], &[]),
    (
        "text/html",
        &["html", "htm"],
        &[b"<!DOCTYPE HTML", b"<!DOCTYPE html", b"<!doctype html", b"<html", b"<HTML"],
    ),
    ("text/plain", &["txt", "text", "log"], &[]),
    ("text/vcard", &["vcf"], &[b"BEGIN:VCARD"]),
    ("text/xml", &["xml"], &[b"<?xml "]),
    ("video/mp4", &["mp4", "m4v"], &[]),
];

/// Returns the type that the extension of a name stands for, in any case.
pub(super) fn by_name(name: &str) -> Option<&'static str> {
    let (_, extension) = name.rsplit_once('.')?;
    let is_it = |known: &&str| known.eq_ignore_ascii_case(extension);
    TYPES.iter().find(|(_, extensions, _)| extensions.iter().any(is_it)).map(|row| row.0)
}

/// Returns the type of files that begin like `octets`.
pub(super) fn by_octets(octets: &[u8]) -> Option<&'static str> {
    TYPES
        .iter()
        .find(|(_, _, starts)| starts.iter().any(|start| octets.starts_with(start)))
        .map(|row| row.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn extensions_and_octets_tell_types() {
        for (name, wanted) in [
            ("a.pdf", Some("application/pdf")),
            ("A.B.JPG", Some("image/jpeg")),
            ("pdf", None),
            ("a.", None),
            ("a.exe", Some("application/octet-stream")),
            ("a.b", None),
        ] {
            assert_eq!(by_name(name), wanted, "{name}");
        }
        assert_eq!(by_octets(b"%PDF-1.4"), Some("application/pdf"));
        assert_eq!(by_octets(b"GIF89a"), Some("image/gif"));
        assert_eq!(by_octets(b""), None);
    }

    /// Each extension and each beginning is that of one type.
    #[test]
    fn nothing_is_listed_twice() {
        let mut extensions: Vec<_> = TYPES.iter().flat_map(|row| row.1).collect();
        let mut starts: Vec<_> = TYPES.iter().flat_map(|row| row.2).collect();
        let listed = (extensions.len(), starts.len());
        extensions.sort_unstable();
        extensions.dedup();
        starts.sort_unstable();
        starts.dedup();
        assert_eq!((extensions.len(), starts.len()), listed);
    }
}
