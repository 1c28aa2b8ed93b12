//! The evidence that a file is one message: fields by which mail is known, in a header section at
//! the beginning.

use std::borrow::Cow;

use super::Name;

/// Fields that only mail has. One of them is enough.
const OF_MAIL: [&[u8]; 27] = [
    b"arc-seal",
    b"authentication-results",
    b"bcc",
    b"content-transfer-encoding",
    b"delivered-to",
    b"delivery-date",
    b"dkim-signature",
    b"envelope-to",
    b"in-reply-to",
    b"list-id",
    b"list-unsubscribe",
    b"message-id",
    b"mime-version",
    b"newsgroups",
    b"received",
    b"received-spf",
    b"references",
    b"resent-date",
    b"resent-from",
    b"return-path",
    b"x-gm-thrid",
    b"x-gmail-labels",
    b"x-mailer",
    b"x-mozilla-status",
    b"x-original-to",
    b"x-received",
    b"x-spam-status",
];

/// Fields with addresses. One of them is enough if it has an address.
const OF_ADDRESSES: [&[u8]; 5] = [b"cc", b"from", b"reply-to", b"sender", b"to"];

/// Fields that mail has, but notes, web pages and packages have too. Two different ones are enough.
const COMMON: [&[u8]; 4] = [b"content-type", b"date", b"disposition-notification-to", b"subject"];

/// What is known of a header section.
#[derive(Debug, Default)]
struct Evidence {
    /// How many fields only mail has.
    certain: usize,
    /// The common fields, each once.
    common: Vec<&'static [u8]>,
    /// Whether one of the common fields is written as mail does, with a capital.
    has_capital: bool,
    /// Whether it has an address field, whatever that contains, or a subject.
    is_correspondence: bool,
    /// How many lines are no fields.
    strays: usize,
    /// Whether a control octet is in its first lines, which no text has.
    has_controls: bool,
}

impl Evidence {
    /// Whether it is that of a message.
    fn suffices(&self, name: &Name) -> bool {
        // A data base may contain a message in a cell: more has to speak for mail than one name of
        // a field.
        let wanted = if self.has_controls { 3 } else { 1 };
        if self.certain >= wanted {
            return true;
        }
        if self.has_controls || self.strays > 0 {
            return false;
        }
        match self.common.len() {
            0 => false,
            1 => {
                self.is_correspondence
                    && self.has_capital
                    && (name.is_number || name.extension.is_empty())
            }
            2 => self.has_capital,
            _ => true,
        }
    }
}

/// Returns whether a file of these first octets is one message.
pub(super) fn is_message(first: &[u8], name: &Name) -> bool {
    let text = narrowed(first);
    let text = without_beginning(&text);
    // Text without any field, or no text, is a message whose header was lost if its name says so.
    evidence(text).suffices(name) || name.has(&["eml"])
}

/// Returns whether a file is a message of Apple Mail: a line with the length of what follows, and a
/// message.
pub(super) fn is_emlx(first: &[u8], name: &Name) -> bool {
    let digits = first.iter().take_while(|octet| octet.is_ascii_digit()).count();
    let Some(end) = memchr::memchr(b'\n', first) else { return false };
    let is_number =
        digits > 0 && first[digits..end].iter().all(|octet| matches!(octet, b' ' | b'\t' | b'\r'));
    is_number && (name.has(&["emlx"]) || evidence(&first[end + 1..]).certain > 0)
}

/// Returns whether octets after a line begin, or go on, with a header field.
pub(super) fn has_field(rest: &[u8]) -> bool {
    let rest = rest
        .strip_prefix(b"\r\n")
        .or_else(|| rest.strip_prefix(b"\n"))
        .or_else(|| rest.strip_prefix(b"\r"));
    rest.is_some_and(|rest| rest.starts_with(b">From ") || field(line(rest).0).is_some())
}

/// Returns the text without what programs leave before it: a BOM, empty lines, octets 00.
pub(super) fn without_beginning(text: &[u8]) -> &[u8] {
    let text = text.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(text);
    let begins = text.iter().position(|octet| !matches!(octet, 0 | b'\r' | b'\n' | b' ' | b'\t'));
    &text[begins.unwrap_or(text.len())..]
}

/// Returns text in UTF-16 as text in ASCII, with `?` for other characters; any other text as it is.
pub(super) fn narrowed(first: &[u8]) -> Cow<'_, [u8]> {
    let (units, ascii) = match first {
        [0xFF, 0xFE, rest @ ..] => (rest, 0),
        [0xFE, 0xFF, rest @ ..] => (rest, 1),
        _ if is_wide(first, 0) => (first, 0),
        _ if is_wide(first, 1) => (first, 1),
        _ => return Cow::Borrowed(first),
    };
    let narrow = |unit: &[u8]| if unit[1 - ascii] == 0 { unit[ascii] } else { b'?' };
    units.as_chunks::<2>().0.iter().map(|unit| narrow(unit)).collect()
}

/// Returns whether text begins with ASCII in UTF-16 whose units have their ASCII octet at this
/// place.
fn is_wide(first: &[u8], ascii: usize) -> bool {
    let units = first.get(..32).map(|first| first.as_chunks::<2>().0).unwrap_or_default();
    !units.is_empty()
        && units.iter().all(|unit| {
            unit[1 - ascii] == 0
                && (unit[ascii].is_ascii_graphic() || unit[ascii].is_ascii_whitespace())
        })
}

/// The number of lines before the first field that may be none: a banner that a program left.
const BANNERS: usize = 1;

/// The number of lines among the fields that may be none.
const STRAYS: usize = 3;

/// Collects the evidence in the header section that `text` begins with.
fn evidence(text: &[u8]) -> Evidence {
    let mut evidence = Evidence { has_controls: has_controls(text), ..Evidence::default() };
    if is_code(text) {
        return evidence;
    }
    let (mut rest, mut has_fields) = (text, false);
    while !rest.is_empty() {
        let (found, length) = line(rest);
        // The last line may go on after what is known of the file.
        let is_cut = length == found.len();
        rest = &rest[length..];
        match field(found) {
            _ if found.is_empty() => break,
            Some((name, value)) => {
                has_fields = true;
                evidence.note(name, value);
            }
            None if has_fields && matches!(found[0], b' ' | b'\t') || is_cut => {}
            None if found.starts_with(b"From ") || found.starts_with(b">From ") => {}
            None => evidence.strays += 1,
        }
        if evidence.strays > if has_fields { STRAYS } else { BANNERS } {
            break;
        }
    }
    evidence
}

impl Evidence {
    fn note(&mut self, name: &[u8], value: &[u8]) {
        let capital = name[0].is_ascii_uppercase();
        let name = name.to_ascii_lowercase();
        let is_in = |names: &[&'static [u8]]| names.iter().find(|known| **known == name).copied();

        let has_address = || value.contains(&b'@') || value.contains(&b'<');
        if is_in(&OF_MAIL).is_some() && value.iter().any(|octet| !octet.is_ascii_whitespace()) {
            self.certain += 1;
        } else if let Some(known) = is_in(&OF_ADDRESSES).or_else(|| is_in(&COMMON)) {
            let is_address = OF_ADDRESSES.contains(&known);
            self.certain += usize::from(is_address && has_address());
            self.is_correspondence |= is_address || known == b"subject";
            self.has_capital |= capital;
            if !self.common.contains(&known) {
                self.common.push(known);
            }
        }
    }
}

/// The beginnings of programs and of other text that may quote a message further down.
const CODE: [&[u8]; 9] = [b"#", b"//", b"/*", b"<", b"{", b"[", b"HTTP/", b"---", b"%"];

/// Returns whether text begins like a program, a web page or data.
fn is_code(text: &[u8]) -> bool {
    CODE.iter().any(|begin| text.starts_with(begin))
}

/// The number of octets of a header in which control octets speak against text.
const FIRST_LINES: usize = 512;

/// Returns whether octets that no text has are in the first lines.
fn has_controls(text: &[u8]) -> bool {
    let head = &text[..text.len().min(FIRST_LINES)];
    head.iter().any(|octet| is_control(*octet))
}

/// Returns whether an octet is a control that no charset of mail has as a character or in an
/// escape.
pub(super) fn is_control(octet: u8) -> bool {
    matches!(octet, 0..=6 | 0x10..=0x19 | 0x1C..=0x1F)
}

/// Returns the line that octets begin with, without its end, and its length with it. Lines end with
/// LF, CR LF or CR.
fn line(octets: &[u8]) -> (&[u8], usize) {
    match memchr::memchr2(b'\r', b'\n', octets) {
        None => (octets, octets.len()),
        Some(end) => {
            let is_two = octets[end..].starts_with(b"\r\n");
            (&octets[..end], end + 1 + usize::from(is_two))
        }
    }
}

/// Returns the name and the value of the field that a line is.
///
/// ```text
/// field = field-name *WSP ":" unstructured    ; RFC 5322, with the blanks of obs-syntax
/// ```
fn field(line: &[u8]) -> Option<(&[u8], &[u8])> {
    let colon = memchr::memchr(b':', line)?;
    let name = line[..colon].trim_ascii_end();
    let is_name = |octet: &u8| octet.is_ascii_alphanumeric() || matches!(octet, b'-' | b'_' | b'.');
    let is_field = name.first().is_some_and(u8::is_ascii_alphabetic) && name.iter().all(is_name);
    (is_field && !line[colon..].starts_with(b"://")).then(|| (name, &line[colon + 1..]))
}
