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

/// Returns the zone of each entity (empty if all are free), and what has to be reported about signed content
/// that cannot stay. What is `unsealed` does not count as signed.
pub(super) fn find(tree: &Tree<'_>, unsealed: &[bool]) -> (Vec<Zone>, Vec<Verdict>) {
    let mut zones = Vec::new();
    let mut broken = Vec::new();
    for (index, entity) in tree.entities.iter().enumerate() {
        // The outermost signature decides.
        let is_unsealed = unsealed.get(index).is_some_and(|&unsealed| unsealed);
        let is_inside = zones.get(index).is_some_and(|&zone| zone != Zone::Free);
        if !entity.is_multipart() || is_unsealed || is_inside || !tree.is_seal(index) {
            continue;
        }
        zones.resize(tree.entities.len(), Zone::Free);
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

/// Returns the seals that name no protocol and contain something that readers interpret in different ways:
/// real signers never omit the protocol, so these give no protection (RFC 1847, 2.1). Empty if there are
/// none. Such seals inside one do not count either.
pub(super) fn unsealed(tree: &Tree<'_>, ambiguous: &[Verdict]) -> Vec<bool> {
    let is_unnamed = |index: usize| tree.is_seal(index) && !tree.entities[index].content.names_protocol();
    let mut unsealed = Vec::new();
    for verdict in ambiguous {
        let around = std::iter::successors(Some(verdict.entity), |&at| tree.entities[at].parent);
        let Some(seal) = around.filter(|&at| is_unnamed(at)).last() else { continue };
        unsealed.resize(tree.entities.len(), false);
        if std::mem::replace(&mut unsealed[seal], true) {
            continue;
        }
        let mut inside = vec![seal];
        while let Some(index) = inside.pop() {
            unsealed[index] = is_unnamed(index);
            inside.extend_from_slice(tree.children(index));
        }
    }
    unsealed
}

/// Gives an entity and everything inside it a zone.
fn fill(zones: &mut [Zone], tree: &Tree<'_>, index: usize, zone: Zone) {
    let mut inside = vec![index];
    while let Some(index) = inside.pop() {
        zones[index] = zone;
        inside.extend_from_slice(tree.children(index));
    }
}

/// Returns the octets of an entity, header and body.
fn whole(tree: &Tree<'_>, index: usize) -> Range<usize> {
    tree.entities[index].start..tree.entities[index].body.end
}
