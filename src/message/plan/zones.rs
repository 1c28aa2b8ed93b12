//! Signed and encrypted content (rule G12): where nothing may change, and where something must.

use super::Planner;
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

impl Planner<'_, '_> {
    /// Finds the signed and encrypted entities, outermost first.
    pub(super) fn find_zones(&mut self) {
        for index in 0..self.tree.entities.len() {
            let entity = self.entity(index);
            if entity.content.is_seal() && entity.is_multipart() && self.decided[index].zone == Zone::Free {
                for &child in self.tree.children(index) {
                    self.seal(child);
                }
            }
        }
    }

    /// Freezes a signed entity and all inside it if its octets are safe.
    fn seal(&mut self, child: usize) {
        let entity = self.entity(child);
        let range = entity.start..entity.body.end;
        let survey = self.survey(child, range.clone());
        if !survey.is_seven_bit() {
            self.refused |= self.refuse_signed();
            self.report(child, Code::SignatureBroken, range, "signed content is not 7-bit safe");
        }
        let zone = if survey.is_seven_bit() { Zone::Frozen } else { Zone::Signed };
        for inside in descendants(self.tree, child) {
            self.decided[inside].zone = zone;
        }
    }
}

/// An entity and all inside it.
fn descendants(tree: &Tree<'_>, index: usize) -> Vec<usize> {
    let mut all = vec![index];
    let mut at = 0;
    while at < all.len() {
        all.extend_from_slice(tree.children(all[at]));
        at += 1;
    }
    all
}
