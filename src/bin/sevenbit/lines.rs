//! Filters that work on lines: the arguments, or standard input.

use std::borrow::Cow;
use std::io::{self, BufRead, IsTerminal, Write};
use std::path::Path;

use sevenbit::{Decoded, Issue};

use crate::args::Lines;
use crate::exit::{Exit, Failure};
use crate::issue::what;
use crate::output::print;
use crate::term::{Console, safe_line};

/// The result for a line.
pub struct Made<'a> {
    /// The text that replaces it.
    text: Cow<'a, str>,
    /// What was odd about it.
    issues: Vec<Issue>,
}

impl<'a> From<Cow<'a, str>> for Made<'a> {
    fn from(text: Cow<'a, str>) -> Self {
        Self { text, issues: Vec::new() }
    }
}

impl<'a> From<Decoded<'a>> for Made<'a> {
    fn from(decoded: Decoded<'a>) -> Self {
        let (text, issues) = decoded.into_parts();
        Self { text, issues }
    }
}

/// Puts each line through `filter` and prints the result on a line of its own; anything odd is reported with the line's
/// number. If the filter fails, the reason is reported, and an empty line keeps the others in step.
///
/// # Errors
/// Standard input or output fails.
pub fn run(
    lines: &Lines,
    console: &Console,
    filter: impl Fn(&[u8]) -> Result<Made<'_>, String>,
) -> Result<Exit, Failure> {
    let mut exit = Exit::Done;
    let shown = io::stdout().is_terminal();
    let mut each = |number: usize, line: &[u8], out: &mut dyn Write| {
        let source = if lines.texts.is_empty() { "standard input, line" } else { "argument" };
        let made = filter(line).unwrap_or_else(|reason| {
            let reason = format!("{source} {number}: {reason}");
            exit.worst(console.complain(&Failure::Said {
                exit: Exit::Refused,
                file: String::new(),
                reason: reason.into(),
            }));
            Cow::Borrowed("").into()
        });
        for issue in &made.issues {
            let (at, severity) = (issue.span().start, issue.severity());
            let what = format!("octet {at}: {severity}: {} ({})", what(issue), issue.code());
            console.say(format_args!("{source} {number}, {what}"));
        }
        out.write_all(one_line(&made.text, shown).as_bytes())?;
        out.write_all(b"\n")
    };
    if lines.texts.is_empty() {
        each_of_stdin(&mut each)?;
    } else {
        print(|out| {
            let texts = lines.texts.iter().map(|text| text.as_encoded_bytes());
            (1..).zip(texts).try_for_each(|(number, text)| each(number, text, out))
        })?;
    }
    Ok(exit)
}

/// Keeps a line a single line; a terminal gets nothing that it might act on.
fn one_line(text: &str, on_terminal: bool) -> Cow<'_, str> {
    if on_terminal {
        return safe_line(text);
    }
    if text.contains(['\r', '\n']) {
        Cow::Owned(text.replace(['\r', '\n'], " "))
    } else {
        Cow::Borrowed(text)
    }
}

fn each_of_stdin(
    each: &mut impl FnMut(usize, &[u8], &mut dyn Write) -> io::Result<()>,
) -> Result<(), Failure> {
    let mut input = io::stdin().lock();
    let mut reading = Ok(());
    print(|out| {
        let mut line = Vec::new();
        for number in 1.. {
            line.clear();
            match input.read_until(b'\n', &mut line) {
                Ok(0) => break,
                Ok(_) => each(number, trimmed(&line), out)?,
                Err(error) => {
                    reading = Err(Failure::reading(Path::new("standard input"), &error));
                    break;
                }
            }
        }
        Ok(())
    })?;
    reading
}

/// Returns the line without its end.
fn trimmed(line: &[u8]) -> &[u8] {
    let line = line.strip_suffix(b"\n").unwrap_or(line);
    line.strip_suffix(b"\r").unwrap_or(line)
}

/// Returns the line as text.
///
/// # Errors
/// It is not UTF-8; the error says where.
pub fn utf8(line: &[u8]) -> Result<&str, String> {
    std::str::from_utf8(line).map_err(|error| format!("not UTF-8 from octet {} on", error.valid_up_to()))
}
