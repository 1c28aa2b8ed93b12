//! A server's reply to a command.

use std::io;

/// ```text
/// Reply-line = *( Reply-code "-" [ textstring ] CRLF ) Reply-code [ SP textstring ] CRLF    ; RFC 5321, 4.2
/// Reply-code = %x32-35 %x30-35 %x30-39
/// ```
///
/// A reply is passed on as it came.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reply {
    octets: Vec<u8>,
}

impl Reply {
    /// The reply that consists of these lines.
    pub fn new(octets: impl Into<Vec<u8>>) -> Self {
        Self { octets: octets.into() }
    }

    /// Whether a line is the last of its reply.
    ///
    /// # Errors
    /// The line is none of a reply.
    pub fn is_last_line(line: &[u8]) -> io::Result<bool> {
        let text = line.strip_suffix(b"\n").map(|line| line.strip_suffix(b"\r").unwrap_or(line));
        match text {
            Some([b'2'..=b'5', b'0'..=b'9', b'0'..=b'9', rest @ ..]) => match rest.first() {
                None | Some(b' ') => Ok(true),
                Some(b'-') => Ok(false),
                Some(_) => Err(no_reply()),
            },
            _ => Err(no_reply()),
        }
    }

    /// All its lines.
    pub fn octets(&self) -> &[u8] {
        &self.octets
    }

    /// Its three digits.
    pub fn code(&self) -> u16 {
        self.octets.iter().take(3).fold(0, |code, digit| code * 10 + u16::from(digit - b'0'))
    }

    /// Whether the command succeeded.
    pub fn is_positive(&self) -> bool {
        (200..300).contains(&self.code())
    }

    /// Whether the server ends the connection with it (RFC 5321, 3.8).
    pub fn is_farewell(&self) -> bool {
        self.code() == 421
    }

    /// Its first line, as text.
    pub fn first_line(&self) -> String {
        let line = self.octets.split(|&octet| octet == b'\n').next().unwrap_or_default();
        String::from_utf8_lossy(line).trim_end().to_owned()
    }

    /// The text of its lines, after the code.
    pub fn texts(&self) -> impl Iterator<Item = &[u8]> {
        let lines = self.octets.split(|&octet| octet == b'\n').filter(|line| !line.is_empty());
        lines.map(|line| line.get(4..).unwrap_or_default().trim_ascii_end())
    }
}

fn no_reply() -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, "the next hop does not answer in SMTP")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_reply_is_its_code_and_its_texts() {
        let reply = Reply::new(&b"250-mx.test\r\n250-SIZE 1000\r\n250 DSN\r\n"[..]);
        assert!(reply.is_positive() && reply.code() == 250);
        assert_eq!(reply.texts().collect::<Vec<_>>(), [&b"mx.test"[..], b"SIZE 1000", b"DSN"]);
        assert!(!Reply::new(&b"452 4.3.1 full\r\n"[..]).is_positive());
    }
}
