//! Signed and encrypted content (rule G12): where nothing may change, and where something must.

use std::ops::Range;

use super::verdict::Verdict;
use crate::Code;
use crate::message::tree::Tree;

/// How freely an entity may be changed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Zone {
    #[default]
    Free,
    /// Signed, and its octets are safe: they stay.
    Frozen,
    /// Signed, and its octets are not safe: only transfer encodings change.
    Signed,
}

/// The zone of each entity, and what has to be said of signed content that cannot stay.
pub(super) fn find(tree: &Tree<'_>) -> (Vec<Zone>, Vec<Verdict>) {
    let mut zones = vec![Zone::Free; tree.entities.len()];
    let mut broken = Vec::new();
    for (index, entity) in tree.entities.iter().enumerate() {
        // The outermost signature decides.
        if !entity.is_multipart() || !tree.is_seal(index) || zones[index] != Zone::Free {
            continue;
        }
        for &child in tree.children(index) {
            let signed = whole(tree, child);
            let safe = tree.sources[tree.entities[child].source].survey_of(signed.clone()).is_seven_bit();
            if !safe {
                let mut verdict = Verdict::new(child, &tree.entities[child]);
                verdict.findings.body(Code::SignatureBroken, signed, "signed content is not 7-bit safe");
                broken.push(verdict);
            }
            let zone = if safe { Zone::Frozen } else { Zone::Signed };
            fill(&mut zones, tree, child, zone);
        }
    }
    (zones, broken)
}

/// Gives an entity and all inside it a zone.
fn fill(zones: &mut [Zone], tree: &Tree<'_>, index: usize, zone: Zone) {
    let mut inside = vec![index];
    while let Some(index) = inside.pop() {
        zones[index] = zone;
        inside.extend_from_slice(tree.children(index));
    }
}

/// The octets of an entity, header and body.
fn whole(tree: &Tree<'_>, index: usize) -> Range<usize> {
    tree.entities[index].start..tree.entities[index].body.end
}
