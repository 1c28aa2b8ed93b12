//! `charset detect`: a guess for text that has no label.

use std::borrow::Cow;
use std::fs::File;
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};

use serde::Serialize;
use sevenbit::Charset;

use crate::args::Detect;
use crate::exit::{Exit, Failure};
use crate::json;
use crate::output::print;
use crate::place::{is_stdin, shown};
use crate::term::safe_line;

/// How many octets are examined: enough for any guess, and few enough for any machine.
const LOOKED_AT: u64 = 4 << 20;

/// Below this sureness chance explains the octets better than any charset.
const LEAST: f32 = 0.1;

/// A guess as scripts see it.
#[derive(Serialize)]
struct Object<'a> {
    input: Cow<'a, str>,
    charset: Option<&'static str>,
    sureness: f32,
    alternatives: Vec<Alternative>,
}

#[derive(Serialize)]
struct Alternative {
    charset: &'static str,
    sureness: f32,
}

/// Prints the guess for each input.
///
/// # Errors
/// An input or standard output fails, or nothing is known of one; the guesses for the others are
/// printed.
pub fn run(args: &Detect) -> Result<Exit, Failure> {
    let stdin = [PathBuf::from("-")];
    let inputs = if args.inputs.is_empty() { &stdin[..] } else { &args.inputs };
    let mut exit = Exit::Done;
    print(|out| {
        for path in inputs {
            let octets = match read(path) {
                Ok(octets) => octets,
                Err(error) => return Ok(Err(Failure::reading(path, &error))),
            };
            let guesses = guesses(&octets);
            if guesses[0].sureness < LEAST {
                exit = Exit::Refused;
            }
            one(out, args, inputs.len() > 1, path, guesses)?;
        }
        Ok(Ok(exit))
    })?
}

fn one(
    out: &mut dyn Write,
    args: &Detect,
    has_name: bool,
    path: &Path,
    mut guesses: Vec<Alternative>,
) -> io::Result<()> {
    let Alternative { charset, sureness } = guesses.remove(0);
    let known = (sureness >= LEAST).then_some(charset);
    let name = shown(path);
    if args.json {
        let object = Object { input: name, charset: known, sureness, alternatives: guesses };
        return json::write_line(out, &object);
    }
    if has_name {
        write!(out, "{}: ", safe_line(&name))?;
    }
    let charset = known.unwrap_or("unknown");
    match args.sureness {
        true => writeln!(out, "{charset} {sureness:.3}"),
        false => writeln!(out, "{charset}"),
    }
}

fn read(path: &Path) -> io::Result<Vec<u8>> {
    let mut octets = Vec::new();
    match is_stdin(path) {
        true => io::stdin().lock().take(LOOKED_AT).read_to_end(&mut octets),
        false => File::open(path)?.take(LOOKED_AT).read_to_end(&mut octets),
    }?;
    Ok(octets)
}

/// The library's guesses; for plain ASCII, about which it says nothing, US-ASCII.
fn guesses(octets: &[u8]) -> Vec<Alternative> {
    if octets.is_ascii() && Charset::guess(octets).charset() == Charset::WINDOWS_1252 {
        return vec![Alternative { charset: Charset::US_ASCII.name(), sureness: 1.0 }];
    }
    let guesses = Charset::guesses(octets).into_iter();
    guesses
        .map(|guess| Alternative { charset: guess.charset().name(), sureness: guess.sureness() })
        .collect()
}
