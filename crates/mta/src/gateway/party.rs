//! One side of a conversation, over anything that reads and writes: reads lines and replies, writes
//! octets.

use std::io::{self, BufRead, BufReader, Read, Write};
use std::time::{Duration, Instant};

use super::channel::Channel;
use super::reply::Reply;

/// The longest command that is read. RFC 5321 (4.5.3.1.4) has 512 octets; DSN, SMTPUTF8 and
/// XFORWARD add to them.
const MAX_COMMAND: usize = 8192;
/// The longest reply that is read, all its lines together.
const MAX_REPLY: usize = 64 << 10;
/// The number of octets that are gathered before they are written; a longer piece is written alone.
const GATHERED: usize = 64 << 10;

/// Client or next hop.
#[derive(Debug)]
pub struct Party<S> {
    stream: BufReader<S>,
    gathered: Vec<u8>,
    patience: Duration,
}

/// The next line from a client, or the end.
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
    /// The party at the other end of `stream`; a line of its has to end within `patience`, however
    /// its octets come.
    pub fn new(stream: S, patience: Duration) -> Self {
        Self { stream: BufReader::with_capacity(32 << 10, stream), gathered: Vec::new(), patience }
    }

    /// Reads the next line. The output so far is sent first, unless all of that line has already
    /// arrived: a client that sends commands in groups gets the replies in groups (RFC 2920, 3.2).
    ///
    /// A line ends only with CR LF: a bare LF does not end it (RFC 5321, 2.3.8).
    pub fn line(&mut self) -> io::Result<Line> {
        self.line_after(Duration::ZERO)
    }

    /// The same, of which so much of the time has gone.
    pub fn line_after(&mut self, waited: Duration) -> io::Result<Line> {
        let until = Instant::now() + self.patience.saturating_sub(waited);
        let mut line = Vec::new();
        let mut is_too_long = false;
        loop {
            if self.stream.buffer().is_empty() {
                self.flush()?;
            }
            if self.take(&mut line, until)? == 0 {
                return Ok(Line::Ended);
            }
            is_too_long |= line.len() > MAX_COMMAND;
            if line.ends_with(b"\r\n") {
                line.truncate(line.len() - 2);
                return Ok(if is_too_long { Line::TooLong } else { Line::Whole(line) });
            }
            if is_too_long {
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
        let until = Instant::now() + self.patience;
        let mut octets = Vec::new();
        loop {
            let start = octets.len();
            while !octets[start..].ends_with(b"\n") {
                if self.take(&mut octets, until)? == 0 {
                    return Err(io::ErrorKind::UnexpectedEof.into());
                }
                if octets.len() > MAX_REPLY {
                    return Err(io::ErrorKind::InvalidData.into());
                }
            }
            if Reply::is_last_line(&octets[start..])? {
                return Ok(Reply::new(octets));
            }
        }
    }

    /// Sends the output so far, and waits for octets; returns whether some have come before reading
    /// timed out, or the end has.
    ///
    /// # Errors
    /// Those of the stream.
    pub fn has_come(&mut self) -> io::Result<bool> {
        if !self.stream.buffer().is_empty() {
            return Ok(true);
        }
        self.flush()?;
        match self.stream.fill_buf() {
            Ok(_) => Ok(true),
            Err(error) if is_timeout(&error) => Ok(false),
            Err(error) => Err(error),
        }
    }

    /// Adds what has come to `line`, up to the first LF; returns how many octets that is, none at
    /// the end of the stream.
    fn take(&mut self, line: &mut Vec<u8>, until: Instant) -> io::Result<usize> {
        self.stream.fill_buf()?;
        if Instant::now() > until {
            return Err(io::ErrorKind::TimedOut.into());
        }
        let octets = self.stream.buffer();
        let end = memchr::memchr(b'\n', octets).map_or(octets.len(), |at| at + 1);
        line.extend_from_slice(&octets[..end]);
        self.stream.consume(end);
        Ok(end)
    }

    /// The stream itself. What was read ahead of it is lost.
    pub fn into_stream(self) -> S {
        self.stream.into_inner()
    }

    /// The octets as they come.
    pub fn input(&mut self) -> &mut BufReader<S> {
        &mut self.stream
    }
}

impl<S: Read + Write> Write for Party<S> {
    fn write(&mut self, octets: &[u8]) -> io::Result<usize> {
        if self.gathered.len() + octets.len() > GATHERED {
            self.send()?;
        }
        if octets.len() > GATHERED {
            self.stream.get_mut().write_all(octets)?;
        } else {
            self.gathered.extend_from_slice(octets);
        }
        Ok(octets.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.send()?;
        self.stream.get_mut().flush()
    }
}

impl<S: Channel> Party<S> {
    /// Whether its stream can be encrypted, and is not yet.
    pub fn can_be_secured(&self) -> bool {
        self.stream.get_ref().can_be_secured()
    }

    /// Encrypts all that follows.
    ///
    /// # Errors
    /// Those of the stream; [`InvalidData`](io::ErrorKind::InvalidData) if something has come in
    /// clear that would be read after it: it may be anyone's.
    pub fn secure(&mut self) -> io::Result<()> {
        self.flush()?;
        if !self.stream.buffer().is_empty() {
            return Err(io::Error::new(
                io::ErrorKind::InvalidData,
                "octets in clear after STARTTLS",
            ));
        }
        self.stream.get_mut().secure()
    }

    /// Returns whether the other side has ended the connection, or is about to: it has said
    /// something unasked.
    pub fn has_ended(&self) -> bool {
        !self.stream.buffer().is_empty() || self.stream.get_ref().has_ended()
    }

    /// Whether no one on the way can read what is said.
    pub fn is_private(&self) -> bool {
        self.stream.get_ref().is_private()
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

    const PATIENCE: Duration = Duration::from_secs(60);

    fn party(octets: &[u8]) -> Party<Cursor<Vec<u8>>> {
        Party::new(Cursor::new(octets.to_vec()), PATIENCE)
    }

    fn lines(octets: &[u8]) -> Vec<Line> {
        let mut party = party(octets);
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
    fn a_command_has_a_length() {
        let line = |length| [vec![b'x'; length], b"\r\n".to_vec()].concat();
        assert_eq!(lines(&line(MAX_COMMAND - 2))[0], Line::Whole(vec![b'x'; MAX_COMMAND - 2]));
        assert_eq!(lines(&line(MAX_COMMAND - 1)), [Line::TooLong, Line::Ended]);
        assert_eq!(lines(&line(31_007)), [Line::TooLong, Line::Ended]);
    }

    #[test]
    fn octets_that_trickle_are_not_waited_for() {
        struct Slow;
        impl Read for Slow {
            fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
                std::thread::sleep(Duration::from_millis(5));
                out[0] = b'2';
                Ok(1)
            }
        }
        impl Write for Slow {
            fn write(&mut self, octets: &[u8]) -> io::Result<usize> {
                Ok(octets.len())
            }
            fn flush(&mut self) -> io::Result<()> {
                Ok(())
            }
        }
        let mut party = Party::new(Slow, Duration::from_millis(50));
        assert!(is_timeout(&party.line().expect_err("no end")));
        assert!(is_timeout(&party.reply().expect_err("no end")));
    }

    #[test]
    fn a_long_piece_is_sent_in_order_and_not_gathered() {
        struct Sent(Vec<u8>);
        impl Read for Sent {
            fn read(&mut self, _: &mut [u8]) -> io::Result<usize> {
                Ok(0)
            }
        }
        impl Write for Sent {
            fn write(&mut self, octets: &[u8]) -> io::Result<usize> {
                self.0.write(octets)
            }
            fn flush(&mut self) -> io::Result<()> {
                Ok(())
            }
        }
        let mut party = Party::new(Sent(Vec::new()), PATIENCE);
        let mut written = Vec::new();
        for length in [3, 10 << 20, 5, GATHERED - 4, GATHERED, 1, GATHERED + 1, 2] {
            let piece: Vec<u8> = (0..length).map(|at| (at % 251) as u8).collect();
            party.write_all(&piece).expect("memory");
            written.extend(piece);
        }
        party.flush().expect("memory");
        assert!(party.gathered.capacity() <= 2 * GATHERED, "{}", party.gathered.capacity());
        assert!(party.into_stream().0 == written);
    }

    #[test]
    fn a_reply_may_have_several_lines() {
        let mut party = party(b"250-a\r\n250-b\r\n250 c\r\n354 go\r\n");
        assert_eq!(party.reply().expect("a reply").octets(), b"250-a\r\n250-b\r\n250 c\r\n");
        assert_eq!(party.reply().expect("a reply").code(), 354);
        assert!(party.reply().is_err());
    }

    #[test]
    fn anything_but_a_reply_is_an_error() {
        for wrong in
            [&b"hello\r\n"[..], b"25\r\n", b"250-a\r\n", b"250 without an end", b"999 x\r\n"]
        {
            assert!(party(wrong).reply().is_err(), "{wrong:?}");
        }
        let endless = b"250-and so on\r\n".repeat(10_000);
        assert!(party(&endless).reply().is_err());
    }
}
