//! Lines of a header section that are not fields (rule H1): which of them belong to it, and to
//! which field.

use memchr::memmem;

use super::found::Field;
use super::table::Mime;
use crate::ascii::{begins, trim_fws};
use crate::decode::transfer_encoding;
use crate::facts::delimiters::{DASHES, OpenBoundaries};
use crate::facts::line_ends::{is_empty_line, line_end, without_line_end};
use crate::syntax::field_name::field_name;
use crate::transfer::TransferEncoding;

/// The search for stray lines in one header section: lines that are no fields and belong to it all
/// the same. What needs a look at the whole section is looked for once.
pub(super) struct Strays<'s> {
    source: &'s [u8],
    /// Where the section begins.
    start: usize,
    open: &'s OpenBoundaries,
    /// Whether a line that may be a delimiter of the section's own boundary was compared with it.
    looked_for_boundary: bool,
    /// What stands below the first stray line, once it was asked for.
    below: Option<Below>,
}

/// What stands in a header section from its first stray line on.
struct Below {
    /// The offset of the last line that begins a field; 0 if there is none.
    last_field: usize,
    /// Whether an empty line ends the section, and base64 follows it.
    is_base64: bool,
}

impl Below {
    fn of(source: &[u8], at: usize, open: &OpenBoundaries) -> Self {
        let mut below = Self { last_field: 0, is_base64: false };
        let mut next = at;
        while next < source.len() {
            let end = line_end(source, next);
            let line = without_line_end(&source[next..end]);
            if is_empty_line(line) {
                let body = source[end..].trim_ascii_start();
                below.is_base64 = !body.is_empty() && may_be_base64(&body[..line_end(body, 0)]);
                break;
            }
            if open.delimits(line) {
                break;
            }
            if field_name(line).is_some() {
                below.last_field = next;
            }
            next = end;
        }
        below
    }
}

impl<'s> Strays<'s> {
    pub(super) fn new(source: &'s [u8], start: usize, open: &'s OpenBoundaries) -> Self {
        Self { source, start, open, looked_for_boundary: false, below: None }
    }

    /// Returns whether the line at the offset `at`, which is neither a field nor empty, belongs to
    /// the header section, of which these `fields` were read so far; if not, the body begins with
    /// it.
    pub(super) fn is_stray(&mut self, line: &[u8], at: usize, fields: &[Field]) -> bool {
        if !self.looked_for_boundary && line.starts_with(DASHES) {
            // Once is enough: a search for every such line would be quadratic in their number.
            self.looked_for_boundary = true;
            let boundary = &line[DASHES.len()..];
            // A delimiter of the boundary that this very section declares: the empty line was lost.
            if !boundary.is_empty()
                && memmem::find(&self.source[self.start..at], boundary).is_some()
            {
                return false;
            }
        }
        if has_lost_its_name(line)
            || fields.last().is_some_and(|field| lacks(self.source, field, line))
        {
            return true;
        }
        let below = self.below.get_or_insert_with(|| Below::of(self.source, at, self.open));
        below.last_field > at
            || below.is_base64 && !may_be_base64(line) && is_base64(self.source, fields)
    }
}

/// Returns whether a line is a field whose name was lost or broken, which every reader skips: `:
/// c`, `X-a b: c`.
fn has_lost_its_name(line: &[u8]) -> bool {
    line[0] == b':' || begins(line, b"x-") && line.contains(&b':')
}

/// Returns whether a line is what a field lacks: a parameter after the last `;` of a Content-
/// field, or the value of an X- field that has none.
pub(super) fn lacks(source: &[u8], field: &Field, line: &[u8]) -> bool {
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

/// Returns whether a line may be the first of a body in base64: text in that place would be lost.
fn may_be_base64(line: &[u8]) -> bool {
    trim_fws(line)
        .iter()
        .all(|octet| octet.is_ascii_alphanumeric() || matches!(octet, b'+' | b'/' | b'='))
}

/// Returns a field with its folds restored: each stray line gets back the space that it lost.
pub fn with_folds(raw: &[u8]) -> Vec<u8> {
    let mut out = Vec::with_capacity(raw.len() + 8);
    for (number, line) in raw.split_inclusive(|&octet| octet == b'\n').enumerate() {
        if number > 0 && !matches!(line[0], b' ' | b'\t') {
            out.push(b' ');
        }
        out.extend_from_slice(line);
    }
    out
}
