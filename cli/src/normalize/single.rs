//! Whether a message that is a file is that message and nothing else. If not, what it becomes must not replace it: of a
//! mailbox that was taken for one message, all but the first would become text of that.

use std::collections::BTreeSet;
use std::io::{self, Read};

use sevenbit::Message;
use sevenbit::mbox::may_hold_several;

use super::task::Task;
use crate::input::{Home, Item, begins_from_line, is_eml};

/// The fields that tell mail from other files that begin like a header; two of them do.
const FIELDS_OF_MAIL: [&str; 13] = [
    "cc",
    "content-type",
    "date",
    "delivered-to",
    "from",
    "message-id",
    "mime-version",
    "received",
    "reply-to",
    "return-path",
    "sender",
    "subject",
    "to",
];

/// Returns why the message `item` with this `head` must stay as it is, if there is a reason; `whole` reads all of it.
///
/// # Errors
/// Those of reading it.
pub fn doubt<R: Read>(
    task: &Task,
    item: &Item,
    head: &[u8],
    whole: impl FnOnce() -> io::Result<R>,
) -> io::Result<Option<&'static str>> {
    if item.postmark_line().is_some() {
        return Ok(None); // an mbox is cut already
    }
    let is_replaced = task.in_place && matches!(item.home, Home::Alone);
    let (begins, is_named) = (begins_from_line(head), is_eml(&item.name));
    if is_replaced {
        match (fields_of_mail(head), is_named) {
            (None, _) => return Ok(Some("it has no header field: no mail")),
            (Some(..2), false) => return Ok(Some("it has hardly any field that mail has: perhaps no mail")),
            _ if begins && !is_named => return Ok(Some("it begins with a `From ` line, as mailboxes do")),
            _ => {}
        }
    }
    let is_searched =
        if is_replaced { begins || !is_named } else { begins && (task.in_place || task.verify) };
    let is_doubtful = is_searched && may_hold_several(whole()?)?;
    Ok(is_doubtful.then_some("it may hold more than one message"))
}

/// Returns how many fields of mail a header has; nothing if it has no field at all.
fn fields_of_mail(head: &[u8]) -> Option<usize> {
    let names: Vec<String> =
        Message::parse(head).headers().map(|(name, _)| name.to_ascii_lowercase()).collect();
    let known: BTreeSet<&str> =
        names.iter().map(String::as_str).filter(|name| FIELDS_OF_MAIL.contains(name)).collect();
    (!names.is_empty()).then_some(known.len())
}
