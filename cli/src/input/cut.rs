//! Mailboxes cut into messages, whatever the mailbox is: an mbox, or one of an older program.

use std::io::{self, Read};
use std::ops::Range;

use sevenbit::Date;
use sevenbit::mbox::{Dialect, Mbox};
use sevenbit_store::ending::{Damage, Ending};
use sevenbit_store::old::{Cutter, Envelope, Format};

use super::dates::asctime;
use super::item::MailSource;
use super::long::Long;

/// A mailbox that is read one message at a time. If it is damaged, all before the damage is read.
pub(super) struct MailboxReader<R> {
    cut: Cut<Ending<R>>,
    damage: Damage,
    /// Whether there was a message.
    has_messages: bool,
}

/// What cuts a mailbox into messages.
enum Cut<R> {
    Mbox(Box<Mbox<R>>),
    /// A mailbox of an older program, with the maximum length of a message that is held.
    Old(Box<Cutter<R>>, usize),
}

/// A message of a mailbox.
pub(super) struct MailboxMessage {
    /// The octets.
    pub source: MailSource,
    /// The `From ` line, or one that says the same.
    pub postmark: Vec<u8>,
    /// The place of its octets in the mailbox.
    pub span: Range<u64>,
    /// The places where it is doubtful that a `From ` line separates messages.
    pub doubts: Vec<u64>,
}

impl<R: Read> MailboxReader<R> {
    /// Returns the reader of an mbox; messages longer than `max` are not held.
    pub fn mbox(octets: R, dialect: Dialect, max: usize) -> Self {
        Self::new(octets, |octets| Cut::Mbox(Box::new(Mbox::new(octets, dialect).limit(max))))
    }

    /// Returns the reader of a mailbox of an older program; messages longer than `max` are not
    /// held.
    pub fn old(octets: R, format: Format, max: usize) -> Self {
        Self::new(octets, |octets| Cut::Old(Box::new(Cutter::new(octets, format)), max))
    }

    fn new(octets: R, cut: impl FnOnce(Ending<R>) -> Cut<Ending<R>>) -> Self {
        let (octets, damage) = Ending::new(octets);
        Self { cut: cut(octets), damage, has_messages: false }
    }

    /// Returns the next message; `None` at the end. The last one before damage may be cut: the
    /// error after it says so.
    ///
    /// # Errors
    /// The mailbox cannot be read, or a long message cannot be kept in a file.
    pub fn next_message(&mut self) -> io::Result<Option<MailboxMessage>> {
        if let Some(message) = self.cut.next_message()? {
            self.has_messages = true;
            return Ok(Some(message));
        }

        match self.damage.take() {
            Some(error) if self.has_messages => Err(io::Error::new(
                error.kind(),
                format!("{error}; the last message may not be whole"),
            )),
            Some(error) => Err(error),
            None => Ok(None),
        }
    }
}

impl<R: Read> Cut<R> {
    /// Returns the next message; `None` where the octets end.
    fn next_message(&mut self) -> io::Result<Option<MailboxMessage>> {
        match self {
            Self::Mbox(mbox) => {
                let Some(mail) = mbox.next().transpose()? else { return Ok(None) };
                let (span, is_whole) = (mail.span(), mail.is_whole());
                let (postmark, octets) = mail.into_parts();
                let source = if is_whole {
                    MailSource::Octets(octets)
                } else {
                    MailSource::Long(Box::new(Long::spooled(&octets, mbox.rest())?))
                };

                Ok(Some(MailboxMessage { source, postmark, span, doubts: mbox.doubts() }))
            }
            Self::Old(cutter, max) => {
                let Some(envelope) = cutter.next_message()? else { return Ok(None) };
                let mut octets = Vec::new();
                cutter.by_ref().take((*max as u64).saturating_add(1)).read_to_end(&mut octets)?;
                let source = if octets.len() <= *max {
                    MailSource::Octets(envelope.with_fields(octets))
                } else {
                    MailSource::Long(Box::new(Long::spooled(&octets, &mut **cutter)?))
                };

                let span = envelope.begin..cutter.end();
                Ok(Some(MailboxMessage {
                    source,
                    postmark: postmark(&envelope),
                    span,
                    doubts: Vec::new(),
                }))
            }
        }
    }
}

/// Returns a `From ` line with what a mailbox says of a message: its own, or one with the date when
/// it arrived.
fn postmark(envelope: &Envelope) -> Vec<u8> {
    match Date::read(envelope.date.as_bytes()) {
        Some(date) if envelope.postmark.is_empty() => {
            format!("From MAILER-DAEMON {}\n", asctime(date.timestamp())).into_bytes()
        }
        _ => envelope.postmark.clone(),
    }
}
