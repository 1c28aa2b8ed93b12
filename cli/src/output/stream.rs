//! Many messages in one file: mbox, tar, zip.

use std::borrow::Cow;
use std::fs::File;
use std::io::{self, Read, Seek, Write};
use std::path::{Path, PathBuf};
use std::sync::LazyLock;

use memchr::memmem::Finder;
use sevenbit::Message;
use sevenbit::mbox::quote;
use tar::{EntryType, Header};
use zip::write::{SimpleFileOptions, StreamWriter};
use zip::{CompressionMethod, ZIP64_BYTES_THR, ZipWriter};

use super::Outgoing;
use super::flags::{self, Source};
use super::journal::Reached;
use super::origin::Origin;
use super::packer::{Packer, Sink};
use super::sizes::with_sizes;
use crate::input::{Home, MailboxKind, Packing, TarEntry, asctime, is_eml, is_safe};

/// How many octets are read of a message that is not held: more than its header.
const HEAD: u64 = 4 << 20;

/// A file of many messages, being written.
pub enum Stream {
    /// mbox, as mboxrd.
    Mbox(Packer),
    /// A tar file or a ZIP archive.
    Archive(Box<Archive>),
}

/// An archive, being written.
pub struct Archive {
    builder: Builder,
    /// An mbox in it that is not complete.
    open: Option<Member>,
}

/// An mbox in an archive, being written.
struct Member {
    entry: TarEntry,
    out: Packer,
}

/// What writes the octets of an archive.
enum Builder {
    Tar(Box<tar::Builder<Packer>>),
    Zip(Box<ZipWriter<StreamWriter<Packer>>>),
}

impl Builder {
    /// Adds a file.
    fn file(&mut self, file: Entry<'_>, content: impl Read) -> io::Result<()> {
        match self {
            Self::Tar(builder) => {
                let mut header = file.header;
                header.set_size(file.length);
                builder.append_data(&mut header, file.path, content)
            }
            Self::Zip(writer) => {
                writer.start_file(
                    name_in_zip(file.path),
                    file.options(CompressionMethod::Deflated),
                )?;
                let mut content = content.take(file.length);
                io::copy(&mut content, writer).map(drop)
            }
        }
    }

    /// Adds a link.
    fn link(&mut self, file: Entry<'_>, target: &Path) -> io::Result<()> {
        match self {
            Self::Tar(builder) => {
                let mut header = file.header;
                builder.append_link(&mut header, file.path, target)
            }
            Self::Zip(writer) => {
                let options = file.options(CompressionMethod::Stored);
                writer.add_symlink(name_in_zip(file.path), name_in_zip(target), options)?;
                Ok(())
            }
        }
    }

    fn directory(&mut self, file: Entry<'_>) -> io::Result<()> {
        match self {
            Self::Tar(builder) => {
                let mut header = file.header;
                builder.append_data(&mut header, file.path, io::empty())
            }
            Self::Zip(writer) => {
                let options = file.options(CompressionMethod::Stored);
                writer.add_directory(name_in_zip(file.path), options)?;
                Ok(())
            }
        }
    }
}

/// What an archive says of a member.
struct Entry<'a> {
    path: &'a Path,
    header: Header,
    length: u64,
    options: Option<SimpleFileOptions>,
}

impl<'a> Entry<'a> {
    fn of(entry: &'a TarEntry, length: u64) -> Self {
        let header = entry.header.clone();
        Self { path: name_in_archive(entry), header, length, options: entry.options }
    }

    /// Returns what a ZIP archive says of it: what it said before, if it comes from one.
    fn options(&self, method: CompressionMethod) -> SimpleFileOptions {
        let options = self.options.unwrap_or_else(|| {
            let mode = self.header.mode().unwrap_or(0o644) & 0o7777;
            SimpleFileOptions::default().compression_method(method).unix_permissions(mode)
        });
        options.large_file(self.length >= ZIP64_BYTES_THR)
    }
}

impl Archive {
    /// Adds a message to an mbox in the archive, which is completed by its last message.
    fn write_within(
        &mut self,
        entry: &TarEntry,
        outgoing: &Outgoing<'_>,
        octets: &[u8],
        is_last: bool,
    ) -> io::Result<()> {
        let is_other =
            |open: &Member| open.entry.offset != entry.offset || open.entry.path != entry.path;
        if self.open.as_ref().is_some_and(is_other) {
            self.close()?;
        }
        let open = match &mut self.open {
            Some(open) => open,
            None => {
                let out = Packer::new(entry.packing, Sink::spooled())?;
                self.open.insert(Member { entry: entry.emptied(), out })
            }
        };
        mbox(&mut open.out, outgoing, octets)?;
        if is_last { self.close() } else { Ok(()) }
    }

    /// Completes the mbox.
    fn close(&mut self) -> io::Result<()> {
        let Some(Member { entry, out }) = self.open.take() else { return Ok(()) };
        self.spooled(&entry, out)
    }

    /// Adds a file whose octets were put aside.
    fn spooled(&mut self, entry: &TarEntry, out: Packer) -> io::Result<()> {
        let mut file = out.into_spooled()?;
        let length = file.stream_position()?;
        file.rewind()?;
        self.builder.file(Entry::of(entry, length), file)
    }

    /// Adds a message that was packed before.
    fn write_packed(&mut self, entry: &TarEntry, octets: &[u8]) -> io::Result<()> {
        let mut out = Packer::new(entry.packing, Sink::spooled())?;
        out.write_all(octets)?;
        self.spooled(entry, out)
    }
}

impl Stream {
    /// A file of this kind.
    pub fn new(kind: MailboxKind, out: Packer) -> Self {
        let builder = match kind {
            MailboxKind::Mbox => return Self::Mbox(out),
            MailboxKind::Tar => Builder::Tar(Box::new(tar::Builder::new(out))),
            MailboxKind::Zip => Builder::Zip(Box::new(ZipWriter::new_stream(out))),
        };
        Self::Archive(Box::new(Archive { builder, open: None }))
    }

    /// Adds a message.
    ///
    /// # Errors
    /// Those of the file.
    pub fn write(&mut self, outgoing: &Outgoing<'_>) -> io::Result<()> {
        if let Some((file, length)) = outgoing.spooled()? {
            return self.write_long(outgoing, file, length);
        }
        let octets = outgoing.octets()?;
        match self {
            Self::Mbox(out) => mbox(out, outgoing, &octets),
            Self::Archive(archive) => match &outgoing.item.home {
                Home::Tar { entry, within: Some(within), .. } => {
                    archive.write_within(entry, outgoing, &octets, within.is_last)
                }
                Home::Tar { entry, .. } if entry.packing != Packing::None => {
                    archive.close()?;
                    archive.write_packed(entry, &octets)
                }
                _ => {
                    archive.close()?;
                    let length = octets.len() as u64;
                    with_entry(outgoing, &octets, length, |entry| {
                        archive.builder.file(entry, &*octets)
                    })
                }
            },
        }
    }

    /// Adds a message of `length` octets from `file`. None of its lines has to be quoted.
    fn write_long(
        &mut self,
        outgoing: &Outgoing<'_>,
        mut file: File,
        length: u64,
    ) -> io::Result<()> {
        let mut head = Vec::new();
        (&file).take(HEAD).read_to_end(&mut head)?;
        match self {
            Self::Mbox(out) => long_in_mbox(out, outgoing, &head, file, length),
            Self::Archive(archive) => match &outgoing.item.home {
                Home::Tar { entry, within: Some(within), .. } => {
                    let entry = entry.emptied();
                    archive.write_long_within(entry, outgoing, &head, file, length, within.is_last)
                }
                _ => {
                    archive.close()?;
                    file.rewind()?;
                    with_entry(outgoing, &head, length, |entry| archive.builder.file(entry, file))
                }
            },
        }
    }

    /// Whether it can contain entries that are not messages.
    pub fn takes_extra(&self) -> bool {
        matches!(self, Self::Archive(_))
    }

    /// Adds an entry that is not a message.
    ///
    /// # Errors
    /// Those of the file.
    pub fn write_extra(&mut self, entry: &TarEntry) -> io::Result<()> {
        let Self::Archive(archive) = self else { return Ok(()) };
        archive.close()?;
        let file = Entry::of(entry, entry.length());
        match (&entry.link, &entry.long) {
            (Some(link), _) => archive.builder.link(file, link),
            _ if entry.header.entry_type().is_dir() => archive.builder.directory(file),
            (None, Some(long)) => archive.builder.file(file, long.reopened()?),
            (None, None) => archive.builder.file(file, entry.octets.as_slice()),
        }
    }

    /// How much has been flushed to the system, if the part already written stays when the job is
    /// interrupted.
    ///
    /// # Errors
    /// Those of the file.
    pub fn reached(&mut self) -> io::Result<Option<Reached>> {
        match self {
            Self::Mbox(out) => out.reached(),
            Self::Archive(archive) => match &mut archive.builder {
                Builder::Tar(builder) if archive.open.is_none() => builder.get_mut().reached(),
                // The directory of a ZIP archive is at its end.
                Builder::Tar(_) | Builder::Zip(_) => Ok(None),
            },
        }
    }

    /// Removes what is written of it.
    ///
    /// # Errors
    /// It cannot be removed.
    pub fn discard(&mut self) -> io::Result<()> {
        match self {
            Self::Mbox(out) => out.discard(),
            Self::Archive(archive) => match &mut archive.builder {
                Builder::Tar(builder) => builder.get_mut().discard(),
                Builder::Zip(_) => Ok(()),
            },
        }
    }

    /// Ends the file and gives it its name, and the time and the owner of the file that it is made
    /// from.
    ///
    /// # Errors
    /// Those of the file.
    pub fn commit(self, origin: &Origin) -> io::Result<()> {
        match self {
            Self::Mbox(out) => out.commit(origin),
            Self::Archive(mut archive) => {
                archive.close()?;
                match archive.builder {
                    Builder::Tar(builder) => builder.into_inner()?.commit(origin),
                    Builder::Zip(writer) => writer.finish()?.into_inner().commit(origin),
                }
            }
        }
    }
}

impl Archive {
    /// Adds a message that is not held to an mbox in the archive.
    fn write_long_within(
        &mut self,
        entry: TarEntry,
        outgoing: &Outgoing<'_>,
        head: &[u8],
        file: File,
        length: u64,
        is_last: bool,
    ) -> io::Result<()> {
        let open = match &mut self.open {
            Some(open) => open,
            None => {
                let out = Packer::new(entry.packing, Sink::spooled())?;
                self.open.insert(Member { entry, out })
            }
        };
        long_in_mbox(&mut open.out, outgoing, head, file, length)?;
        if is_last { self.close() } else { Ok(()) }
    }
}

/// Adds a message to an mbox whose first octets are `head`, and which goes on in `file`.
fn long_in_mbox(
    out: &mut impl Write,
    outgoing: &Outgoing<'_>,
    head: &[u8],
    mut file: File,
    length: u64,
) -> io::Result<()> {
    begin(out, outgoing, head, length)?;
    io::copy(&mut file, out)?;
    out.write_all(line_end(outgoing, head))
}

/// Adds a message to an mbox: its `From ` line, its octets quoted, an empty line.
fn mbox(out: &mut impl Write, outgoing: &Outgoing<'_>, octets: &[u8]) -> io::Result<()> {
    let line_end = line_end(outgoing, octets);
    let quoted = quote(octets);
    begin(out, outgoing, &quoted, quoted.len() as u64)?;
    if !octets.is_empty() && !octets.ends_with(b"\n") {
        out.write_all(line_end)?;
    }
    out.write_all(line_end)
}

/// Adds the `From ` line and the beginning of a message of `length` octets, quoted.
fn begin(
    out: &mut impl Write,
    outgoing: &Outgoing<'_>,
    octets: &[u8],
    length: u64,
) -> io::Result<()> {
    let line_end = line_end(outgoing, octets);
    match outgoing.item.postmark() {
        // It belongs to the mailbox, whose programs compare it: its octets stay, whatever they are.
        Some(line) => out.write_all(line)?,
        None => out.write_all(new_postmark(outgoing, octets).as_bytes())?,
    }
    out.write_all(line_end)?;
    // What the name of a file in a Maildir says is lost with it.
    let Source::Name(path) = Source::of(outgoing.item) else {
        return out.write_all(&with_length(octets, length, line_end));
    };
    let keywords = flags::keywords(outgoing.item);
    let current = flags::without_outdated(path, keywords.as_deref(), octets);
    let length = length - (octets.len() - current.len()) as u64;
    out.write_all(&flags::as_fields(
        path,
        &keywords.unwrap_or_default(),
        &Message::parse(&current),
        line_end,
    ))?;
    out.write_all(&with_length(&current, length, line_end))
}

/// The line end of the message, of its mailbox if it has none, else LF.
fn line_end(outgoing: &Outgoing<'_>, octets: &[u8]) -> &'static [u8] {
    let ends_crlf =
        |octets: &[u8]| memchr::memchr(b'\n', octets).map(|at| at > 0 && octets[at - 1] == b'\r');
    let own = ends_crlf(octets);
    let crlf = own.or_else(|| ends_crlf(outgoing.item.postmark_line()?));
    if crlf == Some(true) { b"\r\n" } else { b"\n" }
}

/// A new `From ` line, from sender and date.
fn new_postmark(outgoing: &Outgoing<'_>, octets: &[u8]) -> String {
    let message = Message::parse(octets);
    let sender = ["return-path", "sender", "from"].iter().find_map(|name| {
        let address = message.mailboxes(name).first()?.address().to_owned();
        (!address.is_empty() && address.bytes().all(|octet| octet.is_ascii_graphic()))
            .then_some(address)
    });
    // The time of a file in a Maildir is that of its arrival, as this line has it.
    let arrived =
        if matches!(outgoing.item.home, Home::Maildir) { outgoing.arrived() } else { None };
    let date = asctime(arrived.or_else(|| outgoing.date(&message)).unwrap_or_default());
    format!("From {} {date}", sender.as_deref().unwrap_or("MAILER-DAEMON"))
}

/// Corrects `Content-Length`: a wrong one would mislead programs that split the mailbox by it.
/// `octets` may be only the beginning of all `length`.
fn with_length<'a>(octets: &'a [u8], length: u64, line_end: &[u8]) -> Cow<'a, [u8]> {
    let same = || Cow::Borrowed(octets);
    let Some(header) = header_of(octets, line_end) else { return same() };
    let Some(at) = content_length(header) else { return same() };
    let end = memchr::memchr(b'\n', &header[at..]).map_or(header.len(), |end| at + end + 1);
    let start = at + CONTENT_LENGTH.len();
    let value = start..(end - line_end.len()).max(start);

    let body = header.len() + line_end.len();
    let is_whole = octets.len() as u64 == length;
    let added = if is_whole && !octets.ends_with(b"\n") { line_end.len() } else { 0 };
    let length = (length - body as u64 + added as u64).to_string();
    if octets[value.clone()].trim_ascii() == length.as_bytes() {
        return same();
    }
    Cow::Owned([&octets[..value.start], b" ", length.as_bytes(), &octets[value.end..]].concat())
}

/// The name of the field, and its colon.
const CONTENT_LENGTH: &[u8] = b"content-length:";

/// The beginnings of lines that may be that field: most mail has none, and is passed over fast.
static BEGINNINGS: LazyLock<[Finder<'static>; 2]> =
    LazyLock::new(|| [Finder::new(b"\nC"), Finder::new(b"\nc")]);

/// The ends of a header, by line end.
static HEADER_ENDS: LazyLock<[Finder<'static>; 2]> =
    LazyLock::new(|| [Finder::new(b"\n\n"), Finder::new(b"\n\r\n")]);

/// Returns the header of a message, without the empty line after it, if that has come.
fn header_of<'a>(octets: &'a [u8], line_end: &[u8]) -> Option<&'a [u8]> {
    let [lf, crlf] = &*HEADER_ENDS;
    let finder = if line_end == b"\n" { lf } else { crlf };
    if octets.starts_with(line_end) {
        return Some(&[]);
    }
    finder.find(octets).map(|at| &octets[..=at])
}

/// Returns the offset of the first `Content-Length` in a header.
fn content_length(header: &[u8]) -> Option<usize> {
    let is_field = |at: &usize| {
        let name = header.get(*at..*at + CONTENT_LENGTH.len());
        name.is_some_and(|name| name.eq_ignore_ascii_case(CONTENT_LENGTH))
    };
    let lines = BEGINNINGS.iter().flat_map(|finder| finder.find_iter(header)).map(|at| at + 1);
    std::iter::once(0).chain(lines).filter(is_field).min()
}

/// Passes on what an archive says of a message.
fn with_entry(
    outgoing: &Outgoing<'_>,
    octets: &[u8],
    length: u64,
    add: impl FnOnce(Entry<'_>) -> io::Result<()>,
) -> io::Result<()> {
    if let Home::Tar { entry, .. } = &outgoing.item.home {
        return add(Entry::of(entry, length));
    }
    let mut header = Header::new_gnu();
    header.set_entry_type(EntryType::Regular);
    header.set_mode(0o644);
    let arrived = outgoing.arrived();
    let date = arrived.or_else(|| outgoing.date(&Message::parse(octets))).unwrap_or_default();
    header.set_mtime(u64::try_from(date).unwrap_or_default());
    let mut path = relative_name(outgoing);
    if let Home::Maildir = outgoing.item.home
        && let Some(name) = with_sizes(path.file_name().unwrap_or_default(), outgoing)?
    {
        path.set_file_name(name);
    }
    add(Entry { path: &path, header, length, options: None })
}

/// The name of an entry of an archive in another: unchanged, if that can be unpacked without harm.
/// Repeated names are unchanged, too: the last one is unpacked. A message out of a file of Outlook
/// or Apple Mail has a name of its own.
fn name_in_archive(entry: &TarEntry) -> &Path {
    if is_safe(&entry.path) && !entry.is_opened { &entry.path } else { &entry.unique }
}

/// The name of a member as ZIP archives have it.
fn name_in_zip(path: &Path) -> Cow<'_, str> {
    path.to_string_lossy()
}

/// Returns the name that a message has in a directory where each has a file of its own: it ends with
/// `.eml`. The flags in the name of a Maildir follow `_`, since no other system takes a colon.
pub fn name_of_eml(outgoing: &Outgoing<'_>) -> PathBuf {
    let relative = relative_name(outgoing);
    if is_eml(&relative) || Packing::of_name(&relative) != Packing::None {
        return relative;
    }
    let mut name = relative.file_name().unwrap_or_default().to_owned();
    if let (Home::Maildir, Some(text)) = (&outgoing.item.home, name.to_str()) {
        name = text.replace(':', "_").into();
    }
    name.push(".eml");
    relative.with_file_name(name)
}

/// The name of a message among others: that of its file, with its number if that is a mailbox.
fn relative_name(outgoing: &Outgoing<'_>) -> PathBuf {
    let relative = &*outgoing.item.relative;
    match &outgoing.item.home {
        Home::Alone if relative == Path::new("-") => PathBuf::from("message.eml"),
        Home::Alone | Home::Inside | Home::Maildir => relative.to_owned(),
        Home::Mbox { number, .. } => {
            let directory = if relative == Path::new("-") { Path::new("mbox") } else { relative };
            directory.join(format!("{number:06}.eml"))
        }
        Home::Folder { in_folder, .. } => {
            relative.with_extension("").join(format!("{in_folder:06}.eml"))
        }
        Home::Tar { entry, within: Some(within), .. } => {
            entry.unique.join(format!("{:06}.eml", within.number))
        }
        Home::Tar { entry, .. } => entry.unique.clone(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_wrong_length_is_corrected() {
        for (message, expected) in [
            ("Content-Length: 9\nA: b\n\nx\n", "Content-Length: 2\nA: b\n\nx\n"),
            ("A: b\nCONTENT-length:9\n\nx\n", "A: b\nCONTENT-length: 2\n\nx\n"),
            ("A: b\ncontent-Length:\n\nx", "A: b\ncontent-Length: 2\n\nx"),
            ("A: b\r\nContent-Length: 9\r\n\r\nx\r\n", "A: b\r\nContent-Length: 3\r\n\r\nx\r\n"),
            (
                "A: b\r\nContent-Length:\nC: d\r\n\r\nx\r\n",
                "A: b\r\nContent-Length: 3\nC: d\r\n\r\nx\r\n",
            ),
            ("A: b\nContent-Length: 2\n\nx\n", "A: b\nContent-Length: 2\n\nx\n"),
            ("A: b\nContent-Length: 9\n", "A: b\nContent-Length: 9\n"),
            ("A: b\n\nContent-Length: 9\n\nx\n", "A: b\n\nContent-Length: 9\n\nx\n"),
            ("\nContent-Length: 9\n", "\nContent-Length: 9\n"),
        ] {
            let line_end = if message.starts_with("A: b\r\n") { "\r\n" } else { "\n" };
            let found = with_length(message.as_bytes(), message.len() as u64, line_end.as_bytes());
            assert_eq!(String::from_utf8_lossy(&found), expected, "{message:?}");
        }
    }
}
