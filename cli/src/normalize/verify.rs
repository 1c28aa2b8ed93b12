//! `--verify`: the output is read again and compared with what a reader sees of the input: every
//! field of every header, and every part. Only what the report declares visible to a reader
//! ([`Code::shows`](sevenbit::Code::shows)) is skipped, in the places that it names, and file names
//! that it says could not be read.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use sevenbit::{Code, DecodeFault, Limits, Message, Part, Report, Shows, safe_file_name};

use crate::issue::field_name;

/// Fields that no message may gain or lose, whatever else is in it.
const WATCHED: [&str; 9] =
    ["bcc", "cc", "date", "from", "message-id", "reply-to", "sender", "subject", "to"];

/// Of these, mailboxes are compared, not text.
const ADDRESSES: [&str; 6] = ["bcc", "cc", "from", "reply-to", "sender", "to"];

/// Returns why `output` must not replace `input`, if there is a reason.
pub fn objection(input: &[u8], output: &[u8], report: &Report, limits: Limits) -> Option<String> {
    if let Some(at) = output.iter().position(|octet| !matches!(octet, 1..=0x7F)) {
        return Some(format!("octet {at} of the output is not 7-bit safe"));
    }
    let before = Message::parse_with(input, limits);
    let mut shown = Shown::of(report, &before, input);
    compare(&before, &Message::parse_with(output, limits), &mut shown).err()
}

/// The visible changes according to the report, by IMAP section.
#[derive(Debug, Default)]
struct Shown {
    /// The names of fields by the section of their header, in lower case.
    fields: BTreeSet<(String, String)>,
    headers: BTreeSet<String>,
    bodies: BTreeSet<String>,
    parts: BTreeSet<String>,
    /// Where some text could not be read.
    unread: BTreeSet<String>,
}

impl Shown {
    fn of(report: &Report, message: &Message<'_>, input: &[u8]) -> Self {
        let headers: BTreeMap<String, Range<usize>> =
            message.parts().map(|part| (header_section(&part), header_range(&part))).collect();
        let mut shown = Self::default();
        for issue in report.issues() {
            let section = issue.part().to_owned();
            if issue.code() == Code::Decode(DecodeFault::UndecodableText) {
                shown.unread.insert(section.clone());
                // A word that cannot be read shows other replacement characters once it is cut, or
                // is text.
                let name =
                    field_name(input, issue.span().start).map(|name| name.to_ascii_lowercase());
                let name = name
                    .filter(|name| !name.starts_with("content-") && !WATCHED.contains(&&**name));
                shown.fields.extend(name.map(|name| (section.clone(), name)));
            }
            // The header and the body of a part in a multipart have one section.
            let is_of_header = section == "0"
                || section.ends_with(".0")
                || headers.get(&section).is_some_and(|header| header.contains(&issue.span().start));
            _ = match issue.code().shows() {
                Shows::Nowhere => false,
                Shows::InPlace if is_of_header => {
                    // A field that was decoded first cannot be found by its place: then it may be
                    // any.
                    match field_name(input, issue.span().start) {
                        Some(name) => shown.fields.insert((section, name.to_ascii_lowercase())),
                        None => shown.headers.insert(section),
                    }
                }
                Shows::InPlace => shown.bodies.insert(section),
                Shows::InHeader => {
                    shown.parts.insert(section.trim_end_matches(".0").to_owned());
                    shown.headers.insert(section)
                }
                _ => shown.parts.insert(section.trim_end_matches(".0").to_owned()),
            };
        }
        shown
    }

    fn has_field(&self, section: &str, name: &str) -> bool {
        self.headers.contains(section)
            || self.fields.contains(&(section.to_owned(), name.to_owned()))
    }

    /// Whether a part was made into something else, or is inside such a part.
    fn has_part(&self, path: &str) -> bool {
        self.parts.iter().any(|part| {
            let inside = path.strip_prefix(part.as_str());
            part.is_empty()
                || part == "0"
                || inside.is_some_and(|inside| inside.is_empty() || inside.starts_with('.'))
        })
    }

    /// Whether a part that no longer has parts was made into something else: the only part of a
    /// message is section 1 of it.
    fn has_only_part(&self, path: &str) -> bool {
        self.parts
            .contains(if path.is_empty() { "1".to_owned() } else { format!("{path}.1") }.as_str())
    }
}

fn compare(before: &Message<'_>, after: &Message<'_>, shown: &mut Shown) -> Result<(), String> {
    compare_headers(&before.root(), &after.root(), shown)?;
    // A message in a message, and the multipart that it is, have one path.
    let place = |part: &Part<'_>| (part.path(), part.depth());
    let mut others: BTreeMap<_, Part<'_>> =
        after.parts().map(|part| (place(&part), part)).collect();
    for part in before.parts() {
        let path = part.path();
        let other = others.remove(&place(&part));
        if other.is_none() && shown.has_only_part(&path) {
            shown.parts.insert(path.clone());
        }
        if shown.has_part(&path) {
            continue;
        }
        let other = other.ok_or_else(|| format!("part {path} is lost"))?;
        if part.depth() > 0 {
            compare_headers(&part, &other, shown)?;
        }
        compare_parts(&part, &other, shown)?;
    }
    if let Some((path, _)) = others.keys().find(|(path, _)| !shown.has_part(path)) {
        return Err(format!("part {path} is new"));
    }
    compare_attachments(before, after, shown)
}

/// Compares the names under which the files of each part would be stored, wherever they are in it:
/// the part itself, its text, or what is packed in it.
fn compare_attachments(
    before: &Message<'_>,
    after: &Message<'_>,
    shown: &Shown,
) -> Result<(), String> {
    let (names, others) = (file_names(before), file_names(after));
    for part in before.parts().filter(Part::is_leaf) {
        let (path, section) = (part.path(), header_section(&part));
        let is_shown = shown.has_part(&path)
            || shown.bodies.contains(&path)
            || ["content-type", "content-disposition"]
                .iter()
                .any(|name| shown.has_field(&section, name))
            || [&path, &section].iter().any(|place| shown.unread.contains(*place));
        if !is_shown {
            same_if(
                &format!("part {path}: names of its files"),
                names.get(&path) == others.get(&path),
            )?;
        }
    }
    Ok(())
}

/// The safe names of the files of a message, by part; those that are given a number to tell them
/// apart are not unique here.
fn file_names(message: &Message<'_>) -> BTreeMap<String, Vec<String>> {
    let mut names: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for file in message.attachments() {
        let name = file.name().map_or_else(String::new, safe_file_name);
        names.entry(file.part().path()).or_default().push(name);
    }
    names
}

/// The section of the header of a part: a message's own is 0, and that of a message in part 2 is
/// 2.0.
fn header_section(part: &Part<'_>) -> String {
    match part.parent() {
        None => "0".to_owned(),
        Some(parent) if !parent.is_multipart() => format!("{}.0", parent.path()),
        Some(_) => part.path(),
    }
}

/// Where the header of a part is in the input. That of a part that was decoded first is not there.
fn header_range(part: &Part<'_>) -> Range<usize> {
    let span = part.span();
    span.start..span.end.saturating_sub(part.body_octets().len())
}

/// Compares all fields except those of MIME, which the comparison of parts covers.
fn compare_headers(before: &Part<'_>, after: &Part<'_>, shown: &Shown) -> Result<(), String> {
    let section = header_section(before);
    let (fields, others) = (fields(before), fields(after));
    let mut names: BTreeSet<String> = fields.keys().cloned().collect();
    if before.depth() == 0 {
        names.extend(WATCHED.map(str::to_owned));
    }
    for name in names.iter().filter(|name| !shown.has_field(&section, name)) {
        let is_same = if ADDRESSES.contains(&name.as_str()) {
            people(before, name) == people(after, name)
        } else {
            fields.get(name) == others.get(name)
        };
        same_if(&format!("header {section}: {name}"), is_same)?;
    }
    Ok(())
}

/// The texts of all fields of each name, except those of MIME.
fn fields(part: &Part<'_>) -> BTreeMap<String, Vec<String>> {
    let mut fields: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for (name, text) in part.headers() {
        let name = name.to_ascii_lowercase();
        if name != "mime-version" && !name.starts_with("content-") {
            // A URL may be folded, and white space in it means nothing (RFC 2369, 2).
            let text =
                if is_folded_anywhere(&name) { without_space(&text) } else { squeezed(&text) };
            fields.entry(name).or_default().push(text);
        }
    }
    fields
}

/// Whether white space means nothing in the fields of that name, so that they may be folded
/// anywhere.
fn is_folded_anywhere(name: &str) -> bool {
    const NAMES: [&str; 6] = [
        "archived-at",
        "autocrypt",
        "autocrypt-gossip",
        "face",
        "thread-index",
        "x-google-dkim-signature",
    ];
    name.starts_with("list-") || NAMES.contains(&name)
}

fn people(part: &Part<'_>, name: &str) -> Vec<(String, String)> {
    let mailboxes = part.mailboxes(name);
    mailboxes.iter().map(|who| (squeezed(who.name()), who.address().to_owned())).collect()
}

fn compare_parts(before: &Part<'_>, after: &Part<'_>, shown: &Shown) -> Result<(), String> {
    let path = before.path();
    let what = |what: &str| format!("part {path}: {what}");
    let section = header_section(before);
    if !shown.has_field(&section, "content-type") {
        same_if(&what("type"), before.media_type() == after.media_type())?;
    }
    if !shown.has_field(&section, "content-disposition") {
        same_if(&what("disposition"), before.disposition() == after.disposition())?;
        // A name with U+FFFD for what could not be read may have the octets instead.
        let is_unread = [&path, &section].iter().any(|place| shown.unread.contains(*place))
            && before.filename().is_some_and(|name| name.contains('\u{fffd}'));
        let is_compared = !is_unread && !shown.has_field(&section, "content-type");
        same_if(&what("file name"), !is_compared || before.filename() == after.filename())?;
    }
    if !before.is_leaf() || shown.bodies.contains(&path) {
        return Ok(());
    }
    match (before.text(), after.text()) {
        (Some(before), Some(after)) => {
            same_if(&what("text"), before.trim_end_matches('\n') == after.trim_end_matches('\n'))
        }
        (None, None) => same_if(&what("octets"), same_lines(&before.octets(), &after.octets())),
        _ => Err(what("text is text in one of the two only")),
    }
}

fn same_if(what: &str, is_same: bool) -> Result<(), String> {
    if is_same { Ok(()) } else { Err(format!("{what} would not be the same")) }
}

/// Whether both are the same lines, whatever their line ends and the white space at the very end: a
/// message stored with LF means CRLF.
fn same_lines(before: &[u8], after: &[u8]) -> bool {
    fn lines(octets: &[u8]) -> impl Iterator<Item = &[u8]> {
        let lines = octets.trim_ascii_end().split(|octet| *octet == b'\n');
        lines.map(|line| line.strip_suffix(b"\r").unwrap_or(line))
    }
    lines(before).eq(lines(after))
}

/// Replaces runs of folding white space by one space, and before a comma by nothing, since a list
/// of phrases may be folded there.
fn without_space(text: &str) -> String {
    text.split_whitespace().collect()
}

fn squeezed(text: &str) -> String {
    let words: Vec<&str> =
        text.split([' ', '\t', '\r', '\n']).filter(|word| !word.is_empty()).collect();
    words.join(" ").replace(" ,", ",")
}

#[cfg(test)]
mod tests {
    use super::*;
    use sevenbit::{Normalizer, Profile};

    const INPUT: &[u8] = b"From: a@example.org\r\nSubject: x\r\nX-Other: y\r\n\r\nText.\r\n";

    fn object(output: &str) -> Option<String> {
        objection(INPUT, output.as_bytes(), &Report::default(), Limits::default())
    }

    #[test]
    fn what_a_reader_sees_must_be_the_same() {
        assert_eq!(object("From: a@example.org\nSubject:  x\nX-Other:\n y\n\nText.\n"), None);
        for (output, why) in [
            ("From: b@example.org\r\nSubject: x\r\nX-Other: y\r\n\r\nText.\r\n", "from"),
            ("From: a@example.org\r\nSubject: y\r\nX-Other: y\r\n\r\nText.\r\n", "subject"),
            ("From: a@example.org\r\nSubject: x\r\nX-Other: z\r\n\r\nText.\r\n", "x-other"),
            (
                "From: a@example.org\r\nSubject: x\r\nX-Other: y\r\nBcc: c@example.org\r\n\r\nText.\r\n",
                "bcc",
            ),
            ("From: a@example.org\r\nSubject: x\r\nX-Other: y\r\n\r\nTxt.\r\n", "text"),
            (
                "From: a@example.org\r\nSubject: x\r\nX-Other: y\r\n\r\nText.\u{7f}\u{80}\r\n",
                "7-bit",
            ),
        ] {
            assert!(object(output).is_some_and(|said| said.contains(why)), "{output}");
        }
    }

    /// The header of a part and its body have one section: a repair in one of the two does not hide
    /// the other.
    #[test]
    fn a_repair_in_the_header_of_a_part_does_not_hide_its_body() {
        let encoded = "From: a@example.org\r\nMIME-Version: 1.0\r\nContent-Type: multipart/mixed; boundary=b\r\n\r\n\
            --b\r\nContent-Type: text/plain; name=\"a\u{1}.txt\"\r\nContent-Description: one\r\nX-Kept: yes\r\n\r\n\
            Text.\r\n--b--\r\n";
        let (octets, report) = sevenbit::normalize(encoded.as_bytes()).into_parts();
        assert!(report.issues().iter().any(|issue| issue.code() == Code::ControlReplaced));
        let output = std::str::from_utf8(&octets).expect("ASCII");
        let said = |from: &str, to: &str| {
            let lie = output.replace(from, to);
            assert_ne!(lie, output);
            objection(encoded.as_bytes(), lie.as_bytes(), &report, Limits::default())
        };
        assert_eq!(objection(encoded.as_bytes(), &octets, &report, Limits::default()), None);
        assert_eq!(said("Text.", "Lies."), Some("part 1: text would not be the same".to_owned()));
        assert_eq!(
            said("X-Kept: yes", "X-Kept: no"),
            Some("header 1: x-kept would not be the same".to_owned())
        );
        assert_eq!(said("a .txt", "b.txt"), None);
    }

    /// A file name with a word that cannot be read may become other text; one that can be read may
    /// not.
    #[test]
    fn a_name_that_cannot_be_read_is_not_compared() {
        let input = |name: &str| {
            let disposition = format!("attachment; filename*0=\"{name}\"; filename*1=.txt");
            format!("From: a@example.org\r\nContent-Disposition: {disposition}\r\n\r\nText.\r\n")
        };
        let objection = |name: &str, from: &str| {
            let input = input(name);
            let (octets, report) = sevenbit::normalize(input.as_bytes()).into_parts();
            let output = std::str::from_utf8(&octets).expect("ASCII");
            assert!(output.contains(from), "{output}");
            let other = output.replacen(from, "x", 1);
            super::objection(input.as_bytes(), other.as_bytes(), &report, Limits::default())
        };
        assert_eq!(objection("=?utf-8?Q?a=C3=A9=C3?=", "utf-8%3FQ"), None);
        assert!(
            objection("=?utf-8?Q?a=C3=A9?=", "a%C3").is_some_and(|said| said.contains("file name"))
        );
    }

    /// The files in the text of a part have names, too, and so have those that the part is.
    #[test]
    fn files_keep_the_names_that_they_are_stored_under() {
        let input = "From: a@example.org\r\nContent-Type: text/plain\r\n\r\nbegin 644 a.txt\r\n#:6EP\r\n`\r\nend\r\n";
        let other = input.replace("a.txt", "b.txt");
        let said =
            objection(input.as_bytes(), other.as_bytes(), &Report::default(), Limits::default());
        assert!(
            said.is_some_and(|said| said.contains("names of its files") || said.contains("text"))
        );
        let named = |name: &str| {
            let part = "Content-Type: application/octet-stream\r\nContent-Disposition: attachment; filename=";
            format!("From: a@example.org\r\n{part}\"{name}\"\r\n\r\nx\r\n")
        };
        let (before, after) = (named("C:\\\\TEMP\\\\cat.gif"), named("C:TEMPcat.gif"));
        let said =
            objection(before.as_bytes(), after.as_bytes(), &Report::default(), Limits::default());
        assert!(said.is_some_and(|said| said.contains("file name")));
    }

    /// A sender who adds something that is visibly repaired must not get the rest of the message
    /// past the comparison.
    #[test]
    fn a_repair_hides_only_what_it_shows_in() {
        let duplicate = "Subject: one\r\nSubject: two\r\n";
        let encoded = "MIME-Version: 1.0\r\nContent-Type: multipart/mixed; boundary=b\r\n\r\n--b\r\n\
            Content-Type: message/rfc822\r\nContent-Transfer-Encoding: base64\r\n\r\nU3ViamVjdDogaW4NCg0KeA0K\r\n\
            --b\r\n\r\nText.\r\n--b--\r\n";
        let input = format!("From: a@example.org\r\n{duplicate}{encoded}");
        for profile in [Profile::Archive, Profile::Transport] {
            let normal = Normalizer::new().profile(profile).normalize(input.as_bytes());
            let codes: Vec<&str> =
                normal.report().issues().iter().map(|issue| issue.code().as_str()).collect();
            assert!(codes.contains(&"duplicate-field"), "{codes:?}");
            let output = std::str::from_utf8(normal.octets()).expect("ASCII").to_owned();
            assert_eq!(
                objection(input.as_bytes(), output.as_bytes(), normal.report(), Limits::default()),
                None
            );
            for (from, to, why) in
                [("a@example.org", "b@example.org", "from"), ("Text.", "Lies.", "part 2")]
            {
                let lie = output.replace(from, to);
                let said =
                    objection(input.as_bytes(), lie.as_bytes(), normal.report(), Limits::default());
                assert!(
                    said.as_ref().is_some_and(|said| said.contains(why)),
                    "{profile:?}: {said:?}"
                );
            }
        }
    }
}
