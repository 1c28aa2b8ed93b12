//! `sevenbit explain`: a message as a page of its own, for tickets and archives.

pub mod facts;
mod page;

use std::io::Write;
use std::path::{Path, PathBuf};

use sevenbit::Normalizer;

use crate::args::Explain;
use crate::exit::{Exit, Failure};
use crate::input::{Found, Inputs, Octets, read};
use crate::output::{AtomicFile, Protected, print};
use crate::term::Console;
use facts::{Facts, SHOWN};

/// How much of one text a page contains: all of it, unless it is longer than anyone would scroll.
const TEXT: usize = 8 * SHOWN;

/// Runs the command.
///
/// # Errors
/// There is no such message, or the page cannot be written.
pub fn run(args: &Explain, console: &Console) -> Result<Exit, Failure> {
    let paths: Vec<PathBuf> = args.input.iter().cloned().collect();
    let inputs = args.selection.inputs(&paths)?;
    let (called, octets) = wanted(args, &inputs, console)?;
    let plan = Normalizer::new()
        .profile(args.profile.into())
        .unlabelled(args.unlabelled.into())
        .plan(&octets.message);
    let facts = Facts::of(&octets.message, args.profile.into(), &plan, TEXT);
    let page = |out: &mut dyn Write| page::write(out, &called, &facts, plan.report(), &octets.message);
    match &args.output {
        None => print(page)?,
        Some(path) => {
            let protected = Protected::new(&inputs, None);
            let permissions = octets.file.as_ref().map(std::fs::Metadata::permissions);
            let admit = |place: &Path| protected.admits_report(path, place);
            let mut file = AtomicFile::create(path, permissions.as_ref(), admit)?;
            page(&mut file).map_err(|error| Failure::writing(path, &error))?;
            file.commit().map_err(|error| Failure::writing(path, &error))?;
        }
    }
    Ok(Exit::Done)
}

/// Returns the selected message, and its name.
fn wanted(args: &Explain, inputs: &Inputs, console: &Console) -> Result<(PathBuf, Octets), Failure> {
    let mut number = 0;
    for found in inputs.look(None) {
        let Found::Message(mut item) = found? else { continue };
        number += 1;
        if number == args.message {
            return Ok((item.called(), read(&mut item, inputs.select().max_message, console)?));
        }
    }
    let input = args.input.as_deref().unwrap_or(Path::new("standard input"));
    let reason = format!("has {number} messages, and no number {}", args.message);
    Err(Failure::new(Exit::NoInput, input, reason))
}
