//! `sevenbit inspect`: what a message is made of, for people or as JSON.

mod object;
mod tree;

use std::io::Write as _;

use sevenbit::Message;

use crate::args::Inspect;
use crate::exit::{Exit, Failure};
use crate::input::{Found, Inputs, Item, read};
use crate::output::print;
use crate::term::Console;

/// Runs the command.
///
/// # Errors
/// Inputs that make no sense.
pub fn run(args: &Inspect, console: &Console) -> Result<Exit, Failure> {
    let mut exit = Exit::Done;
    for (at, item) in Inputs::new(&args.inputs)?.items(None).enumerate() {
        let done = item.and_then(|found| match found {
            Found::Message(item) => one(args, &item, at, console),
            Found::Skipped => Ok(()),
        });
        match done {
            Ok(()) => {}
            Err(Failure::Closed) => break,
            Err(failure) => exit.worst(console.complain(&failure)),
        }
    }
    Ok(exit)
}

fn one(args: &Inspect, item: &Item, at: usize, console: &Console) -> Result<(), Failure> {
    let octets = read(item, console)?;
    let message = Message::parse(&octets.message);
    if args.json {
        return print(|out| object::write(out, &message, args.text));
    }
    let mut shown = if at > 0 { String::from("\n") } else { String::new() };
    tree::show(&mut shown, args, &item.name.to_string_lossy(), &message);
    // Colours go where there is a terminal to show them.
    let mut out = anstream::stdout().lock();
    out.write_all(shown.as_bytes()).and_then(|()| out.flush()).map_err(|error| Failure::printing(&error))
}
