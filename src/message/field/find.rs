//! Splitting a header section into fields (rule H1): where each begins and ends.

use super::found::{Field, HeaderEnd, Section, Shape};
use super::lines::LineFacts;
use super::stray::Strays;
use super::table::RowId;
use crate::Limits;
use crate::ascii::{is_wsp, raw_runs};
use crate::codec::header_lines::{HeaderLines, Line};
use crate::message::delimiters::{DASHES, OpenBoundaries};
use crate::message::line_ends::{is_empty_line, line_end, without_line_end};
use crate::syntax::field_name::field_name;

/// Finds the fields of the header section that begins at `start`, and appends them to `fields`. `of_message`
/// says that an mbox `From ` line may come first. Past the `limits` for a header nothing is read.
pub(crate) fn find_fields(
    source: &[u8],
    start: usize,
    of_message: bool,
    limits: &Limits,
    open: &OpenBoundaries,
    fields: &mut Vec<Field>,
) -> Section {
    let most = start.saturating_add(limits.header_octets);
    let mut runs = 0;
    let mut lines = HeaderLines::new(source);
    let mut strays = Strays::new(source, start, open, fields.len());
    let mut at = start;
    let mut may_be_from_line = of_message;
    // Whether a line of a field came before this one, or a stray line.
    let mut continues = false;
    if of_message && is_marked(&source[start..]) {
        at += MARK.len();
        fields.push(Field::without_name(start..at, Shape::Mark, LineFacts::of(MARK)));
    }
    if of_message && let Some(blank) = blank_before_field(&source[at..]) {
        fields.push(Field::without_name(at..at + blank, Shape::Blank, LineFacts::default()));
        at += blank;
    }
    loop {
        let Line { end, is_suspect } = lines.line(at);
        let whole = &source[at..end];
        let is_continued = continues && whole.first().is_some_and(|&octet| is_wsp(octet));
        runs += if is_suspect { raw_runs(whole) } else { 0 };
        let has_many_runs = runs > limits.raw_runs;
        if (end > most || is_continued && has_many_runs) && !ends_header(source, at, open) {
            let field = if is_continued { fields.pop() } else { None };
            return find_end(source, field.map_or(at, |field| field.span.start), end, open, fields);
        }
        if is_continued {
            if let Some(field) = fields.last_mut() {
                field.span.end = end;
                field.lines.continue_with(whole, is_suspect);
            }
            at = end;
            continue;
        }
        let dashes = whole.starts_with(DASHES);
        if at == source.len() || dashes && open.find(without_line_end(whole)).is_some() {
            return Section { fields_end: at, body: at, end: HeaderEnd::EndOfEntity };
        }
        may_be_from_line = may_be_from_line && is_from_line(whole);
        if may_be_from_line {
            fields.push(Field::without_name(at..end, Shape::FromLine, LineFacts::of_line(whole, is_suspect)));
            at = end;
            continue;
        }
        let name_len = lines.name_end(at) - at;
        let name = match whole.get(name_len) {
            Some(b':') if name_len > 0 => Some((name_len, name_len + 1)),
            // Hardly any line needs a closer look.
            _ => field_name(whole),
        };
        if name.is_none() {
            let line = without_line_end(whole);
            if is_empty_line(line) {
                return Section { fields_end: at, body: end, end: HeaderEnd::EmptyLine };
            }
            if !strays.is_stray(line, at, continues, fields) {
                return Section { fields_end: at, body: at, end: HeaderEnd::Text };
            }
        }
        // Text that ends the header may have any number.
        if has_many_runs {
            return find_end(source, at, end, open, fields);
        }
        if let Some((name_len, value)) = name {
            fields.push(Field {
                span: at..end,
                name_len,
                value: at + value,
                shape: Shape::Field,
                row: RowId::of(&whole[..name_len]),
                lines: LineFacts::of_line(whole, is_suspect),
            });
        } else {
            strays.add(at..end, is_suspect, continues, fields);
        }
        continues = true;
        at = end;
    }
}

/// Returns whether no line of a header section begins at `at`: the source or the section ends there.
fn ends_header(source: &[u8], at: usize, open: &OpenBoundaries) -> bool {
    let line = without_line_end(&source[at..line_end(source, at)]);
    at == source.len() || is_empty_line(line) || open.delimits(line)
}

/// Finds the rest of a header section past the limit, from `start`, as one field: it ends where the section
/// does, at or after `at`.
fn find_end(
    source: &[u8],
    start: usize,
    mut at: usize,
    open: &OpenBoundaries,
    fields: &mut Vec<Field>,
) -> Section {
    while !ends_header(source, at, open) {
        at = line_end(source, at);
    }
    fields.push(Field::without_name(start..at, Shape::PastLimit, LineFacts::default()));
    let is_empty = source.get(at).is_some_and(|octet| matches!(octet, b'\r' | b'\n'));
    let (body, end) = match is_empty {
        true => (line_end(source, at), HeaderEnd::EmptyLine),
        false => (at, HeaderEnd::EndOfEntity),
    };
    Section { fields_end: at, body, end }
}

/// Returns the amount of white space before a field on the first line, where there is nothing to continue.
fn blank_before_field(message: &[u8]) -> Option<usize> {
    let blank = message.iter().take_while(|&&octet| is_wsp(octet)).count();
    let line = &message[blank..line_end(message, 0).max(blank)];
    (blank > 0 && field_name(line).is_some()).then_some(blank)
}

/// U+FEFF in UTF-8.
const MARK: &[u8] = "\u{feff}".as_bytes();

/// Returns whether a message begins with a UTF-8 signature that hides its first field.
fn is_marked(message: &[u8]) -> bool {
    message.strip_prefix(MARK).is_some_and(|rest| {
        let line = &rest[..line_end(rest, 0)];
        field_name(line).is_some() || is_from_line(line)
    })
}

/// Returns whether a line is an mbox separator, and not a From field with white space before its colon.
fn is_from_line(line: &[u8]) -> bool {
    (line.starts_with(b"From ") || line.starts_with(b">From ")) && field_name(line).is_none()
}

#[cfg(test)]
mod tests;
