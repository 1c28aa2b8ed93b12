//! Whether a message that is a file is that message and nothing else. If not, what it becomes must
//! not replace it: of a mailbox that was taken for one message, all but the first would become text
//! of that.

use std::io::{self, Read};

use sevenbit::Message;
use sevenbit::mbox::may_hold_several;

use super::task::Task;
use crate::input::{Home, Item, begins_from_line, is_eml};

/// Returns why the message `item` with this `head` must stay as it is, if there is a reason;
/// `whole` reads all of it.
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
    if task.in_place && matches!(item.home, Home::Inside) {
        return Ok(Some(
            "it is in a file of Apple Mail or Outlook, which has more in it than the message: it needs `-o`",
        ));
    }
    let is_replaced = task.in_place && matches!(item.home, Home::Alone);
    let (begins, is_named) = (begins_from_line(head), is_eml(&item.name));
    if is_replaced {
        if !has_field(head) {
            return Ok(Some("it has no header field: no mail"));
        }
        if begins && !is_named {
            return Ok(Some("it begins with a `From ` line, as mailboxes do"));
        }
    }
    let is_searched =
        if is_replaced { begins || !is_named } else { begins && (task.in_place || task.verify) };
    let is_doubtful = is_searched && may_hold_several(whole()?)?;
    Ok(is_doubtful.then_some("it may hold more than one message"))
}

/// Returns whether a message has a header field.
fn has_field(head: &[u8]) -> bool {
    Message::parse(head).headers().next().is_some()
}
