//! The octets that a page leaves out of a message: a ticket needs no 20 MB of attachments.

use std::ops::Range;

use sevenbit::{Message, Part};

use super::facts::octets::Offsets;

/// How much of an attachment stays: enough to see what it is.
const BEGINNING: usize = 1 << 10;

/// How much of any other text stays.
const TEXT: usize = 128 << 10;

/// Returns the octets of `message` that are left out, in order: of each attachment, and of what is
/// no text, all but the beginning; of each text what is longer than anyone reads.
pub fn left_out(message: &[u8]) -> Vec<Range<usize>> {
    let places = Offsets::new(message);
    let parsed = Message::parse(message);
    let ends = |part: &Part<'_>| {
        let [start, end] = places.span(part.body_octets())?;
        let is_read = part.text().is_some() && part.disposition() != Some("attachment");
        let kept = start + if is_read { TEXT } else { BEGINNING };
        (kept < end).then_some(kept..end)
    };
    parsed.leaves().filter_map(|part| ends(&part)).collect()
}
