//! Lines of a header section that are not fields (rule H1): which of them belong to it, and to which field.

use std::ops::Range;

use memchr::memmem;

use super::found::{Field, Shape};
use super::lines::LineFacts;
use super::table::{Mime, RowId, begins};
use crate::ascii::{is_wsp, trim_fws};
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
    /// Whether the last stray line was a field that lost its colon.
    is_colonless: bool,
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
            is_colonless: false,
        }
    }

    /// Returns whether `line` at `at`, which is neither a field nor empty, is stray in the header section;
    /// otherwise the body begins with it. `continues` says that a line of the section comes before it.
    pub(super) fn is_stray(&mut self, line: &[u8], at: usize, continues: bool, fields: &[Field]) -> bool {
        let dashes = line.starts_with(DASHES);
        // A delimiter of the boundary that this very section declares: the empty line was lost.
        if dashes
            && !self.looked_for_boundary
            && declares(&self.source[self.start..at], &line[DASHES.len()..])
        {
            return false;
        }
        self.is_colonless = continues && self.is_last(at) && begins_like_a_field(line);
        // Nor is a field whose name was lost or broken the start of the text: every reader skips it.
        let is_stray = line[0] == b':'
            || has_broken_name(line)
            || self.is_colonless
            || continues && fields.last().is_some_and(|field| completes(self.source, field, line))
            || self.last_field_line(at) > at
            || !may_be_base64(line) && self.is_in_base64(at, fields);
        // Once is enough: a search for every such line would be quadratic in their number.
        self.looked_for_boundary |= dashes && is_stray;
        is_stray
    }

    /// Adds a stray line to the field that lost it, or else as a line of its own.
    pub(super) fn add(&self, line: Range<usize>, is_suspect: bool, continues: bool, fields: &mut Vec<Field>) {
        let text = &self.source[line.clone()];
        let may_continue = continues && !self.is_colonless;
        match fields.last_mut().filter(|field| may_continue && has_lost(self.source, field, text)) {
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

    /// Returns whether an empty line follows the one at `at`.
    fn is_last(&self, at: usize) -> bool {
        let next = line_end(self.source, at);
        next < self.source.len()
            && is_empty_line(without_line_end(&self.source[next..line_end(self.source, next)]))
    }

    fn last_field_line(&mut self, at: usize) -> usize {
        *self.last_field_line.get_or_insert_with(|| find_last_field_line(self.source, at, self.open))
    }

    fn is_in_base64(&mut self, at: usize, fields: &[Field]) -> bool {
        *self.in_base64.get_or_insert_with(|| {
            is_base64(self.source, &fields[self.first_field..])
                && has_base64_below(self.source, at, self.open)
        })
    }
}

/// Returns whether `boundary` occurs somewhere in the header so far.
fn declares(header: &[u8], boundary: &[u8]) -> bool {
    !boundary.is_empty() && memmem::find(header, boundary).is_some()
}

/// Returns whether a stray line was a continuation of `field` that lost its white space.
fn has_lost(source: &[u8], field: &Field, line: &[u8]) -> bool {
    // Even with a name that no field may have, it is not a continuation of another field.
    let is_named = has_broken_name(line)
        || line.iter().position(|octet| b": \t".contains(octet)).is_some_and(|at| at > 0 && line[at] == b':');
    !is_named
        && field.shape != Shape::Unparsed
        && (field.row.may_have_lost_a_fold || completes(source, field, line))
}

/// Returns whether a line that is not a field has at least the beginning of a name that only fields have:
/// `X-a b: c`.
fn has_broken_name(line: &[u8]) -> bool {
    begins(line, b"x-") && line.contains(&b':')
}

/// Returns whether a line begins with a word that is the name of a field and does not begin a sentence:
/// `X-Virus-Scanned by foo`.
fn begins_like_a_field(line: &[u8]) -> bool {
    let word = &line[..line.iter().position(|&octet| is_wsp(octet)).unwrap_or(line.len())];
    let is_name = word.iter().all(|octet| octet.is_ascii_alphanumeric() || *octet == b'-');
    let is_known = word.contains(&b'-') && RowId::of(word).is_one_name();
    is_name && (begins(word, b"x-") && word.len() > 2 || is_known || word.eq_ignore_ascii_case(b"received"))
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

/// Returns whether the field before is clearly unfinished, and a stray line is what it lacks: a parameter
/// after the `;` of a Content- field, or the value of an X- field that has none.
fn completes(source: &[u8], field: &Field, line: &[u8]) -> bool {
    match trim_fws(field.value_of(source)) {
        [.., b';'] => field.row.is_content() && line.contains(&b'='),
        [] => begins(field.name(source), b"x-"),
        _ => false,
    }
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
