//! Guesses that become surer once a message is written (rules B7 and G7).
//!
//! What a guess left as it was is guessed about again when the message is normalised a second time, and cut otherwise once it
//! stands in encoded-words: what was not sure may be by then. So it is asked before anything is given out.

use super::Decision;
use crate::Profile;
use crate::message::fallback;
use crate::message::guesses::Guesses;
use crate::message::options::Options;
use crate::message::scan::scan;
use crate::message::splice;
use crate::message::tree::Purpose;

/// The guesses for a message if what its plan writes makes any of them surer than they were; nothing if it does not. Each
/// time at least one more is sure, so this ends.
pub(super) fn guesses(decision: &Decision<'_>, options: &Options) -> Option<Guesses> {
    let tree = &decision.tree;
    // What transport has labelled it never reads again.
    if options.profile == Profile::Transport {
        return None;
    }
    // If nobody asked, nothing hangs on a guess; without edits there is no other reading.
    let known = tree.guesses.get()?;
    if !known.is_any_unsure() || decision.splices[0].is_clean() {
        return None;
    }
    let mut out = Vec::new();
    splice::write(0, &tree.sources, &decision.splices, &mut out).expect("writing to memory does not fail");
    let written = scan(&out, &options.limits, Purpose::Plan(options.profile));
    let guesses = known.clone().surer_by(&fallback::guesses(&written));
    (guesses != *known).then_some(guesses)
}
