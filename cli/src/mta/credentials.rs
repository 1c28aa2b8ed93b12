//! Those who may ask over HTTP: whoever knows a line of a file.

use std::io;
use std::path::Path;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use sha2::{Digest, Sha256};

/// The digests of the lines, whose comparison says nothing of how much of one is right.
#[derive(Debug)]
pub struct Credentials {
    digests: Vec<[u8; 32]>,
}

impl Credentials {
    /// Reads the lines of a file. White space around one, empty lines and those that begin with `#`
    /// do not count.
    ///
    /// # Errors
    /// Those of the file; it has no line.
    pub fn read(path: &Path) -> io::Result<Self> {
        let text = std::fs::read_to_string(path)?;
        let lines = text.lines().map(str::trim);
        let lines = lines.filter(|line| !line.is_empty() && !line.starts_with('#'));
        let digests: Vec<_> = lines.map(|line| Sha256::digest(line).into()).collect();
        if digests.is_empty() {
            let why = "it has no token: a line is one, or USER:PASSWORD";
            return Err(io::Error::new(io::ErrorKind::InvalidData, why));
        }
        Ok(Self { digests })
    }

    /// Returns whether the value of an `Authorization` field has a line: as a token (RFC 6750), or
    /// as name and password (RFC 7617).
    pub fn admit(&self, authorization: &[u8]) -> bool {
        let Some(space) = authorization.iter().position(|&octet| octet == b' ') else {
            return false;
        };
        let (scheme, rest) = authorization.split_at(space);
        let rest = rest.trim_ascii();
        if scheme.eq_ignore_ascii_case(b"Bearer") {
            self.have(rest)
        } else if scheme.eq_ignore_ascii_case(b"Basic") {
            STANDARD.decode(rest).is_ok_and(|line| self.have(&line))
        } else {
            false
        }
    }

    fn have(&self, line: &[u8]) -> bool {
        let digest: [u8; 32] = Sha256::digest(line).into();
        self.digests.contains(&digest)
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    #[test]
    fn a_line_is_a_token_or_a_name_and_a_password() {
        let file = tempfile::NamedTempFile::new().expect("a file");
        fs::write(file.path(), "# tokens\nsecret\n\n mx:pass word\r\n").expect("written");
        let credentials = Credentials::read(file.path()).expect("tokens");
        for admitted in ["Bearer secret", "bearer  secret", "Basic bXg6cGFzcyB3b3Jk"] {
            assert!(credentials.admit(admitted.as_bytes()), "{admitted}");
        }
        for other in ["", "secret", "Bearer ", "Bearer Secret", "Basic mx:pass word", "Basic c2Vj"]
        {
            assert!(!credentials.admit(other.as_bytes()), "{other}");
        }
        fs::write(file.path(), "# none\n").expect("written");
        assert!(Credentials::read(file.path()).is_err());
    }
}
