//! One kind of line end in the place of another.

use std::borrow::Cow;
use std::io::{self, Write};

use memchr::{memchr_iter, memchr2};

use super::has_bare_line_end;

/// Returns `message` with LF for each CR alone, so that LF and CR LF are its only line ends.
pub fn cr_as_lf(message: &[u8]) -> Vec<u8> {
    let mut octets = message.to_vec();
    for at in memchr_iter(b'\r', message) {
        if message.get(at + 1) != Some(&b'\n') {
            octets[at] = b'\n';
        }
    }
    octets
}

/// Writes `octets` with every line end as CR LF, whether it is CR LF, CR or LF.
pub fn write_crlf(mut octets: &[u8], out: &mut impl Write) -> io::Result<()> {
    while let Some(at) = memchr2(b'\r', b'\n', octets) {
        out.write_all(&octets[..at])?;
        out.write_all(b"\r\n")?;
        let pair = octets[at] == b'\r' && octets.get(at + 1) == Some(&b'\n');
        octets = &octets[at + 1 + usize::from(pair)..];
    }
    out.write_all(octets)
}

/// Returns `octets` with every line end as CR LF.
pub fn to_crlf(octets: &[u8]) -> Vec<u8> {
    let mut out = Vec::with_capacity(octets.len() + octets.len() / 32);
    write_crlf(octets, &mut out).expect("writing to memory does not fail");
    out
}

/// Returns `octets` with each LF as CR LF; a bare CR stays.
pub fn lf_as_crlf(octets: Cow<'_, [u8]>) -> Cow<'_, [u8]> {
    if !has_bare_line_end(&octets) {
        return octets;
    }
    let mut out = Vec::with_capacity(octets.len() + octets.len() / 32);
    let mut before = 0;
    for &octet in octets.iter() {
        if octet == b'\n' && before != b'\r' {
            out.push(b'\r');
        }
        out.push(octet);
        before = octet;
    }
    Cow::Owned(out)
}

/// Returns `octets` with every line end as CR LF, borrowed if they are already.
pub fn lines(octets: Cow<'_, [u8]>) -> Cow<'_, [u8]> {
    if !has_bare_line_end(&octets) { octets } else { Cow::Owned(to_crlf(&octets)) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_cr_alone_becomes_lf() {
        assert_eq!(cr_as_lf(b"a\rb\r\nc\n\r\r\n\r"), b"a\nb\r\nc\n\n\r\n\n");
    }

    #[test]
    fn every_line_end_is_written_as_crlf() {
        assert_eq!(to_crlf(b"a\nb\r\nc\rd\r\r\n\n"), b"a\r\nb\r\nc\r\nd\r\n\r\n\r\n");
    }
}
