//! Signed content stays, however readers interpret it (rule G12). What would otherwise have been
//! mended in it is reported.

use super::body;
use super::context::Context;
use super::verdict::Verdict;
use super::{judge_around, rename_boundaries};
use crate::message::options::Options;
use crate::message::policy::Zone;
use crate::{Code, Detail, Profile, Severity, Unlabelled};

/// Returns for each signed entity what transport would have repaired in it. If it is not safe, some
/// of that is done anyway; but the rest would be found the next time, and has to count now.
pub(super) fn judge(ctx: &Context<'_, '_>) -> Vec<Verdict> {
    if ctx.zones.iter().all(|&zone| zone == Zone::Free) {
        return Vec::new();
    }
    let options =
        Options { profile: Profile::Transport, unlabelled: Unlabelled::Keep, ..*ctx.options };
    let free = Context::new(ctx.tree, &options, Vec::new());
    let body = |index: usize| {
        let entity = ctx.entity(index);
        if entity.is_leaf() && !ctx.is_free(index) {
            body::judge(&free, index)
        } else {
            Verdict::new(index, entity)
        }
    };
    let mut verdicts: Vec<Verdict> = (0..ctx.tree.entities.len()).map(body).collect();
    for (multipart, boundary) in rename_boundaries::judge(&free, &verdicts) {
        verdicts[multipart].rename_boundary(boundary);
    }
    verdicts.retain(|verdict| !ctx.is_free(verdict.entity));
    let note = |mut verdict: Verdict| {
        judge_around(&free, &mut verdict);
        note(ctx, &verdict)
    };
    verdicts.into_iter().filter_map(note).collect()
}

fn note(ctx: &Context<'_, '_>, found: &Verdict) -> Option<Verdict> {
    // No two readers differ about what a header lacks.
    let is_ambiguous =
        |code: &Code| code.severity() > Severity::Note && *code != Code::MimeVersionAdded;
    let codes = found.in_body.codes().chain(found.in_header.codes());
    let mut codes: Vec<Code> = codes.filter(is_ambiguous).collect();
    codes.sort_unstable();
    codes.dedup();
    if codes.is_empty() {
        return None;
    }
    let entity = ctx.entity(found.entity);
    let mut verdict = Verdict::new(found.entity, entity);
    let detail = Detail::Codes(codes);
    verdict.report_body(Code::AmbiguousSignedContent, entity.start..entity.body.end, detail);
    Some(verdict)
}
