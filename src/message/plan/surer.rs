//! Guesses that become surer once a message is written (rules B7 and G7).
//!
//! Octets that a guess left as they were are guessed about again when the message is normalised a
//! second time. By then they are split differently, in encoded-words, and others are gone that had
//! no place among tokens: an unsure guess may be sure. So this is checked before anything is output.

use crate::facts::evidence;
use crate::facts::guesses::Guesses;
use crate::facts::scan::scan;
use crate::facts::tree::Purpose;
use crate::message::Plan;
use crate::message::options::Options;
use crate::message::policy::{Policy, Zone};
use crate::message::splice::Spliced;

/// Returns the guesses for a message, if what its plan writes makes any of them surer than they
/// were, or leaves nothing to guess about; otherwise `None`. Each time one more guess is sure or
/// gone, and none that is gone comes back unsure, so this terminates.
pub(super) fn guesses(decision: &Plan<'_>, options: &Options) -> Option<Guesses> {
    let tree = &decision.tree;
    let policy = Policy::of(options, Zone::Free);
    // If no rule asked, nothing depends on a guess; without edits there is no other reading.
    let known = tree.guesses.get()?;
    if known.of_groups.iter().flatten().all(|guess| guess.is_sure())
        || decision.splices[0].is_clean()
    {
        return None;
    }
    let mut out = Vec::new();
    let spliced = Spliced { sources: &tree.sources, splices: &decision.splices };
    spliced.write(0, &mut out).expect("writing to memory does not fail");
    let written = scan(&out, &options.limits, Purpose::Plan(policy.openings()));
    let guesses = known.clone().surer_by(&evidence::guesses(&written));
    (guesses != *known).then_some(guesses)
}
