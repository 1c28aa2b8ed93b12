//! Reports that were written for people: by qmail, by Postfix before it had RFC 3464, by Exim and by Exchange.

use super::delivery::{DeliveryReport, ReportedRecipient, status_in};
use crate::view::Message;
use crate::view::part::Part;

/// Returns the recipients that a text names.
type Form = fn(&str) -> Vec<ReportedRecipient>;

/// Words that only such a report begins with, and how what follows them is read.
const FORMS: [(&str, Form); 7] = [
    ("Hi. This is the qmail-send program", paragraphs),
    ("This is the qmail-send program", paragraphs),
    ("This is the Postfix program at host", paragraphs),
    ("This is the Postfix mail system at host", paragraphs),
    ("This is the mail system at host", paragraphs),
    ("This message was created automatically by mail delivery software", indented),
    ("Your message did not reach some or all of the intended recipients", exchange),
];

/// Lines after which the original message comes, or its header.
const COPIES: [&str; 4] = [
    "--- Below this line is a copy of the message",
    "------ This is a copy of the message",
    "------ This is a copy of your message",
    "--- Undelivered message follows ---",
];

/// How far into a text the words may be.
const HEAD: usize = 2_000;

/// Returns what the text of a message reports; `original_id` is the id of a message that the report holds as a part.
pub(super) fn read(message: &Part<'_>, text: &str, original_id: Option<String>) -> Option<DeliveryReport> {
    let head = text.get(..HEAD).unwrap_or(text);
    // A line may be folded between the words.
    let (words, form) = FORMS.iter().find(|(words, _)| head.contains(words))?;
    let after = &text[head.find(words)? + words.len()..];
    let copy = COPIES.iter().filter_map(|line| after.find(line)).min();
    let (said, copy) = after.split_at(copy.unwrap_or(after.len()));
    let recipients = form(said);
    let failed = message.header("x-failed-recipients");
    let named = failed.iter().flat_map(|text| text.split(',')).map(|address| recipient(address.trim(), ""));
    let recipients = if recipients.is_empty() {
        named.filter(|one| !one.address.is_empty()).collect()
    } else {
        recipients
    };
    let copied = copy.split_once('\n').map_or("", |(_, copied)| copied.trim_start());
    let id = || Message::parse(copied.as_bytes()).message_id().map(std::borrow::Cow::into_owned);
    let by_host = said.split_once(" at ").map_or(said, |(_, rest)| rest);
    let host = by_host.trim_start_matches(" host ").split([' ', '\n', ',']).find(|word| word.contains('.'));
    (!recipients.is_empty()).then(|| DeliveryReport {
        reporter: host
            .filter(|_| words.contains("program") || words.contains("host"))
            .map(|host| host.trim_end_matches('.').to_owned()),
        envelope_id: None,
        arrival: None,
        original_id: original_id.or_else(id),
        recipients,
        is_standard: false,
    })
}

/// Paragraphs that begin with an address: `<ada@example.org>:` and lines of what was wrong, or that after the colon.
fn paragraphs(text: &str) -> Vec<ReportedRecipient> {
    let begins = |line: &str| {
        let rest = line.strip_prefix('<')?;
        let (address, rest) = rest.split_once('>')?;
        let (expansion, said) = rest.split_once(':')?;
        (address.contains('@') && (expansion.is_empty() || expansion.starts_with(" (expanded")))
            .then(|| (address.to_owned(), said.to_owned()))
    };
    gathered(text, begins)
}

/// `  ada@example.org` on a line of its own, and deeper lines of what was wrong.
fn indented(text: &str) -> Vec<ReportedRecipient> {
    let begins = |line: &str| {
        let address = line.strip_prefix("  ").filter(|rest| !rest.starts_with(' '))?.trim_end();
        let bare = address.split(" (").next().unwrap_or_default().trim_end_matches(':');
        (bare.contains('@') && !bare.contains(' '))
            .then(|| (bare.trim_matches(['<', '>']).to_owned(), String::new()))
    };
    gathered(text, begins)
}

/// `  ada@example.org on 3/3/2025 10:00 AM`, and deeper lines of what was wrong. Where Exchange knew a name, it wrote
/// only that.
fn exchange(text: &str) -> Vec<ReportedRecipient> {
    let listed = text.split_once("could not be reached:").map_or(text, |(_, listed)| listed);
    let begins = |line: &str| {
        let (name, _) = line.strip_prefix(' ')?.trim_start().split_once(" on ")?;
        let is_dated = line.contains('/') || line.contains(". ") || line.contains('-');
        is_dated.then(|| (name.trim_matches(['\'', '"', '<', '>']).to_owned(), String::new()))
    };
    gathered(listed, begins)
}

/// Returns the recipients that lines of `text` begin with, each with the lines up to the next one or an empty line.
fn gathered(text: &str, begins: impl Fn(&str) -> Option<(String, String)>) -> Vec<ReportedRecipient> {
    let mut found: Vec<(String, String)> = Vec::new();
    let mut is_open = false;
    for line in text.lines() {
        if let Some(one) = begins(line) {
            found.push(one);
            is_open = true;
        } else if let Some((_, said)) = found.last_mut().filter(|_| is_open) {
            is_open = !line.trim().is_empty() || said.is_empty();
            said.push(' ');
            said.push_str(line.trim());
        }
    }
    found.iter().map(|(address, said)| recipient(address, said.trim())).collect()
}

fn recipient(address: &str, said: &str) -> ReportedRecipient {
    let diagnostic = Some(said.to_owned()).filter(|said| !said.is_empty());
    let action = if said.contains("attempts will continue") { "delayed" } else { "failed" };
    ReportedRecipient {
        address: address.to_owned(),
        original_address: None,
        action: action.to_owned(),
        status: status_in(said),
        diagnostic,
        remote: None,
    }
}
