//! The messages of a byte range: those whose `From ` line begins in it.
//!
//! Whether a `From ` line separates messages is decided by what is near it (rule 1), so a reader
//! can begin anywhere. Only a `Content-Length` could hide lines from further away; with
//! [`Dialect::Auto`] none hides the first separating line at or after a multiple of
//! [`STRIDE`](super::STRIDE), and a reader that begins there sees the same messages as one that has
//! read everything before.

use std::io::{self, Read, Seek, SeekFrom};
use std::ops::Range;

use super::cut::Cutter;
use super::postmark::{POSTMARK, beginning};
use super::reader::STRIDE;
use super::separator::{First, LINE, next_from};
use super::window::Window;
use super::{Dialect, Mbox};

/// The octets of a BOM: only a reader of the beginning knows that a `From ` line comes after one.
const BOM: u64 = 3;

impl<R: Read + Seek> Mbox<R> {
    /// Reads the messages whose `From ` line begins in a byte range of a file, each whole. The
    /// module explains how dialects [split](super#byte-ranges).
    ///
    /// # Errors
    /// Those of the stream.
    pub fn range(from: R, range: Range<u64>, dialect: Dialect) -> io::Result<Self> {
        Self::range_by(STRIDE, from, range, dialect)
    }

    /// Reads the messages of a range with another stride.
    pub(super) fn range_by(
        stride: u64,
        mut from: R,
        range: Range<u64>,
        dialect: Dialect,
    ) -> io::Result<Self> {
        let known = match dialect {
            _ if range.is_empty() => range.start,
            Dialect::Auto => range.start - range.start % stride,
            dialect if dialect.is_splittable() => range.start,
            _ => 0,
        };
        let known = if known <= BOM { 0 } else { known };
        let look = known.saturating_sub(LINE as u64);
        let first = if known > 0 { first_of(&mut from)? } else { First::Other };
        from.seek(SeekFrom::Start(look))?;
        let mut mbox = Self::new(from, dialect);
        (mbox.begin, mbox.end) = (range.start, range.end);
        (mbox.cutter.stride, mbox.cutter.rules.first) = (stride, first);
        if !dialect.is_splittable() {
            mbox.end = if range.start == 0 { u64::MAX } else { 0 };
        }
        mbox.has_ended = range.is_empty() || mbox.end == 0;
        if known > 0 && !mbox.has_ended {
            mbox.cutter.window.set_offset(look);
            mbox.is_first = false;
            mbox.has_ended = !find_first(&mut mbox.cutter, known, range.end)?;
        }
        Ok(mbox)
    }
}

/// Returns how a file begins, as a reader of all of it would see that.
fn first_of(from: &mut (impl Read + Seek)) -> io::Result<First> {
    from.seek(SeekFrom::Start(0))?;
    let mut window = Window::new(from);
    let length = beginning(window.open_to(3 * LINE)?, true);
    window.advance(length);
    Ok(if window.offset() <= LINE as u64 { First::of(window.octets()) } else { First::Other })
}

/// Moves to the first separating `From ` line at or after octet `known` of the file, but not beyond
/// `end`.
fn find_first(cutter: &mut Cutter<impl Read>, known: u64, end: u64) -> io::Result<bool> {
    let Cutter { window, rules, .. } = cutter;
    let mut at = usize::try_from(known - window.offset()).unwrap_or_default();
    while window.offset() + (at as u64) < end {
        let octets = window.open_to(at + 2 * LINE)?;
        let Some(found) = next_from(octets, at) else {
            at = at.max(octets.len().saturating_sub(POSTMARK.len() - 1));
            if !window.more()? {
                return Ok(false);
            }
            let spent = at.saturating_sub(LINE + POSTMARK.len() + 1);
            window.advance(spent);
            at -= spent;
            continue;
        };
        at = found;
        window.open_to(at + 2 * LINE)?;
        if rules.judge_at(window.octets(), at).separates || begins_file(window, at) {
            let is_within = window.offset() + (at as u64) < end;
            window.advance(at);
            return Ok(is_within);
        }
        at += 1;
    }
    Ok(false)
}

/// Returns whether only empty lines come before the `From ` line at `at` in the window, so that it
/// need not be examined.
fn begins_file<R: Read>(window: &Window<R>, at: usize) -> bool {
    window.offset() == 0 && at <= LINE && beginning(window.octets(), true) == at
}
