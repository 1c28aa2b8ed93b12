//! Reading a message, and leaving out the middles of long runs of base64.
//!
//! A window is read behind what is kept, and lines are looked at. Prose is only looked at now and then: a run that is
//! worth it is met further down, too. Of a run the head and the tail so far are kept, and the tail moves on with it.

use std::io::{self, Read};

use memchr::{memchr, memrchr};

use super::gaps::{Gap, Gaps};
use crate::codec::base64::{Checksum, LONGEST_LINE, Line};

/// How a message is read; tests read smaller ones.
#[derive(Clone, Copy, Debug)]
pub(super) struct Scale {
    /// How many octets are read at a time.
    pub(super) window: usize,
    /// How many octets of a run are kept at either end, and how many are left out at least. Nothing depends on them: it
    /// is far more than any rule looks from a delimiter into what is beside it.
    pub(super) kept: usize,
}

impl Default for Scale {
    fn default() -> Self {
        Self { window: 256 << 10, kept: 64 << 10 }
    }
}

/// Reads to the end: what is kept, and what was left out.
pub(super) fn read(input: &mut impl Read, scale: Scale) -> io::Result<(Vec<u8>, Gaps)> {
    let mut reader = Reader { scale, octets: Vec::new(), filled: 0, looked: 0, run: None, gaps: Vec::new() };
    let mut total = 0_usize;
    loop {
        match input.read(reader.room()) {
            Ok(0) => break,
            Ok(octets) => {
                total = total.checked_add(octets).ok_or(io::ErrorKind::FileTooLarge)?;
                reader.filled += octets;
                reader.look();
            }
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
    reader.octets.truncate(reader.filled);
    Ok((reader.octets, Gaps(reader.gaps)))
}

struct Reader {
    scale: Scale,
    /// What is kept, and behind it room for more.
    octets: Vec<u8>,
    filled: usize,
    /// Where a run is looked for next, if there is none.
    looked: usize,
    run: Option<Run>,
    gaps: Vec<Gap>,
}

/// A run that may still go on.
#[derive(Clone, Copy)]
struct Run {
    line: Line,
    start: usize,
    end: usize,
    /// Where the last gap is, if that is in it.
    gap: Option<usize>,
}

impl Reader {
    /// Where the next window goes.
    fn room(&mut self) -> &mut [u8] {
        let end = self.filled + self.scale.window;
        if self.octets.len() < end {
            self.octets.resize(end, 0);
        }
        &mut self.octets[self.filled..end]
    }

    /// Looks at what has come, as far as lines are whole.
    fn look(&mut self) {
        while let Some(mut run) = self.run.take().or_else(|| self.next_run()) {
            run.end += run.line.run(&self.octets[run.end..self.filled], |_, _| ());
            self.cut(&mut run);
            let ahead = &self.octets[run.end..self.filled];
            if ahead.len() < LONGEST_LINE && memchr(b'\n', ahead).is_none() {
                // It may go on.
                self.run = Some(run);
                return;
            }
            // The line end before the next line, unless the run was short.
            self.looked = (run.end - 1).max(run.start + self.scale.kept);
        }
    }

    /// Looks for a line that may begin a run: the next one, then one of every so many octets.
    fn next_run(&mut self) -> Option<Run> {
        while self.looked < self.filled {
            let Some(end) = memchr(b'\n', &self.octets[self.looked..self.filled]) else {
                self.looked = self.filled;
                break;
            };
            let start = self.looked + end + 1;
            let ahead = &self.octets[start..self.filled.min(start + LONGEST_LINE)];
            let line = memchr(b'\n', ahead).map(|end| &ahead[..=end]);
            if line.is_none() && ahead.len() < LONGEST_LINE {
                // The line is not whole yet.
                self.looked = start - 1;
                break;
            }
            if let Some(line) = line.and_then(Line::of) {
                return Some(Run { line, start, end: start, gap: None });
            }
            self.looked = start + self.scale.kept;
        }
        None
    }

    /// Leaves out the middle of a run, if that is long enough.
    fn cut(&mut self, run: &mut Run) {
        let kept = self.scale.kept;
        if run.end - run.start < 2 * kept {
            return;
        }
        let (head, tail) = (run.start + kept, run.end - kept);
        // Both begin a line.
        let behind = |at: usize| memchr(b'\n', &self.octets[at..]).map_or(at, |end| at + end + 1);
        let from = run.gap.unwrap_or_else(|| behind(head));
        let to = memrchr(b'\n', &self.octets[..tail]).map_or(0, |end| end + 1);
        if to < from + kept {
            return;
        }
        let last = if run.gap.is_some() { self.gaps.pop() } else { None };
        let mut gap = last.unwrap_or_else(|| Gap {
            at: from,
            before: self.gaps.last().map_or(0, |gap| gap.before + gap.len),
            len: 0,
            line: run.line,
            checksum: Checksum::default(),
        });
        run.line.run(&self.octets[from..to], |alike, lines| gap.checksum.add(alike, lines));
        gap.len += to - from;
        self.gaps.push(gap);
        run.gap = Some(from);
        self.octets.copy_within(to..self.filled, from);
        self.filled -= to - from;
        run.end -= to - from;
    }
}
