//! The members of a ZIP archive, as far as it can be read. Without its directory, which is at its
//! end, the members are read from first to last.

use std::fmt;
use std::io::{self, BufReader, Read, Seek};
use std::ops::Range;
use std::path::{Path, PathBuf};

use zip::read::{ZipFile, read_zipfile_from_stream};
use zip::result::ZipError;
use zip::write::SimpleFileOptions;
use zip::{CompressionMethod, DateTime, System, ZipArchive};

use crate::bounded::{bomb, is_bomb};
use crate::recognise::{HEAD, Recognised, recognise};

/// The octets of an archive: a file, or memory.
pub trait Source: Read + Seek + Send {}

impl<T: Read + Seek + Send> Source for T {}

/// The kind of a member.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MemberKind {
    /// A file.
    File,
    /// A directory.
    Directory,
    /// A symbolic link, whose content is its target.
    Link,
}

/// A member, without its content.
#[derive(Clone, Debug)]
pub struct Member {
    /// Its name in the archive. It may lead anywhere.
    pub path: PathBuf,
    /// Its kind.
    pub kind: MemberKind,
    /// Its packed octets in the archive.
    pub span: Range<u64>,
    /// The permissions, if the archive has them.
    pub mode: Option<u32>,
    /// The time when it was written: year, month, day, hour, minute, second.
    pub modified: Option<[u16; 6]>,
    /// What is needed to write it to another archive as it is in this one.
    pub options: SimpleFileOptions,
}

/// A member, or a place in an archive, that cannot be read.
#[derive(Debug)]
pub struct Unreadable {
    /// The name of the member, if it is one.
    pub path: Option<PathBuf>,
    /// The error of reading it.
    pub error: io::Error,
    /// Whether the archive is damaged: otherwise the member is whole, but encrypted or packed in a
    /// way that is not read.
    pub is_damage: bool,
}

impl fmt::Display for Unreadable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.error)
    }
}

/// The members of a ZIP archive.
pub struct Members {
    state: State,
    /// How many octets the members had so far.
    given: u64,
    /// The length of the archive.
    length: u64,
}

enum State {
    /// An archive with its directory, and the next member.
    Listed(Box<ZipArchive<BufReader<Box<dyn Source>>>>, usize),
    /// An archive without it, and the number of octets read.
    Streamed(Metered<BufReader<Box<dyn Source>>>),
    Ended,
}

impl fmt::Debug for Members {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Members").field("given", &self.given).finish_non_exhaustive()
    }
}

impl Members {
    /// The members of the archive `from`.
    ///
    /// # Errors
    /// The archive cannot be read at all.
    pub fn new(mut from: Box<dyn Source>) -> io::Result<Self> {
        let length = from.seek(io::SeekFrom::End(0))?;
        from.rewind()?;
        let mut from = BufReader::with_capacity(64 << 10, from);
        let is_listed = match ZipArchive::new(&mut from) {
            Ok(_) => true,
            Err(ZipError::Io(error)) if error.kind() != io::ErrorKind::UnexpectedEof => {
                return Err(error);
            }
            Err(_) => false,
        };

        from.rewind()?;
        let state = if is_listed {
            State::Listed(Box::new(ZipArchive::new(from).map_err(in_words)?), 0)
        } else {
            State::Streamed(Metered { from, read: 0 })
        };
        Ok(Self { state, given: 0, length })
    }

    /// The result of `load` for the next member and its content; or the next thing that cannot be
    /// read. `load` need not read all of the content.
    pub fn next<T>(
        &mut self,
        load: impl FnOnce(&Member, &mut dyn Read) -> io::Result<T>,
    ) -> Option<Result<T, Unreadable>> {
        let Self { state, given, length } = self;
        match state {
            State::Ended => None,
            State::Listed(archive, next) => {
                if *next == archive.len() {
                    *state = State::Ended;
                    return None;
                }
                *next += 1;
                Some(listed(archive, *next - 1, |member, content| {
                    load(member, &mut Bounded { from: content, given, length: *length })
                }))
            }
            State::Streamed(from) => {
                let begins = from.read;
                let result = match read_zipfile_from_stream(from) {
                    Ok(Some(mut file)) => {
                        let member = member(&file, begins);
                        let mut content = Bounded { from: &mut file, given, length: *length };
                        load(&member, &mut content)
                            .map_err(|error| damage(Some(member.path), error))
                    }
                    Ok(None) => Err(damage(None, cut("its directory of members is damaged"))),
                    Err(error) => Err(damage(None, in_words(error))),
                };
                if result.is_err() {
                    *state = State::Ended;
                }
                Some(result)
            }
        }
    }

    /// Whether there may be mail in the archive: a member that is mail, or packed, or encrypted
    /// under a name of mail.
    pub fn hold_mail(mut self) -> bool {
        loop {
            let looked = self.next(|member, content| {
                if member.kind != MemberKind::File {
                    return Ok(false);
                }
                let mut first = Vec::new();
                content.take(HEAD as u64).read_to_end(&mut first)?;
                Ok(!matches!(recognise(&first, &member.path), Recognised::NoMail(_)))
            });
            match looked {
                None => return false,
                Some(Ok(true)) => return true,
                Some(Err(unreadable)) if unreadable.may_be_mail() => return true,
                Some(_) => {}
            }
        }
    }
}

impl Unreadable {
    /// Whether the name of the member is one that mail has. A place without a name may be anything.
    #[must_use]
    pub fn may_be_mail(&self) -> bool {
        const NAMES: [&str; 9] = ["", "eml", "emlx", "mbox", "mbx", "msg", "oft", "ost", "pst"];
        let Some(path) = &self.path else { return true };
        let extension =
            path.extension().map(|extension| extension.to_string_lossy().to_ascii_lowercase());
        NAMES.contains(&extension.unwrap_or_default().as_str())
    }
}

/// Reads a member of an archive with a directory.
fn listed<T, R: Read + Seek>(
    archive: &mut ZipArchive<R>,
    number: usize,
    load: impl FnOnce(&Member, &mut dyn Read) -> io::Result<T>,
) -> Result<T, Unreadable> {
    let raw = archive.by_index_raw(number).map_err(|error| damage(None, in_words(error)))?;
    let path = path_of(&raw);
    let refused = if raw.encrypted() {
        Some("it is encrypted")
    } else if matches!(raw.compression(), CompressionMethod::Stored | CompressionMethod::Deflated) {
        None
    } else {
        Some("it is packed by a method other than Deflate")
    };
    drop(raw);
    if let Some(why) = refused {
        let error = io::Error::new(io::ErrorKind::InvalidData, why);
        return Err(Unreadable { path: Some(path), error, is_damage: false });
    }

    let file =
        archive.by_index(number).map_err(|error| damage(Some(path.clone()), in_words(error)));
    let mut file = file?;
    let begins = file.data_start().unwrap_or_else(|| file.header_start());
    let member = member(&file, begins);
    load(&member, &mut file).map_err(|error| damage(Some(path), error))
}

fn member<R: Read>(file: &ZipFile<'_, R>, begins: u64) -> Member {
    let kind = if file.is_dir() {
        MemberKind::Directory
    } else if file.is_symlink() {
        MemberKind::Link
    } else {
        MemberKind::File
    };
    let modified = file.last_modified().filter(DateTime::is_valid).map(|time| {
        let (month, day, hour) = (time.month().into(), time.day().into(), time.hour().into());
        [time.year(), month, day, hour, time.minute().into(), time.second().into()]
    });
    let options = file.options();
    // Without a mode the crate takes a file for a directory, and wants to seek in what is written
    // as a stream.
    let options = if kind == MemberKind::File && file.unix_mode().is_none() {
        options.system(System::Unix).external_attributes(0o100_644 << 16)
    } else {
        options
    };
    Member {
        path: path_of(file),
        kind,
        span: begins..begins.saturating_add(file.compressed_size()),
        mode: file.unix_mode(),
        modified,
        options: if file.compression() == CompressionMethod::Stored {
            options
        } else {
            options.compression_method(CompressionMethod::Deflated)
        },
    }
}

/// Returns the name of a member: many programs write UTF-8 without saying so.
fn path_of<R: Read>(file: &ZipFile<'_, R>) -> PathBuf {
    match std::str::from_utf8(file.name_raw()) {
        Ok(name) => PathBuf::from(name),
        Err(_) => match file.name() {
            Ok(name) => PathBuf::from(&*name),
            Err(_) => Path::new(&*String::from_utf8_lossy(file.name_raw())).to_owned(),
        },
    }
}

/// A stream that counts what is read from it.
struct Metered<R> {
    from: R,
    read: u64,
}

impl<R: Read> Read for Metered<R> {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        let length = self.from.read(into)?;
        self.read += length as u64;
        Ok(length)
    }
}

/// The content of a member. All members together may not be too long for their archive.
struct Bounded<'a> {
    from: &'a mut dyn Read,
    given: &'a mut u64,
    length: u64,
}

impl Read for Bounded<'_> {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        let length = self.from.read(into)?;
        *self.given += length as u64;
        if is_bomb(*self.given, self.length) { Err(bomb()) } else { Ok(length) }
    }
}

fn damage(path: Option<PathBuf>, error: io::Error) -> Unreadable {
    Unreadable { path, error, is_damage: true }
}

fn cut(why: &'static str) -> io::Error {
    io::Error::new(io::ErrorKind::UnexpectedEof, why)
}

/// Returns the error in words for a person who has the archive.
fn in_words(error: ZipError) -> io::Error {
    let kind = io::ErrorKind::InvalidData;
    match error {
        ZipError::Io(error) if error.kind() == io::ErrorKind::UnexpectedEof => {
            cut("the archive was cut")
        }
        ZipError::Io(error) => error,
        other => io::Error::new(kind, other.to_string()),
    }
}

#[cfg(test)]
mod tests {
    use std::io::{Cursor, Write};

    use super::*;

    fn archive(members: u32) -> Vec<u8> {
        let mut writer = zip::ZipWriter::new(Cursor::new(Vec::new()));
        writer.add_directory("mail", SimpleFileOptions::default()).expect("in memory");
        for number in 0..members {
            let method = if number % 2 == 0 {
                CompressionMethod::Stored
            } else {
                CompressionMethod::Deflated
            };
            let options = SimpleFileOptions::default().compression_method(method);
            writer.start_file(format!("mail/{number}.eml"), options).expect("in memory");
            writer.write_all(content(number).as_bytes()).expect("in memory");
        }
        writer.finish().expect("in memory").into_inner()
    }

    fn content(number: u32) -> String {
        format!(
            "From: a@example.org\r\nSubject: {number}\r\n\r\n{}",
            "text\r\n".repeat(number as usize * 40)
        )
    }

    /// The contents that can be read, and what cannot.
    fn read(octets: &[u8]) -> (Vec<String>, Vec<String>) {
        let (mut contents, mut unreadable) = (Vec::new(), Vec::new());
        let mut members = Members::new(Box::new(Cursor::new(octets.to_vec()))).expect("in memory");
        while let Some(found) = members.next(|member, content| {
            let mut text = String::new();
            content.read_to_string(&mut text)?;
            Ok((member.kind, text))
        }) {
            match found {
                Ok((MemberKind::File, text)) => contents.push(text),
                Ok(_) => {}
                Err(place) => unreadable.push(place.to_string()),
            }
        }
        (contents, unreadable)
    }

    #[test]
    fn a_sound_archive_has_all_members() {
        assert_eq!(read(&archive(9)), ((0..9).map(content).collect(), vec![]));
        assert_eq!(read(&archive(0)), (vec![], vec![]));
    }

    #[test]
    fn an_archive_that_is_cut_gives_every_whole_member() {
        let whole = archive(5);
        for length in 4..whole.len() {
            let (contents, unreadable) = read(&whole[..length]);
            assert!(
                (0..).zip(&contents).all(|(number, text)| *text == content(number)),
                "{length}"
            );
            assert_eq!(unreadable.len(), 1, "{length}: {unreadable:?}");
        }
        let directory = memchr::memmem::find(&whole, b"PK\x01\x02").expect("there is one");
        assert_eq!(read(&whole[..directory]).0.len(), 5);
    }

    #[test]
    fn any_damage_gives_an_answer() {
        let whole = archive(3);
        for at in 0..whole.len() {
            let mut damaged = whole.clone();
            damaged[at] ^= 0xFF;
            let (contents, _) = read(&damaged);
            // The directory of the archive may be taken for a file, too.
            assert!(contents.len() <= 3 + 1, "{at}");
        }
    }

    #[test]
    fn mail_in_an_archive_is_found() {
        let members =
            |octets: Vec<u8>| Members::new(Box::new(Cursor::new(octets))).expect("in memory");
        assert!(members(archive(1)).hold_mail());
        assert!(!members(archive(0)).hold_mail());
    }
}
