//! When the plan of what was kept is the plan of the whole message.
//!
//! What was left out are whole lines of base64 symbols in the middle of others that look the same. None of them is a
//! delimiter, a field or the end of a header, none has 8-bit octets, a stray line end or too many octets, and their symbols
//! are whole quads without padding. So whoever asks whether there is any such thing in a message, a part or a body hears
//! the same as of the whole. Left are questions about what octets mean, how many they are, and where they stand:
//!
//! 1. Headers, preambles, epilogues and encoded composites are read, shown in reports, measured against limits, decoded:
//!    gaps must lie in bodies of leaves, and of those that were meant to be leaves.
//! 2. A body that is written anew is decoded, and the result measured: no gap may lie in octets that are replaced, nor at
//!    an end of them.
//! 3. Of a body that stays, what it decodes to is asked only by an archive and only of text: inline text, and plain text in
//!    a file (`label_text_file`). Whatever else is decided follows from a survey, from whether an encoding is clean, which
//!    depends on single lines and on how many symbols are no whole quad, or from a mark that has hyphens.
//! 4. A DKIM signature with `l=` covers so many octets of the body: none may. Others cover all of it.
//! 5. The ends of spans must be found in the whole: none may be at a gap.
//!
//! The tests compare both plans of messages of every shape.

use super::gaps::Gaps;
use crate::Profile;
use crate::message::normalizer::{Normalizer, Plan};
use crate::message::plan::counts_octets;
use crate::message::tree::{Entity, Kind, Leaf};

/// Whether `plan`, made of what was kept, holds for the whole message.
pub(super) fn holds_for_the_whole(plan: &Plan<'_>, gaps: &Gaps, normalizer: &Normalizer) -> bool {
    if gaps.first().is_none() {
        return true;
    }
    let archive = normalizer.options.profile == Profile::Archive;
    let stays_unread: Vec<_> = plan
        .tree
        .entities
        .iter()
        .filter(|entity| entity.source == 0 && stays_unread(entity, archive))
        .collect();
    let lies_in_one = |at: usize| {
        let behind = stays_unread.partition_point(|entity| entity.body.start < at);
        behind.checked_sub(1).is_some_and(|index| at < stays_unread[index].body.end)
    };
    let is_at_gap = |at: usize| gaps.touch((at..at).into());
    gaps.0.iter().all(|gap| lies_in_one(gap.at))
        && !plan.splices[0].iter().any(|splice| gaps.touch(splice.span.clone().into()))
        && !counts_octets(&plan.tree)
        && !plan
            .report
            .issues
            .iter()
            .any(|issue| is_at_gap(issue.span().start) || is_at_gap(issue.span().end))
}

/// Whether an entity is a leaf of which nobody asks what it decodes to, unless it is written anew.
fn stays_unread(entity: &Entity, archive: bool) -> bool {
    let content = &entity.content;
    let is_asked = archive && (content.is_inline_text() || content.media_type() == "text/plain");
    matches!(entity.kind, Kind::Leaf(Leaf::Simple)) && !is_asked
}
