//! A plan by the fields of the message's own header: for filters such as milters that cannot
//! replace a whole message, but change, add and drop its fields one by one and replace its body.

use std::borrow::Cow;
use std::collections::HashMap;
use std::io::{self, Write};
use std::ops::Range;

use super::field::Field;
use super::planned::Plan;
use super::splice::{Replacement, Splice, SpliceOrder};
use crate::Span;
use crate::facts::line_ends::{to_crlf, without_line_end};
use crate::syntax::lexical::fields;
use crate::transfer::{LineOutput, counted, has_bare_line_end};

/// The change to a field of the message's own header.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum FieldChange {
    /// The field stays. Only its line ends may change: they become CR LF where the message's are
    /// mended.
    Kept,
    /// Its value changes; its name at most in case, or in white space before the colon.
    NewValue,
    /// One field of another name takes its place. Something that is not a field at all (a stray
    /// line) gets a name this way.
    NewName,
    /// The field is dropped.
    Dropped,
    /// Several fields take its place.
    Split,
    /// The field is new: it is put in after what is before it in the list, and before what follows.
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
    /// Returns its span in the input, from the first octet of its name to the end of its last line;
    /// empty if it is inserted.
    pub fn span(&self) -> Span {
        self.span
    }

    /// Returns its name as it is in the input; empty if it is inserted, or not a field.
    pub fn name(&self) -> &[u8] {
        self.name
    }

    /// Returns its number among the input's fields of that name in any case, counted from 1 as in
    /// the milter protocol. `None` if it is inserted, or not a field: an mbox `From ` line, a byte
    /// order mark, a line without a name. (Mail servers do not show those to filters, or end the
    /// header there.)
    pub fn number(&self) -> Option<usize> {
        self.number
    }

    /// Returns what becomes of it.
    pub fn change(&self) -> FieldChange {
        self.change
    }

    /// Returns the fields that are written for it, in order: none if it is dropped, several if it
    /// is split, otherwise one.
    pub fn written(&self) -> impl Iterator<Item = WrittenField<'_>> {
        let is_kept = self.change == FieldChange::Kept;
        let whole = is_kept.then_some(&*self.octets);
        let split = fields(if is_kept { b"" } else { &self.octets });
        whole.into_iter().chain(split).map(|octets| WrittenField { octets })
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

    /// Returns its value as it is, from the octet after the colon: including leading white space
    /// and folds, without the last line end.
    pub fn value(&self) -> &'p [u8] {
        without_line_end(&self.octets[self.colon().map_or(0, |colon| colon + 1)..])
    }

    fn colon(&self) -> Option<usize> {
        self.octets.iter().position(|&octet| octet == b':')
    }
}

impl<'a> Plan<'a> {
    /// Returns the new header field by field, in order: the fields of the message's own header with
    /// what becomes of each, and between them those that are inserted. A field that is dropped
    /// keeps its place in the list.
    ///
    /// The octets of all of them, the empty line that ends a header and [the
    /// body](Self::write_body_to) together are the normalised message. In a plan that is clean or
    /// refused, all fields are kept.
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
        let (mut splices, _) = self.header_and_body();
        // How many fields of each name there were so far, by names in lower case.
        let mut numbers: HashMap<Vec<u8>, usize> = HashMap::new();
        let mut planned = Vec::with_capacity(fields.len() + splices.len());
        for field in fields {
            let before = splices.partition_point(|splice| splice.span.end <= field.span.start);
            self.push_inserted(&splices[..before], &mut planned);
            splices = &splices[before..];
            let of_it = splices.partition_point(|splice| splice.span.start < field.span.end);
            let number = field.is_field().then(|| {
                let number =
                    numbers.entry(field.name(self.message).to_ascii_lowercase()).or_default();
                *number += 1;
                *number
            });
            planned.push(self.planned(field, number, &splices[..of_it]));
            splices = &splices[of_it..];
        }
        self.push_inserted(splices, &mut planned);
        planned
    }

    /// Returns the header section of the normalised message, with the empty line that ends it;
    /// borrowed if it does not change.
    pub fn header_octets(&self) -> Cow<'a, [u8]> {
        let header = 0..self.body_start();
        let (splices, _) = self.header_and_body();
        if splices.is_empty() && !self.mends(&self.message[header.clone()]) {
            return Cow::Borrowed(&self.message[header]);
        }
        Cow::Owned(self.written(header, splices).into_owned())
    }

    /// Returns whether the body of the normalised message, everything after [its
    /// header](Self::header_octets), is rewritten: if not, it is the input's, octet for octet.
    pub fn changes_body(&self) -> bool {
        !self.header_and_body().1.is_empty() || self.mends(&self.message[self.body_start()..])
    }

    /// Writes the body of the normalised message, everything after [its
    /// header](Self::header_octets), and returns the number of octets written.
    ///
    /// # Errors
    /// Those of `output`.
    pub fn write_body_to(&self, output: impl Write) -> io::Result<u64> {
        let body = self.body_start()..self.message.len();
        counted(output, |out| self.write_between(body, self.header_and_body().1, out))
    }

    /// Returns where the body begins in the original message.
    pub(super) fn body_start(&self) -> usize {
        self.tree.entities[0].section.body
    }

    /// Returns the splices that make the header, and those after them. If no empty line ends the
    /// header, its last ones are located where the body begins.
    fn header_and_body(&self) -> (&[Splice], &[Splice]) {
        let section = &self.tree.entities[0].section;
        let ends = section.fields_end..section.fields_end;
        let splices = &self.splices[0].list[..];
        splices.split_at(splices.partition_point(|splice| {
            splice.span.start < section.body || splice.span == ends && is_of_header(splice)
        }))
    }

    /// Returns whether line ends in a range of the input are mended while it is copied.
    fn mends(&self, octets: &[u8]) -> bool {
        self.splices[0].bare_line_ends && has_bare_line_end(octets)
    }

    fn write_between(
        &self,
        range: Range<usize>,
        splices: &[Splice],
        out: &mut impl LineOutput,
    ) -> io::Result<()> {
        let mends = self.splices[0].bare_line_ends;
        let copied = |range, out: &mut _| LineOutput::copy(out, &self.message[range], mends);
        self.spliced().write_range(0, range, splices, out, copied)
    }

    /// Returns a field with the splices that lie in it.
    fn planned<'p>(
        &'p self,
        field: &Field,
        number: Option<usize>,
        splices: &'p [Splice],
    ) -> PlannedField<'p> {
        let name = field.name(self.message);
        let octets = self.written(field.span.clone(), splices);
        let kept = splices.is_empty()
            && (!self.splices[0].bare_line_ends || fields(&octets).nth(1).is_none());
        let change = if kept { FieldChange::Kept } else { change_of(name, &octets) };
        PlannedField { span: field.span.clone().into(), name, number, change, octets }
    }

    /// Returns what is written for a range of the header.
    fn written<'p>(&'p self, range: Range<usize>, splices: &'p [Splice]) -> Cow<'p, [u8]> {
        match splices {
            [] if self.mends(&self.message[range.clone()]) => {
                Cow::Owned(to_crlf(&self.message[range]))
            }
            [] => Cow::Borrowed(&self.message[range]),
            [Splice { span, with: Replacement::Octets(octets), .. }] if *span == range => {
                Cow::Borrowed(octets)
            }
            several => {
                let mut out = Vec::new();
                self.write_between(range, several, &mut out)
                    .expect("writing to memory does not fail");
                Cow::Owned(out)
            }
        }
    }

    /// Adds the fields that splices insert between those of the input. The empty line that ends the
    /// header is not one of them.
    fn push_inserted<'p>(&'p self, splices: &'p [Splice], planned: &mut Vec<PlannedField<'p>>) {
        for splice in splices {
            let Replacement::Octets(octets) = &splice.with else { continue };
            let fields = fields(octets).filter(|field| !without_line_end(field).is_empty());
            planned.extend(fields.map(|field| PlannedField {
                span: splice.span.clone().into(),
                name: b"",
                number: None,
                change: FieldChange::Inserted,
                octets: Cow::Borrowed(field),
            }));
        }
    }
}

/// Returns whether a splice at the end of a header that has no final empty line belongs to the
/// header.
fn is_of_header(splice: &Splice) -> bool {
    splice.entity == 0
        && splice.place == SpliceOrder::InOrder
        && matches!(splice.with, Replacement::Octets(_))
}

/// Returns what becomes of a field named `name` for which `octets` are written.
fn change_of(name: &[u8], octets: &[u8]) -> FieldChange {
    let mut written = fields(octets).map(|octets| WrittenField { octets });
    match (written.next(), written.next()) {
        (None, _) => FieldChange::Dropped,
        (Some(_), Some(_)) => FieldChange::Split,
        (Some(one), None) if one.name().eq_ignore_ascii_case(name) => FieldChange::NewValue,
        (Some(_), None) => FieldChange::NewName,
    }
}
