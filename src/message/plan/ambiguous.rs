//! Signed content stays, however readers interpret it (rule G12). What would otherwise have been mended in it
//! is reported.

use super::body::{self, BodyVerdict};
use super::context::Context;
use super::verdict::Verdict;
use super::{header, rename_boundaries, structure};
use crate::message::options::Options;
use crate::message::policy::Zone;
use crate::{Code, Profile, Severity, Unlabelled};

/// Returns for each signed entity what transport would have repaired in it. If it is not safe, some of that
/// is done anyway; but the rest would be found the next time, and has to count now.
pub(super) fn judge(ctx: &Context<'_, '_>) -> Vec<Verdict> {
    let count = ctx.tree.entities.len();
    if ctx.zones.iter().all(|&zone| zone == Zone::Free) {
        return Vec::new();
    }
    let options = Options { profile: Profile::Transport, unlabelled: Unlabelled::Keep, ..*ctx.options };
    let free = Context::new(ctx.tree, &options);
    let body = |index: usize| {
        let entity = ctx.entity(index);
        let is_asked = entity.is_leaf() && !ctx.is_free(index);
        if is_asked { body::judge(&free, index) } else { BodyVerdict::keep(entity) }
    };
    let bodies: Vec<BodyVerdict> = (0..count).map(body).collect();
    let mut renamed = rename_boundaries::judge(&free, &bodies);
    let mut verdicts = Vec::new();
    for (index, body) in bodies.into_iter().enumerate().filter(|&(index, _)| !ctx.is_free(index)) {
        let boundary = renamed.remove(&index);
        let of_boundary = boundary.as_ref().map(|_| Code::BoundaryRenamed);
        let mut edits = body.edits;
        edits.boundary = boundary;
        let (edits, structure) = structure::judge(&free, index, edits);
        let header = header::judge(&free, index, edits);
        let found = [body.findings, structure.findings, header.findings];
        let codes = found.iter().flat_map(|findings| &findings.list).map(|finding| finding.issue.code());
        verdicts.extend(note(ctx, index, codes.chain(of_boundary)));
    }
    verdicts
}

fn note(ctx: &Context<'_, '_>, index: usize, codes: impl Iterator<Item = Code>) -> Option<Verdict> {
    // No two readers differ about what a header lacks.
    let is_ambiguous = |code: &Code| code.severity() > Severity::Note && *code != Code::MimeVersionAdded;
    let mut codes: Vec<Code> = codes.filter(is_ambiguous).collect();
    codes.sort_unstable();
    codes.dedup();
    if codes.is_empty() {
        return None;
    }
    let entity = ctx.entity(index);
    let mut verdict = Verdict::new(index, entity);
    let words: Vec<&str> = codes.into_iter().map(Code::as_str).collect();
    verdict.findings.body(Code::AmbiguousSignedContent, entity.start..entity.body.end, words.join(", "));
    Some(verdict)
}
