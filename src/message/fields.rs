//! A header section as fields (rule H1): where each begins and ends, and what is no field.

use std::ops::Range;

use memchr::{memchr, memmem};

use super::delimiters::Delimiters;
use super::line_ends::{line_end, without_line_end};
use super::tag::Tag;
use crate::ascii::{is_wsp, trim_fws};
use crate::codec::heads::{Heads, Line};
use crate::transfer::TransferEncoding;

/// One field of a header section, as octet offsets in its source.
#[derive(Clone, Debug)]
pub(crate) struct Field {
    /// From the first octet of the name to the end of the last line, line end included.
    pub(crate) span: Range<usize>,
    /// Length of the name; 0 for a line that is no field.
    pub(crate) name_len: usize,
    /// Offset behind the colon.
    pub(crate) value: usize,
    pub(crate) shape: Shape,
    pub(crate) tag: Tag,
    /// Whether any of its lines [tells](crate::codec::heads::Line::tells).
    pub(crate) tells: bool,
}

/// What kind of lines a field was found in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Shape {
    /// `name ":" value` and its continuations.
    Field,
    /// The same, with a line that had lost its leading white space.
    LostFold,
    /// A line that is no field at all.
    Unparsed,
    /// An mbox `From ` line.
    FromLine,
    /// The signature of UTF-8 before the first field, as editors put it at the head of a file.
    Mark,
}

impl Field {
    /// A line that is no field.
    fn without_name(span: Range<usize>, shape: Shape) -> Self {
        Self { value: span.start, span, name_len: 0, shape, tag: Tag::Other, tells: true }
    }

    /// The name as it stands.
    pub(crate) fn name<'s>(&self, source: &'s [u8]) -> &'s [u8] {
        &source[self.span.start..self.span.start + self.name_len]
    }

    /// Whether this is the field of that name, in any case.
    pub(crate) fn is(&self, source: &[u8], name: &str) -> bool {
        self.name_len == name.len() && self.name(source).eq_ignore_ascii_case(name.as_bytes())
    }

    /// The value with its folds and the last line end.
    pub(crate) fn value_of<'s>(&self, source: &'s [u8]) -> &'s [u8] {
        &source[self.value..self.span.end]
    }
}

/// How a header section ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum HeaderEnd {
    /// With an empty line.
    EmptyLine,
    /// With the end of the entity: a delimiter or the end of the input.
    EndOfEntity,
    /// With a line that is neither field nor continuation: the body begins there.
    Text,
}

/// A header section: its fields went into an arena; here is where it and the body lie.
#[derive(Clone, Debug)]
pub(crate) struct Section {
    /// Of the fields; behind it comes the empty line, if there is one.
    pub(crate) fields_end: usize,
    /// Where the body begins.
    pub(crate) body: usize,
    pub(crate) end: HeaderEnd,
    /// Whether every line is a field's first one or a plain continuation.
    pub(crate) is_regular: bool,
}

/// Finds the fields of the header section that begins at `start`, and appends them to `fields`.
/// `of_message` says that an mbox `From ` line may stand first.
pub(crate) fn scan(
    source: &[u8],
    start: usize,
    of_message: bool,
    open: &Delimiters,
    fields: &mut Vec<Field>,
) -> Section {
    let mut heads = Heads::new(source);
    let first = fields.len();
    let mut last_field_line = None;
    // Asked where no field follows: once is enough.
    let mut in_base64 = None;
    let mut at = start;
    let mut lead = of_message;
    let mut above = false;
    let mut is_regular = true;
    let mut looked_for_boundary = false;
    if of_message && is_marked(&source[start..]) {
        at += MARK.len();
        fields.push(Field::without_name(start..at, Shape::Mark));
        is_regular = false;
    }
    loop {
        let Line { end, tells } = heads.line(at);
        let whole = &source[at..end];
        if above && whole.first().is_some_and(|&octet| is_wsp(octet)) {
            is_regular &= !is_blank(whole);
            extend(fields, end, tells);
            at = end;
            continue;
        }
        let dashes = whole.starts_with(b"--");
        if at == source.len() || dashes && open.find(without_line_end(whole)).is_some() {
            return Section { fields_end: at, body: at, end: HeaderEnd::EndOfEntity, is_regular };
        }
        lead = lead && is_from_line(whole);
        if lead {
            is_regular = false;
            fields.push(Field::without_name(at..end, Shape::FromLine));
            at = end;
            continue;
        }
        let name_len = heads.name_end(at) - at;
        let name = match whole.get(name_len) {
            Some(b':') if name_len > 0 => Some((name_len, name_len + 1)),
            // Hardly any line needs a closer look.
            _ => field_name(whole),
        };
        if let Some((name_len, value)) = name {
            is_regular &= value == name_len + 1;
            let tag = Tag::of(&whole[..name_len]);
            fields.push(Field {
                span: at..end,
                name_len,
                value: at + value,
                shape: Shape::Field,
                tag,
                tells,
            });
        } else {
            let line = without_line_end(whole);
            if is_empty(line) {
                return Section { fields_end: at, body: end, end: HeaderEnd::EmptyLine, is_regular };
            }
            // A delimiter of the boundary that this very section declares: the empty line was lost.
            let delimits = dashes && !looked_for_boundary && declares(&source[start..at], &line[2..]);
            // A field whose name was lost or broken is no text either: every reader skips it.
            let mut is_stray = || {
                line[0] == b':'
                    || has_broken_name(line)
                    || above && fields.last().is_some_and(|field| continues(source, field, line))
                    || *last_field_line.get_or_insert_with(|| find_last_field_line(source, at, open)) > at
                    || !may_be_base64(line)
                        && *in_base64.get_or_insert_with(|| {
                            is_base64(source, &fields[first..]) && has_base64_below(source, at)
                        })
            };
            if delimits || !is_stray() {
                return Section { fields_end: at, body: at, end: HeaderEnd::Text, is_regular };
            }
            is_regular = false;
            // Once is enough: a search for every such line would take the square of their number.
            looked_for_boundary |= dashes;
            stray_line(source, &mut *fields, above, at..end);
        }
        above = true;
        at = end;
    }
}

/// U+FEFF in UTF-8.
const MARK: &[u8] = "\u{feff}".as_bytes();

/// Whether a message begins with a signature of UTF-8 that hides its first field.
fn is_marked(message: &[u8]) -> bool {
    message.strip_prefix(MARK).is_some_and(|rest| {
        let line = &rest[..line_end(rest, 0)];
        field_name(line).is_some() || is_from_line(line)
    })
}

/// Whether `boundary` stands somewhere in the header so far.
fn declares(header: &[u8], boundary: &[u8]) -> bool {
    !boundary.is_empty() && memmem::find(header, boundary).is_some()
}

/// Lengthens the last field by a line that ends at `end`.
fn extend(fields: &mut [Field], end: usize, tells: bool) {
    if let Some(field) = fields.last_mut() {
        field.span.end = end;
        field.tells |= tells;
    }
}

/// Rule H1: a line that is no field, with a field below it.
fn stray_line(source: &[u8], fields: &mut Vec<Field>, above: bool, line: Range<usize>) {
    let text = &source[line.clone()];
    // A name that no field may have is still no continuation of another one.
    let named = has_broken_name(text)
        || text.iter().position(|octet| b": \t".contains(octet)).is_some_and(|at| at > 0 && text[at] == b':');
    match fields.last_mut() {
        Some(field)
            if above
                && !named
                && field.shape != Shape::Unparsed
                && (may_have_lost_a_fold(field.name(source)) || continues(source, field, text)) =>
        {
            field.span.end = line.end;
            field.shape = Shape::LostFold;
        }
        _ => fields.push(Field::without_name(line, Shape::Unparsed)),
    }
}

/// Whether a line that is no field has at least the beginning of a name that only fields have: `X-a b: c`.
fn has_broken_name(line: &[u8]) -> bool {
    begins(line, b"x-") && line.contains(&b':')
}

/// Whether these fields say that the body is in base64.
fn is_base64(source: &[u8], fields: &[Field]) -> bool {
    let encoding = fields.iter().find(|field| field.tag == Tag::ContentTransferEncoding);
    let read = |field: &Field| TransferEncoding::read(trim_fws(field.value_of(source))).0;
    encoding.is_some_and(|field| read(field) == TransferEncoding::Base64)
}

/// Whether an empty line stands below `at`, and base64 under it.
fn has_base64_below(source: &[u8], at: usize) -> bool {
    let mut next = at;
    let mut in_body = false;
    while next < source.len() {
        let end = line_end(source, next);
        let line = without_line_end(&source[next..end]);
        if is_empty(line) {
            in_body = true;
        } else if in_body {
            return may_be_base64(line);
        }
        next = end;
    }
    false
}

/// Whether a line may be the first of a body in base64: text in its place would be lost there.
fn may_be_base64(line: &[u8]) -> bool {
    trim_fws(line).iter().all(|octet| octet.is_ascii_alphanumeric() || matches!(octet, b'+' | b'/' | b'='))
}

/// Whether the field above is plainly unfinished, and a stray line what it lacks: a parameter behind the `;` of
/// a Content- field, or the value of an X- field that has none.
fn continues(source: &[u8], field: &Field, line: &[u8]) -> bool {
    let name = field.name(source);
    match trim_fws(field.value_of(source)) {
        [.., b';'] => begins(name, b"content-") && line.contains(&b'='),
        [] => begins(name, b"x-"),
        _ => false,
    }
}

/// Whether a stray line may be taken for a continuation of this field: not where it would change an
/// address, a date, an id or the structure.
fn may_have_lost_a_fold(name: &[u8]) -> bool {
    const NOT: [&str; 17] = [
        "from",
        "sender",
        "reply-to",
        "to",
        "cc",
        "bcc",
        "return-path",
        "errors-to",
        "date",
        "message-id",
        "references",
        "in-reply-to",
        "delivered-to",
        "mime-version",
        "disposition-notification-to",
        "mail-followup-to",
        "return-receipt-to",
    ];
    !begins(name, b"content-")
        && !begins(name, b"resent-")
        && !NOT.iter().any(|not| name.eq_ignore_ascii_case(not.as_bytes()))
}

/// Whether a name begins like that, in any case.
fn begins(name: &[u8], prefix: &[u8]) -> bool {
    name.get(..prefix.len()).is_some_and(|head| head.eq_ignore_ascii_case(prefix))
}

/// Where the last line that begins a field stands, from `at` to the end of the section; `at` if none.
fn find_last_field_line(source: &[u8], at: usize, open: &Delimiters) -> usize {
    let (mut found, mut next) = (at, at);
    while next < source.len() {
        let end = line_end(source, next);
        let line = without_line_end(&source[next..end]);
        if is_empty(line) || (line.starts_with(b"--") && open.find(line).is_some()) {
            break;
        }
        if field_name(line).is_some() {
            found = next;
        }
        next = end;
    }
    found
}

/// The length of the field name that `line` begins with, and the offset behind its colon.
///
/// ```text
/// field-name = 1*ftext            ; RFC 5322, 3.6.8
/// ftext      = %d33-57 / %d59-126
/// ```
/// 1. White space before the colon is accepted (RFC 5322, 4.5: obsolete syntax).
/// 2. A name with `=?` in it is none: it is an encoded-word that stands where it must not, and no reader
///    should decode it there.
#[inline]
pub(crate) fn field_name(line: &[u8]) -> Option<(usize, usize)> {
    let ftext = |octet: &u8| matches!(octet, 33..=57 | 59..=126);
    // Hardly any name holds a question mark.
    let mut name_len = line.iter().position(|octet| !ftext(octet) || *octet == b'?')?;
    if line[name_len] == b'?' {
        name_len = line.iter().position(|octet| !ftext(octet))?;
        if line[..name_len].windows(2).any(|pair| pair == b"=?") {
            return None;
        }
    }
    let colon = if line[name_len] == b':' { 0 } else { memchr(b':', &line[name_len..])? };
    let between = &line[name_len..name_len + colon];
    (name_len > 0 && between.iter().all(|&octet| is_wsp(octet))).then_some((name_len, name_len + colon + 1))
}

/// Whether nothing but white space stands before the line end.
fn is_blank(line: &[u8]) -> bool {
    let text = line.iter().find(|&&octet| !is_wsp(octet));
    text.is_none_or(|&octet| is_line_end(octet)) && without_line_end(line).iter().all(|&octet| is_wsp(octet))
}

fn is_line_end(octet: u8) -> bool {
    matches!(octet, b'\r' | b'\n')
}

/// Whether a line is the empty one: some mail ends its lines with CR CR LF.
fn is_empty(line: &[u8]) -> bool {
    line.iter().all(|&octet| octet == b'\r')
}

/// Whether a line is an mbox separator, and not a From field with white space before its colon.
fn is_from_line(line: &[u8]) -> bool {
    (line.starts_with(b"From ") || line.starts_with(b">From ")) && field_name(line).is_none()
}

/// A field whose stray lines are folded in again: each gets the space it had lost.
pub(crate) fn with_folds(raw: &[u8]) -> Vec<u8> {
    let mut out = Vec::with_capacity(raw.len() + 8);
    for (number, line) in raw.split_inclusive(|&octet| octet == b'\n').enumerate() {
        if number > 0 && !matches!(line[0], b' ' | b'\t') {
            out.push(b' ');
        }
        out.extend_from_slice(line);
    }
    out
}

#[cfg(test)]
mod tests;
