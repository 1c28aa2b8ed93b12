//! Flags of messages: in a Maildir they are in the names of files, in an mbox in header fields.
//!
//! | Maildir | mbox | Thunderbird |
//! |---|---|---|
//! | `S`, seen | `Status: R` | 0001 |
//! | `R`, replied | `X-Status: A` | 0002 |
//! | `F`, flagged | `X-Status: F` | 0004 |
//! | `T`, trashed | `X-Status: D` | 0008 |
//! | `P`, passed on | none | 1000 |
//! | `D`, a draft | `X-Status: T` | none |
//! | in `cur`, not in `new` | `Status: O` | |
//! | `a` to `z`, which `dovecot-keywords` names | `X-Keywords` | |

use std::borrow::Cow;
use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use sevenbit::Message;

use super::keywords::LIST;
use crate::input::{Home, Item};

/// Flags in `Status` and `X-Status`, and in names.
const FIELDS: [(char, char); 5] = [('A', 'R'), ('D', 'T'), ('F', 'F'), ('R', 'S'), ('T', 'D')];

/// Flags in `X-Mozilla-Status`, and in names.
const MOZILLA: [(u32, char); 5] = [(1, 'S'), (2, 'R'), (4, 'F'), (8, 'T'), (0x1000, 'P')];

/// Labels in `X-Gmail-Labels`, and flags in names.
const LABELS: [(&str, char); 4] =
    [("Starred", 'F'), ("Trash", 'T'), ("Drafts", 'D'), ("Opened", 'S')];

/// Returns the flags in the name of a file in a Maildir, if it has any.
pub fn of_name(path: &Path) -> Option<String> {
    Some(path.to_str()?.rsplit_once(":2,")?.1.to_owned())
}

/// The place where flags and keywords of a message are said.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Source<'i> {
    /// The name of this file: in a Maildir, or alone or in an archive, as it was named in a Maildir.
    Name(&'i Path),
    /// Fields of its header, as mailboxes have them.
    Fields,
    /// Nowhere.
    None,
}

impl<'i> Source<'i> {
    /// Returns the place where those of an item are said.
    pub fn of(item: &'i Item) -> Self {
        let named =
            |path: &'i Path| if of_name(path).is_some() { Self::Name(path) } else { Self::None };
        match &item.home {
            Home::Maildir => Self::Name(&item.name),
            Home::Alone => named(&item.name),
            Home::Inside => Self::None,
            Home::Mbox { .. } | Home::Folder { .. } | Home::Tar { within: Some(_), .. } => {
                Self::Fields
            }
            Home::Tar { entry, within: None, .. } => named(&entry.path),
        }
    }
}

/// Returns the flags in the header of a message from an mbox, in the order that names require:
/// alphabetical. Gmail puts its labels above what came with the message, so that fields of flags
/// below them are somebody else's.
pub fn of_fields(message: &Message<'_>) -> Option<String> {
    let labels = message.header("x-gmail-labels");
    let field = |name: &str| {
        let is_own = labels.is_none() || place(message, name) < place(message, "x-gmail-labels");
        message.header(name).filter(|_| is_own)
    };
    let (status, more, mozilla) = (field("status"), field("x-status"), field("x-mozilla-status"));
    if status.is_none() && more.is_none() && mozilla.is_none() && labels.is_none() {
        return None;
    }

    let mut flags = BTreeSet::new();
    let letters =
        [status.as_deref().unwrap_or_default(), more.as_deref().unwrap_or_default()].concat();
    flags.extend(FIELDS.iter().filter(|(from, _)| letters.contains(*from)).map(|(_, to)| *to));
    let number =
        mozilla.and_then(|value| u32::from_str_radix(value.trim(), 16).ok()).unwrap_or_default();
    flags.extend(MOZILLA.iter().filter(|(bit, _)| number & bit != 0).map(|(_, to)| *to));
    let labels: Vec<&str> =
        labels.iter().flat_map(|value| value.split(',')).map(str::trim).collect();
    flags.extend(LABELS.iter().filter(|(label, _)| labels.contains(label)).map(|(_, to)| *to));
    Some(flags.into_iter().collect())
}

/// Returns the place of the first field of this name among the fields of a header.
fn place(message: &Message<'_>, name: &str) -> Option<usize> {
    message.headers().position(|(own, _)| own.eq_ignore_ascii_case(name))
}

/// Returns the keywords in the header of a message from an mbox.
pub fn keywords_of_fields(message: &Message<'_>) -> Vec<String> {
    let mut keywords: Vec<String> = Vec::new();
    for name in ["x-keywords", "x-mozilla-keys"] {
        let value = message.header(name).unwrap_or_default();
        keywords.extend(value.split_ascii_whitespace().map(str::to_owned));
    }
    keywords
}

/// The fields of flags, and those of keywords.
const FLAGS: [&[u8]; 3] = [b"status:", b"x-status:", b"x-mozilla-status:"];
const KEYWORDS: [&[u8]; 2] = [b"x-keywords:", b"x-mozilla-keys:"];

/// Returns a message from a Maildir, of which `octets` are the beginning with the whole header, without
/// the fields of flags, and those of `keywords`, that its name contradicts: whoever renamed the file
/// changed them later. Keywords that are not known contradict nothing.
pub fn without_outdated<'o>(
    path: &Path,
    keywords: Option<&[String]>,
    octets: &'o [u8],
) -> Cow<'o, [u8]> {
    let message = Message::parse(octets);
    let mut outdated: Vec<&[u8]> = Vec::new();
    if differ(path, &message) {
        outdated.extend(FLAGS);
    }
    if keywords.is_some_and(|keywords| !are_same(keywords, &keywords_of_fields(&message))) {
        outdated.extend(KEYWORDS);
    }
    if outdated.is_empty() {
        return Cow::Borrowed(octets);
    }
    let mut kept = Vec::with_capacity(octets.len());
    let mut rest = octets;
    let mut is_dropped = false;
    while let Some(end) = memchr::memchr(b'\n', rest) {
        let (line, after) = rest.split_at(end + 1);
        if matches!(line, b"\n" | b"\r\n") {
            break;
        }
        let is_named = |name: &&[u8]| {
            line.get(..name.len()).is_some_and(|begin| begin.eq_ignore_ascii_case(name))
        };
        // A line that begins with a blank belongs to the field before.
        if !matches!(line[0], b' ' | b'\t') {
            is_dropped = outdated.iter().any(is_named);
        }
        if !is_dropped {
            kept.extend_from_slice(line);
        }
        rest = after;
    }
    kept.extend_from_slice(rest);
    Cow::Owned(kept)
}

/// Returns whether the flags in the name of a message in a Maildir are not those in its header. A
/// name without flags, as all are in `new`, says that there are none.
fn differ(path: &Path, message: &Message<'_>) -> bool {
    let name = of_name(path).unwrap_or_default();
    of_fields(message).is_some_and(|fields| {
        MOZILLA.iter().any(|(_, flag)| name.contains(*flag) != fields.contains(*flag))
    })
}

/// Returns whether two lists have the same keywords, in any order.
fn are_same(one: &[String], other: &[String]) -> bool {
    one.iter().collect::<BTreeSet<_>>() == other.iter().collect()
}

/// Returns how many letters in the name of a message in a Maildir stand for keywords.
pub fn keyword_letters(path: &Path) -> usize {
    of_name(path).unwrap_or_default().bytes().filter(u8::is_ascii_lowercase).count()
}

/// Returns the keywords that letters in the name of a message in a Maildir stand for, by the list
/// that Dovecot keeps beside `cur`: a number and a name in a line. `None` says that there is no such
/// list; in an archive it is another member, which is not looked for.
pub fn keywords(item: &Item) -> Option<Vec<String>> {
    if matches!(item.home, Home::Tar { .. }) {
        return None;
    }
    let path = &item.name;
    let maildir = path.parent().and_then(Path::parent)?;
    let list = fs::read_to_string(maildir.join(LIST)).ok()?;
    let flags = of_name(path).unwrap_or_default();
    let letters: Vec<u8> =
        flags.bytes().filter(u8::is_ascii_lowercase).map(|letter| letter - b'a').collect();
    let named = list.lines().filter_map(|line| line.split_once(' '));
    let is_set = |number: &str| number.parse().is_ok_and(|number: u8| letters.contains(&number));
    Some(
        named
            .filter(|(number, _)| is_set(number))
            .map(|(_, name)| name.trim().to_owned())
            .collect(),
    )
}

/// Returns the fields of an mbox that say what the name of a message in a Maildir says, and its
/// keywords, with their line ends. A message that has such a field already keeps it, unless it is
/// [outdated](without_outdated).
pub fn as_fields(
    path: &Path,
    keywords: &[String],
    message: &Message<'_>,
    line_end: &[u8],
) -> Vec<u8> {
    let flags = of_name(path).unwrap_or_default();
    let is_old = path.parent().is_some_and(|directory| directory.ends_with("cur"));
    let has = |flag: &char| flags.contains(*flag);
    let more: String =
        FIELDS.iter().filter(|(to, from)| *to != 'R' && has(from)).map(|(to, _)| *to).collect();
    let status = format!("{}{}", if has(&'S') { "R" } else { "" }, if is_old { "O" } else { "" });

    let bits = MOZILLA.iter().filter(|(_, flag)| has(flag)).fold(0, |bits, (bit, _)| bits | bit);
    let mozilla = if bits == 0 { String::new() } else { format!("{bits:04x}") };
    let keywords = keywords.join(" ");

    let mut fields = Vec::new();
    for (name, value) in [
        ("Status", status),
        ("X-Status", more),
        ("X-Mozilla-Status", mozilla),
        ("X-Keywords", keywords),
    ] {
        if !value.is_empty() && message.header(name).is_none() {
            fields.extend_from_slice(format!("{name}: {value}").as_bytes());
            fields.extend_from_slice(line_end);
        }
    }
    fields
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn flags_go_from_fields_to_names_and_back() {
        for (header, flags) in [
            ("Status: RO\r\n", Some("S")),
            ("Status: O\r\nX-Status: AF\r\n", Some("FR")),
            ("X-Mozilla-Status: 0003\r\n", Some("RS")),
            ("X-Mozilla-Status: 100d\r\n", Some("FPST")),
            ("X-Gmail-Labels: Inbox,Opened,Starred\r\n", Some("FS")),
            ("X-Gmail-Labels: Inbox,Unread\r\nStatus: RO\r\nX-Mozilla-Status: 0009\r\n", Some("")),
            ("Status: RO\r\nX-Gmail-Labels: Inbox,Unread\r\nX-Status: F\r\n", Some("S")),
            ("X-Mozilla-Status: none\r\n", Some("")),
            ("Subject: x\r\n", None),
        ] {
            let message = format!("{header}\r\n");
            assert_eq!(
                of_fields(&Message::parse(message.as_bytes())).as_deref(),
                flags,
                "{header}"
            );
        }
        for (name, fields) in [
            ("cur/1:2,S", "Status: RO\nX-Mozilla-Status: 0001\n"),
            ("cur/1:2,PS", "Status: RO\nX-Mozilla-Status: 1001\n"),
            ("cur/1:2,DFRST", "Status: RO\nX-Status: ADFT\nX-Mozilla-Status: 000f\n"),
            ("cur/1:2,", "Status: O\n"),
            ("new/1", ""),
        ] {
            let found = as_fields(Path::new(name), &[], &Message::parse(b"Subject: x\n\n"), b"\n");
            assert_eq!(String::from_utf8_lossy(&found), fields, "{name}");
        }
        let outdated = b"To: a\nStatus: RO\n x\nX-Mozilla-Status: 0003\nX-UID: 7\n\nStatus: body\n";
        for name in ["cur/1:2,F", "cur/1", "new/1"] {
            assert_eq!(
                String::from_utf8_lossy(&without_outdated(Path::new(name), None, outdated)),
                "To: a\nX-UID: 7\n\nStatus: body\n",
                "{name}"
            );
        }
        assert_eq!(&*without_outdated(Path::new("cur/1:2,RS"), None, outdated), outdated);
        let retagged = b"X-Keywords: old\nX-Mozilla-Keys: \nTo: a\n\n";
        let [old, new] = ["old", "new"].map(|name| [name.to_owned()]);
        for (keywords, kept) in [
            (None, &retagged[..]),
            (Some(&old[..]), &retagged[..]),
            (Some(&new[..]), b"To: a\n\n"),
            (Some(&[]), b"To: a\n\n"),
        ] {
            let found = without_outdated(Path::new("cur/1:2,"), keywords, retagged);
            assert_eq!(&*found, kept, "{keywords:?}");
        }
        let message = Message::parse(b"Status: O\nX-Mozilla-Status: 0000\n\n");
        assert_eq!(as_fields(Path::new("cur/1:2,S"), &[], &message, b"\n"), b"");
        let found = as_fields(Path::new("new/1"), &["work".to_owned()], &message, b"\n");
        assert_eq!(found, b"X-Keywords: work\n");
    }
}
