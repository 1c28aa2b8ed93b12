//! `sevenbit extract`: the files, the text and the HTML of messages.

mod manifest;
mod store;

use std::collections::HashMap;
use std::io::IsTerminal as _;
use std::path::{Path, PathBuf};

use glob::{MatchOptions, Pattern};
use sevenbit::{Attachment, AttachmentData, Message, passages};

use crate::args::{BodyChoice, Extract};
use crate::exit::{Exit, Failure};
use crate::input::{Found, Home, Item, read};
use crate::json;
use crate::output::print;
use crate::place::{resolve, shown};
use crate::term::{Console, plural, safe_line, safe_text, size};
use manifest::{Manifest, place};
use store::Store;

/// Runs the command.
///
/// # Errors
/// Invalid inputs, or a directory that cannot be written.
pub fn run(args: &Extract, console: &Console) -> Result<Exit, Failure> {
    if args.to.is_none() && !args.list && (args.body.is_empty() || !args.attachments.is_empty()) {
        return Err(Failure::usage("say where the files go with `--to DIR`, or ask for `--list`"));
    }
    let inputs = args.selection.inputs(&args.inputs)?;
    let mut store = match &args.to {
        Some(directory) => {
            is_apart(directory, &args.inputs)?;
            Some(Store::open(directory)?)
        }
        None => None,
    };
    let (mut exit, mut bodies) = (Exit::Done, 0);
    for found in inputs.look(None) {
        let done = found.and_then(|found| match found {
            Found::Message(mut item) => {
                let octets = read(&mut item, inputs.select().max_message, console)?;
                if inputs.select().is_of_other_day(&octets.message) {
                    return Ok(());
                }
                bodies += one(args, &item, &args.nul.parse(&octets.message), store.as_mut())?;
                Ok(())
            }
            Found::Unread(other) if other.is_missed() => {
                Err(Failure::new(Exit::Refused, &other.item.called(), other.unread.reason()))
            }
            Found::Kept(item, reason) => Err(Failure::new(Exit::Refused, &item.called(), reason)),
            Found::Unread(_)
            | Found::MaildirFile(_)
            | Found::Skipped(_)
            | Found::Extra(_)
            | Found::Opens(_)
            | Found::Closes(_) => Ok(()),
        });
        match done {
            Ok(()) => {}
            Err(Failure::Closed) => break,
            Err(failure) => exit.worst(console.complain(&failure)),
        }
    }
    if let Some(store) = store {
        let (files, messages) = store.finish(exit != Exit::Done)?;
        console.say(format_args!(
            "{files} file{} of {messages} message{}",
            plural(files),
            plural(messages)
        ));
    } else if bodies == 0 && !args.list && exit == Exit::Done {
        console.say(format_args!("no message has such a body"));
    }
    Ok(exit)
}

/// Refuses a directory inside an input, where the files would be read as messages.
fn is_apart(to: &Path, inputs: &[PathBuf]) -> Result<(), Failure> {
    let Ok(place) = resolve(to) else { return Ok(()) };
    let is_around = |input: &&PathBuf| {
        input.is_dir() && resolve(input).is_ok_and(|input| place.starts_with(input))
    };
    match inputs.iter().find(is_around) {
        Some(_) => Err(Failure::new(Exit::Usage, to, "is inside an input")),
        None => Ok(()),
    }
}

/// Takes out of a message what is asked for; returns how many bodies it has of those.
fn one(
    args: &Extract,
    item: &Item,
    message: &Message<'_>,
    store: Option<&mut Store>,
) -> Result<usize, Failure> {
    let attachments = message.attachments();
    let taken: Vec<&Attachment<'_>> =
        attachments.iter().filter(|file| is_wanted(args, file)).collect();
    let entries = taken.iter().map(|file| AttachmentData::from(*file).digest(json::sha256));
    let mut manifest = Manifest::of(item, message, entries.collect());
    match store {
        Some(store) => {
            let folder = store.folder(&folder(args, item));
            // Where the HTML finds the files that it refers to.
            let mut places = HashMap::new();
            for (file, entry) in taken.iter().zip(&mut manifest.attachments) {
                let name = store.write(&folder, file.safe_name(), &file.octets())?;
                places.extend(file.content_id().map(|id| (id.to_owned(), address(&name))));
                entry.set_place(place(&folder, &name));
            }
            for kind in bodies(args) {
                let Some(body) = body(message, kind, |id| places.get(id).cloned()) else {
                    continue;
                };
                let name = store.write(&folder, file_of(kind), body.as_bytes())?;
                manifest.add_body(kind, Some(place(&folder, &name)), body.len());
            }
            store.note(&manifest)?;
        }
        None => {
            let found =
                bodies(args).filter_map(|kind| Some((kind, body(message, kind, |_| None)?)));
            for (kind, body) in found {
                if !args.list {
                    show(&body)?;
                }
                manifest.add_body(kind, None, body.len());
            }
            if args.list {
                list(args, item, message, &taken, &manifest)?;
            }
        }
    }
    Ok(manifest.body.len())
}

/// Whether a file is asked for: by default each, unless only the body is.
fn is_wanted(args: &Extract, file: &Attachment<'_>) -> bool {
    let options = MatchOptions { case_sensitive: false, ..MatchOptions::new() };
    let matches = |pattern: &Pattern| pattern.matches_with(file.safe_name(), options);
    args.attachments.iter().any(matches) || args.attachments.is_empty() && args.body.is_empty()
}

/// The kinds of body that are asked for, each once.
fn bodies(args: &Extract) -> impl Iterator<Item = BodyChoice> {
    let wanted = |kind: &BodyChoice| args.body.contains(kind);
    [BodyChoice::Text, BodyChoice::Unquoted, BodyChoice::Html]
        .into_iter()
        .filter(wanted)
        .collect::<Vec<_>>()
        .into_iter()
}

fn file_of(kind: BodyChoice) -> &'static str {
    match kind {
        BodyChoice::Text => "body.txt",
        BodyChoice::Unquoted => "unquoted.txt",
        BodyChoice::Html => "body.html",
    }
}

fn body(
    message: &Message<'_>,
    kind: BodyChoice,
    resolve: impl FnMut(&str) -> Option<String>,
) -> Option<String> {
    match kind {
        BodyChoice::Text => Some(message.text().into_owned()),
        BodyChoice::Unquoted => Some(unquoted(&message.text())),
        BodyChoice::Html => message.html(resolve),
    }
    .filter(|body| !body.is_empty())
}

/// The lines of a text that its sender wrote.
fn unquoted(text: &str) -> String {
    let own =
        passages(text).filter(|passage| passage.quote_depth() == 0 && !passage.is_signature());
    own.map(|passage| passage.text()).collect()
}

/// The directory of a message's files, below that of `--to`.
fn folder(args: &Extract, item: &Item) -> PathBuf {
    let is_one = args.inputs.len() <= 1 && args.inputs.first().is_none_or(|path| !path.is_dir());
    if is_one && matches!(item.home, Home::Alone | Home::Inside) {
        return PathBuf::new();
    }
    let names = item.relative.components().map(|part| part.as_os_str().to_string_lossy());
    let mut folder: PathBuf = names.map(|name| sevenbit::safe_file_name(&name)).collect();
    folder.extend(item.number().map(|number| number.to_string()));
    folder
}

/// A file's name as an address in HTML beside it.
fn address(name: &str) -> String {
    let is_plain = |octet: u8| octet.is_ascii_alphanumeric() || b"-._~".contains(&octet);
    name.bytes()
        .map(
            |octet| {
                if is_plain(octet) {
                    char::from(octet).to_string()
                } else {
                    format!("%{octet:02X}")
                }
            },
        )
        .collect()
}

/// Shows a body on standard output: as it is, unless a person looks. The next one begins on a line
/// of its own.
fn show(body: &str) -> Result<(), Failure> {
    let text = if std::io::stdout().is_terminal() { safe_text(body) } else { body.into() };
    let end = if text.ends_with('\n') { "" } else { "\n" };
    print(|out| write!(out, "{text}{end}"))
}

fn list(
    args: &Extract,
    item: &Item,
    message: &Message<'_>,
    files: &[&Attachment<'_>],
    manifest: &Manifest<'_>,
) -> Result<(), Failure> {
    if args.json {
        return print(|out| json::write_line(out, manifest));
    }
    print(|out| {
        let (name, subject) = (item.called(), message.subject().unwrap_or_default());
        writeln!(out, "{}: {}", safe_line(&shown(&name)), safe_line(&subject))?;
        for body in &manifest.body {
            writeln!(out, "  {:>9}  the {}", size(body.octets as u64), body.said())?;
        }
        files.iter().try_for_each(|file| {
            let (octets, kind) = (size(file.size() as u64), safe_line(file.media_type()));
            writeln!(out, "  {octets:>9}  {kind:<28}  {}", safe_line(file.safe_name()))
        })
    })
}
