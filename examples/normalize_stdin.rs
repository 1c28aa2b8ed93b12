//! A filter for an MTA: one message from standard input, made 7-bit safe, to standard output.
//!
//!     cargo run --example normalize_stdin < in.eml > out.eml
//!
//! Everything that was repaired, guessed or lost is reported on standard error.

use std::io::{self, BufWriter, Read, Write};
use std::process::ExitCode;

use sevenbit::{Normalizer, Profile, Signed};

fn main() -> io::Result<ExitCode> {
    let mut message = Vec::new();
    io::stdin().lock().read_to_end(&mut message)?;

    // Transport changes only what is not 7-bit safe or is ambiguous; signed mail passes whole or
    // not at all.
    let normalizer = Normalizer::new().profile(Profile::Transport).signed(Signed::Refuse);

    // A plan says what would change before anything does.
    let plan = normalizer.plan(&message);
    for issue in plan.report().issues() {
        eprintln!("{:<6} {issue}", issue.severity().as_str());
    }
    if plan.report().is_refused() {
        eprintln!("refused: a signature would break");
        return Ok(ExitCode::from(65)); // EX_DATAERR: the MTA decides what becomes of it
    }

    // Unchanged stretches are copied from the message, new ones are made while writing.
    let mut out = BufWriter::new(io::stdout().lock());
    plan.write_to(&mut out)?;
    out.flush()?;
    Ok(ExitCode::SUCCESS)
}
