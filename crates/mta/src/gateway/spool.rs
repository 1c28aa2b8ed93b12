//! A message between its two transactions: in memory, or in a temporary file if it is long.

use std::borrow::Cow;
use std::fs::File;
use std::io::{self, BufRead, BufReader, BufWriter, Seek, Write};
use std::mem;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use sevenbit::{Abridged, Normalizer, Planned};

use super::data;
use crate::filter::header_of;
use crate::memory::{Memory, Share};

/// How many octets are written to a file together.
const WINDOW: usize = 64 << 10;

/// The time that a message waits for the memory to plan it: its client waits longer (RFC 5321,
/// 4.5.3.2.6: 10 minutes).
const WAITING: Duration = Duration::from_secs(20);

/// Where messages are kept while they pass.
#[derive(Clone, Debug)]
pub struct Room {
    /// How many octets of one are held in memory.
    pub memory: usize,
    /// Where the file of a longer one is; by default the system's directory for temporary files.
    pub directory: Option<PathBuf>,
    /// The memory of all connections; a message for which it has no room goes to a file, too.
    pub total: Memory,
    /// What all messages take in files; counted, without a bound.
    pub files: Memory,
}

/// A message as its client sent it.
#[derive(Debug)]
pub struct Spool {
    data: Data<File>,
    length: u64,
    share: Share,
    /// What it takes of files, which is given back with it.
    _in_file: Share,
}

/// The octets of a message: in memory, or in a file that is an `F`.
#[derive(Debug)]
enum Data<F> {
    Memory(Vec<u8>),
    File(F),
}

/// A message that comes, whole or in chunks.
pub struct Growing {
    kept: Kept,
    /// Why it cannot be kept; the rest of it is read all the same.
    failed: io::Result<()>,
}

/// Where a message is read to: no more of it is kept than may be needed.
struct Kept {
    room: Room,
    data: Data<BufWriter<File>>,
    share: Share,
    in_file: Share,
    length: u64,
    most: u64,
    /// Its last octets.
    last: [u8; 2],
}

impl Kept {
    /// Moves what is in memory to a file.
    fn roll(&mut self) -> io::Result<()> {
        if let Data::Memory(octets) = &mut self.data {
            let mut file = tempfile::tempfile_in(self.room.place())?;
            file.write_all(octets)?;
            self.share.give_back(mem::take(octets));
            self.share.shrink_to(0);
            self.data = Data::File(BufWriter::with_capacity(WINDOW, file));
        }
        Ok(())
    }
}

impl Write for Kept {
    fn write(&mut self, octets: &[u8]) -> io::Result<usize> {
        self.length += octets.len() as u64;
        self.last = match *octets {
            [.., before, last] => [before, last],
            [only] => [self.last[1], only],
            [] => self.last,
        };
        if self.length > self.most {
            return Ok(octets.len());
        }
        if matches!(self.data, Data::Memory(_))
            && (self.length > self.room.memory as u64 || !self.share.grow_to(self.length))
        {
            self.roll()?;
        }

        match &mut self.data {
            Data::Memory(kept) => self.share.append(kept, octets),
            Data::File(file) => {
                self.in_file.grow_to(self.length);
                file.write_all(octets)?;
            }
        }
        Ok(octets.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        match &mut self.data {
            Data::Memory(_) => Ok(()),
            Data::File(file) => file.flush(),
        }
    }
}

impl Growing {
    /// A message of which nothing has come. One of more than `most` octets is only counted.
    pub fn new(room: &Room, most: u64) -> Self {
        let (share, in_file) = (room.total.share(), room.files.share());
        let (room, data) = (room.clone(), Data::Memory(Vec::new()));
        let kept = Kept { room, data, share, in_file, length: 0, most, last: *b"\r\n" };
        Self { kept, failed: Ok(()) }
    }

    /// Reads all of it, up to the line that ends it.
    ///
    /// # Errors
    /// Those of the client.
    pub fn read(&mut self, input: &mut impl BufRead, until: Instant) -> io::Result<()> {
        self.failed = data::read(input, until, &mut self.kept)?;
        Ok(())
    }

    /// Reads a chunk of it.
    ///
    /// # Errors
    /// Those of the client.
    pub fn read_chunk(
        &mut self,
        input: &mut impl BufRead,
        until: Instant,
        length: u64,
    ) -> io::Result<()> {
        match self.failed {
            Ok(()) => self.failed = data::read_chunk(input, until, length, &mut self.kept)?,
            Err(_) => drop(data::read_chunk(input, until, length, io::sink())?),
        }
        Ok(())
    }

    /// The message, now that all of it has come. Its last line gets an end: chunks need none, and
    /// the message goes on as lines.
    ///
    /// # Errors
    /// Those of its file.
    pub fn finish(self) -> io::Result<Spool> {
        self.failed?;
        let mut kept = self.kept;
        if kept.last != *b"\r\n" {
            kept.write_all(b"\r\n")?;
        }
        let Kept { data, share, in_file, length, .. } = kept;
        let data = match data {
            Data::Memory(octets) => Data::Memory(octets),
            Data::File(file) => {
                Data::File(file.into_inner().map_err(io::IntoInnerError::into_error)?)
            }
        };
        Ok(Spool { data, length, share, _in_file: in_file })
    }
}

impl Spool {
    /// Its length in octets.
    pub fn length(&self) -> u64 {
        self.length
    }

    /// Writes its octets as they came.
    ///
    /// # Errors
    /// Those of the file, and of `out`.
    pub fn write_to(&mut self, mut out: impl Write) -> io::Result<()> {
        match &mut self.data {
            Data::Memory(octets) => out.write_all(octets),
            Data::File(file) => {
                file.rewind()?;
                io::copy(file, &mut out).map(drop)
            }
        }
    }

    /// Its header section, with the line after it, as far as rules look.
    ///
    /// # Errors
    /// Those of the file.
    pub fn header(&mut self) -> io::Result<Vec<u8>> {
        match &mut self.data {
            Data::Memory(octets) => header_of(&octets[..]),
            Data::File(file) => {
                file.rewind()?;
                header_of(BufReader::new(file))
            }
        }
    }

    /// The message in a form that can be planned: in a file if its plan does not depend on all of
    /// it.
    ///
    /// # Errors
    /// Those of the file; [`OutOfMemory`](io::ErrorKind::OutOfMemory) if there is no room for what
    /// is needed of it.
    pub fn hold(&mut self, normalizer: &Normalizer) -> io::Result<Held<'_>> {
        match &mut self.data {
            Data::Memory(octets) => Ok(Held::Memory(Cow::Borrowed(octets))),
            Data::File(file) => {
                file.rewind()?;
                let mut message = Abridged::read(file)?;
                if !self.share.grow_within(message.held() as u64, WAITING) {
                    return Err(io::ErrorKind::OutOfMemory.into());
                }
                if message.plan(normalizer).is_some() {
                    Ok(Held::File(Box::new(message)))
                } else if !self.share.grow_within(self.length, WAITING) {
                    Err(io::ErrorKind::OutOfMemory.into())
                } else {
                    message.into_whole().map(|octets| Held::Memory(Cow::Owned(octets)))
                }
            }
        }
    }
}

impl Drop for Spool {
    fn drop(&mut self) {
        if let Data::Memory(octets) = &mut self.data {
            self.share.give_back(mem::take(octets));
        }
    }
}

impl Room {
    /// Checks that files can be created, so that a problem is found at the start, not by the first
    /// sender of a long message.
    ///
    /// # Errors
    /// No file can be created.
    pub fn check(&self) -> io::Result<()> {
        tempfile::tempfile_in(self.place()).map(drop)
    }

    /// Their directory.
    pub fn place(&self) -> Cow<'_, Path> {
        self.directory.as_deref().map_or_else(|| std::env::temp_dir().into(), Cow::Borrowed)
    }
}

/// A message in a form that can be planned.
#[derive(Debug)]
pub enum Held<'s> {
    /// All of it.
    Memory(Cow<'s, [u8]>),
    /// The octets that its plan depends on.
    File(Box<Abridged<&'s mut File>>),
}

impl<'s> Held<'s> {
    /// Its plan; nothing if its file can no longer be planned.
    pub fn plan(&mut self, normalizer: &Normalizer) -> Option<Box<dyn Planned + '_>> {
        match self {
            Self::Memory(octets) => Some(Box::new(normalizer.plan(octets))),
            Self::File(message) => Some(Box::new(message.plan(normalizer)?)),
        }
    }
}
