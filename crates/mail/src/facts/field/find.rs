//! Splitting a header section into fields (rule H1): where each begins and ends.

use super::found::{Counted, Field, HeaderEnd, Section, Shape};
use super::lines::LineFacts;
use super::stray::{Strays, lacks};
use super::table::RowId;
use crate::Limits;
use crate::ascii::{is_wsp, raw_runs};
use crate::codec::header_lines::{HeaderLines, Line};
use crate::facts::delimiters::OpenBoundaries;
use crate::facts::line_ends::{is_empty_line, line_end, without_line_end};
use crate::lengths::MAX_READ_HEADER;
use crate::syntax::field_name::field_name;

/// Finds the fields of the header section that begins at `start`, and appends them to `fields`.
/// `of_message` says that an mbox `From ` line may come first. Past the `limits` for a header
/// nothing is read.
pub fn find_fields(
    source: &[u8],
    start: usize,
    of_message: bool,
    limits: &Limits,
    open: &OpenBoundaries,
    fields: &mut Vec<Field>,
) -> Section {
    let mut reader = Reader {
        source,
        at: start,
        limit: start.saturating_add(limits.header_octets.min(MAX_READ_HEADER)),
        limits,
        counted: Counted::default(),
        open,
        lines: HeaderLines::new(source),
        strays: Strays::new(source, start, open),
        first: fields.len(),
        fields,
        continues: false,
    };
    if of_message {
        reader.read_preface();
    }
    loop {
        if let Some(section) = reader.read_line() {
            return section;
        }
    }
}

/// Reads a header section line by line, each kind of line by its own method.
struct Reader<'s, 'f> {
    source: &'s [u8],
    /// Where the next line begins.
    at: usize,
    /// Where the limit is.
    limit: usize,
    limits: &'s Limits,
    counted: Counted,
    open: &'s OpenBoundaries,
    lines: HeaderLines<'s>,
    strays: Strays<'s>,
    /// Index of the first field of the section.
    first: usize,
    fields: &'f mut Vec<Field>,
    /// Whether a line of a field came before the next one, or a stray line.
    continues: bool,
}

impl Reader<'_, '_> {
    /// Reads what may come before the first field of a message: a byte order mark, white space,
    /// mbox `From ` lines.
    fn read_preface(&mut self) {
        if is_marked(&self.source[self.at..]) {
            self.add_nameless(self.at + MARK.len(), Shape::Mark, LineFacts::of(MARK));
        }
        if let Some(blank) = blank_before_field(&self.source[self.at..]) {
            self.add_nameless(self.at + blank, Shape::Blank, LineFacts::default());
        }
        loop {
            let Line { end, is_suspect, .. } = self.lines.line(self.at);
            let line = &self.source[self.at..end];
            if end > self.limit || !is_from_line(line) {
                return;
            }
            self.add_nameless(end, Shape::FromLine, LineFacts::of_line(line, is_suspect));
        }
    }

    fn add_nameless(&mut self, end: usize, shape: Shape, facts: LineFacts) {
        self.push(Field::without_name(self.at..end, shape, facts));
        self.at = end;
    }

    /// Adds what was found, and counts it.
    #[inline(always)]
    fn push(&mut self, field: Field) {
        self.counted.fields += usize::from(field.counts(self.source));
        self.counted.unclean += usize::from(!field.is_clean());
        self.fields.push(field);
    }

    /// Reads a line; returns the section if it ends here.
    #[inline(always)]
    fn read_line(&mut self) -> Option<Section> {
        let line = self.lines.line(self.at);
        let octets = &self.source[self.at..line.end];
        let is_continuation = self.continues && octets.first().is_some_and(|&octet| is_wsp(octet));
        if line.end > self.limit && !ends_header(self.source, self.at, self.open) {
            return Some(self.end_past_limit(line.end, is_continuation));
        }
        if is_continuation {
            self.read_continuation(line);
        } else if octets.is_empty() || self.open.delimits(without_line_end(octets)) {
            return Some(self.end(self.at, HeaderEnd::EndOfEntity));
        } else if let Some((name_len, value)) = self.name(octets, line.name_end) {
            self.read_field(line, name_len, value);
        } else if is_empty_line(without_line_end(octets)) {
            return Some(self.end(line.end, HeaderEnd::EmptyLine));
        } else if self.strays.is_stray(
            without_line_end(octets),
            self.at,
            &self.fields[self.first..],
        ) {
            self.read_stray(line);
        } else {
            return Some(self.end(self.at, HeaderEnd::Text));
        }
        // Text that ends the header may have any number of runs.
        let raw_runs = self.counted.raw_runs + if line.is_suspect { raw_runs(octets) } else { 0 };
        if self.counted.fields > self.limits.section_fields || raw_runs > self.limits.raw_runs {
            return Some(self.end_past_limit(line.end, true));
        }
        self.counted.raw_runs = raw_runs;
        self.continues = true;
        self.at = line.end;
        None
    }

    #[inline(always)]
    fn read_continuation(&mut self, line: Line) {
        if let Some(field) = self.fields.last_mut() {
            field.span.end = line.end;
            field.lines.continue_with(&self.source[self.at..line.end], line.is_suspect);
            self.counted.unclean += usize::from(!field.lines.are_clean());
        }
    }

    /// `field = name *WSP ":" value`; the lengths are from the beginning of the line.
    #[inline(always)]
    fn read_field(&mut self, line: Line, name_len: usize, value: usize) {
        let octets = &self.source[self.at..line.end];
        self.push(Field {
            span: self.at..line.end,
            name_len,
            value: self.at + value,
            shape: Shape::Field,
            row: RowId::of(&octets[..name_len]),
            lines: LineFacts::of_line(octets, line.is_suspect),
        });
    }

    /// Adds a stray line to the field that lacks it, or else as a line of its own.
    fn read_stray(&mut self, line: Line) {
        let text = &self.source[self.at..line.end];
        match self.fields[self.first..].last_mut().filter(|field| lacks(self.source, field, text)) {
            Some(field) => {
                field.shape = Shape::LostFold;
                self.read_continuation(line);
            }
            None => {
                let facts = LineFacts::of_line(text, line.is_suspect);
                self.push(Field::without_name(self.at..line.end, Shape::Unparsed, facts));
            }
        }
    }

    /// Returns the length of the name that a line begins with, and that up to its value.
    #[inline(always)]
    fn name(&self, line: &[u8], name_end: usize) -> Option<(usize, usize)> {
        let name_len = name_end - self.at;
        match line.get(name_len) {
            Some(b':') if name_len > 0 => Some((name_len, name_len + 1)),
            // Hardly any line needs a closer look.
            _ => field_name(line),
        }
    }

    fn end(&self, body: usize, end: HeaderEnd) -> Section {
        Section { fields_end: self.at, body, end, counted: self.counted }
    }

    /// Reads the rest of the section as one field: it is past the limit, and so is the field whose
    /// line, up to `end`, crosses the limit, which `is_begun` if it has been added.
    fn end_past_limit(&mut self, end: usize, is_begun: bool) -> Section {
        let field = if is_begun { self.fields.pop() } else { None };
        let start = field.map_or(self.at, |field| field.span.start);
        self.at = end;
        while !ends_header(self.source, self.at, self.open) {
            self.at = line_end(self.source, self.at);
        }
        self.push(Field::without_name(start..self.at, Shape::PastLimit, LineFacts::default()));
        match self.source.get(self.at) {
            Some(b'\r' | b'\n') => self.end(line_end(self.source, self.at), HeaderEnd::EmptyLine),
            _ => self.end(self.at, HeaderEnd::EndOfEntity),
        }
    }
}

/// Returns whether no line of a header section begins at `at`: the source or the section ends
/// there.
fn ends_header(source: &[u8], at: usize, open: &OpenBoundaries) -> bool {
    let line = without_line_end(&source[at..line_end(source, at)]);
    at == source.len() || is_empty_line(line) || open.delimits(line)
}

/// Returns the amount of white space before a field on the first line, where there is nothing to
/// continue.
fn blank_before_field(message: &[u8]) -> Option<usize> {
    let blank = message.iter().take_while(|&&octet| is_wsp(octet)).count();
    let line = &message[blank..line_end(message, 0).max(blank)];
    (blank > 0 && field_name(line).is_some()).then_some(blank)
}

/// U+FEFF in UTF-8.
const MARK: &[u8] = "\u{feff}".as_bytes();

/// Returns whether a message begins with a byte order mark that hides its first field.
fn is_marked(message: &[u8]) -> bool {
    message.strip_prefix(MARK).is_some_and(|rest| {
        let line = &rest[..line_end(rest, 0)];
        field_name(line).is_some() || is_from_line(line)
    })
}

/// Returns whether a line is an mbox separator, and not a From field with white space before its
/// colon.
fn is_from_line(line: &[u8]) -> bool {
    (line.starts_with(b"From ") || line.starts_with(b">From ")) && field_name(line).is_none()
}

#[cfg(test)]
mod tests;
