//! The command `charset detect`: a guess for text that has no label.

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

/// The maximum number of octets that are examined: enough for any guess, and few enough for any machine.
const MAX_OCTETS: u64 = 4 << 20;

/// The minimum sureness of a guess. Below it, chance explains the octets better than any charset.
const MIN_SURENESS: f32 = 0.1;

/// The JSON object for an input: its best guess, and the others.
#[derive(Serialize)]
struct Object<'a> {
    input: Cow<'a, str>,
    charset: Option<&'static str>,
    sureness: f32,
    alternatives: Vec<Alternative>,
}

/// A charset that an input may be in.
#[derive(Serialize)]
struct Alternative {
    charset: &'static str,
    sureness: f32,
}

/// Prints the guess for each input.
///
/// # Errors
/// An input cannot be read, or standard output cannot be written.
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
            if guesses[0].sureness < MIN_SURENESS {
                exit = Exit::Refused;
            }
            print_guess(out, args, inputs.len() > 1, path, guesses)?;
        }
        Ok(Ok(exit))
    })?
}

/// Prints the first of the guesses for the input at `path`, as JSON with the others.
/// `with_name` puts the name of the input before a guess that is not JSON.
fn print_guess(
    out: &mut dyn Write,
    args: &Detect,
    with_name: bool,
    path: &Path,
    mut guesses: Vec<Alternative>,
) -> io::Result<()> {
    let Alternative { charset, sureness } = guesses.remove(0);
    let known = (sureness >= MIN_SURENESS).then_some(charset);
    let name = shown(path);
    if args.json {
        let object = Object { input: name, charset: known, sureness, alternatives: guesses };
        return json::write_line(out, &object);
    }

    if with_name {
        write!(out, "{}: ", safe_line(&name))?;
    }
    let charset = known.unwrap_or("unknown");
    if args.sureness {
        writeln!(out, "{charset} {sureness:.3}")
    } else {
        writeln!(out, "{charset}")
    }
}

/// Reads the beginning of an input.
fn read(path: &Path) -> io::Result<Vec<u8>> {
    let mut octets = Vec::new();
    if is_stdin(path) {
        io::stdin().lock().take(MAX_OCTETS).read_to_end(&mut octets)?;
    } else {
        File::open(path)?.take(MAX_OCTETS).read_to_end(&mut octets)?;
    }
    Ok(octets)
}

/// Returns the library's guesses, the surest first. For plain US-ASCII, which is the same in most
/// charsets, the guess is US-ASCII.
fn guesses(octets: &[u8]) -> Vec<Alternative> {
    if octets.is_ascii() && Charset::guess(octets).charset() == Charset::WINDOWS_1252 {
        return vec![Alternative { charset: Charset::US_ASCII.name(), sureness: 1.0 }];
    }
    Charset::guesses(octets)
        .into_iter()
        .map(|guess| Alternative { charset: guess.charset().name(), sureness: guess.sureness() })
        .collect()
}
