//! Signed and encrypted content (rule G12): where nothing may change, and where something must.

use std::ops::Range;

use super::verdict::Verdict;
use crate::Code;
use crate::facts::tree::{Entity, Kind, Leaf, Tree};
use crate::message::policy::Zone;

/// Returns the zone of each entity (empty if all are free), and what has to be reported about
/// signed content that cannot stay. What is `unsealed` does not count as signed.
pub(super) fn find(tree: &Tree<'_>, unsealed: &[bool]) -> (Vec<Zone>, Vec<Verdict>) {
    let mut zones = Vec::new();
    let mut broken = Vec::new();
    for (index, entity) in tree.entities.iter().enumerate() {
        // The outermost signature decides.
        if unsealed.get(index) == Some(&true)
            || zones.get(index).is_some_and(|&zone| zone != Zone::Free)
        {
            continue;
        }
        if is_past_limit(entity) && entity.content.claims_seal() {
            broken.push(broken_signature(
                tree,
                index,
                "more parts than are read, perhaps the signature",
            ));
        }
        if !entity.is_multipart() || !tree.is_seal(index) {
            continue;
        }
        zones.resize(tree.entities.len(), Zone::Free);
        for &child in tree.children(index) {
            let inside = with_inside(tree, child);
            let why_unsafe = why_unsafe(tree, child, inside.clone());
            zones[inside].fill(if why_unsafe.is_none() { Zone::Frozen } else { Zone::Signed });
            if let Some(why) = why_unsafe {
                broken.push(broken_signature(tree, child, why));
            }
        }
    }
    (zones, broken)
}

/// Returns the seals that name no protocol and contain something that readers interpret in
/// different ways: real signers never omit the protocol, so these give no protection (RFC 1847,
/// 2.1). Empty if there are none. Such seals inside one do not count either.
pub(super) fn unsealed(tree: &Tree<'_>, ambiguous: &[Verdict]) -> Vec<bool> {
    let is_unnamed = |index: usize| {
        tree.is_seal(index) && tree.entities[index].content.parameters.get("protocol").is_none()
    };
    let mut unsealed = Vec::new();
    for verdict in ambiguous {
        let Some(seal) = tree.upwards(Some(verdict.entity)).filter(|&at| is_unnamed(at)).last()
        else {
            continue;
        };
        unsealed.resize(tree.entities.len(), false);
        if std::mem::replace(&mut unsealed[seal], true) {
            continue;
        }
        with_inside(tree, seal).for_each(|index| unsealed[index] = is_unnamed(index));
    }
    unsealed
}

/// Returns why a signed part, with what is `inside` it, cannot stay, if it cannot.
fn why_unsafe(tree: &Tree<'_>, index: usize, inside: Range<usize>) -> Option<&'static str> {
    let entity = &tree.entities[index];
    let survey = tree.sources[entity.source].survey_of(entity.start..entity.body.end);
    if !survey.is_seven_bit() {
        Some("signed content is not 7-bit safe")
    } else if tree.entities[inside].iter().any(is_past_limit) {
        Some("signed content has parts past a limit")
    } else {
        None
    }
}

/// Returns whether an entity is carried opaque; if it claims to be signed, its signature is not
/// read.
fn is_past_limit(entity: &Entity) -> bool {
    matches!(entity.kind, Kind::Leaf(Leaf::PastLimit))
}

/// Reports signed content that cannot stay.
fn broken_signature(tree: &Tree<'_>, index: usize, why: &'static str) -> Verdict {
    let entity = &tree.entities[index];
    let mut verdict = Verdict::new(index, entity);
    verdict.report_body(Code::SignatureBroken, entity.start..entity.body.end, why);
    verdict
}

/// Returns an entity and everything inside it.
fn with_inside(tree: &Tree<'_>, index: usize) -> Range<usize> {
    let is_inside = |entity: &&Entity| entity.depth > tree.entities[index].depth;
    index..index + 1 + tree.entities[index + 1..].iter().take_while(is_inside).count()
}

#[cfg(test)]
mod tests {
    use crate::{Code, Limits, Normalizer, Signed};

    /// The message, the multipart that is signed, its two parts, and the signature.
    const PARTS: usize = 5;

    #[test]
    fn a_signature_past_the_limit_of_parts_is_reported() {
        let mail = b"MIME-Version: 1.0\r\nContent-Type: multipart/signed; \
            protocol=\"application/pgp-signature\"; boundary=a\r\n\r\n\
            --a\r\nContent-Type: multipart/mixed; boundary=b\r\n\r\n\
            --b\r\n\r\none\r\n--b\r\n\r\ntwo\r\n--b--\r\n\
            --a\r\nContent-Type: application/pgp-signature\r\n\r\n-----BEGIN PGP SIGNATURE-----\r\n--a--\r\n";
        for parts in 2..=PARTS {
            let normalizer = Normalizer::new().limits(Limits::new().with_parts(parts));
            let output = normalizer.normalize(mail);
            let is_broken =
                output.report().issues().iter().any(|issue| issue.code() == Code::SignatureBroken);
            assert_eq!(is_broken, parts < PARTS, "{parts}");
            let refused = normalizer.signed(Signed::Refuse).normalize(mail).report().is_refused();
            assert_eq!(refused, parts < PARTS, "{parts}");
        }
    }
}
