//! The kind of a file, for questions about attachments: by its first octets, and by its name. What is written stands on
//! [`common_types`](super::common_types).

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
pub(crate) fn type_by_name(name: &str) -> Option<&'static str> {
    mime_guess::from_path(name).first_raw()
}

/// How files of mail begin that `infer` does not know, or takes for others.
const KNOWN: [(&[u8], &str); 4] = [
    (b"-----BEGIN PGP SIGNATURE", "application/pgp-signature"),
    (b"-----BEGIN PGP MESSAGE", "application/pgp-encrypted"),
    (b"-----BEGIN PGP PUBLIC KEY", "application/pgp-keys"),
    (b"\x78\x9f\x3e\x22", "application/ms-tnef"),
];

/// Returns whether octets are a message of PKCS #7 (RFC 5652, 3), as those of S/MIME are: `infer` takes each sequence of DER
/// for a certificate.
fn is_pkcs7(octets: &[u8]) -> bool {
    /// 1.2.840.113549.1.7, whose last number says what the content is.
    const CONTENT_TYPE: &[u8] = b"\x06\x09\x2a\x86\x48\x86\xf7\x0d\x01\x07";
    let [0x30, length, ..] = octets else { return false };
    let header = 2 + if *length > 0x80 { usize::from(length & 0x7f) } else { 0 };
    octets.get(header..).is_some_and(|content| content.starts_with(CONTENT_TYPE))
}
