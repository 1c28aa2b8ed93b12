//! Lines of a header section that are not fields (rule H1): which of them belong to it, and to which field.

use std::ops::Range;

use memchr::memmem;

use super::found::{Field, Shape};
use super::lines::LineFacts;
use super::table::{Mime, begins};
use crate::ascii::trim_fws;
use crate::decode::transfer_encoding;
use crate::message::delimiters::{DASHES, OpenBoundaries};
use crate::message::line_ends::{is_empty_line, line_end, without_line_end};
use crate::syntax::field_name::field_name;
use crate::transfer::TransferEncoding;

/// Judges which lines are stray. Facts that need a look at the whole section are determined once.
pub(super) struct Strays<'s> {
    source: &'s [u8],
    start: usize,
    open: &'s OpenBoundaries,
    /// Index of the section's first field.
    first_field: usize,
    looked_for_boundary: bool,
    last_field_line: Option<usize>,
    in_base64: Option<bool>,
}

impl<'s> Strays<'s> {
    pub(super) fn new(source: &'s [u8], start: usize, open: &'s OpenBoundaries, first_field: usize) -> Self {
        Self {
            source,
            start,
            open,
            first_field,
            looked_for_boundary: false,
            last_field_line: None,
            in_base64: None,
        }
    }

    /// Returns whether `line` at `at`, which is neither a field nor empty, is stray in the header section;
    /// otherwise the body begins with it.
    pub(super) fn is_stray(&mut self, line: &[u8], at: usize, fields: &[Field]) -> bool {
        let dashes = line.starts_with(DASHES);
        // A delimiter of the boundary that this very section declares: the empty line was lost.
        if dashes
            && !self.looked_for_boundary
            && declares(&self.source[self.start..at], &line[DASHES.len()..])
        {
            return false;
        }
        let fields = &fields[self.first_field..];
        let is_stray = has_lost_its_name(line)
            || fields.last().is_some_and(|field| lacks(self.source, field, line))
            || self.last_field_line(at) > at
            || !may_be_base64(line) && self.is_in_base64(at, fields);
        // Once is enough: a search for every such line would be quadratic in their number.
        self.looked_for_boundary |= dashes && is_stray;
        is_stray
    }

    /// Adds a stray line to the field that lacks it, or else as a line of its own.
    pub(super) fn add(&self, line: Range<usize>, is_suspect: bool, fields: &mut Vec<Field>) {
        let text = &self.source[line.clone()];
        let last = fields[self.first_field..].last_mut();
        match last.filter(|field| lacks(self.source, field, text)) {
            Some(field) => {
                field.span.end = line.end;
                field.shape = Shape::LostFold;
                field.lines.continue_with(text, is_suspect);
            }
            None => {
                let lines = LineFacts::of_line(text, is_suspect);
                fields.push(Field::without_name(line, Shape::Unparsed, lines));
            }
        }
    }

    fn last_field_line(&mut self, at: usize) -> usize {
        *self.last_field_line.get_or_insert_with(|| find_last_field_line(self.source, at, self.open))
    }

    fn is_in_base64(&mut self, at: usize, fields: &[Field]) -> bool {
        *self.in_base64.get_or_insert_with(|| {
            is_base64(self.source, fields) && has_base64_below(self.source, at, self.open)
        })
    }
}

/// Returns whether `boundary` occurs somewhere in the header so far.
fn declares(header: &[u8], boundary: &[u8]) -> bool {
    !boundary.is_empty() && memmem::find(header, boundary).is_some()
}

/// Returns whether a line is a field whose name was lost or broken, which every reader skips: `: c`,
/// `X-a b: c`.
fn has_lost_its_name(line: &[u8]) -> bool {
    line[0] == b':' || begins(line, b"x-") && line.contains(&b':')
}

/// Returns whether a line is what a field lacks: a parameter after the last `;` of a Content- field, or the value of
/// an X- field that has none.
fn lacks(source: &[u8], field: &Field, line: &[u8]) -> bool {
    match trim_fws(field.value_of(source)) {
        [.., b';'] => {
            field.row.is_content() && line.iter().find(|octet| b":=".contains(octet)) == Some(&b'=')
        }
        [] => begins(field.name(source), b"x-") && !has_lost_its_name(line),
        _ => false,
    }
}

/// Returns whether these fields say that the body is in base64.
fn is_base64(source: &[u8], fields: &[Field]) -> bool {
    let encoding = fields.iter().find(|field| field.row.mime == Some(Mime::TransferEncoding));
    let read = |field: &Field| transfer_encoding(field.value_of(source)).0;
    encoding.is_some_and(|field| read(field) == TransferEncoding::Base64)
}

/// Returns whether an empty line ends the section after `at`, and base64 follows it.
fn has_base64_below(source: &[u8], at: usize, open: &OpenBoundaries) -> bool {
    let mut next = at;
    let mut in_body = false;
    while next < source.len() {
        let end = line_end(source, next);
        let line = without_line_end(&source[next..end]);
        if is_empty_line(line) {
            in_body = true;
        } else if in_body {
            return may_be_base64(line);
        } else if open.delimits(line) {
            return false;
        }
        next = end;
    }
    false
}

/// Returns whether a line may be the first of a body in base64: text in that place would be lost.
fn may_be_base64(line: &[u8]) -> bool {
    trim_fws(line).iter().all(|octet| octet.is_ascii_alphanumeric() || matches!(octet, b'+' | b'/' | b'='))
}

/// Returns where the last line that begins a field is, from `at` to the end of the section; `at` if none.
fn find_last_field_line(source: &[u8], at: usize, open: &OpenBoundaries) -> usize {
    let (mut found, mut next) = (at, at);
    while next < source.len() {
        let end = line_end(source, next);
        let line = without_line_end(&source[next..end]);
        if is_empty_line(line) || open.delimits(line) {
            break;
        }
        if field_name(line).is_some() {
            found = next;
        }
        next = end;
    }
    found
}

/// Returns a field with its folds restored: each stray line gets back the space that it lost.
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
