//! The tree of a message, in a form for people. Everything that comes from mail goes through
//! [`safe_line`] or [`safe_text`].

use std::fmt::Write as _;

use sevenbit::{Issue, Mailbox, Message, MessageIssues as _, Part, Profile, Span};

use super::field;
use crate::args::Inspect;
use crate::issue::{effect, place, what};
use crate::line_numbers::LineNumbers;
use crate::term::{COLUMNS, columns, grouped, rows, safe_line, safe_text, size, style};

/// The fields that are shown, in this order.
const USUAL: [&str; 9] =
    ["From", "Sender", "Reply-To", "To", "Cc", "Bcc", "Subject", "Date", "Message-ID"];

/// Those of them that contain mailboxes.
const ADDRESSES: [&str; 6] = ["From", "Sender", "Reply-To", "To", "Cc", "Bcc"];

/// How many parts and issues are shown; `--json` has all of them.
const SHOWN: usize = 100;

/// How many rows of a field are shown.
const ROWS: usize = 10;

/// The columns to the left of the value of a field, and of what is said of an issue.
const FIELD: usize = 14;
const ISSUE: usize = 9;

/// Shows the message `octets`, called `name`.
pub fn show(out: &mut String, args: &Inspect, name: &str, message: &Message<'_>, octets: &[u8]) {
    let strong = style::STRONG;
    line(out, format_args!("{strong}{}{strong:#}", safe_line(name)));
    if args.headers {
        all_headers(out, message)
    } else {
        usual_headers(out, message)
    }
    let numbers = args.line_numbers.then(|| LineNumbers::of(octets));
    let said = |span: Span| numbers.as_ref().and_then(|numbers| numbers.said(span));
    let said =
        |span: Span| said(span).unwrap_or_else(|| format!("octets {}..{}", span.start, span.end));
    let parts: Vec<Part<'_>> = message.parts().collect();
    for (part, branches) in parts.iter().zip(branches(&parts)).take(SHOWN) {
        entity(out, part, &branches, args.fields);
        if args.fields {
            placed_fields(out, part, &branches, octets, said);
        }
        if args.text {
            text(out, part, &branches);
        }
    }
    and_more(out, parts.len(), "parts");
    let issues = message.issues();
    if !issues.is_empty() {
        let faint = style::FAINT;
        line(
            out,
            format_args!("  {faint}what `normalize` would find, and do for an archive:{faint:#}"),
        );
    }
    for issue in issues.iter().take(SHOWN) {
        oddity(out, issue, octets, &said(issue.span()));
    }
    and_more(out, issues.len(), "issues");
}

fn and_more(out: &mut String, count: usize, what: &str) {
    if count > SHOWN {
        let (more, faint) = (grouped((count - SHOWN) as u64), style::FAINT);
        line(
            out,
            format_args!("  {faint}and {more} more {what}: `--json` has all of them{faint:#}"),
        );
    }
}

/// Writing to a string does not fail.
fn line(out: &mut String, text: std::fmt::Arguments<'_>) {
    let _ = writeln!(out, "{text}");
}

fn field(out: &mut String, name: &str, value: &str) {
    let label = style::LABEL;
    let (name, value) = (safe_line(name), safe_line(value));
    let rows = rows(&value, COLUMNS - FIELD);
    let (first, others) = rows.split_first().unwrap_or((&"", &[]));
    line(out, format_args!("  {label}{name:<11}{label:#} {first}"));
    for row in others.iter().take(ROWS) {
        line(out, format_args!("{:FIELD$}{row}", ""));
    }
    if others.len() > ROWS {
        let (rest, faint) =
            (others[ROWS..].iter().map(|row| row.len()).sum::<usize>(), style::FAINT);
        line(out, format_args!("{:FIELD$}{faint}and {} more{faint:#}", "", size(rest as u64)));
    }
}

fn all_headers(out: &mut String, message: &Message<'_>) {
    for (name, value) in message.headers() {
        field(out, name, &value);
    }
}

fn usual_headers(out: &mut String, message: &Message<'_>) {
    for name in USUAL {
        let people = if ADDRESSES.contains(&name) { message.mailboxes(name) } else { Vec::new() };
        if !people.is_empty() {
            field(out, name, &people.iter().map(mailbox).collect::<Vec<_>>().join(", "));
        } else if let Some(value) = message.header(name) {
            field(out, name, &value);
        }
    }
}

fn mailbox(mailbox: &Mailbox) -> String {
    match mailbox.name() {
        "" => mailbox.address().to_owned(),
        name => format!("{name} <{}>", mailbox.address()),
    }
}

/// `├─ 1.2 text/plain, utf-8, quoted-printable, 1.2 kB, attachment "report.txt"`
fn entity(out: &mut String, part: &Part<'_>, branches: &Branches, with_fields: bool) {
    let (strong, faint) = (style::STRONG, style::FAINT);
    let path = part.path();
    let (path, kind) = (safe_line(&path), safe_line(part.media_type()));
    let tree = &branches.row;
    let space = if path.is_empty() { "" } else { " " };
    let before = 2 + columns(tree) + columns(&path) + space.len() + columns(&kind);
    // The first row is shorter.
    let facts = format!("{:before$}{}", "", facts(part));
    let mut rows = rows(&facts, COLUMNS).into_iter();
    let first = rows.next().unwrap_or_default().get(before..).unwrap_or_default();
    line(out, format_args!("  {faint}{tree}{path}{faint:#}{space}{strong}{kind}{strong:#}{first}"));
    let stem = format!("  {}   ", branches.below);
    for row in rows.flat_map(|row| self::rows(row, COLUMNS - columns(&stem))) {
        line(out, format_args!("{faint}{stem}{faint:#}{row}"));
    }
    if part.depth() > 0 && !with_fields {
        for name in ["From", "Subject"] {
            if let Some(value) = part.header(name) {
                below(out, branches, &format!("{name}: {}", safe_line(&value)));
            }
        }
    }
}

/// Shows something of a part below it.
fn below(out: &mut String, branches: &Branches, shown: &str) {
    let (below, faint) = (&branches.below, style::FAINT);
    for row in rows(shown, COLUMNS - 4 - columns(below)).into_iter().take(ROWS) {
        line(out, format_args!("  {faint}{below}{faint:#}  {row}"));
    }
}

/// `octets 0..12: Subject: hello`
fn placed_fields(
    out: &mut String,
    part: &Part<'_>,
    branches: &Branches,
    octets: &[u8],
    said: impl Fn(Span) -> String,
) {
    let mut fields = field::fields(part, octets);
    for field in fields.by_ref().take(SHOWN) {
        let at = field.span.map_or_else(|| String::from("encoded"), &said);
        below(
            out,
            branches,
            &format!("{at}: {}: {}", safe_line(field.name), safe_line(&field.value)),
        );
    }
    and_more(out, SHOWN + fields.count(), "fields");
}

fn facts(part: &Part<'_>) -> String {
    let mut facts = String::new();
    let mut add = |fact: &str| _ = write!(facts, ", {}", safe_line(fact));
    if let Some(label) = part.charset_label() {
        add(label);
    }
    if part.is_leaf() {
        add(part.transfer_encoding());
        add(&size(part.octets().len() as u64));
    }
    match (part.disposition(), part.filename()) {
        (Some(disposition), Some(name)) => add(&format!("{disposition} \"{name}\"")),
        (None, Some(name)) => add(&format!("\"{name}\"")),
        (Some(disposition), None) => add(disposition),
        (None, None) => {}
    }
    facts
}

fn text(out: &mut String, part: &Part<'_>, branches: &Branches) {
    let Some(text) = part.text() else { return };
    let faint = style::FAINT;
    let text = safe_text(&text);
    for row in text.lines().flat_map(|line| rows(line, COLUMNS - 4 - columns(&branches.below))) {
        line(out, format_args!("  {faint}{}│{faint:#} {row}", branches.below));
    }
}

/// Describes what is wrong, where, by which rule; below it what an archive does about it:
/// `repair part 1.2: charset guessed: windows-1251 (charset-guessed, B7, octets 340..352)`
fn oddity(out: &mut String, issue: &Issue, octets: &[u8], at: &str) {
    let (style, faint) = (style::of(issue.severity()), style::FAINT);
    let code = issue.code();
    let (severity, place, what) = (issue.severity().as_str(), place(issue, octets), what(issue));
    let source = format!("({code}, {}, {at})", issue.rule());
    let said = format!("{place}: {what}");
    let rows_of = |text| rows(text, COLUMNS - ISSUE);
    let mut said: Vec<String> = rows_of(&said).into_iter().map(str::to_owned).collect();
    let last = said.last_mut().expect("a text has a row");
    if columns(last) + 1 + columns(&source) <= COLUMNS - ISSUE {
        let _ = write!(last, " {faint}{source}{faint:#}");
    } else {
        said.extend(rows_of(&source).into_iter().map(|row| format!("{faint}{row}{faint:#}")));
    }
    let effect = rows_of(effect(issue, Profile::Archive)).into_iter();
    said.extend(effect.map(|row| format!("{faint}{row}{faint:#}")));
    for (at, row) in said.iter().enumerate() {
        let severity = if at == 0 { severity } else { "" };
        line(out, format_args!("  {style}{severity:<6}{style:#} {row}"));
    }
}

/// The lines to the left of a part: in its own row, and in rows below it.
struct Branches {
    row: String,
    below: String,
}

/// Returns the branches of each part, from the depths alone, in one pass from the end: at each
/// depth it is known whether a sibling follows.
fn branches(parts: &[Part<'_>]) -> Vec<Branches> {
    let mut follows: Vec<bool> = Vec::new();
    let mut all: Vec<Branches> = Vec::with_capacity(parts.len());
    for part in parts.iter().rev() {
        let depth = part.depth();
        follows.resize(depth + 1, false);
        all.push(branch(&follows));
        follows[depth] = true;
    }
    all.reverse();
    all
}

/// Returns the branches of a part; `follows` says for each depth, its own last, whether a sibling
/// follows.
fn branch(follows: &[bool]) -> Branches {
    // The message itself is at depth 0, without a branch.
    let Some((own, above)) = follows.get(1..).and_then(<[bool]>::split_last) else {
        return Branches { row: String::new(), below: String::new() };
    };
    let stem: String = above.iter().map(|follows| if *follows { "│  " } else { "   " }).collect();
    let (row, below) = if *own { ("├─ ", "│  ") } else { ("└─ ", "   ") };
    Branches { row: format!("{stem}{row}"), below: stem + below }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn branches_tell_siblings() {
        let rows = |follows: &[bool]| branch(follows).row;
        assert_eq!(rows(&[false]), "");
        assert_eq!(rows(&[false, true]), "├─ ");
        assert_eq!(rows(&[false, true, false]), "│  └─ ");
        assert_eq!(rows(&[false, false, true]), "   ├─ ");
    }
}
