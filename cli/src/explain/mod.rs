//! `sevenbit explain`: a message as a page of its own, for tickets and archives.

pub mod facts;
mod left_out;
mod page;

use std::io::{IsTerminal as _, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use sevenbit::Message;

use crate::args::Explain;
use crate::exit::{Exit, Failure};
use crate::input::{Found, Inputs, Octets, read};
use crate::output::{About, AtomicFile, Protected, Replaces, print};
use crate::place::{is_stdout, shown};
use crate::term::{COLUMNS, Console, rows, safe_line, size};
use facts::{Facts, SHOWN};
use left_out::left_out;
pub use page::BEGIN as PAGE_BEGINS;

/// How much of one text a page contains: all of it, unless it is longer than anyone would scroll.
const TEXT: usize = 8 * SHOWN;

/// How many messages are listed for someone to choose from.
const LISTED: u64 = 20;

/// Runs the command.
///
/// # Errors
/// The message asked for does not exist, or the page cannot be written.
pub fn run(args: &Explain, console: &Console) -> Result<Exit, Failure> {
    let paths: Vec<PathBuf> = args.input.iter().cloned().collect();
    let inputs = args.selection.inputs(&paths)?;
    let mut exit = Exit::Done;
    let Some((called, octets)) = wanted(args, &inputs, console, &mut exit)? else {
        return Ok(exit);
    };
    let to_stdout = args.output.as_deref().map_or(!args.open, is_stdout);
    if to_stdout && std::io::stdout().is_terminal() {
        return Err(Failure::usage(
            "a page is for a browser, not for a terminal: it needs `-o FILE` or `--open`",
        ));
    }
    // The page is handed on: where its message was is nobody's business.
    let called = called.file_name().map_or(called.as_path(), Path::new);
    let message = &octets.message;
    let gaps =
        if args.leaves_out_attachments(message.len()) { left_out(message) } else { Vec::new() };
    if !gaps.is_empty() {
        let left = gaps.iter().map(|gap| gap.len() as u64).sum();
        console.say(format_args!(
            "{} of attachments are left out of the page; `--with-attachments` keeps them",
            size(left)
        ));
    }
    let plan = args.form.normalizer().plan(message);
    let facts =
        Facts::of(message, args.form.profile(), &plan, if gaps.is_empty() { TEXT } else { SHOWN });
    let page =
        |out: &mut dyn Write| page::write(out, called, &facts, plan.report(), message, &gaps);
    if to_stdout {
        print(page)?;
        return Ok(exit);
    }
    let path = match &args.output {
        Some(path) => path.clone(),
        None => new_page()?,
    };
    let protected = Protected::new(&inputs, None);
    let permissions = inputs.permissions();
    let admit = |place: &Path| {
        protected.admits_report(&path, place)?;
        Replaces::Outputs.admits_about(About::Page, &path, place)
    };
    let mut file = AtomicFile::create(&path, permissions.as_ref(), admit)?;
    page(&mut file).map_err(|error| Failure::writing(&path, &error))?;
    file.commit().map_err(|error| Failure::writing(&path, &error))?;
    if args.open {
        console.say(format_args!("{}", shown(&path)));
        open(&path)?;
    }
    Ok(exit)
}

/// Creates a file for a page that was given no name, which nobody else may read.
fn new_page() -> Result<PathBuf, Failure> {
    let made = tempfile::Builder::new().prefix("sevenbit-").suffix(".html").tempfile();
    let failed = |error: &std::io::Error| Failure::creating(&std::env::temp_dir(), error);
    let file = made.map_err(|error| failed(&error))?;
    file.into_temp_path().keep().map_err(|error| failed(&error.error))
}

/// Shows a page in the browser.
fn open(page: &Path) -> Result<(), Failure> {
    let name = if cfg!(target_os = "macos") {
        "open"
    } else if cfg!(windows) {
        "explorer"
    } else {
        "xdg-open"
    };
    let started = Command::new(name)
        .arg(page)
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn();
    let failed = |error| {
        Failure::new(
            Exit::CannotCreate,
            page,
            format!("is written, but `{name}` cannot show it: {error}"),
        )
    };
    started.map(drop).map_err(failed)
}

/// Returns the selected message, and its name; nothing if nothing can be read, which is said. What
/// cannot be read before it is said, too: `exit` has the status.
fn wanted(
    args: &Explain,
    inputs: &Inputs,
    console: &Console,
    exit: &mut Exit,
) -> Result<Option<(PathBuf, Octets)>, Failure> {
    let select = inputs.select();
    let max = select.max_message;
    // All messages have numbers; those of other days are not among which one is chosen.
    let (mut number, mut eligible) = (0, 0);
    let mut first = None;
    for found in inputs.look(None) {
        let found = found.and_then(|found| match found {
            Found::Message(item) => Ok(Some(item)),
            Found::Unread(other) if other.is_missed() => {
                Err(Failure::new(Exit::Refused, &other.item.called(), other.unread.reason()))
            }
            Found::Kept(item, reason) => Err(Failure::new(Exit::Refused, &item.called(), reason)),
            _ => Ok(None),
        });
        let mut item = match found {
            Ok(Some(item)) => item,
            Ok(None) => continue,
            Err(failure) => {
                exit.worst(console.complain(&failure));
                continue;
            }
        };

        if select.message.is_some() {
            return Ok(Some((item.called(), read(&mut item, max, console)?)));
        }
        number += 1;
        if eligible >= LISTED && !select.asks_for_days() {
            eligible += 1;
            continue;
        }

        let octets = read(&mut item, max, console)?;
        if select.is_of_other_day(&octets.message) {
            continue;
        }
        eligible += 1;
        if eligible == 1 {
            first = Some((number, item.called(), octets));
            continue;
        }
        if let Some((number, _, octets)) = first.take() {
            console.say(listed(number, &octets));
        }
        if eligible <= LISTED {
            console.say(listed(number, &octets));
        }
    }
    let input = args.input.as_deref().unwrap_or(Path::new("standard input"));
    if let Some((_, called, octets)) = first {
        return Ok(Some((called, octets)));
    }
    if number == 0 && *exit != Exit::Done {
        return Ok(None);
    }
    if eligible == 0 {
        let reason = if number == 0 { "has no message" } else { "has no message of these days" };
        return Err(Failure::new(Exit::NoInput, input, reason));
    }

    let mut reason = format!("has {eligible} messages: say which one with `--message NUMBER`");
    if eligible > LISTED {
        reason += &format!("; these are the first {LISTED}, `sevenbit inspect` shows all");
    }
    Err(Failure::new(Exit::Usage, input, reason))
}

/// A row of the list from which a message is chosen: its number, who wrote it, its subject.
fn listed(number: u64, octets: &Octets) -> String {
    const SENDER: usize = 24;
    let message = Message::parse(&octets.message);
    let sender = message.mailboxes("from").into_iter().next().map(|from| {
        let name = if from.name().is_empty() { from.address() } else { from.name() };
        name.chars().take(SENDER).collect::<String>()
    });
    let (sender, subject) = (sender.unwrap_or_default(), message.subject().unwrap_or_default());
    let row = format!("{number:>6}  {sender:<SENDER$}  {subject}");
    let row = safe_line(&row);
    rows(&row, COLUMNS).first().copied().unwrap_or_default().to_owned()
}
