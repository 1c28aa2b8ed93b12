//! What a report says is visible to a reader, and where: the comparison of views leaves that out, and no more.

use std::collections::BTreeSet;

use sevenbit::{Code, DecodeFault, Issue, Message, Part, Shows};

/// Text that cannot be read, or only by a guess, may be shown differently in its place, though its octets are the same.
const UNREAD: [Code; 6] = [
    Code::CharsetGuessed,
    Code::CharsetLabelLies,
    Code::CharsetUnknown,
    Code::EncodedWordRepaired,
    Code::ParameterRepaired,
    Code::Decode(DecodeFault::UndecodableText),
];

/// The visible changes according to the report, by IMAP section.
#[derive(Debug, Default)]
pub struct Shown {
    /// The names of fields of the message's own header, in lower case; all of them, if it is unknown which.
    pub fields: BTreeSet<String>,
    pub all_fields: bool,
    /// The names of fields with text that was written in another charset; in those without text, it is in a comment.
    pub comments: BTreeSet<String>,
    /// Headers of parts, and bodies.
    pub sections: BTreeSet<String>,
    /// Where a media type that cannot be read was written as the one that it is read as.
    pub types: BTreeSet<String>,
    /// Parts that were made into something else, including their content.
    pub parts: BTreeSet<String>,
    /// Signed content that stays as it is, though readers interpret it in different ways.
    signed: BTreeSet<String>,
    /// Multiparts whose parts differ from that number on.
    pub cut_otherwise: BTreeSet<(String, usize)>,
}

impl Shown {
    pub fn of(input: &[u8], issues: &[Issue]) -> Self {
        let (mut shown, with_cr) = (Self::default(), is_with_cr(issues));
        for issue in issues {
            let section = issue.part().to_owned();
            if issue.code() == Code::HeaderTranscoded && section == "0" {
                shown.comments.extend(field_name(input, issue.span().start, with_cr));
            }
            if issue.code() == Code::MediaTypeRepaired {
                shown.types.insert(section.clone());
            }
            if issue.code() == Code::AmbiguousSignedContent {
                shown.signed.insert(section.trim_end_matches(".0").to_owned());
            }
            // In a block of fields a repaired list is text; in a header it has the same mailboxes.
            let is_other_list = issue.code() == Code::AddressListRepaired && !section.ends_with('0');
            let shows = match issue.code().shows() {
                Shows::Nowhere if is_other_list || UNREAD.contains(&issue.code()) => Shows::InPlace,
                shows => shows,
            };
            match shows {
                Shows::Nowhere => {}
                Shows::InPart => {
                    shown.parts.insert(section.trim_end_matches(".0").to_owned());
                }
                Shows::InPlace if section == "0" => match field_name(input, issue.span().start, with_cr) {
                    Some(name) => {
                        shown.fields.insert(name);
                        shown.sections.insert(section);
                    }
                    None => shown.all_fields = true,
                },
                Shows::InHeader => {
                    shown.parts.insert(section.trim_end_matches(".0").to_owned());
                    shown.all_fields |= section == "0";
                    shown.sections.insert(section);
                }
                _ => {
                    shown.all_fields |= section == "0";
                    shown.sections.insert(section);
                }
            }
        }
        shown
    }

    /// Adds multiparts around a header past the limit: a boundary that is not read delimits nothing, and if its
    /// delimiters are also those of an enclosing multipart, that one has them (rule G13). A plan may read less than a view.
    pub fn add_cut_otherwise(&mut self, before: &Message<'_>, issues: &[Issue]) {
        for issue in issues.iter().filter(|issue| issue.code() == Code::HeaderTooLarge) {
            let unread = issue.part().trim_end_matches(".0");
            let inside: Vec<_> = before.parts().filter(|part| is_inside(&part.path(), unread)).collect();
            let Some(parent) = inside.first().and_then(Part::parent) else { continue };
            for around in std::iter::successors(Some(parent), Part::parent) {
                if inside.iter().any(|part| may_share_delimiters(part, &around)) {
                    let multipart = around.path();
                    let first = number_in(&multipart, unread);
                    self.cut_otherwise.extend(first.map(|first| (multipart, first)));
                }
            }
        }
    }

    /// Adds a part, and in each multipart around it all that comes after.
    pub fn add_from(&mut self, path: &str) {
        let path = path.trim_end_matches(".0");
        for (at, _) in path.match_indices('.').chain([(path.len(), "")]) {
            let (multipart, number) = path[..at].rsplit_once('.').unwrap_or(("", &path[..at]));
            self.cut_otherwise.extend(number.parse().map(|first| (multipart.to_owned(), first)));
        }
    }

    /// Adds parts of signed content whose header ends elsewhere for some: it is past the limit, since its line ends become longer;
    /// or only a delimiter ended it, and after the boundary is `renamed`, what begins like that delimiter goes on with the header.
    pub fn add_headers_of_signed(&mut self, issues: &[Issue], renamed: bool) {
        let is_open = |issue: &&Issue| {
            let has = |code: Code| issue.related().any(|related| related == code);
            has(Code::HeaderTooLarge) || renamed && has(Code::HeaderNotEnded)
        };
        self.parts.extend(
            issues.iter().filter(is_open).map(|issue| issue.part().trim_end_matches(".0").to_owned()),
        );
    }

    pub fn has_field(&self, name: &str) -> bool {
        self.all_fields || self.fields.contains(name)
    }

    /// Whether a part was made into something else, or is inside such a part.
    pub fn has_part(&self, path: &str) -> bool {
        let is_after = |(multipart, first): &(String, usize)| {
            number_in(multipart, path).is_some_and(|number| number >= *first)
        };
        self.parts.iter().any(|part| matches!(&**part, "" | "0") || is_inside(path, part))
            || self.cut_otherwise.iter().any(is_after)
    }

    /// Whether a part is in signed content that stays as it is, though readers interpret it in different ways.
    pub fn is_ambiguous_signed(&self, path: &str) -> bool {
        self.signed.iter().any(|part| is_inside(path, part))
    }

    /// Whether a part that no longer has parts was made into something else: the only part of a message is section 1 of it.
    pub fn has_only_part(&self, path: &str) -> bool {
        self.parts.contains(if path.is_empty() { "1".to_owned() } else { format!("{path}.1") }.as_str())
    }

    /// Whether repairs are visible in the section of the part, or of its header.
    pub fn has_section(&self, path: &str) -> bool {
        // The header of a message is section 0 of it. Its only part is section 1; a multipart in its place has no number of
        // its own, only those of its parts.
        let of_only_part = path.strip_suffix('1').map(|message| format!("{message}0"));
        let below = if path.is_empty() { "0".to_owned() } else { format!("{path}.0") };
        let mut sections = [Some(path), of_only_part.as_deref(), Some(&*below)].into_iter().flatten();
        sections.any(|section| self.sections.contains(section))
    }
}

/// Whether the part at `path` is `part`, or in it.
fn is_inside(path: &str, part: &str) -> bool {
    path.strip_prefix(part).is_some_and(|inside| inside.is_empty() || inside.starts_with('.'))
}

/// The number of the part of `multipart` that the part at `path` is, or is in.
fn number_in(multipart: &str, path: &str) -> Option<usize> {
    let inside = path.strip_prefix(multipart)?;
    let numbers = if multipart.is_empty() { inside } else { inside.strip_prefix('.')? };
    numbers.split('.').next()?.parse().ok()
}

/// Whether a line can delimit both multiparts: their boundaries are the same, or one is the other with the dashes of a close
/// delimiter.
fn may_share_delimiters(one: &Part<'_>, other: &Part<'_>) -> bool {
    fn boundary<'m>(part: &Part<'m>) -> Option<&'m str> {
        part.parameter("boundary").filter(|_| part.is_multipart()).map(str::trim_end)
    }
    let (Some(one), Some(other)) = (boundary(one), boundary(other)) else { return false };
    one == other || one.strip_suffix("--") == Some(other) || other.strip_suffix("--") == Some(one)
}

/// Whether a message was stored with CR, according to the report.
fn is_with_cr(issues: &[Issue]) -> bool {
    issues.iter().any(|issue| issue.code() == Code::LineEndsNormalized && issue.detail() == "stored with CR")
}

/// The name of the field of `message` that contains octet `at`, in lower case; its lines may also end with CR.
fn field_name(message: &[u8], at: usize, with_cr: bool) -> Option<String> {
    let mark = if message.starts_with(b"\xEF\xBB\xBF") { 3 } else { 0 };
    let (message, at) = (&message[mark..], at.saturating_sub(mark));
    let is_end = |octet: &u8| *octet == b'\n' || with_cr && *octet == b'\r';
    let mut start = message.get(..at)?.iter().rposition(is_end).map_or(0, |end| end + 1);
    while start > 0 && matches!(message.get(start), Some(b' ' | b'\t' | b'\r' | b'\n')) {
        start = message[..start - 1].iter().rposition(is_end).map_or(0, |end| end + 1);
    }
    let line = message[start..].split(is_end).next()?;
    let colon = line.iter().position(|&octet| octet == b':')?;
    Some(String::from_utf8_lossy(line[..colon].trim_ascii()).to_ascii_lowercase())
}
