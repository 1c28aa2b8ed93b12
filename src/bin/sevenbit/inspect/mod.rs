//! `sevenbit inspect`: what a message is made of, for people or as JSON.

mod object;
mod tree;

use std::io::Write as _;

use sevenbit::Message;

use crate::args::Inspect;
use crate::exit::{Exit, Failure};
use crate::input::{Found, Item, read};
use crate::output::print;
use crate::term::Console;

/// Runs the command.
///
/// # Errors
/// Invalid inputs.
pub fn run(args: &Inspect, console: &Console) -> Result<Exit, Failure> {
    let mut exit = Exit::Done;
    let mut at = 0;
    let inputs = args.selection.inputs(&args.inputs)?;
    for found in inputs.look(None) {
        let done = found.and_then(|found| match found {
            Found::Message(mut item) => {
                let octets = read(&mut item, inputs.select().max_message, console)?;
                if !inputs.select().is_too_old(&octets.message) {
                    one(args, &item, &octets.message, at)?;
                    at += 1;
                }
                Ok(())
            }
            Found::Kept(item, reason) => Err(Failure::new(Exit::Refused, &item.called(), reason)),
            Found::Skipped(_) | Found::Extra(_) | Found::Opens(_) | Found::Closes { .. } => Ok(()),
        });
        match done {
            Ok(()) => {}
            Err(Failure::Closed) => break,
            Err(failure) => exit.worst(console.complain(&failure)),
        }
    }
    Ok(exit)
}

fn one(args: &Inspect, item: &Item, octets: &[u8], at: usize) -> Result<(), Failure> {
    let message = Message::parse(octets);
    if args.json {
        return print(|out| object::write(out, item, &message, args));
    }
    let mut shown = if at > 0 { String::from("\n") } else { String::new() };
    tree::show(&mut shown, args, &crate::place::shown(&item.called()), &message, octets);
    // Colours go where there is a terminal to show them.
    let mut out = anstream::stdout().lock();
    out.write_all(shown.as_bytes()).and_then(|()| out.flush()).map_err(|error| Failure::printing(&error))
}
