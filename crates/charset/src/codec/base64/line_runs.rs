//! Long runs of base64 as encoders write it: lines of whole quads without padding, mostly of one
//! length.

use memchr::memchr;

use super::well_formed::is_alien;
use crate::codec::scan;
use crate::lengths::MAX_LINE;

/// How many symbols a line of a run may have: encoders do not write shorter lines, and RFC 5322
/// does not allow longer ones. An encoder that joins pieces may write lines longer than the 76
/// symbols of RFC 2045.
const SYMBOLS: std::ops::RangeInclusive<usize> = 32..=MAX_SYMBOLS;
const MAX_SYMBOLS: usize = MAX_LINE / 4 * 4;

/// The longest line of a run, including its line end.
pub const MAX_RUN_LINE: usize = MAX_SYMBOLS + b"\r\n".len();

/// Lines checked in one step.
const LINES: usize = 64;

/// The shape of a line of a run: `symbols` symbols, then CR LF or LF.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LineShape {
    symbols: usize,
    crlf: bool,
}

impl LineShape {
    /// Returns the shape of `line`, which includes its LF, if it may be part of a run.
    pub fn of(line: &[u8]) -> Option<Self> {
        let crlf = line.ends_with(b"\r\n");
        let symbols = line.len().checked_sub(1 + usize::from(crlf))?;
        let shape = Self { symbols, crlf };
        (SYMBOLS.contains(&symbols) && symbols % 4 == 0 && shape.is_of(line)).then_some(shape)
    }

    /// Walks over the lines at the start of `octets` that belong to one run with this one: whole
    /// quads, and the same line end. Calls `each` with each stretch of lines of one shape, and
    /// returns the length of all of them.
    pub fn run(self, octets: &[u8], mut each: impl FnMut(Self, &[u8])) -> usize {
        let mut at = 0;
        let mut alike = self;
        loop {
            let lines = alike.count(&octets[at..]) * alike.len();
            if lines > 0 {
                each(alike, &octets[at..at + lines]);
                at += lines;
            }
            let ahead = &octets[at..];
            let end = memchr(b'\n', &ahead[..ahead.len().min(MAX_RUN_LINE)]);
            match end.and_then(|end| Self::of(&ahead[..=end])) {
                Some(line) if line.crlf == self.crlf => alike = line,
                _ => return at,
            }
        }
    }

    /// Returns the length of such a line.
    fn len(self) -> usize {
        self.symbols + self.end()
    }

    /// Returns the length of its line end.
    fn end(self) -> usize {
        1 + usize::from(self.crlf)
    }

    /// Returns how many such lines `octets` begin with.
    fn count(self, octets: &[u8]) -> usize {
        let blocks = octets.chunks_exact(LINES * self.len());
        let sure = LINES * blocks.take_while(|block| self.is_of(block)).count();
        let lines = octets[sure * self.len()..].chunks_exact(self.len());
        sure + lines.take(LINES).take_while(|line| self.is_of(line)).count()
    }

    /// Returns whether `lines`, a multiple of the length of such a line, are such lines.
    fn is_of(self, lines: &[u8]) -> bool {
        let ends_here =
            |line: &[u8]| line.ends_with(b"\n") && (!self.crlf || line[self.symbols] == b'\r');
        let mut each = lines.chunks_exact(self.len());
        let ends = each.len() * self.end();
        each.all(ends_here)
            && !scan::any(lines, is_alien)
            && scan::count(lines, |octet| (octet == b'\r') | (octet == b'\n')) == ends
    }
}

/// Quads that are summed in parallel.
const LANES: usize = 16;

/// A checksum of the lines of a run, however they are divided into pieces: sums of quads, and
/// running sums of those, so that order counts. It detects accidents and other programs writing to
/// the file; it does not withstand forgery.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Checksum {
    sums: [u32; LANES],
    sums_of_sums: [u32; LANES],
}

impl Checksum {
    /// Adds lines that look alike.
    pub fn add(&mut self, alike: LineShape, lines: &[u8]) {
        for line in lines.chunks_exact(alike.len()) {
            let quads = line[..alike.symbols].as_chunks().0;
            for side_by_side in quads.chunks(LANES) {
                for ((sum, all), quad) in
                    self.sums.iter_mut().zip(&mut self.sums_of_sums).zip(side_by_side)
                {
                    *sum = sum.wrapping_add(u32::from_le_bytes(*quad));
                    *all = all.wrapping_add(*sum);
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn shapes_of_lines() {
        let line = |symbols, crlf| Some(LineShape { symbols, crlf });
        let symbols = "+/aZ".repeat(250);
        let cases =
            [32, 76, 996].map(|length| (format!("{}\r\n", &symbols[..length]), line(length, true)));
        let odd = [28, 34, 1000].map(|length| (format!("{}\n", &symbols[..length]), None));
        let others = ["{}", "{}=\n", "{}\r\r\n", "{}    \n", "    {}\n", "\r\n", "\n", ""];
        let others = others.map(|other| (other.replace("{}", &symbols[..60]), None));
        for (text, expected) in cases.into_iter().chain(odd).chain(others) {
            assert_eq!(LineShape::of(text.as_bytes()), expected, "{text:?}");
        }
        assert_eq!(LineShape::of(format!("{}\n", &symbols[..64]).as_bytes()), line(64, false));
    }

    /// The specification: line by line.
    fn naive(octets: &[u8], crlf: bool) -> usize {
        let mut lines = octets.split_inclusive(|&octet| octet == b'\n');
        let mut at = 0;
        while let Some(line) = lines.next()
            && LineShape::of(line).is_some_and(|line| line.crlf == crlf)
        {
            at += line.len();
        }
        at
    }

    proptest! {
        #[test]
        fn a_run_ends_before_the_first_other_line(
            stretches in prop::collection::vec((8_usize..=40, 1_usize..150), 1..5),
            crlf: bool,
            alien in proptest::option::of((any::<prop::sample::Index>(), prop::sample::select(b"=\r\n -a".to_vec()))),
        ) {
            let end = if crlf { "\r\n" } else { "\n" };
            let stretch = |&(quads, lines): &(usize, usize)| format!("{}{end}", "b64+".repeat(quads)).repeat(lines);
            let mut octets = stretches.iter().map(stretch).collect::<String>().into_bytes();
            let first = LineShape { symbols: 4 * stretches[0].0, crlf };
            prop_assert_eq!(first.run(&octets, |_, _| ()), octets.len());
            if let Some((at, octet)) = alien {
                let at = at.index(octets.len());
                octets[at] = octet;
            }
            let mut walked = Vec::new();
            let length = first.run(&octets, |_, lines| walked.extend_from_slice(lines));
            prop_assert_eq!(length, naive(&octets, crlf));
            prop_assert_eq!(&walked, &octets[..length]);
        }

        #[test]
        fn sums_depend_on_order_but_not_on_pieces(lines in prop::collection::vec("[a-zA-Z0-9+/]{80}", 3..40), cut: prop::sample::Index) {
            let octets = lines.iter().map(|line| format!("{line}\n")).collect::<String>().into_bytes();
            let alike = LineShape::of(&octets[..81]).expect("such a line");
            let sum = |pieces: &[&[u8]]| {
                let mut sum = Checksum::default();
                pieces.iter().for_each(|piece| sum.add(alike, piece));
                sum
            };
            let (head, tail) = octets.split_at(cut.index(lines.len()) * 81);
            prop_assert_eq!(sum(&[&octets]), sum(&[head, tail]));
            prop_assert_eq!(sum(&[&octets]) == sum(&[tail, head]), [tail, head].concat() == octets);
        }
    }
}
