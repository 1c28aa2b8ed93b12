//! `sevenbit repair`: messages and text that were read in a wrong charset, mended.

use std::fs;
use std::io::{self, Read as _};
use std::path::Path;

use sevenbit::mbox::holds_several;
use sevenbit::{
    Charset, Code, Doubtful, Issue, Message, Normalizer, ReadingOrigin, RepairStep, TextReadings,
    readings, repair_text,
};
use sevenbit_store::{Mailbox, Outlook, Recognised, recognise};

use crate::args::Repair;
use crate::exit::{Exit, Failure};
use crate::input::{OutlookMail, outlook_message};
use crate::json;
use crate::output::print;
use crate::place::is_stdin;
use crate::term::Console;

/// Runs the command.
///
/// # Errors
/// The input cannot be read; it is no message and no UTF-8, or a line is no JSON string; standard
/// output fails.
pub fn run(args: &Repair, console: &Console) -> Result<Exit, Failure> {
    let path = args.input.as_deref().unwrap_or(Path::new("-"));
    let octets = read(path).map_err(|error| Failure::reading(path, &error))?;
    let octets = unwrapped(path, octets)?;
    if args.candidates {
        return list_readings(path, &octets);
    }
    if !args.json && (args.read_as.is_some() || recognise(&octets, path) == Recognised::Message) {
        return mend_message(args.read_as, &octets, console);
    }
    let text = String::from_utf8(octets).map_err(|error| {
        let at = error.utf8_error().valid_up_to();
        Failure::new(Exit::Refused, path, format!("is no UTF-8 from octet {at} on"))
    })?;
    let texts = if args.json { strings(path, &text)? } else { vec![text] };
    let mut undone: Vec<RepairStep> = Vec::new();
    print(|out| {
        for text in &texts {
            let repaired = repair_text(text);
            undone.extend(
                repaired
                    .steps()
                    .iter()
                    .filter(|step| !undone.contains(step))
                    .copied()
                    .collect::<Vec<_>>(),
            );
            if args.json {
                json::write_line(&mut *out, &repaired.text())?;
            } else {
                out.write_all(repaired.text().as_bytes())?;
            }
        }
        Ok(())
    })?;
    for step in undone {
        console.say(format_args!("undone: {step}"));
    }
    Ok(Exit::Done)
}

/// Returns a message of Outlook as mail, and anything else that is no file of several things as it
/// is.
fn unwrapped(path: &Path, octets: Vec<u8>) -> Result<Vec<u8>, Failure> {
    let refused = |why: String| Failure::new(Exit::Refused, path, why);
    match recognise(&octets, path) {
        Recognised::Outlook(Outlook::Msg | Outlook::Oft) => {
            outlook_message(&octets, OutlookMail::Alone).map(|at| at.0).map_err(refused)
        }
        found @ (Recognised::Outlook(_) | Recognised::Wrapping(_)) => {
            Err(refused(format!("is {}: `repair` takes one message or one text", found.words())))
        }
        found @ Recognised::Mailbox(mailbox)
            if mailbox != Mailbox::Mbox || holds_several(&*octets).unwrap_or(true) =>
        {
            Err(refused(format!(
                "is {}: `normalize --doubtful repair` mends all of it, and `normalize --message NUMBER --to eml` takes one message out",
                found.words()
            )))
        }
        _ => Ok(octets),
    }
}

/// Writes a message as an archive does, with its text as it was meant.
fn mend_message(
    read_as: Option<Charset>,
    message: &[u8],
    console: &Console,
) -> Result<Exit, Failure> {
    let normalizer = Normalizer::new().doubtful(Doubtful::Repair).read_as(read_as);
    let plan = normalizer.plan(message);
    print(|out| plan.write_to(out).map(drop))?;
    for issue in plan.report().issues().iter().filter(|issue| issue.code() == Code::TextRepaired) {
        console.say(format_args!("part {}: {}", issue.part(), issue.detail()));
    }
    let mut codes = plan.report().issues().iter().map(Issue::code);
    if read_as.is_none()
        && !codes.any(|code| code == Code::TextRepaired)
        && is_doubtful(&Message::parse(message))
    {
        console.say("no text was repaired, but one may read otherwise: `--candidates` lists how");
    }
    Ok(Exit::Done)
}

/// Returns whether a text of a message reads better in another way than its label says.
fn is_doubtful(message: &Message<'_>) -> bool {
    message.leaves().any(|part| {
        part.readings().first().is_some_and(|best| *best.origin() != ReadingOrigin::Label)
    })
}

/// Writes the readings of a text, or of each text of a message.
fn list_readings(path: &Path, octets: &[u8]) -> Result<Exit, Failure> {
    let listed = if recognise(octets, path) == Recognised::Message {
        TextReadings::of_message(&Message::parse(octets))
    } else {
        let label = str::from_utf8(octets).is_ok().then_some(Charset::UTF_8);
        vec![TextReadings::of_text(&readings(octets, label))]
    };
    print(|out| listed.iter().try_for_each(|one| json::write_line(&mut *out, one)))?;
    Ok(Exit::Done)
}

fn read(path: &Path) -> io::Result<Vec<u8>> {
    if !is_stdin(path) {
        return fs::read(path);
    }
    let mut octets = Vec::new();
    io::stdin().lock().read_to_end(&mut octets)?;
    Ok(octets)
}

/// Reads a JSON string a line.
fn strings(path: &Path, text: &str) -> Result<Vec<String>, Failure> {
    let read = |(number, line): (usize, &str)| {
        serde_json::from_str(line).map_err(|_| {
            Failure::new(Exit::Refused, path, format!("line {number} is no JSON string"))
        })
    };
    (1..).zip(text.lines()).map(read).collect()
}
