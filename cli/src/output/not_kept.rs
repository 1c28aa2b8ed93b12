//! What an input says of a message beside its octets, and the output has no place for.

use sevenbit::Message;

use super::flags::{self, Source};
use super::{Form, Outgoing, Target};
use crate::input::{Home, MailboxKind, folder};

/// Something that the output has no place for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum NotKept {
    /// The folder or the mailbox that a message was in.
    Folder,
    /// The keywords.
    Keywords,
    /// The sender in the `From ` line.
    FromLine,
}

impl NotKept {
    /// What it is, for people.
    pub fn said(self) -> &'static str {
        match self {
            Self::Folder => "the folder",
            Self::Keywords => "keywords",
            Self::FromLine => "the sender in a `From ` line, which is in no Return-Path",
        }
    }

    /// The word in reports.
    pub fn word(self) -> &'static str {
        match self {
            Self::Folder => "folder",
            Self::Keywords => "keywords",
            Self::FromLine => "from-line",
        }
    }
}

/// Returns what `target` has no place for. `has_others` says that messages come from more than one
/// mailbox.
pub fn by(
    target: &Target,
    outgoing: &Outgoing<'_>,
    has_others: bool,
    are_keywords_kept: bool,
) -> Vec<NotKept> {
    let home = &outgoing.item.home;
    let is_in_mailbox = outgoing.item.position().is_some();
    match target {
        Target::Stream { kind: MailboxKind::Mbox, .. } => {
            let folder = is_in_folder(outgoing, has_others).then_some(NotKept::Folder);
            folder.into_iter().chain(by_mbox(outgoing)).collect()
        }
        Target::Mailboxes(_) => by_mbox(outgoing).into_iter().collect(),
        // A member of an archive stays what it is, and so does a message in a mailbox or a Maildir.
        Target::Stream { .. } if matches!(home, Home::Tar { .. }) => Vec::new(),
        Target::Directory { form: Form::Same, .. } if matches!(home, Home::Maildir) => {
            if are_keywords_kept {
                Vec::new()
            } else {
                vec![NotKept::Keywords]
            }
        }
        Target::Directory { form: Form::Same, .. } if is_in_mailbox => Vec::new(),
        Target::Stream { .. } | Target::Directory { .. } => by_file(outgoing).into_iter().collect(),
        Target::Maildir(_) => by_maildir(outgoing, are_keywords_kept),
        Target::Nothing | Target::Stdout | Target::File(_) | Target::InPlace => Vec::new(),
    }
}

/// Returns what an mbox has no place for.
fn by_mbox(outgoing: &Outgoing<'_>) -> Option<NotKept> {
    let Source::Name(path) = Source::of(outgoing.item) else { return None };
    let names = flags::keywords(outgoing.item).unwrap_or_default();
    (flags::keyword_letters(path) > names.len()).then_some(NotKept::Keywords)
}

/// Returns what a Maildir has no place for.
fn by_maildir(outgoing: &Outgoing<'_>, are_keywords_kept: bool) -> Vec<NotKept> {
    let mut not_kept = Vec::new();
    if !are_keywords_kept {
        not_kept.push(NotKept::Keywords);
    }
    not_kept.extend(by_file(outgoing));
    not_kept
}

/// Returns what a file of one message has no place for: the time of the `From ` line is that of the
/// file, its sender is kept if a `Return-Path` has it.
fn by_file(outgoing: &Outgoing<'_>) -> Option<NotKept> {
    let postmark = outgoing.item.postmark()?;
    let sender = postmark.split(|octet| *octet == b' ').nth(1).unwrap_or_default();
    if sender.is_empty() || matches!(sender, b"-" | b"MAILER-DAEMON") || is_of_takeout(sender) {
        return None;
    }
    let head = outgoing.head().ok()?;
    let header = Message::parse(header_of(&head));
    let path = header.header("return-path").unwrap_or_default();
    let is_there = path.as_bytes().windows(sender.len()).any(|at| at.eq_ignore_ascii_case(sender));
    (!is_there).then_some(NotKept::FromLine)
}

/// Returns whether a sender is the number of a message in Gmail, as it stands in a Takeout:
/// `1687421234567890123@xxx`.
fn is_of_takeout(sender: &[u8]) -> bool {
    sender.strip_suffix(b"@xxx").is_some_and(|number| number.iter().all(u8::is_ascii_digit))
}

/// Returns whether a message was in a folder or a mailbox of its own.
fn is_in_folder(outgoing: &Outgoing<'_>, has_others: bool) -> bool {
    let item = outgoing.item;
    match &item.home {
        Home::Maildir => folder(&item.relative).is_some(),
        Home::Folder { .. } | Home::Tar { within: Some(_), .. } => true,
        Home::Mbox { .. } => has_others,
        Home::Alone | Home::Inside | Home::Tar { .. } => false,
    }
}

/// The header of a message, with the empty line after it.
fn header_of(octets: &[u8]) -> &[u8] {
    let end = |mark: &[u8]| memchr::memmem::find(octets, mark).map(|at| at + mark.len());
    let end = [end(b"\r\n\r\n"), end(b"\n\n")].into_iter().flatten().min();
    &octets[..end.unwrap_or(octets.len())]
}
