//! One side of a conversation, over anything that reads and writes: reads lines and replies, writes octets.

use std::io::{self, BufRead, BufReader, Read, Write};

use super::reply::Reply;

/// The longest command that is read. RFC 5321 (4.5.3.1.4) has 512 octets; DSN, SMTPUTF8 and XFORWARD add to them.
const MAX_COMMAND: usize = 8192;
/// The longest reply that is read, all its lines together.
const MAX_REPLY: usize = 64 << 10;
/// How many octets are buffered before they are written.
const GATHERED: usize = 64 << 10;

/// Client or next hop.
#[derive(Debug)]
pub struct Party<S> {
    stream: BufReader<S>,
    gathered: Vec<u8>,
}

/// What a client sent.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Line {
    /// A line, without its CR LF.
    Whole(Vec<u8>),
    /// A line of more octets than any command has.
    TooLong,
    /// The client has disconnected.
    Ended,
}

impl<S: Read + Write> Party<S> {
    /// The party at the other end of `stream`.
    pub fn new(stream: S) -> Self {
        Self { stream: BufReader::with_capacity(32 << 10, stream), gathered: Vec::new() }
    }

    /// Reads the next line. The output so far is sent first, unless all of that line has already arrived: a client that
    /// sends commands in groups gets the replies in groups (RFC 2920, 3.2).
    ///
    /// A line ends only with CR LF: a bare LF does not end it (RFC 5321, 2.3.8).
    pub fn line(&mut self) -> io::Result<Line> {
        let mut line = Vec::new();
        let mut is_too_long = false;
        loop {
            if self.stream.buffer().is_empty() {
                self.flush()?;
            }
            let octets = self.stream.fill_buf()?;
            if octets.is_empty() {
                return Ok(Line::Ended);
            }
            let end = memchr::memchr(b'\n', octets).map_or(octets.len(), |at| at + 1);
            line.extend_from_slice(&octets[..end]);
            self.stream.consume(end);
            if line.ends_with(b"\r\n") {
                line.truncate(line.len() - 2);
                return Ok(if is_too_long { Line::TooLong } else { Line::Whole(line) });
            }
            if line.len() > MAX_COMMAND {
                is_too_long = true;
                // Only its end matters from now on, and that may be cut here.
                line.drain(..line.len() - 1);
            }
        }
    }

    /// Reads the next reply; sends the output so far first.
    ///
    /// # Errors
    /// Those of the stream; [`UnexpectedEof`](io::ErrorKind::UnexpectedEof) if it ends;
    /// [`InvalidData`](io::ErrorKind::InvalidData) for anything that is not a reply.
    pub fn reply(&mut self) -> io::Result<Reply> {
        self.flush()?;
        let mut octets = Vec::new();
        loop {
            let start = octets.len();
            let room = (MAX_REPLY - start) as u64;
            if (&mut self.stream).take(room).read_until(b'\n', &mut octets)? == 0 {
                return Err(io::ErrorKind::UnexpectedEof.into());
            }
            if Reply::is_last_line(&octets[start..])? {
                return Ok(Reply::new(octets));
            }
        }
    }

    /// The octets as they come.
    pub fn input(&mut self) -> &mut BufReader<S> {
        &mut self.stream
    }
}

impl<S: Read + Write> Write for Party<S> {
    fn write(&mut self, octets: &[u8]) -> io::Result<usize> {
        self.gathered.extend_from_slice(octets);
        if self.gathered.len() >= GATHERED {
            self.send()?;
        }
        Ok(octets.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.send()?;
        self.stream.get_mut().flush()
    }
}

impl<S: Read + Write> Party<S> {
    fn send(&mut self) -> io::Result<()> {
        let sent = self.stream.get_mut().write_all(&self.gathered);
        self.gathered.clear();
        sent
    }
}

/// Whether an error says that the other side was silent for too long.
pub fn is_timeout(error: &io::Error) -> bool {
    matches!(error.kind(), io::ErrorKind::WouldBlock | io::ErrorKind::TimedOut)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Cursor;

    fn lines(octets: &[u8]) -> Vec<Line> {
        let mut party = Party::new(Cursor::new(octets.to_vec()));
        let mut lines = Vec::new();
        loop {
            lines.push(party.line().expect("memory"));
            if lines.last() == Some(&Line::Ended) {
                return lines;
            }
        }
    }

    #[test]
    fn only_cr_lf_ends_a_line() {
        let whole = |line: &[u8]| Line::Whole(line.to_vec());
        assert_eq!(lines(b"NOOP\r\nQUIT\r\nx"), [whole(b"NOOP"), whole(b"QUIT"), Line::Ended]);
        assert_eq!(lines(b"NOOP\nQUIT\r\n"), [whole(b"NOOP\nQUIT"), Line::Ended]);
        assert_eq!(lines(b"\r\n"), [whole(b""), Line::Ended]);
    }

    #[test]
    fn a_line_without_end_takes_no_memory() {
        let mut octets = vec![b'x'; 1 << 20];
        octets.extend_from_slice(b"\r\nQUIT\r\n");
        assert_eq!(lines(&octets), [Line::TooLong, Line::Whole(b"QUIT".to_vec()), Line::Ended]);
    }

    #[test]
    fn a_reply_may_have_several_lines() {
        let mut party = Party::new(Cursor::new(b"250-a\r\n250-b\r\n250 c\r\n354 go\r\n".to_vec()));
        assert_eq!(party.reply().expect("a reply").octets(), b"250-a\r\n250-b\r\n250 c\r\n");
        assert_eq!(party.reply().expect("a reply").code(), 354);
        assert!(party.reply().is_err());
    }

    #[test]
    fn anything_but_a_reply_is_an_error() {
        for wrong in [&b"hello\r\n"[..], b"25\r\n", b"250-a\r\n", b"250 without an end", b"999 x\r\n"] {
            assert!(Party::new(Cursor::new(wrong.to_vec())).reply().is_err(), "{wrong:?}");
        }
        let endless = b"250-and so on\r\n".repeat(10_000);
        assert!(Party::new(Cursor::new(endless)).reply().is_err());
    }
}
