//! `--verify`: the output is read again and compared with what a reader sees of the input.

use std::collections::BTreeSet;

use sevenbit::{Code, Message, Part, Report};

/// Repairs after which a message is made of other parts, or has another header: only the safety of the output is
/// looked at.
const OTHER_PARTS: [Code; 6] = [
    Code::CompositeEncoded,
    Code::DuplicateField,
    Code::GlobalDowngraded,
    Code::HeaderTooLarge,
    Code::PartOpaque,
    Code::PartialMadeOpaque,
];

/// Repairs that show to a reader of the header or the part where they were made, each because its rule says so, and
/// each in the report: the rest must be the same.
const OTHER_TEXT: [Code; 7] = [
    Code::AddressNotAscii,
    Code::ControlReplaced,
    Code::DomainToAscii,
    Code::FieldDowngraded,
    Code::MarkupCharset,
    Code::RawHeaderText,
    Code::UnparsedLine,
];

/// Why `output` must not take the place of `input`, if there is a reason.
pub fn objection(input: &[u8], output: &[u8], report: &Report) -> Option<String> {
    if let Some(at) = output.iter().position(|octet| !matches!(octet, 1..=0x7F)) {
        return Some(format!("octet {at} of the output is not 7-bit safe"));
    }
    if report.issues().iter().any(|issue| OTHER_PARTS.contains(&issue.code())) {
        return None;
    }
    let shown = report.issues().iter().filter(|issue| OTHER_TEXT.contains(&issue.code()));
    let shown = shown.map(sevenbit::Issue::part).collect();
    compare(&Message::parse(input), &Message::parse(output), &shown).err()
}

/// Whether octets hold no header field at all: a file that lies among mail, say, which must not become mail in its place.
pub fn is_no_mail(octets: &[u8]) -> bool {
    Message::parse(octets).headers().next().is_none()
}

/// Compares all but the header and the parts in which repairs are `shown`.
fn compare(before: &Message<'_>, after: &Message<'_>, shown: &BTreeSet<&str>) -> Result<(), String> {
    if !shown.contains("0") {
        compare_headers(before, after)?;
    }
    let mut after = after.parts();
    for part in before.parts() {
        let path = part.path();
        let Some(other) = after.next() else { return Err(format!("part {path} is lost")) };
        same(&format!("part {path}: path"), &path, &other.path())?;
        // A message's own header is section 0 of it, and its only part is section 1.
        let header = match path.strip_suffix('1') {
            Some(message) => format!("{message}0"),
            None if path.is_empty() => "0".to_owned(),
            None => format!("{path}.0"),
        };
        if !shown.contains(&*path) && !shown.contains(&*header) {
            compare_parts(&part, &other)?;
        }
    }
    after.next().map_or(Ok(()), |part| Err(format!("part {} is new", part.path())))
}

fn compare_headers(before: &Message<'_>, after: &Message<'_>) -> Result<(), String> {
    for name in ["subject", "date", "message-id"] {
        let text = |message: &Message<'_>| message.header(name).map(|text| squeezed(&text));
        same(name, &text(before), &text(after))?;
    }
    for name in ["from", "sender", "reply-to", "to", "cc", "bcc"] {
        let people = |message: &Message<'_>| -> Vec<(String, String)> {
            let mailboxes = message.mailboxes(name);
            mailboxes.iter().map(|who| (squeezed(who.name()), who.address().to_owned())).collect()
        };
        same(name, &people(before), &people(after))?;
    }
    Ok(())
}

fn compare_parts(before: &Part<'_>, after: &Part<'_>) -> Result<(), String> {
    let what = |what: &str| format!("part {}: {what}", before.path());
    same(&what("type"), &before.media_type(), &after.media_type())?;
    same(&what("disposition"), &before.disposition(), &after.disposition())?;
    same(&what("file name"), &before.filename(), &after.filename())?;
    if !before.is_leaf() {
        return Ok(());
    }
    match (before.text(), after.text()) {
        (Some(before), Some(after)) => {
            same(&what("text"), &before.trim_end_matches('\n'), &after.trim_end_matches('\n'))
        }
        (None, None) if same_lines(&before.octets(), &after.octets()) => Ok(()),
        (None, None) => Err(said(&what("octets"))),
        _ => Err(what("text is text in one of the two only")),
    }
}

fn same<T: PartialEq>(what: &str, before: &T, after: &T) -> Result<(), String> {
    if before == after { Ok(()) } else { Err(said(what)) }
}

fn said(what: &str) -> String {
    format!("{what} would not be the same")
}

/// Whether both are the same lines, however they end and whatever white space stands at the very end: what was stored
/// with LF means CRLF.
fn same_lines(before: &[u8], after: &[u8]) -> bool {
    fn lines(octets: &[u8]) -> impl Iterator<Item = &[u8]> {
        let lines = octets.trim_ascii_end().split(|octet| *octet == b'\n');
        lines.map(|line| line.strip_suffix(b"\r").unwrap_or(line))
    }
    lines(before).eq(lines(after))
}

/// Runs of folding white space are one space.
fn squeezed(text: &str) -> String {
    text.split([' ', '\t', '\r', '\n']).filter(|word| !word.is_empty()).collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    const INPUT: &[u8] = b"From: a@example.org\r\nSubject: x\r\n\r\nText.\r\n";

    fn object(output: &str) -> Option<String> {
        objection(INPUT, output.as_bytes(), &Report::default())
    }

    #[test]
    fn what_a_reader_sees_must_be_the_same() {
        assert_eq!(object("From: a@example.org\nSubject:  x\n\nText.\n"), None);
        for (output, why) in [
            ("From: b@example.org\r\nSubject: x\r\n\r\nText.\r\n", "from"),
            ("From: a@example.org\r\nSubject: y\r\n\r\nText.\r\n", "subject"),
            ("From: a@example.org\r\nSubject: x\r\n\r\nTxt.\r\n", "text"),
            ("From: a@example.org\r\nSubject: x\r\n\r\nText.\u{7f}\u{80}\r\n", "7-bit"),
        ] {
            assert!(object(output).is_some_and(|said| said.contains(why)), "{output}");
        }
    }
}
