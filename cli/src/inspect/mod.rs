//! `sevenbit inspect`: what a message is made of, for people or as JSON.

mod field;
mod object;
mod tree;

use std::io::{self, Write};

use sevenbit::Message;

use crate::args::Inspect;
use crate::exit::{Exit, Failure};
use crate::input::{Found, Item, Other, read};
use crate::output::print;
use crate::place::shown;
use crate::term::{Console, safe_line};

/// Runs the command.
///
/// # Errors
/// Invalid inputs.
pub fn run(args: &Inspect, console: &Console) -> Result<Exit, Failure> {
    let mut exit = Exit::Done;
    let mut at = 0;
    let inputs = args.selection.inputs(&args.inputs)?;
    for found in inputs.look(None).up_to_message() {
        let done = found.and_then(|found| match found {
            Found::Message(mut item) => {
                let octets = read(&mut item, inputs.select().max_message, console)?;
                if !inputs.select().is_of_other_day(&octets.message) {
                    one(args, &item, &octets.message, at)?;
                    at += 1;
                }
                Ok(())
            }
            Found::Unread(other) => unread(args, &other),
            Found::Kept(item, reason) => Err(Failure::new(Exit::Refused, &item.called(), reason)),
            Found::Folder(_)
            | Found::MaildirFile(_)
            | Found::NotInPlace(_)
            | Found::Skipped(_)
            | Found::Extra(_)
            | Found::Opens(_)
            | Found::Closes(_) => Ok(()),
        });
        match done {
            Ok(()) => {}
            Err(Failure::Closed) => return Ok(exit),
            Err(failure) => exit.worst(console.complain(&failure)),
        }
    }
    if inputs.select().message.is_none() {
        inputs.select().tell_unmatched(console);
    }
    Ok(exit)
}

/// Says what a file is that is not read. It is an error if mail is missed without it.
fn unread(args: &Inspect, other: &Other) -> Result<(), Failure> {
    let Other { item, unread, .. } = other;
    if other.is_missed() {
        return Err(Failure::new(Exit::Refused, &item.called(), unread.reason()));
    }
    if args.json {
        return print(|out| object::write_unread(out, other));
    }
    if !args.header.is_empty() {
        return Ok(());
    }
    print(|out| {
        writeln!(out, "{}: no mail, but {}", safe_line(&shown(&item.called())), unread.words())
    })
}

fn one(args: &Inspect, item: &Item, octets: &[u8], at: usize) -> Result<(), Failure> {
    let message = args.nul.parse(octets);
    if args.json {
        return print(|out| object::write(out, item, &message, octets, args));
    }
    if !args.header.is_empty() {
        return print(|out| fields(out, &message, args));
    }
    let mut text = if at > 0 { String::from("\n") } else { String::new() };
    tree::show(&mut text, args, &shown(&item.called()), &message, octets);
    // Colours go where there is a terminal to show them.
    let mut out = anstream::stdout().lock();
    out.write_all(text.as_bytes())
        .and_then(|()| out.flush())
        .map_err(|error| Failure::printing(&error))
}

/// Writes the fields that `--header` asks for, in their order, one a line: the value alone, or with
/// its name if several are asked for.
fn fields(out: &mut dyn Write, message: &Message<'_>, args: &Inspect) -> io::Result<()> {
    for (name, value) in message.headers() {
        if args.header.iter().any(|own| own.eq_ignore_ascii_case(name)) {
            let value = safe_line(&value);
            match args.header.len() {
                1 => writeln!(out, "{value}")?,
                _ => writeln!(out, "{}: {value}", safe_line(name))?,
            }
        }
    }
    Ok(())
}
