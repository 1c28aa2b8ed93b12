//! The kind of an input: declared with `--format`, or recognised.

use std::fs::File;
use std::io::{self, IsTerminal as _, Read as _};
use std::path::Path;

use sevenbit::mbox::{Dialect, holds_several};
use sevenbit_store::old::Format;
use sevenbit_store::{
    HEAD, Kind, Mailbox, Outlook, Recognised, TAR_WITHOUT_MAIL, Wrapping, ZIP_WITHOUT_MAIL,
    recognise,
};
use sevenbit_store::{members, zipped};

use super::format::Format as Declared;
use super::item::MailboxKind;
use super::maildir::{is_folder, is_maildir};
use super::packed::{Packing, Unpacked, open, unpack};

/// How far into standard input a second message is searched for.
const FAR: usize = 1 << 20;

/// Whether this build reads files of Outlook; another one refuses them by name.
const READS_OUTLOOK: bool = cfg!(feature = "outlook");

/// The kind of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FileKind {
    /// One message.
    Message,
    /// One message, packed.
    Packed,
    /// One message of Apple Mail, in its file with a property list.
    Emlx,
    /// One message of Outlook, in its file.
    Msg,
    /// An mbox.
    Mbox(Dialect),
    /// A mailbox of an older program.
    Old(Format),
    /// A tar file.
    Tar,
    /// A ZIP archive.
    Zip,
    /// A store of Outlook: folders of messages.
    Folders,
    /// A file that is not read.
    Unread(Unread),
}

/// A file that is not read, and what it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unread {
    /// No mail.
    NoMail(Kind),
    /// Mail in a form that is not read.
    Foreign(&'static str),
}

impl Unread {
    /// What the file is, in words: `a PDF document`.
    pub fn words(self) -> &'static str {
        match self {
            Self::NoMail(kind) => kind.one,
            Self::Foreign(words) => words,
        }
    }

    /// Why the file is not read: `is no mail, but a PDF document`.
    pub fn reason(self) -> String {
        match self {
            Self::NoMail(kind) => {
                format!("is no mail, but {}; `--format eml` reads it as a message", kind.one)
            }
            Self::Foreign(words) => {
                format!("is {words}, which is not read: export it as mbox or .eml")
            }
        }
    }
}

impl FileKind {
    /// Returns what `--format` declares a file to be; nothing if it is to be detected.
    pub fn declared(format: Declared) -> Option<Self> {
        Some(match format {
            Declared::Auto | Declared::Maildir => return None,
            Declared::Eml => Self::Message,
            Declared::Mbox => Self::Mbox(Dialect::Auto),
            Declared::Mboxo => Self::Mbox(Dialect::Mboxo),
            Declared::Mboxrd => Self::Mbox(Dialect::Mboxrd),
            Declared::Mboxcl => Self::Mbox(Dialect::Mboxcl),
            Declared::Mboxcl2 => Self::Mbox(Dialect::Mboxcl2),
            Declared::Tar => Self::Tar,
        })
    }

    /// Returns what a file is, given by name or found in a directory. If it cannot be opened,
    /// reading it will show that. A pipe can be read only once, so it is a message unless declared
    /// otherwise.
    pub fn of_file(path: &Path, format: Declared) -> Self {
        let looked = || if path.is_file() { Some(look(path)) } else { None };
        Self::declared(format)
            .map(|declared| of_declared(declared, path))
            .or_else(looked)
            .unwrap_or(Self::Message)
    }

    /// Returns what standard input is, and what was read of it to find out. An mbox is assumed only
    /// if it certainly has several messages: a program that delivers a single one may have put a
    /// `From ` line before it.
    ///
    /// # Errors
    /// Standard input cannot be read.
    pub fn of_stdin(format: Declared) -> io::Result<(Self, Option<Unpacked>)> {
        if let Some(declared) = Self::declared(format) {
            return Ok((declared, None));
        }
        if io::stdin().is_terminal() {
            return Ok((Self::Message, None));
        }
        let mut found = unpack(io::stdin())?;
        let is_plain = found.packing == Packing::None;
        let kind = match of_octets(&found.first, Path::new("-")) {
            // What a compound file is may only be known far into it; on standard input it can but
            // be a message.
            Self::Unread(Unread::NoMail(_))
                if of_octets(&found.first, Path::new("-.msg")) == Self::Msg =>
            {
                Self::Msg
            }
            // What comes on standard input is mail: a filter gets nothing else.
            Self::Unread(Unread::NoMail(_)) | Self::Message | Self::Emlx if is_plain => {
                Self::Message
            }
            Self::Mbox(_) if is_plain && !holds_several(found.look_on(FAR)?)? => Self::Message,
            Self::Unread(Unread::NoMail(_)) | Self::Message | Self::Emlx => Self::Packed,
            kind => kind,
        };
        Ok((kind, Some(found)))
    }
}

/// Returns how a file is read that was declared to be one message: those of Apple Mail and Outlook
/// are that too, but not as text.
fn of_declared(declared: FileKind, path: &Path) -> FileKind {
    if declared != FileKind::Message {
        return declared;
    }
    match first_octets(path).map(|first| of_octets(&first, path)) {
        Ok(
            kind @ (FileKind::Old(_)
            | FileKind::Emlx
            | FileKind::Msg
            | FileKind::Folders
            | FileKind::Unread(Unread::Foreign(_))),
        ) => kind,
        _ => declared,
    }
}

/// Recognises a file. A file that begins as if it were packed is packed, even if it cannot be
/// unpacked: reading it will report that.
fn look(path: &Path) -> FileKind {
    let Ok(first) = first_octets(path) else { return FileKind::Message };
    if Packing::of_octets(&first) == Packing::None {
        return match of_octets(&first, path) {
            // A folder of Thunderbird without a message.
            _ if first.is_empty() && has_index(path) => FileKind::Mbox(Dialect::Auto),
            // A single message may have been saved with its `From ` line; its name says so.
            FileKind::Mbox(_) if is_eml(path) && !is_several(path) => FileKind::Message,
            kind => if_with_mail(kind, path),
        };
    }
    let Ok(found) = open(path) else { return FileKind::Packed };
    let name = Packing::unpacked_name(path);
    match of_octets(&found.first, &name) {
        FileKind::Mbox(_) if is_eml(&name) => FileKind::Packed,
        FileKind::Message => FileKind::Packed,
        FileKind::Emlx => FileKind::Unread(Unread::Foreign("a packed message of Apple Mail")),
        FileKind::Folders => FileKind::Unread(Unread::Foreign("a packed store of Outlook")),
        kind => if_with_mail(kind, path),
    }
}

/// Returns whether an index of Thunderbird lies beside a file, which is a folder then.
fn has_index(path: &Path) -> bool {
    let mut index = path.as_os_str().to_owned();
    index.push(".msf");
    Path::new(&index).is_file()
}

/// Returns the kind of a file, unless it is an archive without mail, which is none.
fn if_with_mail(kind: FileKind, path: &Path) -> FileKind {
    match kind {
        FileKind::Zip if !zip_holds_mail(path) => {
            FileKind::Unread(Unread::NoMail(ZIP_WITHOUT_MAIL))
        }
        FileKind::Tar if !tar_holds_mail(path) => {
            FileKind::Unread(Unread::NoMail(TAR_WITHOUT_MAIL))
        }
        kind => kind,
    }
}

impl FileKind {
    /// The kind of mailbox that it is, if it is a file of many messages. One of an older program
    /// becomes an mbox.
    pub fn mailbox(self) -> Option<MailboxKind> {
        match self {
            Self::Mbox(_) | Self::Old(_) => Some(MailboxKind::Mbox),
            Self::Tar => Some(MailboxKind::Tar),
            Self::Zip => Some(MailboxKind::Zip),
            _ => None,
        }
    }
}

/// Returns what octets are, by the first of them and by their name.
pub fn of_octets(first: &[u8], name: &Path) -> FileKind {
    match recognise(first, name) {
        Recognised::Message => FileKind::Message,
        Recognised::Emlx => FileKind::Emlx,
        Recognised::Mailbox(Mailbox::Mbox) => FileKind::Mbox(Dialect::Auto),
        Recognised::Mailbox(Mailbox::Mmdf) => FileKind::Old(Format::Mmdf),
        Recognised::Mailbox(Mailbox::Mbx) => FileKind::Old(Format::Mbx),
        Recognised::Mailbox(other) => FileKind::Unread(Unread::Foreign(other.words())),
        Recognised::Wrapping(Wrapping::Tar) => FileKind::Tar,
        Recognised::Wrapping(Wrapping::Gz | Wrapping::Zst | Wrapping::Bz2 | Wrapping::Xz) => {
            FileKind::Packed
        }
        Recognised::Wrapping(Wrapping::Zip) => FileKind::Zip,
        Recognised::Outlook(Outlook::Msg | Outlook::Oft) if READS_OUTLOOK => FileKind::Msg,
        Recognised::Outlook(Outlook::Pst | Outlook::Ost) if READS_OUTLOOK => FileKind::Folders,
        Recognised::Outlook(outlook) => FileKind::Unread(Unread::Foreign(outlook.words())),
        Recognised::NoMail(kind) => FileKind::Unread(Unread::NoMail(kind)),
    }
}

/// Returns the octets that tell what a file is.
fn first_octets(path: &Path) -> io::Result<Vec<u8>> {
    let mut first = Vec::with_capacity(HEAD);
    File::open(path)?.take(HEAD as u64).read_to_end(&mut first)?;
    Ok(first)
}

/// Whether octets that should be one message are several, or are packed.
pub fn holds_more(octets: &[u8]) -> bool {
    // Reading from memory does not fail.
    is_packed(octets) || holds_several(octets).unwrap_or_default()
}

/// Whether octets that should be one message are packed.
fn is_packed(octets: &[u8]) -> bool {
    matches!(of_octets(octets, Path::new("")), FileKind::Packed | FileKind::Tar | FileKind::Zip)
}

/// Whether there may be mail in a ZIP archive. If it cannot be read, reading it again will report
/// that.
fn zip_holds_mail(path: &Path) -> bool {
    let members = File::open(path).and_then(|file| zipped::Members::new(Box::new(file)));
    members.map_or(true, zipped::Members::hold_mail)
}

/// Whether there may be mail in a tar file, packed or not, which is read up to the first member that
/// may be some. If it cannot be read, reading it again will report that.
fn tar_holds_mail(path: &Path) -> bool {
    let Ok(found) = open(path) else { return true };
    let mut members = members::Members::new(found.into_stream());
    while let Some(member) = members.next(|entry, _| may_be_mail(entry)) {
        if member.unwrap_or(true) {
            return true;
        }
    }
    false
}

/// Whether a member of a tar file may be mail, or an archive with some.
fn may_be_mail(member: &mut tar::Entry<'_, impl io::Read>) -> io::Result<bool> {
    let name = member.path()?.into_owned();
    if !member.header().entry_type().is_file() {
        return Ok(false);
    }
    let mut first = Vec::new();
    member.take(HEAD as u64).read_to_end(&mut first)?;
    let is_no_mail = matches!(of_octets(&first, &name), FileKind::Unread(Unread::NoMail(_)));
    Ok(!is_no_mail || is_message_of_maildir(&name))
}

/// Whether the name of a file in an archive is one of a message in a Maildir.
pub fn is_message_of_maildir(name: &Path) -> bool {
    let directory = name.parent().and_then(Path::file_name).unwrap_or_default();
    directory == "cur" || directory == "new"
}

/// Whether a file certainly contains several messages. If it cannot be read, reading it again will
/// report that.
fn is_several(path: &Path) -> bool {
    File::open(path).and_then(holds_several).unwrap_or_default()
}

/// Whether octets begin with a `From ` line, quoted or not, after empty lines. Nothing but empty
/// lines may go on like that.
pub fn begins_from_line(octets: &[u8]) -> bool {
    let first = octets.trim_ascii_start();
    first.is_empty() || first.starts_with(b"From ") || first.starts_with(b">From ")
}

/// Whether the name of a file says that it is one message.
pub fn is_eml(path: &Path) -> bool {
    path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("eml"))
}

/// Whether a directory is read as a Maildir.
pub fn is_read_as_maildir(directory: &Path, format: Declared) -> bool {
    match format {
        Declared::Auto => is_maildir(directory),
        Declared::Maildir => is_folder(directory),
        _ => false,
    }
}
