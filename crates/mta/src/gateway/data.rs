//! The octets of a message on the wire (RFC 5321, 4.5.2): its end, the dots, and nothing else.

use std::io::{self, BufRead, Write};
use std::time::Instant;

use memchr::memmem;

/// The last octets read, as far as they matter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum After {
    /// CR LF, or nothing: a line begins.
    LineEnd,
    /// The dot that a line begins with.
    Dot,
    /// The dot that a line begins with, and CR.
    DotCr,
    /// CR.
    Cr,
    /// Anything else.
    Other,
}

/// Reads a message up to CR LF `.` CR LF, and to nothing else that looks like it: bare CR and bare
/// LF are octets of the message. Writes it to `out` without the dots that were inserted before
/// dots.
///
/// # Errors
/// Those of reading; [`TimedOut`](io::ErrorKind::TimedOut) if it takes longer than `until`;
/// [`UnexpectedEof`](io::ErrorKind::UnexpectedEof) if the message does not end. An error of `out`
/// does not stop the reading: the message is read to its end, and that error is the inner result.
pub fn read(
    input: &mut impl BufRead,
    until: Instant,
    mut out: impl Write,
) -> io::Result<io::Result<()>> {
    let mut after = After::LineEnd;
    let mut written = Ok(());
    loop {
        let octets = input.fill_buf()?;
        if octets.is_empty() {
            return Err(io::ErrorKind::UnexpectedEof.into());
        }
        if Instant::now() > until {
            return Err(io::ErrorKind::TimedOut.into());
        }
        let (used, ended) = pass(octets, &mut after, |octets| {
            if written.is_ok() {
                written = out.write_all(octets);
            }
        });
        input.consume(used);
        if ended {
            return Ok(written.and_then(|()| out.flush()));
        }
    }
}

/// Reads a chunk of a message, of this many octets (RFC 3030, 2).
///
/// # Errors
/// As those of [`read`].
pub fn read_chunk(
    input: &mut impl BufRead,
    until: Instant,
    mut length: u64,
    mut out: impl Write,
) -> io::Result<io::Result<()>> {
    let mut written = Ok(());
    while length > 0 {
        let octets = input.fill_buf()?;
        if octets.is_empty() {
            return Err(io::ErrorKind::UnexpectedEof.into());
        }
        if Instant::now() > until {
            return Err(io::ErrorKind::TimedOut.into());
        }
        let used = usize::try_from(length).unwrap_or(usize::MAX).min(octets.len());
        if written.is_ok() {
            written = out.write_all(&octets[..used]);
        }
        input.consume(used);
        length -= used as u64;
    }
    Ok(written)
}

/// Passes on the octets that belong to the message. Returns how many were used, and whether the
/// message has ended.
fn pass(octets: &[u8], after: &mut After, mut out: impl FnMut(&[u8])) -> (usize, bool) {
    // Where the octets to be passed on begin.
    let mut from = 0;
    let mut at = 0;
    while let Some(&octet) = octets.get(at) {
        *after = match (*after, octet) {
            (After::LineEnd, b'.') => {
                out(&octets[from..at]);
                from = at + 1;
                After::Dot
            }
            (After::Dot, b'\r') => {
                from = at + 1;
                After::DotCr
            }
            (After::DotCr, b'\n') => return (at + 1, true),
            // The dot was inserted before another octet, and the CR is part of the message.
            (After::DotCr, octet) => {
                out(b"\r");
                if octet == b'\r' { After::Cr } else { After::Other }
            }
            (After::Cr, b'\n') => After::LineEnd,
            (_, b'\r') => After::Cr,
            _ => {
                // The next line that begins with a dot; if there is none, what ends with the octets
                // may be before one.
                let next = memmem::find(&octets[at..], b"\r\n.").map(|next| at + next);
                at = next.unwrap_or(octets.len().saturating_sub(2)).max(at + 1);
                *after = After::Other;
                continue;
            }
        };
        at += 1;
    }
    out(&octets[from..]);
    (octets.len(), false)
}

/// Writes a message: with a dot inserted before each dot that follows CR or LF, and CR LF `.` CR LF
/// at its end.
///
/// RFC 5321, 4.5.2 asks for that after CR LF alone. Some servers end lines at a bare CR or LF, too,
/// and would take `LF . LF` for the end of the message. Those remove the dot again; at the others it
/// stays.
#[derive(Debug)]
pub struct Stuffed<W> {
    out: W,
    /// The last octet written.
    last: u8,
}

impl<W: Write> Stuffed<W> {
    /// A message to `out`.
    pub fn new(out: W) -> Self {
        Self { out, last: b'\n' }
    }

    /// Writes the end of the message.
    pub fn finish(mut self) -> io::Result<()> {
        if self.last != b'\n' {
            self.out.write_all(b"\r\n")?;
        }
        self.out.write_all(b".\r\n")
    }
}

impl<W: Write> Write for Stuffed<W> {
    fn write(&mut self, octets: &[u8]) -> io::Result<usize> {
        let mut from = 0;
        for dot in memchr::memchr_iter(b'.', octets) {
            let before = if dot == 0 { self.last } else { octets[dot - 1] };
            if matches!(before, b'\r' | b'\n') {
                self.out.write_all(&octets[from..dot])?;
                self.out.write_all(b".")?;
                from = dot;
            }
        }
        self.out.write_all(&octets[from..])?;

        self.last = octets.last().copied().unwrap_or(self.last);
        Ok(octets.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.out.flush()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::{BufReader, Read};
    use std::time::Duration;

    fn soon() -> Instant {
        Instant::now() + Duration::from_secs(60)
    }

    /// Returns what is read in pieces of `size`, and what follows.
    fn read_in_pieces(octets: &[u8], size: usize) -> io::Result<(Vec<u8>, Vec<u8>)> {
        let mut input = BufReader::with_capacity(size, octets);
        let mut message = Vec::new();
        read(&mut input, soon(), &mut message)??;
        let mut rest = Vec::new();
        input.read_to_end(&mut rest)?;
        Ok((message, rest))
    }

    #[track_caller]
    fn reads(octets: &[u8], message: &[u8], rest: &[u8]) {
        for size in 1..=octets.len() {
            let (read, left) = read_in_pieces(octets, size).expect("a message");
            assert_eq!(
                read.escape_ascii().to_string(),
                message.escape_ascii().to_string(),
                "by {size}"
            );
            assert_eq!(left, rest);
        }
    }

    #[test]
    fn a_message_ends_with_a_dot_between_line_ends() {
        reads(b".\r\nQUIT\r\n", b"", b"QUIT\r\n");
        reads(b"a\r\n.\r\n", b"a\r\n", b"");
        reads(b"a\r\n..\r\n...b\r\n.c\r\n.\r\n", b"a\r\n.\r\n..b\r\nc\r\n", b"");
    }

    #[test]
    fn nothing_else_ends_it() {
        for smuggled in [
            &b"a\n.\n"[..],
            b"a\n.\r\n",
            b"a\r\n.\n",
            b"a\r.\r",
            b"a\r\n.\r",
            b"a\r\r\n.\r\r\n",
            b"a\n\n.\r\n\r\r\n",
            b"a\r\n.\r\0\r\n",
            b"a\0.\r\n",
            b"\n.\r\n",
        ] {
            let sent = [smuggled, b"b\r\n.\r\n"].concat();
            let (message, rest) = read_in_pieces(&sent, 100).expect("a message");
            assert_eq!(message.last_chunk(), Some(b"b\r\n"), "{}", sent.escape_ascii());
            assert!(rest.is_empty());
            reads(&sent, &message, b"");
        }
    }

    #[test]
    fn a_dot_before_a_bare_cr_was_put_there() {
        reads(b".\rx\r\n.\r\n", b"\rx\r\n", b"");
        reads(b".\r\r\n.\r\n", b"\r\r\n", b"");
    }

    #[test]
    fn a_message_without_end_is_not_a_message() {
        for part in [&b""[..], b"a", b"a\r\n", b"a\r\n.", b"a\r\n.\r"] {
            assert!(read_in_pieces(part, 10).is_err());
        }
    }

    /// Returns a message as it is sent, written in two pieces.
    fn written_in_two(message: &[u8], cut: usize) -> Vec<u8> {
        let mut wire = Vec::new();
        let mut out = Stuffed::new(&mut wire);
        out.write_all(&message[..cut]).expect("memory");
        out.write_all(&message[cut..]).expect("memory");
        out.finish().expect("memory");
        wire
    }

    #[test]
    fn what_is_written_is_read_again() {
        for message in [&b""[..], b"a\r\n", b".\r\n", b"..\r\n.a\r\n\r\n.\r\n", b"a\r\n.b\r\n"] {
            for cut in 0..=message.len() {
                reads(&written_in_two(message, cut), message, b"");
            }
        }
    }

    /// A server may end lines at CR, at LF, or at both together: none sees a line of one dot before
    /// the last.
    #[test]
    fn no_server_finds_an_end_before_the_last() {
        let line_ends: [&[u8]; 3] = [b"\r\n", b"\n", b"\r"];
        for (before, after) in line_ends.iter().flat_map(|one| line_ends.map(|two| (one, two))) {
            let message = [&b"a"[..], before, b".", after, b"QUIT\r\n"].concat();
            for cut in 0..=message.len() {
                let wire = written_in_two(&message, cut);
                let lines = wire.split(|octet| matches!(octet, b'\r' | b'\n'));
                assert_eq!(
                    lines.filter(|line| *line == b".").count(),
                    1,
                    "{}",
                    wire.escape_ascii()
                );
                assert!(wire.ends_with(b"QUIT\r\n.\r\n"), "{}", wire.escape_ascii());
            }
        }
    }

    #[test]
    fn a_last_line_gets_its_end() {
        let mut wire = Vec::new();
        let mut out = Stuffed::new(&mut wire);
        out.write_all(b"a").expect("memory");
        out.finish().expect("memory");
        assert_eq!(wire, b"a\r\n.\r\n");
    }

    #[test]
    fn a_message_that_takes_too_long_ends() {
        let mut input = &b"a\r\n.\r\n"[..];
        let ended = read(&mut input, Instant::now() - Duration::from_secs(1), io::sink());
        assert_eq!(ended.map_err(|error| error.kind()).err(), Some(io::ErrorKind::TimedOut));
    }

    #[test]
    fn a_chunk_is_counted_and_nothing_ends_it() {
        for size in 1..12 {
            let mut input = BufReader::with_capacity(size, &b"a\r\n.\r\n..\rQUIT\r\n"[..]);
            let mut chunk = Vec::new();
            read_chunk(&mut input, soon(), 9, &mut chunk).expect("a chunk").expect("memory");
            let mut rest = Vec::new();
            input.read_to_end(&mut rest).expect("memory");
            assert_eq!((&chunk[..], &rest[..]), (&b"a\r\n.\r\n..\r"[..], &b"QUIT\r\n"[..]));
        }
        assert!(read_chunk(&mut &b"short"[..], soon(), 9, io::sink()).is_err());
        let late =
            read_chunk(&mut &b"late"[..], Instant::now() - Duration::from_secs(1), 4, io::sink());
        assert_eq!(late.map_err(|error| error.kind()).err(), Some(io::ErrorKind::TimedOut));
    }

    #[test]
    fn a_full_disk_does_not_end_the_conversation() {
        struct Full;
        impl Write for Full {
            fn write(&mut self, _: &[u8]) -> io::Result<usize> {
                Err(io::ErrorKind::StorageFull.into())
            }
            fn flush(&mut self) -> io::Result<()> {
                Ok(())
            }
        }
        let mut input = &b"a\r\n.\r\nQUIT\r\n"[..];
        assert!(read(&mut input, soon(), Full).expect("all was read").is_err());
        assert_eq!(input, b"QUIT\r\n");
    }
}
