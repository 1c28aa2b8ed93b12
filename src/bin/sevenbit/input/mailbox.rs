//! A file of many messages, read one message at a time.

use std::fs;
use std::io::{self, Read};
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::item::{Found, Home, Item, Mailbox, MailboxKind, Position, Source};
use super::kind::holds_more;
use super::mbox::{Dialect, Mbox};
use super::packed::{open, unpack};
use super::{Visit, tar};
use crate::exit::{Exit, Failure};

/// Visits the beginning of the mailbox at `path`, its messages, and its end. `-` is standard input.
pub fn visit(
    path: &Path,
    relative: &Path,
    dialect: Option<Dialect>,
    visit: &mut Visit<'_>,
) -> ControlFlow<()> {
    let stdin = path == Path::new("-");
    let before = if stdin { None } else { fs::metadata(path).ok() };
    let stream = if stdin { unpack(io::stdin()) } else { open(path) };
    let stream = match stream {
        Ok(stream) => stream.into_stream(),
        Err(error) => return visit(Err(Failure::reading(path, &error))),
    };
    let kind = if dialect.is_some() { MailboxKind::Mbox } else { MailboxKind::Tar };
    let permissions = before.as_ref().map(fs::Metadata::permissions);
    let mailbox = Arc::new(Mailbox { name: path.into(), relative: relative.into(), kind, permissions });
    visit(Ok(Found::Opens(Arc::clone(&mailbox))))?;
    let mut last = None;
    let read = match dialect {
        Some(dialect) => mbox(stream, dialect, &mailbox, &mut last, visit),
        None => tar(stream, &mailbox, &mut last, visit),
    };
    let failed = match read {
        Ok(flow) => {
            flow?;
            before
                .filter(|before| has_changed(before, path))
                .map(|_| Failure::new(Exit::TryAgain, path, "changed while it was read"))
        }
        Err(error) => Some(Failure::reading(&after(path, last), &error)),
    };
    let whole = failed.is_none();
    if let Some(failure) = failed {
        visit(Err(failure))?;
    }
    visit(Ok(Found::Closes { whole }))
}

/// The place where reading broke off: `in.mbox: after message 17, octet 123456`.
fn after(path: &Path, last: Option<Position>) -> PathBuf {
    match last {
        Some(last) => {
            format!("{}: after message {}, octet {}", path.display(), last.number, last.span.end).into()
        }
        None => path.to_owned(),
    }
}

/// Whether a file is no more what it was when reading began.
fn has_changed(before: &fs::Metadata, path: &Path) -> bool {
    before.is_file()
        && !fs::metadata(path)
            .is_ok_and(|after| after.len() == before.len() && after.modified().ok() == before.modified().ok())
}

fn mbox(
    stream: impl Read,
    dialect: Dialect,
    mailbox: &Mailbox,
    last: &mut Option<Position>,
    visit: &mut Visit<'_>,
) -> io::Result<ControlFlow<()>> {
    let mut mbox = Mbox::new(stream, dialect);
    for number in 1.. {
        let Some(mail) = mbox.next_mail()? else { break };
        let position = Position { number, span: mail.span };
        *last = Some(position.clone());
        let home = Home::Mbox { position, postmark: mail.postmark };
        if visit(Ok(Found::Message(item(mailbox, mail.message, home)))).is_break() {
            return Ok(ControlFlow::Break(()));
        }
    }
    Ok(ControlFlow::Continue(()))
}

fn tar(
    stream: impl Read,
    mailbox: &Mailbox,
    last: &mut Option<Position>,
    visit: &mut Visit<'_>,
) -> io::Result<ControlFlow<()>> {
    let mut number = 0;
    tar::entries(stream, |mut entry| {
        if !entry.is_file() {
            return visit(Ok(Found::Extra(Box::new(entry))));
        }
        if holds_more(&entry.octets) {
            let name = format!("{}: {}", mailbox.name.display(), entry.path.display());
            let reason = "is itself a mailbox or packed, and stays as it is: unpack the tar file first";
            visit(Err(Failure::new(Exit::Refused, Path::new(&name), reason)))?;
            return visit(Ok(Found::Extra(Box::new(entry))));
        }
        number += 1;
        let octets = std::mem::take(&mut entry.octets);
        let position = Position { number, span: entry.offset..entry.offset + octets.len() as u64 };
        *last = Some(position.clone());
        let home = Home::Tar { position, entry: Box::new(entry) };
        visit(Ok(Found::Message(item(mailbox, octets, home))))
    })
}

fn item(mailbox: &Mailbox, octets: Vec<u8>, home: Home) -> Item {
    let (name, relative) = (Arc::clone(&mailbox.name), Arc::clone(&mailbox.relative));
    Item { name, relative, source: Source::Octets(octets), home }
}
