//! Mailboxes of older programs, cut into messages.
//!
//! ```text
//! mmdf     = *(mark *line mark)              ; a message between two marks
//! mark     = 4%x01 eol
//! mbx      = 2048OCTET *(envelope *OCTET)    ; of UW IMAP: names of keywords first; as many octets as the envelope says
//! envelope = date "," size ";" 8HEXDIG 4HEXDIG "-" 8HEXDIG CRLF    ; keywords and flags of the message, its UID
//! ```

use std::io::{self, BufRead, BufReader, Read};

/// The length of what comes before the first message of an mbx mailbox.
const PREFIX: u64 = 2048;

/// How many octets of a line are read at a time.
const PIECE: u64 = 8 << 10;

/// The longest envelope of a message in an mbx mailbox.
const ENVELOPE: u64 = 256;

/// The format of a mailbox.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// MMDF.
    Mmdf,
    /// mbx.
    Mbx,
}

/// What a mailbox says of a message.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Envelope {
    /// The offset of the message in the mailbox: that of its `From ` line, if it has one.
    pub begin: u64,
    /// The `From ` line of a message in an MMDF mailbox, with its line end; may be empty.
    pub postmark: Vec<u8>,
    /// The date when it arrived, as in a header field; may be empty.
    pub date: String,
    /// Its flags as the values of `Status` and `X-Status`; may be empty.
    pub status: [String; 2],
    /// Its keywords.
    pub keywords: Vec<String>,
}

impl Envelope {
    /// Returns a message with the fields that say in an mbox what its envelope says. Those that it
    /// has already stay.
    #[must_use]
    pub fn with_fields(&self, message: Vec<u8>) -> Vec<u8> {
        let line_end =
            if memchr::memmem::find(&message, b"\r\n").is_some() { "\r\n" } else { "\n" };
        let mut fields = Vec::new();
        let [status, more] = &self.status;
        let keywords = self.keywords.join(" ");
        for (name, value) in [("Status", status), ("X-Status", more), ("X-Keywords", &keywords)] {
            if !value.is_empty() && !has_field(&message, name) {
                fields.extend_from_slice(format!("{name}: {value}{line_end}").as_bytes());
            }
        }
        if fields.is_empty() { message } else { [fields, message].concat() }
    }
}

/// Returns whether a message has a field of this name in its header.
fn has_field(message: &[u8], name: &str) -> bool {
    let lines =
        message.split(|octet| *octet == b'\n').map(|line| line.strip_suffix(b"\r").unwrap_or(line));
    let mut header = lines.take_while(|line| !line.is_empty());
    header.any(|line| {
        let (begin, rest) = line.split_at(line.len().min(name.len()));
        begin.eq_ignore_ascii_case(name.as_bytes()) && rest.trim_ascii_start().starts_with(b":")
    })
}

/// A mailbox that is cut. What is read from it are the octets of the message that began last.
#[derive(Debug)]
pub struct Cutter<R> {
    from: BufReader<R>,
    format: Format,
    /// How many octets of the mailbox were read.
    position: u64,
    /// Where the octets end that belong to a message.
    end: u64,
    state: State,
    /// The names of keywords in an mbx mailbox.
    keywords: Vec<String>,
}

#[derive(Debug)]
enum State {
    /// Nothing was read.
    Begin,
    /// Before a message, or after the last one.
    Between,
    /// In a message of an MMDF mailbox, with octets of it that are not given yet.
    Marked(io::Cursor<Vec<u8>>),
    /// In a message of an mbx mailbox, of which this many octets are to come.
    Counted(u64),
}

impl<R: Read> Cutter<R> {
    /// The messages of the mailbox `from`.
    pub fn new(from: R, format: Format) -> Self {
        let from = BufReader::with_capacity(64 << 10, from);
        Self { from, format, position: 0, end: 0, state: State::Begin, keywords: Vec::new() }
    }

    /// Goes to the next message, past what is left of the last one.
    ///
    /// # Errors
    /// Those of the stream; the mailbox is damaged or ends within a message.
    pub fn next_message(&mut self) -> io::Result<Option<Envelope>> {
        io::copy(self, &mut io::sink())?;
        match self.format {
            Format::Mmdf => self.next_marked(),
            Format::Mbx => self.next_counted(),
        }
    }

    /// Where the message ends that was read to its end.
    pub fn end(&self) -> u64 {
        self.end
    }

    fn next_marked(&mut self) -> io::Result<Option<Envelope>> {
        self.state = State::Between;
        loop {
            let begin = self.position;
            let piece = self.piece(PIECE)?;
            if piece.is_empty() {
                return Ok(None);
            }
            if is_mark(&piece) {
                continue;
            }
            let mut envelope = Envelope { begin, ..Envelope::default() };
            self.end = self.position;
            let is_postmark = piece.starts_with(b"From ") && piece.ends_with(b"\n");
            let first = if is_postmark {
                envelope.postmark = piece;
                Vec::new()
            } else {
                piece
            };
            self.state = State::Marked(io::Cursor::new(first));
            return Ok(Some(envelope));
        }
    }

    fn next_counted(&mut self) -> io::Result<Option<Envelope>> {
        if matches!(self.state, State::Begin) {
            let mut prefix = Vec::new();
            self.from.by_ref().take(PREFIX).read_to_end(&mut prefix)?;
            self.position += prefix.len() as u64;
            self.keywords = keywords(&prefix);
        }
        self.state = State::Between;

        let begin = self.position;
        let line = self.piece(ENVELOPE)?;
        if line.is_empty() {
            return Ok(None);
        }
        let Some((size, mut envelope)) = envelope(&line, &self.keywords) else {
            let reason = format!("octet {begin}: no message of an mbx mailbox begins here");
            return Err(io::Error::new(io::ErrorKind::InvalidData, reason));
        };
        envelope.begin = self.position;
        self.end = self.position;
        self.state = State::Counted(size);
        Ok(Some(envelope))
    }

    /// Reads a line, or so many octets of it.
    fn piece(&mut self, most: u64) -> io::Result<Vec<u8>> {
        let mut piece = Vec::new();
        self.from.by_ref().take(most).read_until(b'\n', &mut piece)?;
        self.position += piece.len() as u64;
        Ok(piece)
    }

    /// Reads on in a message of an MMDF mailbox, of which the last octets that were given are
    /// `before`.
    fn advance(&mut self, is_line_begin: bool) -> io::Result<()> {
        let piece = self.piece(PIECE)?;
        self.state = if piece.is_empty() || is_line_begin && is_mark(&piece) {
            State::Between
        } else {
            self.end = self.position;
            State::Marked(io::Cursor::new(piece))
        };
        Ok(())
    }
}

impl<R: Read> Read for Cutter<R> {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        loop {
            match &mut self.state {
                State::Begin | State::Between => return Ok(0),
                State::Marked(piece) => {
                    let length = piece.read(into)?;
                    if length > 0 || into.is_empty() {
                        return Ok(length);
                    }
                    let given = piece.get_ref();
                    let is_line_begin = given.is_empty() || given.ends_with(b"\n");
                    self.advance(is_line_begin)?;
                }
                State::Counted(0) => {
                    self.state = State::Between;
                    return Ok(0);
                }
                State::Counted(left) => {
                    let most = usize::try_from(*left).unwrap_or(usize::MAX).min(into.len());
                    let length = self.from.read(&mut into[..most])?;
                    if length == 0 && most > 0 {
                        self.state = State::Between;
                        return Err(io::Error::new(
                            io::ErrorKind::UnexpectedEof,
                            "it ends within a message",
                        ));
                    }
                    *left -= length as u64;
                    self.position += length as u64;
                    self.end = self.position;
                    return Ok(length);
                }
            }
        }
    }
}

/// Whether a line separates messages of an MMDF mailbox.
fn is_mark(line: &[u8]) -> bool {
    line.strip_prefix(b"\x01\x01\x01\x01").is_some_and(|end| matches!(end, b"" | b"\n" | b"\r\n"))
}

/// Returns the names of keywords before the first message: a line each, after one with the format
/// and one with numbers.
fn keywords(prefix: &[u8]) -> Vec<String> {
    let text = prefix.split(|octet| *octet == 0).next().unwrap_or_default();
    let lines = text.split(|octet| *octet == b'\n').skip(2);
    let names = lines.map(|line| String::from_utf8_lossy(line.trim_ascii()).into_owned());
    names.take_while(|name| !name.is_empty()).take(30).collect()
}

/// Returns the length of a message and what its envelope says.
fn envelope(line: &[u8], names: &[String]) -> Option<(u64, Envelope)> {
    let line = std::str::from_utf8(line).ok()?;
    let (date, rest) = line.split_once(',')?;
    let (size, rest) = rest.split_once(';')?;
    let (flags, uid) = rest.split_once('-')?;
    let size = size.parse().ok()?;
    if !uid.ends_with('\n')
        || flags.len() != 12
        || !flags.bytes().all(|octet| octet.is_ascii_hexdigit())
    {
        return None;
    }
    let (user, system) = flags.split_at(8);
    let user = u32::from_str_radix(user, 16).ok()?;
    let system = u16::from_str_radix(system, 16).ok()?;

    let letters = |table: &[(u16, char)]| {
        table
            .iter()
            .filter(|(bit, _)| system & bit != 0)
            .map(|(_, letter)| *letter)
            .collect::<String>()
    };
    let keywords = names.iter().enumerate().filter(|(bit, _)| user >> bit & 1 != 0);
    Some((
        size,
        Envelope {
            date: date.trim().replacen('-', " ", 2),
            status: [
                letters(&[(0x1, 'R'), (0x10, 'O')]),
                letters(&[(0x8, 'A'), (0x2, 'D'), (0x4, 'F'), (0x20, 'T')]),
            ],
            keywords: keywords.map(|(_, name)| name.clone()).collect(),
            ..Envelope::default()
        },
    ))
}
