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
use crate::input::{Day, Found, Home, Item, read};
use crate::json;
use crate::output::{clean_up_when_stopped, print};
use crate::place::shown;
use crate::term::{Console, plural, safe_line, safe_text, size};
use manifest::{Manifest, place};
use store::{Counts, Store};

/// The advice to whoever has a run that ended early.
const ENDED_EARLY: &str = "what was written is whole; the same command goes on from there";

/// Runs the command.
///
/// # Errors
/// Invalid inputs, or a directory that cannot be written.
pub fn run(args: &Extract, console: &Console) -> Result<Exit, Failure> {
    if args.to.is_none() && !args.list && (args.body.is_empty() || args.names_attachments()) {
        return Err(Failure::usage("say where the files go with `--to DIR`, or ask for `--list`"));
    }
    let inputs = args.selection.inputs(&args.inputs)?;
    if args.to.is_some() {
        clean_up_when_stopped((!console.is_quiet()).then_some(ENDED_EARLY));
    }
    let mut store = match &args.to {
        Some(directory) => {
            if inputs.surround(directory) {
                return Err(Failure::new(Exit::Usage, directory, "is inside an input"));
            }
            Some(Store::open(directory, args.unique, inputs.permissions().as_ref())?)
        }
        None => None,
    };
    let (mut exit, mut bodies, mut ended_early) = (Exit::Done, 0, false);
    let (mut of_other_days, mut undated) = (0, 0);
    for found in inputs.look(None).up_to_message() {
        let done = found.and_then(|found| match found {
            Found::Message(mut item) => {
                let octets = read(&mut item, inputs.select().max_message, console)?;
                match inputs.select().day(&octets.message) {
                    Day::Asked => {}
                    Day::Unknown => {
                        undated += 1;
                        if inputs.select().leaves_undated {
                            return Ok(());
                        }
                    }
                    Day::Other => {
                        of_other_days += 1;
                        return Ok(());
                    }
                }
                let message = args.nul.parse(&octets.message);
                bodies += one(args, &item, &[], &message, store.as_mut())?;
                Ok(())
            }
            Found::Unread(other) if other.is_missed() => {
                Err(Failure::new(Exit::Refused, &other.item.called(), other.unread.reason()))
            }
            Found::Kept(item, reason) => Err(Failure::new(Exit::Refused, &item.called(), reason)),
            Found::Unread(_)
            | Found::Folder(_)
            | Found::MaildirFile(_)
            | Found::NotInPlace(_)
            | Found::Skipped(_)
            | Found::Extra(_)
            | Found::Opens(_)
            | Found::Closes(_) => Ok(()),
        });
        match done {
            Ok(()) => {}
            Err(Failure::Closed) => {
                ended_early = true;
                break;
            }
            Err(failure) => {
                exit.worst(console.complain(&failure));
                // Each message after this one would fail in the same way.
                if failure.is_of_full_disk() || store.as_ref().is_some_and(Store::is_lost) {
                    ended_early = true;
                    break;
                }
            }
        }
    }
    if inputs.select().message.is_none() && !ended_early {
        inputs.select().tell_unmatched(console);
    }
    let undated_are = if inputs.select().leaves_undated { "left out" } else { "taken" };
    let days = match (undated, of_other_days) {
        (0, 0) => String::new(),
        (0, others) => format!("; {others} of other days left out"),
        (undated, others) => {
            format!(
                "; {undated} without a readable date {undated_are}, {others} of other days left out"
            )
        }
    };
    if let Some(store) = store {
        let Counts { files, were_there, copies, messages, manifest } =
            store.finish(exit != Exit::Done)?;
        let there = match were_there {
            0 => String::new(),
            all if all == files => "; all there already".to_owned(),
            some => format!("; {some} there already"),
        };
        let copies = match copies {
            0 => String::new(),
            copies => format!("; {copies} cop{} left out", if copies == 1 { "y" } else { "ies" }),
        };
        let list = manifest
            .map_or(String::new(), |name| format!("; the list is {}", safe_line(&shown(&name))));
        console.say(format_args!(
            "{files} file{} of {messages} message{}{there}{copies}{days}{list}",
            plural(files),
            plural(messages)
        ));
        if ended_early {
            console.say(ENDED_EARLY);
        }
    } else if args.list && !days.is_empty() {
        console.say(days.trim_start_matches("; "));
    } else if bodies == 0 && !args.list && exit == Exit::Done {
        console.say(format_args!("no message has such a body"));
    }
    Ok(exit)
}

/// How deep messages that are attached to each other are opened.
const MAX_DEPTH: usize = 8;

/// What is asked for of a message.
struct Wanted<'a> {
    message: &'a Message<'a>,
    files: Vec<&'a Attachment<'a>>,
    bodies: Vec<BodyChoice>,
}

/// Takes out of a message what is asked for; returns how many bodies it has of those. `within` are
/// the parts that it is of the messages around it, the outermost first.
fn one(
    args: &Extract,
    item: &Item,
    within: &[String],
    message: &Message<'_>,
    mut store: Option<&mut Store>,
) -> Result<usize, Failure> {
    let attachments = message.attachments();
    let (files, others): (Vec<_>, Vec<_>) =
        attachments.iter().partition(|file| is_wanted(args, file));

    let mut found = 0;
    if within.is_empty() || !files.is_empty() {
        let bodies = if within.is_empty() { bodies(args) } else { Vec::new() };
        let entries = files.iter().map(|file| AttachmentData::from(*file).digest(json::sha256));
        let mut manifest = Manifest::of(item, within, message, entries.collect());
        let wanted = Wanted { message, files, bodies };
        match store.as_deref_mut() {
            Some(store) => {
                wanted.write(&store.folder(&folder(args, item)), store, &mut manifest)?;
                store.note(&manifest)?;
            }
            None if args.list => {
                wanted.show(|_| Ok(()), &mut manifest)?;
                list(args, &wanted, &manifest)?;
            }
            None => wanted.show(show, &mut manifest)?,
        }
        found = manifest.body.len();
    }

    // What is taken whole is not taken apart.
    if args.names_attachments() && within.len() < MAX_DEPTH {
        for file in others.into_iter().filter(|file| is_message(file)) {
            let within = [within, &[file.part().path()]].concat();
            let octets = file.octets();
            one(args, item, &within, &args.nul.parse(&octets), store.as_deref_mut())?;
        }
    }
    Ok(found)
}

impl Wanted<'_> {
    /// Writes it into `folder`, and what it is called there into the manifest.
    fn write(
        &self,
        folder: &Path,
        store: &mut Store,
        manifest: &mut Manifest<'_>,
    ) -> Result<(), Failure> {
        // Where the HTML finds the files that it refers to.
        let mut places = HashMap::new();
        let has_html = self.bodies.contains(&BodyChoice::Html);
        for (file, entry) in self.files.iter().zip(&mut manifest.attachments) {
            let octets = file.octets();
            let digest = if store.is_unique { json::sha256(&octets) } else { String::new() };
            if !has_html && let Some(place) = store.first_place(&digest) {
                entry.set_place(place);
                continue;
            }
            let name = store.write(folder, file.safe_name(), &octets)?;
            places.extend(file.content_id().map(|id| (id.to_owned(), address(&name))));
            let place = place(folder, &name);
            store.remember(digest, &place);
            entry.set_place(place);
        }
        for &kind in &self.bodies {
            let Some(body) = body(self.message, kind, |id| places.get(id).cloned()) else {
                continue;
            };
            let signature = if kind == BodyChoice::Html { signature(&body) } else { "" };
            let octets = [signature, &body].concat();
            let name = store.write(folder, file_of(kind), octets.as_bytes())?;
            manifest.add_body(kind, Some(place(folder, &name)), octets.len());
        }
        Ok(())
    }

    /// Gives each body to `show`, and writes how long it is into the manifest.
    fn show(
        &self,
        show: impl Fn(&str) -> Result<(), Failure>,
        manifest: &mut Manifest<'_>,
    ) -> Result<(), Failure> {
        for &kind in &self.bodies {
            if let Some(body) = body(self.message, kind, |_| None) {
                show(&body)?;
                manifest.add_body(kind, None, body.len());
            }
        }
        Ok(())
    }
}

/// Returns whether a file is asked for: by default each, unless only the body is.
fn is_wanted(args: &Extract, file: &Attachment<'_>) -> bool {
    if !args.names_attachments() {
        return args.body.is_empty();
    }

    let options = MatchOptions { case_sensitive: false, ..MatchOptions::new() };
    let is_one_of = |patterns: &[Pattern], words: &[&str]| {
        let matches = |pattern: &Pattern| words.iter().any(|w| pattern.matches_with(w, options));
        patterns.is_empty() || patterns.iter().any(matches)
    };
    let types = if is_message(file) {
        // A file in it could be taken for its own octets.
        [Some(file.media_type()), None, None]
    } else {
        [Some(file.media_type()), file.type_by_name(), file.type_by_octets()]
    };
    is_one_of(&args.attachments, &[file.safe_name()])
        && is_one_of(&args.types, &types.into_iter().flatten().collect::<Vec<_>>())
}

fn is_message(file: &Attachment<'_>) -> bool {
    matches!(file.media_type(), "message/rfc822" | "message/global")
}

/// The kinds of body that are asked for, each once.
fn bodies(args: &Extract) -> Vec<BodyChoice> {
    let kinds = [BodyChoice::Text, BodyChoice::Unquoted, BodyChoice::Html];
    kinds.into_iter().filter(|kind| args.body.contains(kind)).collect()
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

/// Returns what HTML has to begin with in a file, where it is UTF-8: a byte order mark if it says
/// another charset, that of the mail, since browsers believe a mark more.
fn signature(html: &str) -> &'static str {
    let names_charset =
        html.as_bytes().windows(7).any(|octets| octets.eq_ignore_ascii_case(b"charset"));
    if names_charset { "\u{FEFF}" } else { "" }
}

/// The lines of a text that its sender wrote.
fn unquoted(text: &str) -> String {
    let own =
        passages(text).filter(|passage| passage.quote_depth() == 0 && !passage.is_signature());
    own.map(|passage| passage.text()).collect()
}

/// The directory of a message's files, below that of `--to`.
fn folder(args: &Extract, item: &Item) -> PathBuf {
    if args.flat {
        return PathBuf::new();
    }
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

/// Lists what is asked for of a message. If only some attachments are, a message without any is
/// left out.
fn list(args: &Extract, wanted: &Wanted<'_>, manifest: &Manifest<'_>) -> Result<(), Failure> {
    if args.json {
        return print(|out| json::write_line(out, manifest));
    }
    if args.names_attachments() && wanted.files.is_empty() && manifest.body.is_empty() {
        return Ok(());
    }
    print(|out| {
        writeln!(out, "{}: {}", safe_line(&manifest.place()), safe_line(manifest.subject()))?;
        for body in &manifest.body {
            writeln!(out, "  {:>9}  the {}", size(body.octets as u64), body.said())?;
        }
        wanted.files.iter().try_for_each(|file| {
            let (octets, kind) = (size(file.size() as u64), safe_line(file.media_type()));
            writeln!(out, "  {octets:>9}  {kind:<28}  {}", safe_line(file.safe_name()))
        })
    })
}
