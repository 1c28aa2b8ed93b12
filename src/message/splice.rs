//! The central idea: a rewrite is a list of splices on the original octets, and a writer that
//! copies the rest.

use std::borrow::Cow;
use std::io;
use std::ops::Range;

use super::recode::{Recode, Target};
use crate::Rule;
use crate::codec::base64;
use crate::transfer::LineOutput;

/// Octets of one source that are replaced, with the rule and the reason.
#[derive(Clone, Debug)]
pub(crate) struct Splice {
    pub(crate) source: usize,
    pub(crate) span: Range<usize>,
    pub(crate) with: Replacement,
    pub(crate) rule: Rule,
    pub(crate) reason: &'static str,
    /// The entity it belongs to.
    pub(crate) entity: usize,
    pub(crate) place: SpliceOrder,
}

impl Splice {
    /// Returns how many more octets are put in than removed, as far as that is known without
    /// generating them.
    pub(crate) fn growth(&self) -> usize {
        let written = match &self.with {
            Replacement::Octets(octets) => octets.len(),
            Replacement::Recode(recode) if recode.to == Target::Base64 => {
                base64::lines_len(self.span.len())
            }
            _ => 0,
        };
        written.saturating_sub(self.span.len())
    }
}

/// Which of several splices at one place comes first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum SpliceOrder {
    /// In the order they were made.
    InOrder,
    /// The content of an encoded composite: after its header, also if nothing is between the two.
    Decoded,
    /// The end of a multipart: after everything in it, the inner one first.
    End(std::cmp::Reverse<usize>),
}

/// The replacement. A big body, or octets in base64, are described, and generated while they are
/// written.
#[derive(Clone, Debug)]
pub(crate) enum Replacement {
    Octets(Cow<'static, [u8]>),
    /// The octets that are replaced, in another encoding or charset.
    Recode(Box<Recode>),
    /// A decoded body (rule B11), itself spliced.
    Source(usize),
}

/// The splices of one source.
#[derive(Clone, Debug, Default)]
pub(crate) struct Splices {
    pub(crate) list: Vec<Splice>,
    /// Whether the octets between splices have line ends to mend.
    pub(crate) bare_line_ends: bool,
    /// The leaves whose octets are data, in order: CR LF in them is not a line end (rule B10).
    pub(crate) data: Vec<Range<usize>>,
}

impl Splices {
    pub(crate) fn of(bare_line_ends: bool) -> Self {
        Self { bare_line_ends, ..Self::default() }
    }

    /// Returns the data in a range.
    fn data_in(&self, range: &Range<usize>) -> impl Iterator<Item = Range<usize>> + use<'_> {
        let Range { start, end } = *range;
        let first = self.data.partition_point(|data| data.end <= start);
        let inside = self.data[first..].iter().take_while(move |data| data.start < end);
        inside.map(move |data| data.start.max(start)..data.end.min(end))
    }

    /// Adds many splices. The first ones stay where they are in memory: there may be very many of
    /// them.
    pub(crate) fn append(&mut self, mut more: Vec<Splice>) {
        if self.list.is_empty() {
            self.list = more;
        } else {
            self.list.append(&mut more);
        }
    }

    /// Sorts them in the order of the source; at the same place, what was pushed first stays first.
    pub(crate) fn sort(&mut self) {
        self.list.sort_by_key(|splice| (splice.span.start, splice.span.end, splice.place));
    }

    /// Returns how much longer all of them make the source, as far as that is known.
    pub(crate) fn growth(&self) -> usize {
        self.list.iter().map(Splice::growth).sum()
    }

    /// Returns whether writing would reproduce the source as it is.
    pub(crate) fn is_clean(&self) -> bool {
        self.list.is_empty() && !self.bare_line_ends
    }
}

/// The sources of a message, and the splices of each.
#[derive(Clone, Copy)]
pub(crate) struct Spliced<'p, S> {
    pub(crate) sources: &'p [S],
    pub(crate) splices: &'p [Splices],
}

impl<S: AsRef<[u8]>> Spliced<'_, S> {
    /// Writes source `index`, spliced.
    pub(crate) fn write<O: LineOutput>(&self, index: usize, out: &mut O) -> io::Result<()> {
        let (octets, splices) = (self.sources[index].as_ref(), &self.splices[index]);
        let copied = |range, out: &mut O| out.copy(&octets[range], splices.bare_line_ends);
        self.write_range(index, 0..octets.len(), &splices.list, out, copied)
    }

    /// Writes a range of source `index`, spliced with those of its splices that are `within` it;
    /// `copied` writes each range that stays.
    pub(crate) fn write_range<O: LineOutput>(
        &self,
        index: usize,
        range: Range<usize>,
        within: &[Splice],
        out: &mut O,
        mut copied: impl FnMut(Range<usize>, &mut O) -> io::Result<()>,
    ) -> io::Result<()> {
        let mut copied = |range: Range<usize>, out: &mut O| {
            let mut at = range.start;
            for data in self.splices[index].data_in(&range) {
                copied(at..data.start, out)?;
                out.set_data(true)?;
                copied(data.clone(), out)?;
                out.set_data(false)?;
                at = data.end;
            }
            copied(at..range.end, out)
        };
        let mut at = range.start;
        for splice in within {
            copied(at..splice.span.start, out)?;
            self.write_replacement(splice, index, out)?;
            at = splice.span.end;
        }
        copied(at..range.end, out)
    }

    /// Writes what a splice of source `index` puts in.
    pub(crate) fn write_replacement(
        &self,
        splice: &Splice,
        index: usize,
        out: &mut impl LineOutput,
    ) -> io::Result<()> {
        match &splice.with {
            Replacement::Octets(octets) => out.write_all(octets),
            Replacement::Recode(recode) => {
                recode.write(&self.sources[index].as_ref()[splice.span.clone()], out)
            }
            // A decoded source comes after the one it was decoded from, so this terminates.
            Replacement::Source(inner) => self.write(*inner, out),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn octets(span: Range<usize>, with: &'static [u8]) -> Splice {
        Splice {
            source: 0,
            span,
            with: Replacement::Octets(Cow::Borrowed(with)),
            rule: Rule::G1,
            reason: "",
            entity: 0,
            place: SpliceOrder::InOrder,
        }
    }

    #[test]
    fn the_rest_is_copied() {
        let mut splices = Splices::of(true);
        splices.list.push(octets(4..4, b"new "));
        splices.list.push(octets(0..3, b"The"));
        splices.sort();
        let mut out = Vec::new();
        let spliced = Spliced { sources: &[b"the line\n"], splices: &[splices] };
        spliced.write(0, &mut out).expect("memory");
        assert_eq!(out, b"The new line\r\n");
    }
}
