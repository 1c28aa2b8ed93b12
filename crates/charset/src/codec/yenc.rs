//! Reading yEnc (yEnc draft 1.3, 2002), in which files were posted as 8-bit lines. It is never
//! written.
//!
//! Each octet was sent as its value plus 42; those that a line cannot hold follow `=`, with 64
//! more.

use std::sync::LazyLock;

use memchr::memmem::{self, Finder};

static BEGIN: LazyLock<Finder<'static>> = LazyLock::new(|| Finder::new(b"=ybegin "));

/// Returns whether 8-bit `octets` hold a file in yEnc: lines whose octets are not characters,
/// whatever a charset label says.
pub fn holds_file(octets: &[u8]) -> bool {
    let begins = |at: usize| at == 0 || octets[at - 1] == b'\n';
    let ends = |at: usize| memmem::find(&octets[at..], b"\n=yend ").is_some();
    !octets.is_ascii() && BEGIN.find(octets).is_some_and(|at| begins(at) && ends(at))
}

/// Returns the octets of the lines between `=ybegin` and `=yend`; `=ypart` lines are left out.
pub fn decode(lines: &[u8]) -> Vec<u8> {
    let mut out = Vec::with_capacity(lines.len());
    for line in lines.split(|&octet| octet == b'\n') {
        let line = line.strip_suffix(b"\r").unwrap_or(line);
        if line.starts_with(b"=ypart ") {
            continue;
        }
        let mut escaped = false;
        for &octet in line {
            match octet {
                b'=' if !escaped => escaped = true,
                _ => {
                    out.push(octet.wrapping_sub(if escaped { 42 + 64 } else { 42 }));
                    escaped = false;
                }
            }
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// Writes as the draft says.
    fn write(octets: &[u8]) -> Vec<u8> {
        let mut out = b"=ypart begin=1 end=2\r\n".to_vec();
        for line in octets.chunks(128) {
            for octet in line.iter().map(|octet| octet.wrapping_add(42)) {
                match octet {
                    0 | b'\n' | b'\r' | b'=' => out.extend([b'=', octet.wrapping_add(64)]),
                    _ => out.push(octet),
                }
            }
            out.extend(b"\r\n");
        }
        out
    }

    proptest! {
        #[test]
        fn comes_back(octets in proptest::collection::vec(any::<u8>(), 0..400)) {
            prop_assert_eq!(decode(&write(&octets)), octets);
        }
    }
}
