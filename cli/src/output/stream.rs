//! Many messages in one file: mbox, tar.

use std::borrow::Cow;
use std::fs::File;
use std::io::{self, Read, Seek, Write};
use std::path::{Path, PathBuf};

use sevenbit::Message;
use sevenbit::mbox::quote;
use tar::{Builder, EntryType, Header};

use super::Outgoing;
use super::flags;
use super::journal::Reached;
use super::packer::Packer;
use crate::input::{Home, MailboxKind, TarEntry, asctime, is_safe};

/// How many octets are read of a message that is not held: more than its header.
const HEAD: u64 = 4 << 20;

/// A file of many messages, being written.
pub enum Stream {
    /// mbox, as mboxrd.
    Mbox(Packer),
    /// tar.
    Tar(Box<Tar>),
}

/// A tar file, being written.
pub struct Tar {
    builder: Builder<Packer>,
    /// An mbox in it that is not complete.
    open: Option<Member>,
}

/// An mbox in a tar file, being written.
struct Member {
    /// Where it was in the tar file that it comes from: no other is there.
    offset: u64,
    header: Header,
    path: PathBuf,
    octets: Vec<u8>,
}

impl Tar {
    /// Adds a message to an mbox in the file, which is completed by its last message.
    fn write_within(
        &mut self,
        entry: &TarEntry,
        outgoing: &Outgoing<'_>,
        octets: &[u8],
        is_last: bool,
    ) -> io::Result<()> {
        if self.open.as_ref().is_some_and(|open| open.offset != entry.offset) {
            self.close()?;
        }
        let open = self.open.get_or_insert_with(|| Member {
            offset: entry.offset,
            header: entry.header.clone(),
            path: name_in_tar(entry).to_owned(),
            octets: Vec::new(),
        });
        mbox(&mut open.octets, outgoing, octets)?;
        if is_last { self.close() } else { Ok(()) }
    }

    /// Completes the mbox.
    fn close(&mut self) -> io::Result<()> {
        let Some(mut open) = self.open.take() else { return Ok(()) };
        open.header.set_size(open.octets.len() as u64);
        self.builder.append_data(&mut open.header, open.path, open.octets.as_slice())
    }
}

impl Stream {
    /// A file of this kind.
    pub fn new(kind: MailboxKind, out: Packer) -> Self {
        match kind {
            MailboxKind::Mbox => Self::Mbox(out),
            MailboxKind::Tar => Self::Tar(Box::new(Tar { builder: Builder::new(out), open: None })),
        }
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
            Self::Tar(tar) => match &outgoing.item.home {
                Home::Tar { entry, within: Some(within), .. } => {
                    tar.write_within(entry, outgoing, &octets, within.is_last)
                }
                _ => {
                    tar.close()?;
                    let (mut header, path) = tar_header(outgoing, &octets, octets.len() as u64);
                    tar.builder.append_data(&mut header, path, &*octets)
                }
            },
        }
    }

    /// Adds a message of `length` octets from `file`. None of its lines has to be quoted.
    fn write_long(&mut self, outgoing: &Outgoing<'_>, mut file: File, length: u64) -> io::Result<()> {
        let mut head = Vec::new();
        match self {
            Self::Mbox(out) => {
                (&file).take(HEAD).read_to_end(&mut head)?;
                begin(out, outgoing, &head, length)?;
                io::copy(&mut file, out)?;
                out.write_all(line_end(outgoing, &head))
            }
            Self::Tar(tar) => {
                tar.close()?;
                (&file).take(HEAD).read_to_end(&mut head)?;
                file.rewind()?;
                let (mut header, path) = tar_header(outgoing, &head, length);
                tar.builder.append_data(&mut header, path, file)
            }
        }
    }

    /// Whether it can contain entries that are not messages.
    pub fn takes_extra(&self) -> bool {
        matches!(self, Self::Tar(_))
    }

    /// Adds an entry that is not a message.
    ///
    /// # Errors
    /// Those of the file.
    pub fn write_extra(&mut self, entry: &TarEntry) -> io::Result<()> {
        let Self::Tar(tar) = self else { return Ok(()) };
        tar.close()?;
        let builder = &mut tar.builder;
        let mut header = entry.header.clone();
        match &entry.link {
            Some(link) => builder.append_link(&mut header, name_in_tar(entry), link),
            None => match &entry.long {
                Some(long) => {
                    let mut file = &long.file;
                    file.rewind()?;
                    builder.append_data(&mut header, name_in_tar(entry), file.take(long.length))
                }
                None => builder.append_data(&mut header, name_in_tar(entry), entry.octets.as_slice()),
            },
        }
    }

    /// How much has been flushed to the system, if the part already written stays when the job is interrupted.
    ///
    /// # Errors
    /// Those of the file.
    pub fn reached(&mut self) -> io::Result<Option<Reached>> {
        match self {
            Self::Mbox(out) => out.reached(),
            Self::Tar(tar) if tar.open.is_some() => Ok(None),
            Self::Tar(tar) => tar.builder.get_mut().reached(),
        }
    }

    /// Ends the file and gives it its name.
    ///
    /// # Errors
    /// Those of the file.
    pub fn commit(self) -> io::Result<()> {
        match self {
            Self::Mbox(out) => out.commit(),
            Self::Tar(mut tar) => {
                tar.close()?;
                tar.builder.into_inner()?.commit()
            }
        }
    }
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
fn begin(out: &mut impl Write, outgoing: &Outgoing<'_>, octets: &[u8], length: u64) -> io::Result<()> {
    let line_end = line_end(outgoing, octets);
    match outgoing.item.postmark() {
        // It belongs to the mailbox, whose programs compare it: its octets stay, whatever they are.
        Some(line) => out.write_all(line)?,
        None => out.write_all(new_postmark(outgoing, octets).as_bytes())?,
    }
    out.write_all(line_end)?;
    if matches!(outgoing.item.home, Home::Maildir) {
        // The name of its file, which says so, is lost here.
        out.write_all(&flags::as_fields(&outgoing.item.relative, &Message::parse(octets), line_end))?;
    }
    out.write_all(&with_length(octets, length, line_end))
}

/// The line end of the message, of its mailbox if it has none, else LF.
fn line_end(outgoing: &Outgoing<'_>, octets: &[u8]) -> &'static [u8] {
    let ends_crlf = |octets: &[u8]| memchr::memchr(b'\n', octets).map(|at| at > 0 && octets[at - 1] == b'\r');
    let own = ends_crlf(octets);
    let crlf = own.or_else(|| ends_crlf(outgoing.item.postmark_line()?));
    if crlf == Some(true) { b"\r\n" } else { b"\n" }
}

/// A new `From ` line, from sender and date.
fn new_postmark(outgoing: &Outgoing<'_>, octets: &[u8]) -> String {
    let message = Message::parse(octets);
    let sender = ["return-path", "sender", "from"].iter().find_map(|name| {
        let address = message.mailboxes(name).first()?.address().to_owned();
        (!address.is_empty() && address.bytes().all(|octet| octet.is_ascii_graphic())).then_some(address)
    });
    let date = asctime(outgoing.date(&message).unwrap_or_default());
    format!("From {} {date}", sender.as_deref().unwrap_or("MAILER-DAEMON"))
}

/// Corrects `Content-Length`: a wrong one would mislead programs that split the mailbox by it.
/// `octets` may be only the beginning of all `length`.
fn with_length<'a>(octets: &'a [u8], length: u64, line_end: &[u8]) -> Cow<'a, [u8]> {
    const NAME: &[u8] = b"content-length:";
    let same = || Cow::Borrowed(octets);
    let mut at = 0;
    let mut field = None;
    let body = loop {
        let Some(end) = memchr::memchr(b'\n', &octets[at..]).map(|end| at + end + 1) else { return same() };
        let line = &octets[at..end];
        if line == line_end {
            break end;
        }
        if line.get(..NAME.len()).is_some_and(|name| name.eq_ignore_ascii_case(NAME)) {
            field = field.or(Some(at + NAME.len()..end - line_end.len().min(end - at)));
        }
        at = end;
    };
    let Some(value) = field else { return same() };
    let is_whole = octets.len() as u64 == length;
    let added = if is_whole && !octets.ends_with(b"\n") { line_end.len() } else { 0 };
    let length = (length - body as u64 + added as u64).to_string();
    if octets[value.clone()].trim_ascii() == length.as_bytes() {
        return same();
    }
    Cow::Owned([&octets[..value.start], b" ", length.as_bytes(), &octets[value.end..]].concat())
}

/// The header and the name of a message in a tar file.
fn tar_header(outgoing: &Outgoing<'_>, octets: &[u8], length: u64) -> (Header, PathBuf) {
    if let Home::Tar { entry, .. } = &outgoing.item.home {
        let mut header = entry.header.clone();
        header.set_size(length);
        return (header, name_in_tar(entry).to_owned());
    }
    let mut header = Header::new_gnu();
    header.set_entry_type(EntryType::Regular);
    header.set_size(length);
    header.set_mode(0o644);
    let date = outgoing.date(&Message::parse(octets)).unwrap_or_default();
    header.set_mtime(u64::try_from(date).unwrap_or_default());
    (header, relative_name(outgoing))
}

/// The name of an entry of a tar file in another: unchanged, if that can be unpacked without harm. Repeated names are
/// unchanged, too: the last one is unpacked. A message out of a file of Outlook has a name of its own.
fn name_in_tar(entry: &TarEntry) -> &Path {
    if is_safe(&entry.path) && !entry.is_opened { &entry.path } else { &entry.unique }
}

/// The name of a message among others: that of its file, with its number if that is a mailbox.
pub fn relative_name(outgoing: &Outgoing<'_>) -> PathBuf {
    let relative = &*outgoing.item.relative;
    match &outgoing.item.home {
        Home::Alone if relative == Path::new("-") => PathBuf::from("message.eml"),
        Home::Alone | Home::Inside | Home::Maildir => relative.to_owned(),
        Home::Mbox { position, .. } => {
            let directory = if relative == Path::new("-") { Path::new("mbox") } else { relative };
            directory.join(format!("{:06}.eml", position.number))
        }
        Home::Folder { position, .. } => {
            relative.with_extension("").join(format!("{:06}.eml", position.number))
        }
        Home::Tar { entry, within: Some(within), .. } => {
            entry.unique.join(format!("{:06}.eml", within.number))
        }
        Home::Tar { entry, .. } => entry.unique.clone(),
    }
}
