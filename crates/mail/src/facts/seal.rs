//! The checks that signed and encrypted content is what it claims to be (rule G12; RFC 1847).

use std::sync::LazyLock;

use memchr::memmem::{self, Finder};

use crate::ascii::trim_fws;
use crate::report::Tally;
use crate::transfer::TransferEncoding;

/// How much of a signature is examined: its beginning shows what it is.
const MAX_EXAMINED: usize = 8192;

/// The beginning of every CMS signature in ASN.1: a SEQUENCE (X.690, 8.9).
const SEQUENCE: u8 = 0x30;

/// The beginning of a text with a cleartext signature.
static SIGNED: LazyLock<Finder<'static>> =
    LazyLock::new(|| Finder::new(b"-----BEGIN PGP SIGNED MESSAGE-----"));

/// Returns the name of a protocol, or of the media type that belongs to it: in lower case, and
/// without the `x-` that many had before they were registered.
pub fn protocol_name(text: &str) -> String {
    let name = text.trim().to_ascii_lowercase();
    match name.strip_prefix("application/x-") {
        Some(name) => format!("application/{name}"),
        None => name,
    }
}

/// Returns whether `octets` hold a text with an OpenPGP cleartext signature (RFC 9580, 7).
pub fn is_cleartext_signed(octets: &[u8]) -> bool {
    SIGNED.find_iter(octets).any(|at| {
        (at == 0 || octets[at - 1] == b'\n')
            && octets.get(at + SIGNED.needle().len()).is_none_or(|o| b"\r\n \t".contains(o))
    })
}

/// Returns whether a protocol is that of a widely known kind of signature.
pub fn is_signature(protocol: &str) -> bool {
    matches!(protocol, "application/pgp-signature" | "application/pkcs7-signature")
}

/// Returns whether a body looks like the control part of the protocol: an OpenPGP signature in
/// armour (RFC 3156, 5), a CMS signature (RFC 8551, 3.5.3), the version of encrypted OpenPGP (RFC
/// 3156, 4). For an unknown protocol it must not be empty.
pub fn is_control(protocol: &str, encoding: TransferEncoding, body: &[u8]) -> bool {
    let body = &body[..body.len().min(MAX_EXAMINED)];
    let octets = encoding.decode(body, &mut Tally::default());
    let octets = trim_fws(&octets);
    match protocol {
        "application/pgp-signature" => memmem::find(octets, b"-----BEGIN PGP ").is_some(),
        "application/pkcs7-signature" => octets.first() == Some(&SEQUENCE),
        "application/pgp-encrypted" => octets.to_ascii_lowercase().starts_with(b"version"),
        _ => !octets.is_empty(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_in_the_part_counts() {
        use TransferEncoding::{Base64, SevenBit};
        for (protocol, encoding, body, is) in [
            ("application/pgp-signature", SevenBit, "-----BEGIN PGP SIGNATURE-----\r\n", true),
            ("application/pgp-signature", SevenBit, "no signature", false),
            ("application/pkcs7-signature", Base64, "MIIB", true),
            ("application/pkcs7-signature", Base64, "-----BEGIN PGP SIGNATURE-----", false),
            ("application/pgp-encrypted", SevenBit, "\r\nVersion: 1\r\n", true),
            ("application/pgp-encrypted", SevenBit, "", false),
            ("a/b", SevenBit, " \r\n", false),
            ("a/b", SevenBit, "x", true),
        ] {
            assert_eq!(is_control(protocol, encoding, body.as_bytes()), is, "{protocol}: {body:?}");
        }
    }
}
