//! The facts about a message for someone who examines it: its tree, each field and text as it is
//! read with the octets behind it, every issue, every change. The command writes them into a page,
//! and `js/` is built with these files too: they depend on the library and serde, and on nothing
//! else of the command.

mod change;
pub mod issue;
pub mod lines;
pub mod octets;
mod part;

use serde::Serialize;
use sevenbit::{Code, Message, Part, Plan, Profile};

use change::Change;
use issue::Issue;
use octets::Offsets;
use part::PartFacts;

/// The default limit for the octets of one text or replacement.
pub const SHOWN: usize = 128 << 10;

/// How many fields of all headers together are shown, how many mailboxes of one, and how many
/// changes.
const MOST: usize = 10_000;

/// Everything that is shown of a message.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Facts {
    profile: &'static str,
    octets: usize,
    /// How many octets the normal form has.
    becomes: usize,
    changed: bool,
    refused: bool,
    subject: Option<String>,
    from: Vec<Person>,
    sender: Vec<Person>,
    reply_to: Vec<Person>,
    /// Where a delivery failure goes.
    return_path: Option<String>,
    to: Vec<Person>,
    cc: Vec<Person>,
    date: Option<String>,
    words: Vec<Word>,
    parts: Vec<PartFacts>,
    /// The parts that are shown where plain text is preferred, those where HTML is, and the
    /// attachments, by number.
    plain: Vec<usize>,
    html: Vec<usize>,
    attachments: Vec<usize>,
    issues: Vec<Issue>,
    changes: Vec<Change>,
}

/// A mailbox.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Person {
    name: String,
    address: String,
    /// An address in the name that is another one.
    #[serde(skip_serializing_if = "Option::is_none")]
    address_in_name: Option<String>,
}

/// An answer that is one word, if the message has it.
#[derive(Serialize)]
pub struct Word {
    name: &'static str,
    summary: &'static str,
    word: String,
}

impl Facts {
    /// Collects the facts about the message `octets` and its `plan`, with at most about `shown`
    /// octets of each text.
    pub fn of(octets: &[u8], profile: Profile, plan: &Plan<'_>, shown: usize) -> Self {
        let message = Message::parse(octets);
        let places = Offsets::new(octets);
        let mut changes: Vec<Change> = plan.edits().map(|edit| Change::of(&edit, shown)).collect();
        let becomes = becomes(octets.len(), plan, &changes);
        changes.truncate(MOST);
        let body = message.body_parts();
        let mut room = MOST;
        let parts =
            message.parts().map(|part| PartFacts::of(&part, &places, shown, &mut room)).collect();
        Self {
            profile: profile.as_str(),
            octets: octets.len(),
            becomes,
            changed: plan.edits().next().is_some(),
            refused: plan.report().is_refused(),
            subject: message.subject().map(Into::into),
            from: people(&message, "from"),
            sender: people(&message, "sender"),
            reply_to: people(&message, "reply-to"),
            return_path: message
                .mailboxes("return-path")
                .first()
                .map(|mailbox| mailbox.address().to_owned()),
            to: people(&message, "to"),
            cc: people(&message, "cc"),
            date: message.date().map(|date| date.to_string()),
            words: words(&message),
            parts,
            plain: numbers(body.plain()),
            html: numbers(body.html()),
            attachments: numbers(body.attachments()),
            issues: plan.report().issues().iter().map(|issue| Issue::of(issue, profile)).collect(),
            changes,
        }
    }
}

/// Returns how many octets the normal form has. Line ends that are repaired everywhere are not
/// changes of their own: only then is the output written to be counted.
fn becomes(octets: usize, plan: &Plan<'_>, changes: &[Change]) -> usize {
    let mended = |issue: &sevenbit::Issue| issue.code() == Code::LineEndsNormalized;
    if plan.report().issues().iter().any(mended) {
        return plan.write_to(std::io::sink()).map_or(octets, |written| written as usize);
    }
    changes
        .iter()
        .fold(octets, |sum, change| sum + change.length - (change.span[1] - change.span[0]))
}

fn numbers(parts: &[Part<'_>]) -> Vec<usize> {
    parts.iter().map(|part| part.number()).collect()
}

fn words(message: &Message<'_>) -> Vec<Word> {
    let found = Message::WORDS.iter().filter_map(|schema| {
        let word = schema.of(message)?;
        Some(Word { name: schema.name, summary: schema.summary, word })
    });
    found.collect()
}

fn people(message: &Message<'_>, name: &str) -> Vec<Person> {
    let person = |mailbox: &sevenbit::Mailbox| Person {
        name: mailbox.name().to_owned(),
        address: mailbox.address().to_owned(),
        address_in_name: mailbox.address_in_name().map(str::to_owned),
    };
    message.mailboxes(name).iter().take(MOST).map(person).collect()
}
