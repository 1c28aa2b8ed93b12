//! Where a report says that a reader can see a repair: the comparison of views leaves those places
//! out, and no more.

use std::collections::BTreeSet;

use sevenbit::{Code, DecodeFault, Issue, Message, Part, Shows};

/// Text that cannot be read, or only by a guess, may be shown differently in its place, though its
/// octets stay.
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
    /// The names of fields of the message's own header, in lower case; `None`: any field.
    fields: BTreeSet<Option<String>>,
    /// Headers of parts, and bodies.
    sections: BTreeSet<String>,
    /// Parts that were made into something else, including their content.
    pub parts: BTreeSet<String>,
    /// Signed content that stays as it is, though readers interpret it in different ways.
    signed: BTreeSet<String>,
    /// The numbers of parts from which on delimiters may belong to another multipart.
    divided_from: BTreeSet<Vec<usize>>,
}

impl Shown {
    pub fn of(before: &Message<'_>, input: &[u8], issues: &[Issue]) -> Self {
        let mut shown = Self::default();
        let renamed = issues.iter().any(|issue| issue.code() == Code::BoundaryRenamed);
        for issue in issues {
            let section = issue.part();
            let part = if section == "0" { "" } else { section.trim_end_matches(".0") };
            let mut codes = std::iter::once(issue.code()).chain(issue.related());
            if codes.any(|code| divides(code, renamed)) {
                shown.divided_from.insert(numbers(part));
            }
            if issue.code() == Code::AmbiguousSignedContent {
                shown.signed.insert(part.to_owned());
            }
            let shows = shows(issue.code(), section);
            if matches!(shows, Shows::InPart | Shows::InHeader) {
                shown.parts.insert(part.to_owned());
            }
            let is_in_field = shows == Shows::InPlace && section == "0";
            let field = is_in_field.then(|| field_at(before, input, issue.span().start)).flatten();
            if shows != Shows::Nowhere
                && field.as_ref().is_none_or(|name| name.starts_with("content-"))
            {
                shown.sections.insert(section.to_owned());
            }
            if shows != Shows::Nowhere && section == "0" {
                shown.fields.insert(field);
            }
        }
        shown
    }

    pub fn has_field(&self, name: &str) -> bool {
        let is_meant = |field: &Option<String>| field.as_ref().is_none_or(|field| field == name);
        self.fields.iter().any(is_meant)
    }

    /// Whether a part was made into something else, is inside such a part, or may be another one.
    pub fn has_part(&self, path: &str) -> bool {
        self.parts.iter().any(|part| is_inside(path, part))
            || self.divided_from.first().is_some_and(|from| numbers(path) >= *from)
    }

    /// Whether a part that no longer has parts was made into something else: the only part of a
    /// message is section 1 of it.
    pub fn has_only_part(&self, path: &str) -> bool {
        self.parts.contains(format!("{path}.1").trim_start_matches('.'))
    }

    pub fn is_signed(&self, path: &str) -> bool {
        self.signed.iter().any(|part| is_inside(path, part))
    }

    /// Whether repairs are visible in the body of the part, or in its header: that of a message is
    /// section 0 of it.
    pub fn has_section(&self, part: &Part<'_>) -> bool {
        let header = match part.parent() {
            Some(around) if around.is_multipart() => part.path(),
            around => format!("{}.0", around.map_or_else(String::new, |message| message.path())),
        };
        self.sections.contains(&part.path())
            || self.sections.contains(header.trim_start_matches('.'))
    }
}

/// Where a repair is visible. In a block of fields, all of them are text: also a list or a type
/// that reads the same in a header.
fn shows(code: Code, section: &str) -> Shows {
    let is_field = matches!(code, Code::AddressListRepaired | Code::MediaTypeRepaired);
    match code.shows() {
        Shows::Nowhere if UNREAD.contains(&code) || is_field && !section.ends_with('0') => {
            Shows::InPlace
        }
        shows => shows,
    }
}

/// Whether a repair may change which multipart a delimiter belongs to, for some readers: the
/// boundary is past a limit, or occurred (before it was `renamed`) also in a part that only some
/// open, or in a header that only a delimiter ended.
fn divides(code: Code, renamed: bool) -> bool {
    let in_some = matches!(
        code,
        Code::ContentAppeared | Code::ObsoleteType | Code::EncodingIgnored | Code::HeaderNotEnded
    );
    code == Code::HeaderTooLarge || renamed && in_some
}

/// Whether the part at `path` is `part`, or in it.
fn is_inside(path: &str, part: &str) -> bool {
    part.is_empty()
        || path
            .strip_prefix(part)
            .is_some_and(|inside| matches!(inside.as_bytes().first(), None | Some(b'.')))
}

fn numbers(path: &str) -> Vec<usize> {
    path.split('.').filter_map(|number| number.parse().ok()).collect()
}

/// The name of the field of the message's own header that holds octet `at`, in lower case.
fn field_at(message: &Message<'_>, input: &[u8], at: usize) -> Option<String> {
    let at = input.get(at..)?.as_ptr();
    let holds = |name: &[u8], value: &[u8]| name.as_ptr() <= at && at <= value.as_ptr_range().end;
    let (name, _) = message.root().raw_headers().find(|(name, value)| holds(name, value))?;
    Some(String::from_utf8_lossy(name).to_ascii_lowercase())
}
