//! `sevenbit mailbox-name`: IMAP mailbox names, one per line.

use std::borrow::Cow;

use crate::args::{MailboxName, MailboxNameCommand};
use crate::exit::{Exit, Failure};
use crate::lines::{self, Folds};
use crate::term::Console;

/// Runs the command.
///
/// # Errors
/// Standard input or output fails.
pub fn run(args: &MailboxName, console: &Console) -> Result<Exit, Failure> {
    match &args.command {
        MailboxNameCommand::Decode(args) if args.lenient => {
            lines::run(&args.lines, Folds::Kept, console, |line| {
                Ok(sevenbit::mailbox_name::decode(line).into())
            })
        }
        MailboxNameCommand::Decode(args) => {
            lines::run(&args.lines, Folds::Kept, console, |line| strict(line).map(Into::into))
        }
        MailboxNameCommand::Encode(lines) => {
            lines::run(lines, Folds::Kept, console, |line| encode(line).map(Into::into))
        }
    }
}

fn strict(name: &[u8]) -> Result<Cow<'_, str>, String> {
    sevenbit::mailbox_name::decode_strict(name).map_err(|error| error.to_string())
}

fn encode(name: &[u8]) -> Result<Cow<'_, str>, String> {
    Ok(sevenbit::mailbox_name::encode(lines::utf8(name)?))
}
