//! `--verify`: the output is read again and compared with what a reader sees of the input.

use sevenbit::{Code, Message, Part, Report};

/// Repairs that show to a reader, each because its rule says so, and each in the report: after one of them the
/// two views differ, and only the safety of the output is looked at.
const SHOW: [Code; 26] = [
    Code::AddressNotAscii,
    Code::BareLineEnd,
    Code::Base64Dropped,
    Code::Base64Repaired,
    Code::BoundaryMissing,
    Code::CharsetGuessed,
    Code::CharsetLabelLies,
    Code::CompositeEncoded,
    Code::ControlReplaced,
    Code::DomainToAscii,
    Code::DuplicateField,
    Code::DuplicateParameter,
    Code::EncodedWordRepaired,
    Code::FieldDowngraded,
    Code::FoldRestored,
    Code::GlobalDowngraded,
    Code::HeaderNotEnded,
    Code::HeaderTooLarge,
    Code::MarkupCharset,
    Code::ParameterRepaired,
    Code::PartOpaque,
    Code::PartialMadeOpaque,
    Code::QuotedPrintableRepaired,
    Code::RawHeaderText,
    Code::UndecodableText,
    Code::UnparsedLine,
];

/// Why `output` must not take the place of `input`, if there is a reason.
pub fn objection(input: &[u8], output: &[u8], report: &Report) -> Option<String> {
    if let Some(at) = output.iter().position(|octet| !matches!(octet, 1..=0x7F)) {
        return Some(format!("octet {at} of the output is not 7-bit safe"));
    }
    if report.issues().iter().any(|issue| SHOW.contains(&issue.code())) {
        return None;
    }
    compare(&Message::parse(input), &Message::parse(output)).err()
}

fn compare(before: &Message<'_>, after: &Message<'_>) -> Result<(), String> {
    for name in ["subject", "date", "message-id"] {
        let text = |message: &Message<'_>| message.header(name).map(|text| squeezed(&text));
        same(name, &text(before), &text(after))?;
    }
    for name in ["from", "sender", "reply-to", "to", "cc", "bcc"] {
        same(name, &before.mailboxes(name), &after.mailboxes(name))?;
    }
    let mut after = after.parts();
    for part in before.parts() {
        let Some(other) = after.next() else { return Err(format!("part {} is lost", part.path())) };
        compare_parts(&part, &other)?;
    }
    after.next().map_or(Ok(()), |part| Err(format!("part {} is new", part.path())))
}

fn compare_parts(before: &Part<'_>, after: &Part<'_>) -> Result<(), String> {
    let path = before.path();
    let what = |what: &str| format!("part {path}: {what}");
    same(&what("path"), &path, &after.path())?;
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
        (None, None) => same(&what("octets"), &lines(&before.octets()), &lines(&after.octets())),
        _ => Err(what("text is text in one of the two only")),
    }
}

fn same<T: PartialEq>(what: &str, before: &T, after: &T) -> Result<(), String> {
    if before == after { Ok(()) } else { Err(format!("{what} would not be the same")) }
}

/// Octets with LF for CRLF, and none at the end: what was stored with LF means CRLF.
fn lines(octets: &[u8]) -> Vec<u8> {
    let mut out = super::line_ends::with_lf(octets.into()).into_owned();
    out.truncate(out.trim_ascii_end().len());
    out
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
