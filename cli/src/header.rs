//! `sevenbit header`: the text of header fields, one per line.

use std::borrow::Cow;

use crate::args::{Header, HeaderCommand};
use crate::exit::{Exit, Failure};
use crate::lines::{self, Folds};
use crate::term::Console;

/// Runs the command.
///
/// # Errors
/// Standard input or output fails.
pub fn run(args: &Header, console: &Console) -> Result<Exit, Failure> {
    match &args.command {
        // Any octets are accepted.
        HeaderCommand::Decode(lines) => lines::run(lines, Folds::Undone, console, |line| {
            Ok(sevenbit::decode_header(line).into())
        }),
        HeaderCommand::Encode(lines) => {
            lines::run(lines, Folds::Kept, console, |line| encode(line).map(Into::into))
        }
    }
}

fn encode(text: &[u8]) -> Result<Cow<'_, str>, String> {
    let text = lines::utf8(text)?;
    let value = sevenbit::encode_header(text);
    // One line each: a fold is undone, the space after it stays.
    Ok(if value.contains("\r\n") { Cow::Owned(value.replace("\r\n", "")) } else { value })
}
