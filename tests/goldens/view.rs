//! The view of a message, for a person: `corpus/view/NAME.eml` against `corpus/view/NAME.expected`.
//! The messages were written for this; each shows what was seen in real mail.
//!
//! `SEVENBIT_BLESS=1 cargo test --workspace --all-features --test goldens view` rewrites the
//! expectations; read them before they are kept.
#![cfg(all(feature = "html", feature = "files"))]

use std::fmt::{Debug, Write as _};
use std::fs;
use std::path::{Path, PathBuf};

use sevenbit::{Attachment, Message, MessageReport, passages};

fn messages() -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("corpus/view");
    let entries =
        fs::read_dir(folder).expect("corpus/view").map(|entry| entry.expect("an entry").path());
    let mut found: Vec<_> =
        entries.filter(|path| path.extension().is_some_and(|end| end == "eml")).collect();
    found.sort();
    found
}

/// The answers to every question, one a line; text has `| ` before each of its lines.
fn answers(message: &Message<'_>) -> String {
    let mut out = String::new();
    let mut say = |name: &str, value: &dyn Debug| _ = writeln!(out, "{name}: {value:?}");
    say("subject", &message.subject());
    for name in ["from", "to", "cc"] {
        for address in message.addresses(name) {
            say(name, &address.to_string());
        }
    }
    if let Some(date) = message.date() {
        say("date", &(date.to_string(), date.is_guess()));
    }
    say("thread", &message.thread_key());
    if let Some(list) = message.list() {
        say("list", &(list.id(), list.name(), list.post(), list.one_click()));
    }
    for schema in Message::WORDS {
        if let Some(word) = schema.of(message) {
            say(schema.name, &word);
        }
    }
    for hop in message.hops() {
        say("hop", &(hop.sender(), hop.by(), hop.with(), hop.recipient(), hop.delay()));
    }
    for results in message.authentication_results() {
        for result in results.results() {
            say("authentication", &(results.server(), result.method(), result.result()));
        }
    }
    match message.report() {
        Some(MessageReport::Delivery(report)) => {
            say("delivery", &(report.reporter(), report.original_id(), report.is_standard()));
            for one in report.recipients() {
                say("  recipient", &(one.address(), one.action(), one.status(), one.diagnostic()));
            }
        }
        Some(MessageReport::Disposition(read)) => {
            say("disposition", &(read.recipient(), read.disposition()))
        }
        Some(MessageReport::Feedback(spam)) => say("feedback", &(spam.kind(), spam.original_id())),
        _ => {}
    }
    for method in message.leaves().filter_map(|part| part.calendar_method()) {
        say("calendar", &method);
    }
    for file in message.attachments() {
        say("attachment", &facts(&file));
    }
    for passage in passages(&message.text()) {
        say(
            "passage",
            &(passage.quote_depth(), passage.is_signature(), passage.text().lines().count()),
        );
    }
    quote(&mut out, "text", Some(&message.text()));
    quote(&mut out, "html", message.html(|id| Some(format!("/{id}"))).as_deref());
    out
}

fn facts<'a>(file: &'a Attachment<'_>) -> impl Debug + 'a {
    let types = (file.media_type(), file.type_by_name(), file.type_by_octets());
    (
        file.name(),
        file.safe_name(),
        types,
        file.size(),
        file.content_id(),
        file.is_inline(),
        file.origin(),
    )
}

fn quote(out: &mut String, name: &str, text: Option<&str>) {
    if let Some(text) = text {
        let lines: String = text.lines().map(|line| format!("| {line}\n")).collect();
        let _ = write!(out, "{name}:\n{lines}");
    }
}

#[test]
fn every_message_has_the_expected_answers() {
    let mut wrong = Vec::new();
    for path in messages() {
        let octets = fs::read(&path).expect("a file");
        let found = answers(&Message::parse(&octets));
        let expected = path.with_extension("expected");
        if std::env::var_os("SEVENBIT_BLESS").is_some() {
            fs::write(&expected, &found).expect("an expectation written");
        } else if fs::read_to_string(&expected).ok().as_deref() != Some(&*found) {
            wrong.push(format!("{} differs; found:\n{found}", expected.display()));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn every_message_has_a_row() {
    let readme = fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("corpus/README.md"))
        .expect("the README");
    for path in messages() {
        let name = path.file_stem().expect("a name").to_string_lossy().into_owned();
        assert!(
            readme.contains(&format!("| `{name}` |")),
            "without a row in corpus/README.md: {name}"
        );
    }
}
