//! `--json`: one object per message. Its keys are an interface that scripts rely on.

use std::borrow::Cow;
use std::io::{self, Write};

use serde::Serialize;
use sevenbit::{Message, MessageData, MessageIssues as _, Span};

use super::field;
use crate::args::Inspect;
use crate::input::{Item, Other};
use crate::json;
use crate::line_numbers::LineNumbers;
use crate::place::shown;

#[derive(Serialize)]
struct Object<'a> {
    input: Cow<'a, str>,
    /// Its place in a mailbox.
    #[serde(skip_serializing_if = "Option::is_none")]
    mailbox: Option<json::MailboxPlace<'a>>,
    #[serde(flatten)]
    answers: MessageData<'a>,
    #[serde(skip_serializing_if = "Option::is_none")]
    fields: Option<Vec<Field<'a>>>,
    /// With `--line-numbers`; otherwise they are among the answers.
    #[serde(skip_serializing_if = "Option::is_none")]
    issues: Option<Vec<json::PlacedIssue<'a>>>,
}

/// A file that is no mail.
#[derive(Serialize)]
struct UnreadObject<'a> {
    input: Cow<'a, str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    mailbox: Option<json::MailboxPlace<'a>>,
    octets: u64,
    kept: &'static str,
    kind: &'static str,
}

/// Writes the object of a file that is no mail on one line: its keys are those of a report.
///
/// # Errors
/// Those of `out`.
pub fn write_unread(out: &mut dyn Write, other: &Other) -> io::Result<()> {
    let Other { item, unread, octets, .. } = other;
    json::write_line(
        out,
        &UnreadObject {
            input: shown(&item.name),
            mailbox: json::MailboxPlace::of(item),
            octets: *octets,
            kept: "no mail",
            kind: unread.words(),
        },
    )
}

#[derive(Serialize)]
struct Field<'a> {
    part: String,
    name: &'a str,
    value: Cow<'a, str>,
    octets: Option<Span>,
    #[serde(skip_serializing_if = "Option::is_none")]
    lines: Option<[usize; 2]>,
}

/// Writes the object of `message`, the octets found in `item`, on one line.
///
/// # Errors
/// Those of `out`.
pub fn write(
    out: &mut dyn Write,
    item: &Item,
    message: &Message<'_>,
    octets: &[u8],
    args: &Inspect,
) -> io::Result<()> {
    let mut answers =
        MessageData::of(message).text(args.text).digest(json::sha256).issues(!args.line_numbers);
    if args.headers || !args.header.is_empty() {
        answers = answers.headers(&args.header);
    }
    let numbers = args.line_numbers.then(|| LineNumbers::of(octets));
    let lines = |span: Span| numbers.as_ref().and_then(|numbers| numbers.at(span));
    let fields = args.fields.then(|| {
        let all = field::all(message, octets).map(|(part, field)| {
            let field::PlacedField { name, value, span } = field;
            Field { part, name, value, octets: span, lines: span.and_then(lines) }
        });
        all.collect()
    });
    let issues = if args.line_numbers { message.issues() } else { Vec::new() };
    let issues = args.line_numbers.then(|| {
        issues
            .iter()
            .map(|issue| json::PlacedIssue { issue, lines: Some(lines(issue.span())) })
            .collect()
    });
    json::write_line(
        out,
        &Object {
            input: shown(&item.name),
            mailbox: json::MailboxPlace::of(item),
            answers,
            fields,
            issues,
        },
    )
}
