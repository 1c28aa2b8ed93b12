//! Reading a message, and leaving out the middles of long runs of base64.
//!
//! A window is read in after what is kept, and its lines are examined. In prose only an occasional
//! line is examined: a run that is long enough to matter is still met further down. Of a run, the
//! head and the current tail are kept; the tail moves on as the run grows.

use std::io::{self, Read};

use memchr::{memchr, memrchr};

use super::omissions::{Omission, Omissions};
use crate::codec::base64::{Checksum, LineShape, MAX_RUN_LINE};

/// How a message is read; tests use smaller numbers.
#[derive(Clone, Copy, Debug)]
pub(super) struct Scale {
    /// How many octets are read at a time.
    pub(super) window: usize,
    /// How many octets of a run are kept at either end, and how many at least are left out: far
    /// more than any rule looks beyond a delimiter.
    pub(super) kept: usize,
}

impl Default for Scale {
    fn default() -> Self {
        Self { window: 256 << 10, kept: 64 << 10 }
    }
}

/// Reads to the end and returns what is kept, if that is at most `most` octets, and what was left
/// out.
pub(super) fn read(
    input: &mut impl Read,
    scale: Scale,
    most: usize,
) -> io::Result<(Vec<u8>, Omissions)> {
    let mut reader =
        Reader { scale, octets: Vec::new(), looked: 0, run: None, omissions: Vec::new() };
    let mut total = 0_usize;
    loop {
        let octets = input.by_ref().take(scale.window as u64).read_to_end(&mut reader.octets)?;
        total = total.checked_add(octets).ok_or(io::ErrorKind::FileTooLarge)?;
        reader.look();
        // Until the end, more may be cut out of what is held.
        let room = if octets == 0 { 0 } else { 2 * (scale.window + scale.kept) };
        if reader.octets.len() > most.saturating_add(room) {
            return Err(io::ErrorKind::FileTooLarge.into());
        }
        if octets == 0 {
            return Ok((reader.octets, Omissions(reader.omissions)));
        }
    }
}

struct Reader {
    scale: Scale,
    /// The octets that are kept.
    octets: Vec<u8>,
    /// Where to look for the next run, if there is none at the moment.
    looked: usize,
    run: Option<Run>,
    omissions: Vec<Omission>,
}

/// A run that may still go on.
#[derive(Clone, Copy)]
struct Run {
    line: LineShape,
    start: usize,
    end: usize,
    /// Where lines of it were left out, if any were.
    omission: Option<usize>,
}

impl Reader {
    /// Examines what has come in, as far as lines are whole.
    fn look(&mut self) {
        while let Some(mut run) = self.run.take().or_else(|| self.next_run()) {
            run.end += run.line.run(&self.octets[run.end..], |_, _| ());
            self.cut(&mut run);
            let ahead = &self.octets[run.end..];
            if ahead.len() < MAX_RUN_LINE && memchr(b'\n', ahead).is_none() {
                // The run may go on.
                self.run = Some(run);
                return;
            }
            // Begin at the line end before the next line, unless the run was short.
            self.looked = (run.end - 1).max(run.start + self.scale.kept);
        }
    }

    /// Looks for a line that may begin a run: the next one, then one every `kept` octets.
    fn next_run(&mut self) -> Option<Run> {
        while let Some(end) = self.octets.get(self.looked..).and_then(|rest| memchr(b'\n', rest)) {
            let start = self.looked + end + 1;
            let ahead = &self.octets[start..self.octets.len().min(start + MAX_RUN_LINE)];
            let line = memchr(b'\n', ahead).map(|end| &ahead[..=end]);
            if line.is_none() && ahead.len() < MAX_RUN_LINE {
                // The line is not whole yet.
                self.looked = start - 1;
                return None;
            }
            if let Some(line) = line.and_then(LineShape::of) {
                return Some(Run { line, start, end: start, omission: None });
            }
            self.looked = start + self.scale.kept;
        }
        self.looked = self.looked.max(self.octets.len());
        None
    }

    /// Leaves out the middle of a run that is long enough.
    fn cut(&mut self, run: &mut Run) {
        let kept = self.scale.kept;
        if run.end - run.start < 2 * kept {
            return;
        }
        let (head, tail) = (run.start + kept, run.end - kept);
        // Both begin a line.
        let next_line =
            |at: usize| memchr(b'\n', &self.octets[at..]).map_or(at, |end| at + end + 1);
        let from = run.omission.unwrap_or_else(|| next_line(head));
        let to = memrchr(b'\n', &self.octets[..tail]).map_or(0, |end| end + 1);
        if to < from + kept {
            return;
        }
        let last = if run.omission.is_some() { self.omissions.pop() } else { None };
        let mut omission = last.unwrap_or_else(|| Omission {
            at: from,
            before: self.omissions.last().map_or(0, |omission| omission.before + omission.len),
            len: 0,
            line: run.line,
            checksum: Checksum::default(),
        });
        run.line.run(&self.octets[from..to], |alike, lines| omission.checksum.add(alike, lines));
        omission.len += to - from;
        self.omissions.push(omission);
        run.omission = Some(from);
        self.octets.drain(from..to);
        run.end -= to - from;
    }
}
