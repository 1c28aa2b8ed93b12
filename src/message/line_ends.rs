//! How a message ends its lines, and how they are written (rule B10).

use memchr::{memchr, memchr2};
use std::io::{self, Write};

use crate::transfer::{LineEnds, Survey};

/// The line ends of `message`, by its first one. CR counts only where there is no LF at all: a stray CR in
/// the first field must not change the meaning of every line after it.
pub(crate) fn line_ends_of(message: &[u8]) -> LineEnds {
    match memchr(b'\n', message) {
        Some(0) => LineEnds::Lf,
        Some(at) if message[at - 1] == b'\r' => LineEnds::Crlf,
        Some(_) => LineEnds::Lf,
        None if memchr(b'\r', message).is_some() => LineEnds::Cr,
        None => LineEnds::Crlf,
    }
}

/// Offset behind the line that begins at `start`: its LF included, or the end of `octets`.
pub(crate) fn line_end(octets: &[u8], start: usize) -> usize {
    memchr(b'\n', &octets[start..]).map_or(octets.len(), |at| start + at + 1)
}

/// `line` without its CR LF or LF.
pub(crate) fn without_line_end(line: &[u8]) -> &[u8] {
    let line = line.strip_suffix(b"\n").unwrap_or(line);
    line.strip_suffix(b"\r").unwrap_or(line)
}

/// Where the content before a delimiter line ends, when that line begins at `at`: the line end before a
/// delimiter belongs to the delimiter (RFC 2046, 5.1.1).
pub(crate) fn before_line_end(octets: &[u8], floor: usize, at: usize) -> usize {
    let mut end = at;
    if end > floor && octets[end - 1] == b'\n' {
        end -= 1;
        if end > floor && octets[end - 1] == b'\r' {
            end -= 1;
        }
    }
    end
}

/// Whether `octets` are 7-bit safe once every CR and LF in them is written as CR LF.
pub(crate) fn are_safe_lines(octets: &[u8]) -> bool {
    Survey::of(octets, LineEnds::Lf).has_safe_lines()
}

/// Writes `octets` with every line end as CR LF: CR LF, and CR or LF alone.
pub(crate) fn write_crlf(mut octets: &[u8], out: &mut impl Write) -> io::Result<()> {
    while let Some(at) = memchr2(b'\r', b'\n', octets) {
        out.write_all(&octets[..at])?;
        out.write_all(b"\r\n")?;
        let pair = octets[at] == b'\r' && octets.get(at + 1) == Some(&b'\n');
        octets = &octets[at + 1 + usize::from(pair)..];
    }
    out.write_all(octets)
}

/// The same into memory.
pub(crate) fn to_crlf(octets: &[u8]) -> Vec<u8> {
    let mut out = Vec::with_capacity(octets.len() + octets.len() / 32);
    write_crlf(octets, &mut out).expect("writing to memory does not fail");
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_line_end_decides() {
        for (message, expected) in [
            (&b"A: b\r\nc\n"[..], LineEnds::Crlf),
            (b"A: b\nc\r\n", LineEnds::Lf),
            (b"A: b\rc", LineEnds::Cr),
            (b"A: b\rc\r\nd", LineEnds::Crlf),
            (b"\n", LineEnds::Lf),
            (b"", LineEnds::Crlf),
        ] {
            assert_eq!(line_ends_of(message), expected, "{message:?}");
        }
    }

    #[test]
    fn every_line_end_is_written_as_crlf() {
        assert_eq!(to_crlf(b"a\nb\r\nc\rd\r\r\n\n"), b"a\r\nb\r\nc\r\nd\r\n\r\n\r\n");
    }
}
