//! Filters that work on lines: the arguments, or standard input.

use std::borrow::Cow;
use std::io::{self, BufRead, IsTerminal, Write};
use std::path::Path;

use sevenbit::{Decoded, Issue};

use crate::args::Lines;
use crate::exit::{Exit, Failure};
use crate::issue::what;
use crate::output::print;
use crate::term::{Console, grouped, safe_line};

/// The result for a line.
pub struct Made<'a> {
    /// The text that replaces it.
    text: Cow<'a, str>,
    /// The issues found in the line.
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

/// Puts each line through `filter` and prints the result on a line of its own; anything odd is
/// reported with the line's number. If the filter fails, the reason is reported, and an empty line
/// keeps the others in step.
///
/// # Errors
/// Standard input or output fails.
pub fn run(
    lines: &Lines,
    folds: Folds,
    console: &Console,
    filter: impl Fn(&[u8]) -> Result<Made<'_>, String>,
) -> Result<Exit, Failure> {
    let mut exit = Exit::Done;
    let mut said = Said { console, count: 0 };
    let shown = io::stdout().is_terminal();
    let mut each = |number: usize, line: &[u8], out: &mut dyn Write| {
        let source = if lines.texts.is_empty() { "standard input, line" } else { "argument" };
        let made = filter(line).unwrap_or_else(|reason| {
            let reason = format!("{source} {number}: {reason}");
            exit.worst(Exit::Refused);
            said.once(|console| {
                console.complain(&Failure::new(Exit::Refused, Path::new(""), reason));
            });
            Cow::Borrowed("").into()
        });
        for issue in &made.issues {
            said.once(|console| {
                let (at, severity) = (issue.span().start, issue.severity());
                let what = format!("octet {at}: {severity}: {} ({})", what(issue), issue.code());
                console.say(format_args!("{source} {number}, {what}"));
            });
        }
        out.write_all(one_line(&made.text, shown).as_bytes())?;
        out.write_all(b"\n")
    };
    if lines.texts.is_empty() {
        each_of_stdin(folds, &mut each)?;
    } else {
        print(|out| {
            let texts = lines.texts.iter().map(|text| text.as_encoded_bytes());
            let texts =
                texts.map(|text| if folds == Folds::Undone { unfolded(text) } else { text.into() });
            (1..).zip(texts).try_for_each(|(number, text)| each(number, &text, out))
        })?;
    }
    said.end();
    Ok(exit)
}

/// The treatment of a line that begins with a blank.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Folds {
    /// The line continues the one before, as in a header.
    Undone,
    /// The line is one like any other.
    Kept,
}

/// How much is said about lines: a file of other octets could fill any log.
const MAX_SAID: u64 = 1000;

/// Remarks on lines, up to a limit.
struct Said<'a> {
    console: &'a Console,
    count: u64,
}

impl Said<'_> {
    fn once(&mut self, say: impl FnOnce(&Console)) {
        self.count += 1;
        if self.count <= MAX_SAID {
            say(self.console);
        }
    }

    /// Says how much was not said.
    fn end(&self) {
        if let Some(more @ 1..) = self.count.checked_sub(MAX_SAID) {
            self.console
                .say(format_args!("and {} more of these, which are not shown", grouped(more)));
        }
    }
}

/// Removes line ends before blanks.
fn unfolded(text: &[u8]) -> Cow<'_, [u8]> {
    if !text.contains(&b'\n') {
        return Cow::Borrowed(text);
    }
    let mut out: Vec<u8> = Vec::with_capacity(text.len());
    for line in text.split_inclusive(|octet| *octet == b'\n') {
        if line.starts_with(b" ") || line.starts_with(b"\t") {
            out.truncate(trimmed(&out).len());
        }
        out.extend_from_slice(line);
    }
    Cow::Owned(out)
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
    folds: Folds,
    each: &mut impl FnMut(usize, &[u8], &mut dyn Write) -> io::Result<()>,
) -> Result<(), Failure> {
    let mut input = io::stdin().lock();
    let mut reading = Ok(());
    print(|out| {
        let mut line = Vec::new();
        let mut number = 1;
        loop {
            line.clear();
            match read_line(&mut input, folds, &mut line) {
                Ok(0) => break,
                Ok(lines) => {
                    each(number, trimmed(&line), out)?;
                    number += lines;
                }
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

/// Reads a line with those that continue it; returns how many, 0 at the end.
fn read_line(input: &mut impl BufRead, folds: Folds, line: &mut Vec<u8>) -> io::Result<usize> {
    let mut count = usize::from(input.read_until(b'\n', line)? > 0);
    while count > 0
        && folds == Folds::Undone
        && line.ends_with(b"\n")
        && matches!(input.fill_buf()?, [b' ' | b'\t', ..])
    {
        line.truncate(trimmed(line).len());
        input.read_until(b'\n', line)?;
        count += 1;
    }
    Ok(count)
}

/// Returns the line without its end.
fn trimmed(line: &[u8]) -> &[u8] {
    let line = line.strip_suffix(b"\n").unwrap_or(line);
    line.strip_suffix(b"\r").unwrap_or(line)
}

/// Returns the line as text.
///
/// # Errors
/// The line is not UTF-8; the error says where.
pub fn utf8(line: &[u8]) -> Result<&str, String> {
    std::str::from_utf8(line)
        .map_err(|error| format!("not UTF-8 from octet {} on", error.valid_up_to()))
}
