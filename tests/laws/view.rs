//! What a reader sees of a message, and whether it is the same after (law 7; G9 and G10).

use sevenbit::{Code, Message, Normalized, Part};

/// What must be kept of one entity.
#[derive(Debug, PartialEq)]
struct Seen {
    path: String,
    media_type: String,
    disposition: Option<String>,
    filename: Option<String>,
    /// Text of a text leaf, octets of another leaf.
    text: Option<String>,
    octets: Option<Vec<u8>>,
}

/// Codes of repairs that may show in the view, each because its rule says so.
const MAY_SHOW: [Code; 26] = [
    Code::AddressNotAscii,
    Code::Base64Dropped,
    Code::Base64Repaired,
    Code::BareLineEnd,
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

/// Compares the views of a message and of its normal form.
pub fn compare(input: &[u8], output: &Normalized<'_>) -> Result<(), String> {
    if output.report().issues().iter().any(|issue| MAY_SHOW.contains(&issue.code())) {
        return Ok(());
    }
    let (before, after) = (Message::parse(input), Message::parse(output.octets()));
    same(
        "subject",
        &before.subject().map(|text| squeeze(&text)),
        &after.subject().map(|text| squeeze(&text)),
    )?;
    for name in ["from", "sender", "reply-to", "to", "cc", "bcc"] {
        same(name, &mailboxes(&before, name), &mailboxes(&after, name))?;
    }
    let seen = |message: &Message<'_>| message.parts().map(|part| see(&part)).collect::<Vec<_>>();
    let (before, after) = (seen(&before), seen(&after));
    if before.len() != after.len() {
        return Err(format!("{} entities became {}", before.len(), after.len()));
    }
    before.iter().zip(&after).try_for_each(|(before, after)| same(&before.path, before, after))
}

/// Names, white space squeezed, and addr-specs, octet for octet.
fn mailboxes(message: &Message<'_>, name: &str) -> Vec<(String, String)> {
    let pair = |mailbox: &sevenbit::Mailbox| (squeeze(mailbox.name()), mailbox.address().to_owned());
    message.mailboxes(name).iter().map(pair).collect()
}

fn same<T: PartialEq + std::fmt::Debug>(what: &str, before: &T, after: &T) -> Result<(), String> {
    if before == after { Ok(()) } else { Err(format!("{what}: {before:?} became {after:?}")) }
}

fn see(part: &Part<'_>) -> Seen {
    let text = part.text().map(|text| text.trim_end_matches('\n').to_owned());
    let octets = (part.is_leaf() && text.is_none()).then(|| lines(&part.octets()));
    Seen {
        path: part.path(),
        media_type: part.media_type().to_owned(),
        disposition: part.disposition().map(str::to_owned),
        filename: part.filename().map(str::to_owned),
        text,
        octets,
    }
}

/// Octets with their line ends as LF: what was stored with LF means CR LF.
fn lines(octets: &[u8]) -> Vec<u8> {
    let mut out = Vec::with_capacity(octets.len());
    for (at, &octet) in octets.iter().enumerate() {
        if octet != b'\r' || octets.get(at + 1) != Some(&b'\n') {
            out.push(octet);
        }
    }
    while out.last() == Some(&b'\n') {
        out.pop();
    }
    out
}

fn squeeze(text: &str) -> String {
    text.split([' ', '\t', '\r', '\n']).filter(|word| !word.is_empty()).collect::<Vec<_>>().join(" ")
}
