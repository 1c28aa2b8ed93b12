//! Reports that were written for people: by qmail, by Postfix before it had RFC 3464, by Exim and
//! by Exchange.

use super::delivery::{DeliveryReport, ReportedRecipient, status_in};
use crate::view::Message;
use crate::view::part::Part;

/// Returns the recipients that a text names.
type Form = fn(&str) -> Vec<ReportedRecipient>;

/// How the text of a report begins, what follows soon after that, and how the rest is read.
const FORMS: [(&str, &str, Form); 7] = [
    ("Hi. This is the qmail-send program", "", paragraphs),
    ("This is the qmail-send program", "", paragraphs),
    // `This is the NAME Postfix program at host`: distributions put their name there.
    ("This is the ", "program at host", paragraphs),
    ("This is the ", "mail system at host", paragraphs),
    ("This message was created automatically by mail delivery software", "", indented),
    ("Your message did not reach some or all of the intended recipients", "", exchange),
    ("Your message\n", "\ndid not reach the following recipient(s):\n", internet_mail_service),
];

/// The line behind the recipients in what qmail writes (QSBMF), with the words before that each
/// host may choose.
const QSBMF: &str = "--- Below this line is a copy of the message";

/// Lines after which the original message comes, or its header.
const COPIES: [&str; 4] = [
    QSBMF,
    "------ This is a copy of the message",
    "------ This is a copy of your message",
    "--- Undelivered message follows ---",
];

/// Words of a server that will try again, in lower case.
const DELAYS: [&str; 6] = [
    "this is a warning only",
    "this is a warning message only",
    "has not yet been delivered",
    "will be retried",
    "attempts will continue",
    "will keep trying",
];

/// How far into a text the words may be.
const HEAD: usize = 2_000;

/// Returns what the text of a message reports; `original_id` is the id of a message that the report
/// holds as a part.
pub(super) fn read(
    message: &Part<'_>,
    text: &str,
    original_id: Option<String>,
) -> Option<DeliveryReport> {
    let (form, at) = form_of(message, text)?;
    let after = &text[at..];
    let copy = COPIES.iter().filter_map(|line| after.find(line)).min();
    let (said, copy) = after.split_at(copy.unwrap_or(after.len()));
    let failed = message.header("x-failed-recipients");
    let named =
        failed.iter().flat_map(|text| text.split(',')).map(|address| recipient(address.trim(), ""));
    let mut recipients = form(said);
    if recipients.is_empty() {
        recipients = named.filter(|one| !one.address.is_empty()).collect();
    }
    if is_delay(message, said) {
        recipients.iter_mut().for_each(|one| one.action = "delayed".to_owned());
    }
    let copied = copy.split_once('\n').map_or("", |(_, copied)| copied.trim_start());
    let id = || Message::parse(copied.as_bytes()).message_id().map(std::borrow::Cow::into_owned);
    (!recipients.is_empty()).then(|| DeliveryReport {
        reporter: host(&text[..at], said),
        envelope_id: None,
        arrival: None,
        original_id: original_id.or_else(id),
        recipients,
        is_standard: false,
    })
}

/// Returns the form of a report, and where its first words end. A text begins with them: who quotes
/// a report writes none. After other words, as after those of another language, they count only if
/// the header says that it is a report.
fn form_of(message: &Part<'_>, text: &str) -> Option<(Form, usize)> {
    let content = message.header("content-type").unwrap_or_default().to_ascii_lowercase();
    let of_reports = ["x-failed-recipients", "x-ms-embedded-report"];
    let is_sure = content.starts_with("multipart/report")
        || of_reports.iter().any(|name| message.header(name).is_some());
    let begins_line = |at: &usize| text[..*at].ends_with('\n');
    let is_first = |at: &usize| text[..*at].trim().is_empty();
    let known = FORMS.iter().find_map(|(first, then, form)| {
        let found = text.match_indices(first).map(|(at, _)| at).take_while(|at| *at < HEAD);
        let at = { found }.find(|at| is_first(at) || is_sure && begins_line(at))? + first.len();
        let rest = &text[at..];
        let within =
            if first.ends_with('\n') { HEAD } else { rest.find('\n').unwrap_or(rest.len()) };
        let then_at = rest.find(then).filter(|at| *at <= within)?;
        Some((*form, at + then_at + then.len()))
    });
    let is_of_host = || {
        let from = message.mailboxes("from");
        let is_daemon = |address: &str| {
            address.get(..14).is_some_and(|local| local.eq_ignore_ascii_case("mailer-daemon@"))
        };
        let is_end =
            |line: &str| line.strip_prefix(QSBMF).is_some_and(|rest| rest.starts_with('.'));
        text.lines().skip(1).any(is_end)
            && from.first().is_some_and(|from| is_daemon(from.address()))
    };
    known.or_else(|| is_of_host().then_some((paragraphs as Form, 0)))
}

/// Returns the server that reports: it comes after `at`, or after `at host` at the end of the first
/// words.
fn host(first: &str, said: &str) -> Option<String> {
    if !(first.ends_with("program") || first.ends_with("host")) {
        return None;
    }
    let line = said.lines().next()?;
    let names = line.strip_prefix(" at ").unwrap_or(line);
    let host = names.split([' ', ',']).find(|word| word.contains('.'))?;
    Some(host.trim_end_matches('.').to_owned())
}

/// Returns whether a report is only a warning: a server will try again.
fn is_delay(message: &Part<'_>, said: &str) -> bool {
    let words = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ").to_lowercase();
    let said = words(said);
    if DELAYS.iter().any(|words| said.contains(words)) {
        return true;
    }
    let subject = words(&message.header("subject").unwrap_or_default());
    // `Undeliverable: flight delayed` has the subject of the message in it.
    let is_failure = ["undeliver", "fail", "return"].iter().any(|word| subject.contains(word));
    !is_failure && (subject.contains("delayed") || subject.starts_with("warning"))
}

/// Paragraphs that begin with an address: `<ada@example.org>:` and lines of what was wrong, or that
/// after the colon.
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

/// ` ada@example.org on 3/3/2025 10:00 AM`, and deeper lines of what was wrong. Where Exchange knew
/// a name, it wrote only that.
fn exchange(text: &str) -> Vec<ReportedRecipient> {
    let listed = text.split_once("could not be reached:").map_or(text, |(_, listed)| listed);
    let begins = |line: &str| {
        let (name, _) = line.strip_prefix(' ')?.trim_start().split_once(" on ")?;
        let is_dated = line.contains('/') || line.contains(". ") || line.contains('-');
        is_dated.then(|| (name.trim_matches(['\'', '"', '<', '>']).to_owned(), String::new()))
    };
    gathered(listed, begins)
}

/// `ada@example.net on Mon, 3 Mar 2025 10:00:00 +0100`, and deeper lines of what was wrong: the
/// Internet Mail Service, Exchange up to 2003. An address of X.400 has that of the mail in it:
/// `c=US;a= ;p=X;dda:SMTP=ada@example.net;`.
fn internet_mail_service(text: &str) -> Vec<ReportedRecipient> {
    let begins = |line: &str| {
        if line.starts_with([' ', '\t']) {
            return None;
        }
        let (name, date) = line.split_once(" on ")?;
        let name = name.rsplit_once("SMTP=").map_or(name, |(_, name)| name).trim_end_matches(';');
        // A long line is folded, within the date.
        let is_dated = date.contains(|c: char| c.is_ascii_digit());
        is_dated.then(|| (name.trim_matches(['\'', '"', '<', '>']).to_owned(), String::new()))
    };
    let is_of_date =
        |word: &&str| word.bytes().all(|octet| octet.is_ascii_digit() || b":+-".contains(&octet));
    let mut recipients = gathered(text, begins);
    for one in &mut recipients {
        let said = one.diagnostic.take().unwrap_or_default();
        let said: Vec<&str> = said.split_whitespace().skip_while(is_of_date).collect();
        one.diagnostic = Some(said.join(" ")).filter(|said| !said.is_empty());
    }
    recipients
}

/// Returns the recipients that lines of `text` begin with, each with the lines up to the next one
/// or an empty line.
fn gathered(
    text: &str,
    begins: impl Fn(&str) -> Option<(String, String)>,
) -> Vec<ReportedRecipient> {
    let mut found: Vec<(String, String)> = Vec::new();
    let mut is_open = false;
    for line in text.lines() {
        if let Some(one) = begins(line) {
            found.push(one);
            is_open = true;
        } else if let Some((_, said)) = found.last_mut()
            && is_open
        {
            is_open = !line.trim().is_empty() || said.is_empty();
            said.push(' ');
            said.push_str(line.trim());
        }
    }
    found.iter().map(|(address, said)| recipient(address, said.trim())).collect()
}

fn recipient(address: &str, said: &str) -> ReportedRecipient {
    let diagnostic = Some(said.to_owned()).filter(|said| !said.is_empty());
    ReportedRecipient {
        address: address.to_owned(),
        original_address: None,
        action: "failed".to_owned(),
        status: status_in(said),
        diagnostic,
        remote: None,
    }
}
