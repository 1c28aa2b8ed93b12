//! What a reader sees of a message, and whether it is the same after (law 7; G9 and G10).

use std::collections::BTreeSet;

use sevenbit::{Code, Issue, Message, Normalized, Part};

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

/// Repairs after which a message is made of other parts, each because its rule says so: what is left to compare is
/// nothing.
const OTHER_PARTS: [Code; 8] = [
    Code::CompositeEncoded,
    Code::DuplicateField,
    Code::EncodedPartOpaque,
    Code::EncodingIgnored,
    Code::GlobalDowngraded,
    Code::HeaderTooLarge,
    Code::PartOpaque,
    Code::PartialMadeOpaque,
];

/// Repairs that show in the header or the part where they were made, each because its rule says so; the rest is the same.
const OTHER_TEXT: [Code; 13] = [
    Code::AddressNotAscii,
    Code::AddressUnreadable,
    Code::Base64AfterPadding,
    Code::CharsetGuessed,
    Code::ControlReplaced,
    Code::DomainToAscii,
    Code::EncodedWordRepaired,
    Code::FieldDowngraded,
    Code::MarkupCharset,
    Code::ParameterRepaired,
    Code::RawHeaderText,
    Code::UndecodableText,
    Code::UnparsedLine,
];

/// Compares the views of a message and of its normal form.
pub fn compare(input: &[u8], output: &Normalized<'_>) -> Result<(), String> {
    let issues = output.report().issues();
    if issues.iter().any(|issue| OTHER_PARTS.contains(&issue.code())) {
        return Ok(());
    }
    // Where a boundary was in signed content too, a header in that which nothing but a delimiter ended goes on.
    let renamed = issues.iter().any(|issue| issue.code() == Code::BoundaryRenamed);
    if renamed && Message::parse(input).parts().any(|part| part.media_type() == "multipart/signed") {
        return Ok(());
    }
    // In a block of fields a list that was mended is text; in a header it names the same people.
    let is_other_list =
        |issue: &Issue| issue.code() == Code::AddressListRepaired && !issue.part().ends_with('0');
    let is_other = |issue: &&Issue| OTHER_TEXT.contains(&issue.code()) || is_other_list(issue);
    let shown: BTreeSet<&str> = issues.iter().filter(is_other).map(Issue::part).collect();
    let (before, after) = (Message::parse(input), Message::parse(output.octets()));
    if !shown.contains("0") {
        compare_headers(&before, &after)?;
    }
    let parts = |message: &Message<'_>| message.parts().map(|part| see(&part)).collect::<Vec<_>>();
    let ends = |message: &Message<'_>| message.parts().map(|part| line_ends(&part)).collect::<Vec<_>>();
    let both = ends(&before)
        .into_iter()
        .zip(ends(&after))
        .map(|(before, after)| (before == after).then_some(before));
    let both: Vec<_> = both.collect();
    let (mut before, mut after) = (parts(&before), parts(&after));
    for seen in [&mut before, &mut after] {
        for (seen, ends) in seen.iter_mut().zip(&both) {
            seen.text = match ends {
                Some(LineEnds::Others) => seen.text.take().map(|text| text.replace(['\n', '\u{8e}'], "")),
                Some(LineEnds::None) => None,
                _ => seen.text.take(),
            };
        }
    }
    if before.len() != after.len() {
        return Err(format!("{} entities became {}", before.len(), after.len()));
    }
    // A type that is too long for a line is written as another.
    let is_fixed = |part: &Seen| part.media_type.len() <= 127 && !shows_in(&shown, &part.path);
    let mut fixed = before.iter().zip(&after).filter(|(before, _)| is_fixed(before));
    fixed.try_for_each(|(before, after)| same(&before.path, before, after))
}

/// Whether one of the sections in which repairs are shown is that of the part, or of its header.
fn shows_in(shown: &BTreeSet<&str>, path: &str) -> bool {
    // The header of a message is section 0 of it. Its only part is section 1; a multipart in its place has no number of its
    // own, only those of its parts.
    let of_only_part = path.strip_suffix('1').map(|message| format!("{message}0"));
    let below = if path.is_empty() { "0".to_owned() } else { format!("{path}.0") };
    [Some(path), of_only_part.as_deref(), Some(&*below)]
        .into_iter()
        .flatten()
        .any(|section| shown.contains(section))
}

fn compare_headers(before: &Message<'_>, after: &Message<'_>) -> Result<(), String> {
    let text = |message: &Message<'_>, name: &str| message.header(name).map(|text| squeeze(&text));
    same("subject", &text(before, "subject"), &text(after, "subject"))?;
    // White space beside a comment says nothing there.
    let tokens = |message: &Message<'_>, name: &str| {
        message.header(name).map(|text| text.split_whitespace().collect::<String>())
    };
    for name in ["date", "message-id"] {
        same(name, &tokens(before, name), &tokens(after, name))?;
    }
    for name in ["from", "sender", "reply-to", "to", "cc", "bcc"] {
        same(name, &mailboxes(before, name), &mailboxes(after, name))?;
    }
    Ok(())
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
    // What is guessed may be guessed otherwise where a line end has an octet more: the octets are to be the same.
    let decoded = part.decoded();
    let guessed =
        decoded.is_some_and(|text| text.issues().iter().any(|issue| issue.code() == Code::CharsetGuessed));
    // A field whose line was too long has folds, which say nothing (rules B6 and G3).
    let has_fields = part.media_type().starts_with("message/") || part.media_type() == "text/rfc822-headers";
    let as_fields = |octets| if has_fields { unfolded(octets) } else { octets };
    let as_text =
        |text: &str| String::from_utf8_lossy(&as_fields(text.into())).trim_end_matches('\n').to_owned();
    let text = part.text().filter(|_| !guessed).map(|text| as_text(&text));
    // In text and in blocks of fields any line end is one (rule B10), whether a charset is known or not.
    let as_lf = if has_fields || part.media_type().starts_with("text/") { lines_of_text } else { lines };
    let octets = (part.is_leaf() && text.is_none()).then(|| without_end(as_fields(as_lf(&part.octets()))));
    Seen {
        path: part.path(),
        media_type: part.media_type().to_owned(),
        disposition: part.disposition().map(writable).filter(|text| !text.is_empty()),
        filename: part.filename().map(str::to_owned),
        text,
        octets,
    }
}

/// What CR LF is to the charset of a body that goes as it stands: what was stored with LF has a CR more after.
#[derive(Clone, Copy, PartialEq)]
enum LineEnds {
    /// A line end, or the body is encoded.
    CrLf,
    /// Other characters that say little (EBCDIC).
    Others,
    /// Half a character (UTF-16). Such text is encoded, but for what is signed, and a multipart without its boundary.
    None,
}

fn line_ends(part: &Part<'_>) -> LineEnds {
    let stands = matches!(part.transfer_encoding(), "7bit" | "8bit" | "binary" | "unknown");
    match part.charset().filter(|_| stands).map(|charset| charset.decode(b"\r\n").into_text().into_owned()) {
        Some(text) if text == "\r\u{8e}" => LineEnds::Others,
        Some(text) if text != "\r\n" => LineEnds::None,
        _ => LineEnds::CrLf,
    }
}

/// What can be written of a disposition: a token, whatever stood there.
fn writable(text: &str) -> String {
    text.chars().filter(|c| c.is_ascii_graphic() && !r#""()\?"#.contains(*c)).take(127).collect()
}

fn lines_of_text(octets: &[u8]) -> Vec<u8> {
    let mut octets = lines(octets);
    octets.iter_mut().filter(|octet| **octet == b'\r').for_each(|octet| *octet = b'\n');
    octets
}

/// Fields without their folds, of which the white space stays, and what is encoded in them read: a word that fits on no
/// line is (rule H11).
fn unfolded(octets: Vec<u8>) -> Vec<u8> {
    let folds = |at: usize| octets[at] == b'\n' && matches!(octets.get(at + 1), Some(b' ' | b'\t'));
    let lines: Vec<u8> = (0..octets.len()).filter(|&at| !folds(at)).map(|at| octets[at]).collect();
    let read = |line: &[u8]| match line.windows(2).any(|pair| pair == b"=?") {
        true => sevenbit::decode_header(line).into_text().into_owned().into_bytes(),
        false => line.to_vec(),
    };
    lines.split(|&octet| octet == b'\n').map(read).collect::<Vec<_>>().join(&b'\n')
}

/// Without the line ends after the last line.
fn without_end(mut octets: Vec<u8>) -> Vec<u8> {
    while octets.last() == Some(&b'\n') {
        octets.pop();
    }
    octets
}

/// Octets with their line ends as LF: what was stored with LF means CR LF.
fn lines(octets: &[u8]) -> Vec<u8> {
    let mut out = Vec::with_capacity(octets.len());
    for (at, &octet) in octets.iter().enumerate() {
        if octet != b'\r' || octets.get(at + 1) != Some(&b'\n') {
            out.push(octet);
        }
    }
    out
}

fn squeeze(text: &str) -> String {
    text.split([' ', '\t', '\r', '\n']).filter(|word| !word.is_empty()).collect::<Vec<_>>().join(" ")
}
