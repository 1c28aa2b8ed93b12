//! The identity of messages: for `--unique`, and for outputs that are written once more.

use sevenbit::Message;
use sha2::{Digest as _, Sha256};

/// The identity of a message: half of a SHA-256, so that a million messages take little memory.
pub type Identity = [u8; 16];

/// The fields that people write, by which messages without a Message-ID are told apart; without any of
/// them, all fields do.
const WRITTEN: [&str; 6] = ["from", "to", "cc", "bcc", "subject", "date"];

/// Returns the identity of a message: its Message-ID and the octets of its body. Copies of one
/// message differ in what servers added to the header, in line ends, and in empty lines at the end;
/// all of that counts for nothing. Without a Message-ID, the fields that people write stand in its
/// place.
pub fn identity(octets: &[u8]) -> Identity {
    let message = Message::parse(octets);
    let mut digest = Sha256::new();
    add_name(&message, &mut digest);
    digest.update([0]);

    let body = message.root().body_octets().trim_ascii_end();
    for piece in body.split(|octet| *octet == b'\r') {
        digest.update(piece);
    }
    half(digest)
}

/// Returns the identity of a message by its header alone, which options do not change: its
/// Message-ID, or else the fields that people write.
pub fn name(header: &[u8]) -> Identity {
    let mut digest = Sha256::new();
    add_name(&Message::parse(header), &mut digest);
    half(digest)
}

fn add_name(message: &Message<'_>, digest: &mut Sha256) {
    if let Some(id) = message.message_id() {
        digest.update(id.as_bytes());
        return;
    }
    // A separator that no header text has, so that the text of one field is not that of two.
    if WRITTEN.iter().any(|name| message.header(name).is_some()) {
        for name in WRITTEN {
            digest.update([0]);
            digest.update(message.header(name).unwrap_or_default().as_bytes());
        }
        return;
    }
    for (name, value) in message.headers() {
        digest.update([0]);
        digest.update(name.as_bytes());
        digest.update([0]);
        digest.update(value.as_bytes());
    }
}

fn half(digest: Sha256) -> Identity {
    let digest: [u8; 32] = digest.finalize().into();
    *digest.first_chunk().expect("half of a digest")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_servers_add_makes_no_other_message() {
        let first = b"Received: by a\r\nMessage-ID: <1@a.example>\r\nSubject: x\r\n\r\nText\r\n";
        for (same, other) in [
            (
                true,
                &b"Received: by b\nMessage-ID: <1@a.example>\nSubject: [list] x\n\nText\n\n"[..],
            ),
            (false, b"Message-ID: <1@a.example>\r\nSubject: x\r\n\r\nText, and more\r\n"),
            (false, b"Message-ID: <2@a.example>\r\nSubject: x\r\n\r\nText\r\n"),
            (false, b"Subject: x\r\n\r\nText\r\n"),
        ] {
            assert_eq!(identity(first) == identity(other), same, "{}", other.escape_ascii());
        }
        assert_ne!(identity(b"Subject: a\n\nText"), identity(b"Subject: b\n\nText"));
        assert_ne!(identity(b"To: a\nBcc: b\n\nx"), identity(b"To: a\nBcc: c\n\nx"));
        assert_ne!(identity(b"X-Foo: a\n\n"), identity(b"X-Foo: b\n\n"));
        assert_eq!(identity(b"X-Foo: a\n\n"), identity(b"X-Foo: a\r\n\r\n"));
        assert_eq!(identity(b"Subject: a\n\nText"), identity(b"X: y\nSubject: a\n\nText\n"));
    }
}
