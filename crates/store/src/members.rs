//! The members of a tar file, as far as it can be read: where it is damaged, reading goes on at the
//! next header.

use std::fmt;
use std::io::{self, Cursor, Read};
use std::ops::Range;

use tar::{Archive, Entry, Header};

use crate::bounded::{bomb, is_bomb};

/// The size of the blocks that a tar file is made of.
const BLOCK: usize = 512;

/// A place in a tar file that cannot be read.
#[derive(Debug)]
pub struct Unreadable {
    /// Its octets.
    pub span: Range<u64>,
    /// The error of reading them.
    pub error: io::Error,
}

impl fmt::Display for Unreadable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "octets {} to {}: {}", self.span.start, self.span.end, self.error)
    }
}

/// The members of a tar file.
#[derive(Debug)]
pub struct Members<R> {
    stream: Blocks<R>,
    ended: bool,
}

impl<R: Read> Members<R> {
    /// The members of the tar file `from`.
    pub fn new(from: R) -> Self {
        Self::at(0, from)
    }

    /// The members of a tar file from a [position](Self::position) on, which another reader of it
    /// has had; `from` begins there. They are the same as that reader gave after it.
    pub fn at(position: u64, from: R) -> Self {
        Self {
            stream: Blocks { from, ahead: Cursor::default(), position, failed: false },
            ended: false,
        }
    }

    /// The octet that reading has come to. All that is known of the octets before it is that it is
    /// not 0, so that reading can begin there as well.
    #[must_use]
    pub fn position(&self) -> u64 {
        self.stream.position
    }

    /// The result of `load` for the next member, given the offset of its content; or the next place
    /// that cannot be read, which is the last one if it reaches to the end. `load` need not read
    /// all of the content.
    ///
    /// The member is read as the first of the rest: an iterator of the crate would borrow the
    /// stream, and could not be moved from one thread to another.
    pub fn next<T>(
        &mut self,
        load: impl FnOnce(&mut Entry<'_, &mut Blocks<R>>, u64) -> io::Result<T>,
    ) -> Option<Result<T, Unreadable>> {
        if self.ended {
            return None;
        }
        let begins = self.stream.position;
        let found = match self.stream.find_header() {
            Ok(true) => self.member(load),
            Ok(false) => {
                self.ended = true;
                return None;
            }
            Err(error) => Err(error),
        };
        if found.is_err() && !self.stream.failed {
            // All that is unreadable here is one place; why it begins is known already.
            self.ended = self.stream.find_header().is_ok_and(|is_there| !is_there);
        }
        self.ended |= self.stream.failed;
        Some(found.map_err(|error| Unreadable { span: begins..self.stream.position, error }))
    }

    fn member<T>(
        &mut self,
        load: impl FnOnce(&mut Entry<'_, &mut Blocks<R>>, u64) -> io::Result<T>,
    ) -> io::Result<T> {
        let begins = self.stream.position;
        let mut archive = Archive::new(&mut self.stream);
        let mut entry = archive.entries()?.next().ok_or_else(|| of_format("no header"))??;
        let content = begins + entry.raw_file_position();
        // A sparse file claims to be longer than the octets stored for it.
        let is_sparse = entry.header().entry_type().is_gnu_sparse();
        if is_sparse && is_bomb(entry.size(), entry.header().entry_size()?) {
            return Err(bomb());
        }
        let end = content.saturating_add(entry.size());
        let loaded = load(&mut entry, content);
        let mut is_whole = true;
        if is_sparse {
            io::copy(&mut entry, &mut io::sink())?;
        } else {
            let rest = end.saturating_sub(self.stream.position);
            is_whole = self.stream.skip(rest)? == rest;
        }
        if is_whole { loaded } else { Err(self.stream.cut("it ends within a file")) }
    }
}

/// A stream of blocks. It counts what is read, and can give a block again.
#[derive(Debug)]
pub struct Blocks<R> {
    from: R,
    /// A block that is read again.
    ahead: Cursor<Vec<u8>>,
    position: u64,
    /// Whether nothing can be read after this: the stream has failed, or has ended too early.
    failed: bool,
}

impl<R: Read> Blocks<R> {
    /// Goes to the next header of a member, past empty blocks: they end a tar file, but another one
    /// may follow, or what was not lost. Global headers of pax are gone past as well, which are about
    /// all members (`git archive` names the commit in one). Returns whether there is one.
    ///
    /// # Errors
    /// Those of the stream; something else comes before the header, or before the end.
    fn find_header(&mut self) -> io::Result<bool> {
        let filler = self.position.next_multiple_of(BLOCK as u64) - self.position;
        if self.skip(filler)? < filler {
            return Err(self.cut("it ends within a block"));
        }
        let (mut begins, mut empty, mut other) = (self.position, false, false);
        loop {
            let mut block = [0; BLOCK];
            let length = self.fill(&mut block)?;
            if length == 0 && other {
                return Err(self.cut("no header of a tar file, up to the end"));
            }
            if length == 0 && !empty && begins > 0 {
                return Err(self.cut(
                    "it ends without the empty blocks that tar files end with: it may have been cut",
                ));
            }
            if length == 0 {
                return Ok(false);
            }
            if length < BLOCK {
                return Err(self.cut("it ends within a block"));
            }

            if is_header(&block) {
                self.ahead = Cursor::new(block.to_vec());
                self.position -= BLOCK as u64;
                if other {
                    return Err(of_format("no header of a tar file"));
                }
                if !Header::from_byte_slice(&block).entry_type().is_pax_global_extensions() {
                    return Ok(true);
                }
                self.skip_global()?;
                (begins, empty) = (self.position, false);
                continue;
            }
            if block == [0; BLOCK] {
                empty = true;
            } else {
                other = true;
            }
        }
    }

    /// Skips a global header, with its content and what fills up its last block.
    fn skip_global(&mut self) -> io::Result<()> {
        let mut block = [0; BLOCK];
        self.fill(&mut block)?;
        let size = Header::from_byte_slice(&block).entry_size()?;
        let blocks = size
            .checked_next_multiple_of(BLOCK as u64)
            .ok_or_else(|| of_format("a global header that is longer than a tar file can be"))?;
        if self.skip(blocks)? < blocks {
            return Err(self.cut("it ends within a global header"));
        }
        Ok(())
    }

    /// Reads a block, or what there is of it.
    fn fill(&mut self, block: &mut [u8]) -> io::Result<usize> {
        let mut length = 0;
        while length < block.len() {
            match self.read(&mut block[length..])? {
                0 => break,
                read => length += read,
            }
        }
        Ok(length)
    }

    /// Skips this many octets; returns how many there were.
    fn skip(&mut self, octets: u64) -> io::Result<u64> {
        io::copy(&mut self.by_ref().take(octets), &mut io::sink())
    }

    /// The error of a file that ends too early.
    fn cut(&mut self, why: &'static str) -> io::Error {
        self.failed = true;
        io::Error::new(io::ErrorKind::UnexpectedEof, why)
    }
}

impl<R: Read> Read for Blocks<R> {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        let read = match self.ahead.read(into)? {
            0 => self.from.read(into),
            read => Ok(read),
        };
        match &read {
            Ok(read) => self.position += *read as u64,
            Err(error) => self.failed |= error.kind() != io::ErrorKind::Interrupted,
        }
        read
    }
}

fn of_format(why: &'static str) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, why)
}

/// Whether a block is a header: its checksum, the sum of its octets with spaces for itself, is
/// right.
fn is_header(block: &[u8; BLOCK]) -> bool {
    let sum = block[..148].iter().chain(&block[156..]).map(|octet| u32::from(*octet)).sum::<u32>()
        + 8 * 32;
    Header::from_byte_slice(block).cksum().is_ok_and(|said| said == sum) && block != &[0; BLOCK]
}

/// Whether a file that begins with `octets` is a tar file.
pub fn begins_tar(octets: &[u8]) -> bool {
    octets.get(257..262) == Some(b"ustar") || octets.first_chunk().is_some_and(is_header)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tar_file(members: u32) -> Vec<u8> {
        let mut builder = tar::Builder::new(Vec::new());
        for number in 0..members {
            let octets =
                format!("Subject: {number}\r\n\r\n{}", "text\r\n".repeat(number as usize * 40));
            let mut header = Header::new_gnu();
            header.set_size(octets.len() as u64);
            // Every other name needs an entry of its own.
            let name =
                format!("{}{number}.eml", "folder/".repeat(if number % 2 == 0 { 1 } else { 20 }));
            builder.append_data(&mut header, name, octets.as_bytes()).expect("in memory");
        }
        builder.into_inner().expect("in memory")
    }

    /// The subjects that can be read, and the places that cannot.
    fn read(octets: &[u8]) -> (Vec<String>, Vec<String>) {
        let (mut subjects, mut unreadable) = (Vec::new(), Vec::new());
        let mut members = Members::new(octets);
        while let Some(found) = members.next(|member, at| {
            let mut text = String::new();
            member.read_to_string(&mut text)?;
            assert!(octets[usize::try_from(at).unwrap()..].starts_with(text.as_bytes()));
            Ok(text.lines().next().unwrap_or_default().to_owned())
        }) {
            match found {
                Ok(subject) => subjects.push(subject),
                Err(place) => unreadable.push(place.to_string()),
            }
        }
        (subjects, unreadable)
    }

    #[test]
    fn a_sound_file_has_all_members() {
        let (subjects, unreadable) = read(&tar_file(9));
        assert_eq!((subjects.len(), unreadable.len()), (9, 0));
        assert_eq!(read(b""), (vec![], vec![]));
        // Another tar file after the first.
        assert_eq!(read(&[tar_file(3), tar_file(4)].concat()).0.len(), 7);
    }

    /// A global header, as `git archive` writes it.
    fn global_header() -> Vec<u8> {
        let content = b"52 comment=0123456789012345678901234567890123456789\n";
        let mut header = Header::new_ustar();
        header.set_entry_type(tar::EntryType::XGlobalHeader);
        header.set_size(content.len() as u64);
        header.set_path("pax_global_header").expect("short");
        header.set_cksum();
        let mut octets = [header.as_bytes().as_slice(), content].concat();
        octets.resize(2 * BLOCK, 0);
        octets
    }

    #[test]
    fn a_global_header_is_no_member() {
        let [global, three, end] = [global_header(), tar_file(3), vec![0; 2 * BLOCK]];
        let expected = read(&three);
        assert_eq!(read(&[&global[..], &three].concat()), expected);
        assert_eq!(read(&[&global[..], &global, &three].concat()), expected);
        assert_eq!(read(&[&global[..], &end].concat()), (vec![], vec![]));
        assert_eq!(read(&[&three[..], &global, &three].concat()).0.len(), 6);
        // Also between members.
        let first = 2 * BLOCK;
        let between = [&three[..first], &global, &three[first..]].concat();
        assert_eq!(read(&between), expected);
        for cut in 1..=global.len() {
            let (subjects, unreadable) = read(&global[..cut]);
            assert_eq!((subjects.len(), unreadable.len()), (0, 1), "cut at {cut}");
        }
    }

    #[test]
    fn what_is_around_a_damaged_header_is_read() {
        let whole = tar_file(9);
        let expected = read(&whole).0;
        for at in (0..whole.len() - 2 * BLOCK).step_by(BLOCK) {
            let is_header = is_header(whole[at..at + BLOCK].try_into().unwrap());
            let mut damaged = whole.clone();
            damaged[at + 140] ^= 1;
            let (subjects, unreadable) = read(&damaged);
            assert_eq!(unreadable.len(), usize::from(is_header), "at {at}: {unreadable:?}");
            let missing = expected.len() - subjects.len();
            assert!(missing <= usize::from(is_header), "at {at}: {missing} are missing");
        }
    }

    #[test]
    fn reading_can_begin_at_every_position() {
        for damage in [None, Some(140), Some(2 * BLOCK + 140), Some(5 * BLOCK)] {
            let mut octets = [tar_file(4), global_header(), tar_file(3)].concat();
            if let Some(at) = damage {
                octets[at] ^= 1;
            }
            let all_from = |position: u64| {
                let mut members =
                    Members::at(position, &octets[usize::try_from(position).unwrap()..]);
                let mut found = Vec::new();
                loop {
                    let position = members.position();
                    let Some(read) = members.next(|member, at| Ok((member.size(), at))) else {
                        return found;
                    };
                    found.push((position, read.map_err(|place| place.to_string())));
                }
            };
            let whole = all_from(0);
            assert!(whole.len() >= 7);
            for (number, (position, _)) in whole.iter().enumerate() {
                assert_eq!(all_from(*position), whole[number..], "from {position}");
            }
        }
    }

    #[test]
    fn a_file_that_is_cut_says_so_wherever_it_is_cut() {
        let whole = tar_file(5);
        let end = whole.len() - 2 * BLOCK;
        for cut in 1..=end {
            let (subjects, unreadable) = read(&whole[..cut]);
            assert_eq!(unreadable.len(), 1, "cut at {cut}: {subjects:?}");
        }
        assert_eq!(read(&whole[..=end]).1.len(), 1);
        assert_eq!(read(&whole[..end + BLOCK]).1.len(), 0);
    }
}
