//! `charset detect`: a guess for text that has no label.

use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use sevenbit::Charset;

use crate::args::Detect;
use crate::exit::Failure;
use crate::output::print;
use crate::place::is_stdin;
use crate::term::safe_line;

/// How many octets are examined: enough for any guess, and few enough for any machine.
const LOOKED_AT: u64 = 4 << 20;

/// Prints the guess for each input.
///
/// # Errors
/// An input or standard output fails; the guesses before it are printed.
pub fn run(args: &Detect) -> Result<(), Failure> {
    let stdin = [PathBuf::from("-")];
    let inputs = if args.inputs.is_empty() { &stdin[..] } else { &args.inputs };
    print(|out| {
        for path in inputs {
            let octets = match read(path) {
                Ok(octets) => octets,
                Err(error) => return Ok(Err(Failure::reading(path, &error))),
            };
            if inputs.len() > 1 {
                write!(out, "{}: ", safe_line(&crate::place::shown(path)))?;
            }
            let (charset, sureness) = guess(&octets);
            match args.sureness {
                true => writeln!(out, "{charset} {sureness:.3}")?,
                false => writeln!(out, "{charset}")?,
            }
        }
        Ok(Ok(()))
    })?
}

fn read(path: &Path) -> io::Result<Vec<u8>> {
    let mut octets = Vec::new();
    match is_stdin(path) {
        true => io::stdin().lock().take(LOOKED_AT).read_to_end(&mut octets),
        false => File::open(path)?.take(LOOKED_AT).read_to_end(&mut octets),
    }?;
    Ok(octets)
}

/// The library's guess and its sureness; for plain ASCII, about which it says nothing, US-ASCII.
fn guess(octets: &[u8]) -> (Charset, f32) {
    let guess = Charset::guess(octets);
    match guess.charset() {
        Charset::WINDOWS_1252 if octets.is_ascii() => (Charset::US_ASCII, 1.0),
        charset => (charset, guess.sureness()),
    }
}
