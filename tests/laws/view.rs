//! The view that a reader has of a message, and whether it is the same afterwards (law 7; G9 and
//! G10).

use std::collections::{BTreeMap, BTreeSet};

use sevenbit::{Code, Issue, Limits, Mailbox, Message, Normalized, Part};

use super::shown::Shown;

/// The properties of one entity that must be kept.
#[derive(Debug, PartialEq)]
struct Seen {
    path: String,
    media_type: String,
    disposition: Option<String>,
    filename: Option<String>,
    /// Text of a text leaf, octets of another leaf; both, if the charset is a guess.
    text: Option<String>,
    octets: Option<Vec<u8>>,
}

/// Compares the views of a message and of its normal form.
pub fn compare(input: &[u8], output: &Normalized<'_>, limits: Limits) -> Result<(), String> {
    let (before, after) =
        (Message::parse_with(input, limits), Message::parse_with(output.octets(), limits));
    let mut shown = Shown::of(&before, input, output.report().issues());
    // A message with more parts than are read is one part to a view; a plan, which leaves encoded
    // multiparts alone, may find fewer, and rewrite them.
    let kinds = ["multipart/", "message/"];
    let is_closed =
        |view: &Message<'_>| kinds.iter().any(|kind| view.root().media_type().starts_with(kind));
    if before.parts().count() == 1 && is_closed(&before) && is_closed(&after) {
        shown.parts.insert(String::new());
    }
    compare_headers(&before, &after, &shown)?;
    // A message in a message, and the multipart that it is, have one path.
    let place = |part: &Part<'_>| (part.path(), part.depth());
    let mut others: BTreeMap<_, Part<'_>> =
        after.parts().map(|part| (place(&part), part)).collect();
    for part in before.parts() {
        let (path, other) = (part.path(), others.remove(&place(&part)));
        if other.is_none() && shown.has_only_part(&path) {
            shown.parts.insert(path.clone());
        }
        if !shown.has_part(&path) {
            let other = other.ok_or_else(|| format!("part {path} is lost"))?;
            if !shown.has_section(&part) {
                compare_parts(&part, &other, &shown)?;
            }
        }
    }
    let new = others.keys().find(|(path, _)| !shown.has_part(path));
    new.map_or(Ok(()), |(path, _)| Err(format!("part {path} is new")))
}

/// Compares what is seen of two entities.
fn compare_parts(before: &Part<'_>, after: &Part<'_>, shown: &Shown) -> Result<(), String> {
    // A longer media type is written as another, since no line has room for any (rule H7).
    const LONGEST_TYPE: usize = 127;
    let is_as_it_is =
        shown.is_signed(&before.path()) || [before, after].into_iter().all(has_other_line_ends);
    let (mut seen, mut then) = (see(before, is_as_it_is), see(after, is_as_it_is));
    // A guess may change if other text got a label or a line end has an octet more: the ASCII
    // characters must stay, or the octets.
    let is_read =
        masked(seen.text.as_deref()) == masked(then.text.as_deref()) || seen.octets == then.octets;
    if is_guessed(before) && is_read {
        (seen.text, seen.octets) = (then.text.clone(), then.octets.clone());
    }
    if seen.media_type.len() > LONGEST_TYPE {
        then.media_type.clone_from(&seen.media_type);
    }
    same(&seen.path, &seen, &then)
}

fn compare_headers(before: &Message<'_>, after: &Message<'_>, shown: &Shown) -> Result<(), String> {
    let guessed = guessed_fields(before);
    let is_compared = |name: &&str| !shown.has_field(name);
    let as_read =
        |name: &str, text: String| if guessed.contains(name) { masked(Some(&text)) } else { text };
    // Nothing of the others is encoded but comments: the rest stays octet for octet, white space
    // apart.
    let text = |message: &Message<'_>, name: &str| -> Option<String> {
        if name == "subject" {
            return Some(as_read(name, squeeze(&message.header(name)?)));
        }
        let is_named = |(found, _): &(&[u8], &[u8])| found.eq_ignore_ascii_case(name.as_bytes());
        let (_, value) = message.root().raw_headers().find(is_named)?;
        Some(String::from_utf8_lossy(value).split('(').next()?.split_ascii_whitespace().collect())
    };
    for name in ["subject", "date", "message-id"].into_iter().filter(is_compared) {
        same(name, &text(before, name), &text(after, name))?;
    }
    // Names and addr-specs, octet for octet. A name may be a comment with others in it: white space
    // beside those has no meaning.
    let bare = |name: &str| {
        name.replace(" (", "(").replace("( ", "(").replace(" )", ")").replace(") ", ")")
    };
    let mailboxes = |message: &Message<'_>, name: &str| -> Vec<(String, String)> {
        let name_of = |mailbox: &Mailbox| bare(&as_read(name, squeeze(mailbox.name())));
        let pair =
            |mailbox: &Mailbox| (name_of(mailbox), as_read(name, mailbox.address().to_owned()));
        message.mailboxes(name).iter().map(pair).collect()
    };
    for name in ["from", "sender", "reply-to", "to", "cc", "bcc"].into_iter().filter(is_compared) {
        same(name, &mailboxes(before, name), &mailboxes(after, name))?;
    }
    Ok(())
}

/// The names of fields whose charset is a guess, in lower case: which one may depend on the words
/// beside it.
fn guessed_fields(message: &Message<'_>) -> BTreeSet<String> {
    let is_guess =
        |issue: &Issue| matches!(issue.code(), Code::CharsetGuessed | Code::CharsetUnknown);
    let is_guessed = |value: &[u8]| sevenbit::decode_header(value).issues().iter().any(is_guess);
    let guessed = message.root().raw_headers().filter(|(_, value)| is_guessed(value));
    guessed.map(|(name, _)| String::from_utf8_lossy(name).to_ascii_lowercase()).collect()
}

fn same<T: PartialEq + std::fmt::Debug>(place: &str, before: &T, after: &T) -> Result<(), String> {
    if before == after { Ok(()) } else { Err(format!("{place}: {before:?} became {after:?}")) }
}

/// Returns what is seen of a part; of one whose body is kept `as_it_is`, its octets as they stand.
fn see(part: &Part<'_>, as_it_is: bool) -> Seen {
    let is_block =
        part.media_type().starts_with("message/") || part.media_type() == "text/rfc822-headers";
    // In text and in blocks of fields any line end is one (rule B10), whether a charset is known or
    // not.
    let is_text = is_block || part.media_type().starts_with("text/");
    let content = |octets: &[u8]| if is_block { fields(octets) } else { lines(octets, is_text) };
    let as_text = |text: &str| String::from_utf8_lossy(&content(text.as_bytes())).into_owned();
    let text = if as_it_is { None } else { part.text() }.map(|text| as_text(&text));
    let octets = if as_it_is { part.body_octets().into() } else { part.octets() };
    let is_compared = part.is_leaf() && (text.is_none() || is_guessed(part));
    Seen {
        path: part.path(),
        media_type: part.media_type().to_owned(),
        disposition: part.disposition().map(writable).filter(|text| !text.is_empty()),
        filename: part.filename().map(str::to_owned),
        text,
        octets: is_compared.then(|| content(&octets)),
    }
}

/// Whether the charset of a part's text is a guess.
fn is_guessed(part: &Part<'_>) -> bool {
    part.decoded()
        .is_some_and(|text| text.issues().iter().any(|issue| issue.code() == Code::CharsetGuessed))
}

/// Whether a body passes as it is in a charset that has other octets for line ends (EBCDIC,
/// UTF-16), or is encoded without need.
fn has_other_line_ends(part: &Part<'_>) -> bool {
    let has_others = part.charset().is_some_and(|charset| charset.decode(b"\r\n").text() != "\r\n");
    has_others && *part.octets() == *part.body_octets()
}

/// The writable form of a disposition: a token, whatever it was.
fn writable(text: &str) -> String {
    text.chars().filter(|c| c.is_ascii_graphic() && !r#""()\?"#.contains(*c)).take(127).collect()
}

/// Fields as text: folds and white space after a colon have no meaning, and a word that fits on no
/// line is encoded (rule H11).
fn fields(octets: &[u8]) -> Vec<u8> {
    let text = String::from_utf8_lossy(octets);
    squeeze(sevenbit::decode_header(text.as_bytes()).text()).replace(": ", ":").into_bytes()
}

/// Octets with their line ends as LF (a message stored with LF means CR LF), and none at the end.
fn lines(octets: &[u8], is_text: bool) -> Vec<u8> {
    let is_in_pair = |at: usize| octets[at] == b'\r' && octets.get(at + 1) == Some(&b'\n');
    let as_lf = |octet: u8| if is_text && octet == b'\r' { b'\n' } else { octet };
    let mut lines: Vec<u8> =
        (0..octets.len()).filter(|&at| !is_in_pair(at)).map(|at| as_lf(octets[at])).collect();
    lines.truncate(lines.iter().rposition(|&octet| octet != b'\n').map_or(0, |last| last + 1));
    lines
}

fn squeeze(text: &str) -> String {
    text.split([' ', '\t', '\r', '\n'])
        .filter(|word| !word.is_empty())
        .collect::<Vec<_>>()
        .join(" ")
}

/// Text without white space, with one question mark for each run of characters outside US-ASCII.
fn masked(text: Option<&str>) -> String {
    let characters = text.unwrap_or_default().chars().filter(|c| !c.is_whitespace());
    let mut masked: Vec<char> = characters.map(|c| if c.is_ascii() { c } else { '?' }).collect();
    masked.dedup_by(|a, b| (*a, *b) == ('?', '?'));
    masked.into_iter().collect()
}
