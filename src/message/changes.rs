//! A plan by the fields of the message's own header: for filters such as milters that cannot replace a whole
//! message, but change, add and drop its fields one by one and replace its body.

use std::borrow::Cow;
use std::collections::HashMap;
use std::io::{self, Write};
use std::ops::Range;

use super::field::Field;
use super::line_ends::{Lines, line_end, to_crlf, without_line_end};
use super::normalizer::Plan;
use super::splice::{self, Counted, Place, Replacement, Splice};
use crate::Span;
use crate::ascii::is_wsp;
use crate::transfer::has_bare_line_end;

/// What becomes of a field of the message's own header.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum FieldChange {
    /// It stays. Only its line ends may change: they become CR LF where the message's are mended.
    Kept,
    /// Its value changes; its name at most in case, or in white space before the colon.
    NewValue,
    /// One field of another name takes its place. Something that is not a field at all (a stray line) gets a
    /// name this way.
    NewName,
    /// It is dropped.
    Dropped,
    /// Several fields take its place.
    Split,
    /// It is new: it is put in after what is before it in the list, and before what follows.
    Inserted,
}

/// A field of the message's own header in a [`Plan`]: as it is, and what it becomes.
#[derive(Clone, Debug)]
pub struct PlannedField<'p> {
    span: Span,
    name: &'p [u8],
    number: Option<usize>,
    change: FieldChange,
    octets: Cow<'p, [u8]>,
}

impl PlannedField<'_> {
    /// Returns its span in the input, from the first octet of its name to the end of its last line; empty if
    /// it is inserted.
    pub fn span(&self) -> Span {
        self.span
    }

    /// Returns its name as it is in the input; empty if it is inserted, or not a field.
    pub fn name(&self) -> &[u8] {
        self.name
    }

    /// Returns its number among the input's fields of that name in any case, counted from 1 as in the milter
    /// protocol. `None` if it is inserted, or not a field: an mbox `From ` line, a byte order mark, a line
    /// without a name. (Mail servers do not show those to filters, or end the header there.)
    pub fn number(&self) -> Option<usize> {
        self.number
    }

    /// Returns what becomes of it.
    pub fn change(&self) -> FieldChange {
        self.change
    }

    /// Returns the fields that are written for it, in order: none if it is dropped, several if it is split,
    /// otherwise one.
    pub fn written(&self) -> impl Iterator<Item = WrittenField<'_>> {
        let whole = self.change == FieldChange::Kept;
        split(&self.octets, move |octets| if whole { octets.len() } else { field_end(octets) })
    }

    /// Returns the octets of everything that is written for it.
    pub fn octets(&self) -> &[u8] {
        &self.octets
    }
}

/// A field as it is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct WrittenField<'p> {
    octets: &'p [u8],
}

impl<'p> WrittenField<'p> {
    /// Returns all of it, including the last line end.
    pub fn octets(&self) -> &'p [u8] {
        self.octets
    }

    /// Returns its name.
    pub fn name(&self) -> &'p [u8] {
        self.octets[..self.colon().unwrap_or(0)].trim_ascii_end()
    }

    /// Returns its value as it is, from the octet after the colon: including leading white space and folds,
    /// without the last line end.
    pub fn value(&self) -> &'p [u8] {
        without_line_end(&self.octets[self.colon().map_or(0, |colon| colon + 1)..])
    }

    fn colon(&self) -> Option<usize> {
        self.octets.iter().position(|&octet| octet == b':')
    }
}

impl<'a> Plan<'a> {
    /// Returns the new header field by field, in order: the fields of the message's own header with what
    /// becomes of each, and between them those that are inserted. A field that is dropped keeps its place in
    /// the list.
    ///
    /// The octets of all of them, the empty line that ends a header and [the body](Self::write_body_to)
    /// together are the normalised message. In a plan that is clean or refused, all fields are kept.
    ///
    /// ```
    /// use sevenbit::FieldChange::{Inserted, Kept, NewValue};
    ///
    /// let mail = b"Subject: caf\xC3\xA9\r\nTo: ada@example.org\r\nContent-Type: text/plain\r\n\r\nhi\r\n";
    /// let plan = sevenbit::Normalizer::new().plan(mail);
    /// let fields = plan.header_fields();
    /// assert!(fields.iter().map(|field| field.change()).eq([NewValue, Kept, Inserted, Kept]));
    /// let subject = &fields[0];
    /// assert_eq!((subject.name(), subject.number()), (&b"Subject"[..], Some(1)));
    /// assert_eq!(subject.written().next().unwrap().value(), b" =?utf-8?B?Y2Fmw6k=?=");
    /// assert!(!plan.changes_body());
    /// ```
    pub fn header_fields(&self) -> Vec<PlannedField<'_>> {
        let fields = self.tree.fields_of(&self.tree.entities[0]);
        let mut splices = self.header_splices();
        let mut numbers = Numbers::default();
        let mut planned = Vec::with_capacity(fields.len() + splices.len());
        for field in fields {
            let before = splices.partition_point(|splice| splice.span.end <= field.span.start);
            self.push_inserted(&splices[..before], &mut planned);
            splices = &splices[before..];
            let of_it = splices.partition_point(|splice| splice.span.start < field.span.end);
            planned.push(self.planned(field, &splices[..of_it], &mut numbers));
            splices = &splices[of_it..];
        }
        self.push_inserted(splices, &mut planned);
        planned
    }

    /// Returns the header section of the normalised message, with the empty line that ends it; borrowed if it
    /// does not change.
    pub fn header_octets(&self) -> Cow<'a, [u8]> {
        let header = 0..self.body_start();
        let splices = self.header_splices();
        if splices.is_empty() && !self.mends(&self.message[header.clone()]) {
            return Cow::Borrowed(&self.message[header]);
        }
        let mut out = Vec::with_capacity(header.len() + header.len() / 8);
        self.write_between(header, splices, &mut out).expect("writing to memory does not fail");
        Cow::Owned(out)
    }

    /// Returns whether the body of the normalised message, everything after [its
    /// header](Self::header_octets), is rewritten: if not, it is the input's, octet for octet.
    pub fn changes_body(&self) -> bool {
        !self.body_splices().is_empty() || self.mends(&self.message[self.body_start()..])
    }

    /// Writes the body of the normalised message, everything after [its header](Self::header_octets), and
    /// returns the number of octets written.
    ///
    /// # Errors
    /// Those of `output`.
    pub fn write_body_to(&self, output: impl Write) -> io::Result<u64> {
        let mut counted = Counted { output, octets: 0 };
        let body = self.body_start()..self.message.len();
        self.write_between(body, self.body_splices(), &mut counted)?;
        Ok(counted.octets)
    }

    /// Returns where the body begins in the original message.
    pub(super) fn body_start(&self) -> usize {
        self.tree.entities[0].section.body
    }

    /// Returns the splices that make the header: a prefix of all of them. If no empty line ends the header,
    /// the last ones are located where the body begins.
    fn header_splices(&self) -> &[Splice] {
        if self.report.is_refused() {
            return &[];
        }
        let section = &self.tree.entities[0].section;
        let ends = section.fields_end..section.fields_end;
        let splices = self.splices[0].as_slice();
        &splices[..splices.partition_point(|splice| {
            splice.span.start < section.body || splice.span == ends && is_of_header(splice)
        })]
    }

    /// Returns the splices after those of the header.
    fn body_splices(&self) -> &[Splice] {
        if self.report.is_refused() {
            &[]
        } else {
            &self.splices[0].as_slice()[self.header_splices().len()..]
        }
    }

    /// Returns whether line ends in a range of the input are mended while it is copied.
    fn mends(&self, octets: &[u8]) -> bool {
        self.mends_line_ends() && has_bare_line_end(octets)
    }

    fn mends_line_ends(&self) -> bool {
        !self.report.is_refused() && self.splices[0].bare_line_ends
    }

    fn write_between(&self, range: Range<usize>, splices: &[Splice], out: &mut impl Lines) -> io::Result<()> {
        let mends = self.mends_line_ends();
        let copied = |range, out: &mut _| Lines::copy(out, &self.message[range], mends);
        splice::write_range(0, range, splices, &self.tree.sources, &self.splices, out, copied)
    }

    /// Returns a field with the splices that lie in it.
    fn planned<'p>(
        &'p self,
        field: &Field,
        splices: &'p [Splice],
        numbers: &mut Numbers,
    ) -> PlannedField<'p> {
        let name = field.name(self.message);
        let number = field.is_field().then(|| numbers.next(name));
        let octets = self.written(field.span.clone(), splices);
        let kept = splices.is_empty() && (!self.mends_line_ends() || field_end(&octets) == octets.len());
        let change = if kept { FieldChange::Kept } else { change_of(name, &octets) };
        PlannedField { span: field.span.clone().into(), name, number, change, octets }
    }

    /// Returns what is written for a range of the header.
    fn written<'p>(&'p self, range: Range<usize>, splices: &'p [Splice]) -> Cow<'p, [u8]> {
        match splices {
            [] if self.mends(&self.message[range.clone()]) => Cow::Owned(to_crlf(&self.message[range])),
            [] => Cow::Borrowed(&self.message[range]),
            [Splice { span, with: Replacement::Octets(octets), .. }] if *span == range => {
                Cow::Borrowed(octets)
            }
            several => {
                let mut out = Vec::new();
                self.write_between(range, several, &mut out).expect("writing to memory does not fail");
                Cow::Owned(out)
            }
        }
    }

    /// Adds the fields that splices insert between those of the input. The empty line that ends the header is
    /// not one of them.
    fn push_inserted<'p>(&'p self, splices: &'p [Splice], planned: &mut Vec<PlannedField<'p>>) {
        for splice in splices {
            let Replacement::Octets(octets) = &splice.with else { continue };
            let fields = split(octets, field_end).filter(|field| !without_line_end(field.octets).is_empty());
            planned.extend(fields.map(|field| PlannedField {
                span: splice.span.clone().into(),
                name: b"",
                number: None,
                change: FieldChange::Inserted,
                octets: Cow::Borrowed(field.octets),
            }));
        }
    }
}

/// Returns whether a splice at the end of a header that has no final empty line belongs to the header.
fn is_of_header(splice: &Splice) -> bool {
    splice.entity == 0 && splice.place == Place::InOrder && matches!(splice.with, Replacement::Octets(_))
}

/// Returns what becomes of a field named `name` for which `octets` are written.
fn change_of(name: &[u8], octets: &[u8]) -> FieldChange {
    let mut written = split(octets, field_end);
    match (written.next(), written.next()) {
        (None, _) => FieldChange::Dropped,
        (Some(_), Some(_)) => FieldChange::Split,
        (Some(one), None) if one.name().eq_ignore_ascii_case(name) => FieldChange::NewValue,
        (Some(_), None) => FieldChange::NewName,
    }
}

/// Splits `octets` into fields, each as long as `end` says of the rest.
fn split(mut octets: &[u8], end: impl Fn(&[u8]) -> usize) -> impl Iterator<Item = WrittenField<'_>> {
    std::iter::from_fn(move || {
        let (field, rest) = octets.split_at(end(octets));
        octets = rest;
        (!field.is_empty()).then_some(WrittenField { octets: field })
    })
}

/// Returns the end of the field at the start of `octets`: its last line is the one before the next that does
/// not begin with white space.
fn field_end(octets: &[u8]) -> usize {
    let mut end = line_end(octets, 0);
    while octets.get(end).is_some_and(|&octet| is_wsp(octet)) {
        end = line_end(octets, end);
    }
    end
}

/// How many fields of each name there were so far, by names in lower case.
#[derive(Default)]
struct Numbers(HashMap<Vec<u8>, usize>);

impl Numbers {
    /// Returns the number of the next field of that name, from 1.
    fn next(&mut self, name: &[u8]) -> usize {
        let number = self.0.entry(name.to_ascii_lowercase()).or_default();
        *number += 1;
        *number
    }
}
