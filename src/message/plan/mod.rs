//! The planner: decides, entity by entity, what must change, and why. It changes nothing.
//!
//! The order matters. Bodies come first, because a boundary is renamed only if content keeps a line
//! that looks like it; then boundaries; then headers, which state what bodies and boundaries
//! became.

mod ambiguous;
mod body;
mod boundaries;
mod context;
mod dkim;
mod edits;
mod false_signatures;
mod header;
mod header_end;
mod issue_log;
mod ledger;
mod rename_boundaries;
mod structure;
mod surer;
mod verdict;
mod zones;

use std::borrow::Cow;
use std::io;
use std::mem;
use std::sync::OnceLock;

pub(super) use self::body::Basis;
use self::context::Context;
pub(super) use self::dkim::counts_octets;
pub(super) use self::header::reach::MIN_LIMIT;
use self::header::reach::lower_limit;
use self::ledger::Ledger;
use self::verdict::Verdict;
use super::options::Options;
use super::planned::{Plan, Report};
use super::policy::{Policy, Zone};
use super::splice::Splices;
use crate::facts::evidence;
use crate::facts::guesses::Guesses;
use crate::facts::scan::scan;
use crate::facts::tree::Purpose;
use crate::lengths::MAX_READ_HEADER;
use crate::transfer::LineEnds;
use crate::{Code, Few, Issue, Signed, Span};

/// How much is read of a message, and by which guesses: what a plan has to be made with so that its
/// output is read the same way (rule G7).
struct Attempt {
    options: Options,
    /// Guesses that are sure once they are written.
    surer: Option<Guesses>,
}

/// Why the output of an attempt would be read in another way, and what to change.
enum Retry {
    /// A header would be past its limit: read fewer octets of each.
    Headers(usize),
    /// The message would be too long: carry its body opaque.
    Opaque,
    /// Some guesses would be surer, or gone.
    Guesses(Guesses),
}

impl Attempt {
    /// Returns the next attempt. None gives back what another took away: the limit for headers at
    /// least halves, the body is opaque from then on, and one more guess is sure or gone; so there
    /// is a last one.
    fn changed_by(mut self, retry: Retry) -> Self {
        match retry {
            Retry::Headers(octets) => self.options.limits.header_octets = octets,
            Retry::Opaque => self.options.limits.message = 0,
            Retry::Guesses(surer) => self.surer = Some(surer),
        }
        self
    }
}

/// Plans the normal form of `message`.
pub(super) fn plan<'a>(message: &'a [u8], options: &Options) -> Plan<'a> {
    let mut whole = *options;
    whole.limits.header_octets = whole.limits.header_octets.clamp(MIN_LIMIT, MAX_READ_HEADER);
    let mut attempt = Attempt { options: whole, surer: None };
    loop {
        match plan_within(message, &attempt, &whole) {
            Ok(plan) => return plan,
            Err(retry) => attempt = attempt.changed_by(retry),
        }
    }
}

/// Returns whether what is written is longer than a message may be (rule G7: it would not be looked
/// into the next time).
fn outgrows(plan: &Plan<'_>, most: usize) -> bool {
    /// The largest number of octets that one octet can become in any charset and encoding.
    const MAX_GROWTH: usize = 12;
    let bound = plan.message.len().saturating_mul(MAX_GROWTH);
    let grown: usize = plan.splices.iter().map(Splices::growth).sum();
    let may_be = most > 0 && plan.message.len() <= most && bound.saturating_add(grown) > most;
    may_be && plan.write_to(io::sink()).expect("counting does not fail") > most as u64
}

/// Plans with the limits and guesses of an attempt; `whole` are the options that the output is read
/// with.
fn plan_within<'a>(
    message: &'a [u8],
    Attempt { options, surer }: &Attempt,
    whole: &Options,
) -> Result<Plan<'a>, Retry> {
    let mut tree =
        scan(message, &options.limits, Purpose::Plan(Policy::of(options, Zone::Free).openings()));
    if let Some(surer) = surer {
        tree.guesses = OnceLock::from(evidence::guesses(&tree).surer_by(surer));
    }
    let (zones, mut broken) = zones::find(&tree, &[]);
    let mut ctx = Context::new(&tree, options, zones);
    ctx.max_header_octets = whole.limits.header_octets;
    let mut ambiguous = ambiguous::judge(&ctx);
    let unsealed = zones::unsealed(&tree, &ambiguous);
    if !unsealed.is_empty() {
        (ctx.zones, broken) = zones::find(&tree, &unsealed);
        ambiguous = ambiguous::judge(&ctx);
    }
    let is_refused = !broken.is_empty() && options.signed == Signed::Refuse;
    let mut ledger = Ledger::new(&tree);
    stored_line_ends(&ctx)
        .into_iter()
        .chain(broken)
        .for_each(|mut verdict| ledger.take(&mut verdict));
    let mut verdicts = body::judge_all(&ctx);
    for (multipart, boundary) in rename_boundaries::judge(&ctx, &verdicts) {
        verdicts[multipart].rename_boundary(boundary);
    }
    ledger.enter_data(&verdicts);
    let bases = verdicts.iter().map(|verdict| verdict.basis).collect();
    for verdict in verdicts.iter_mut() {
        if !ctx.is_frozen(verdict.entity) {
            judge_around(&ctx, verdict);
        }
        if let Some(lower) = lower_limit(&ctx, verdict) {
            return Err(Retry::Headers(lower));
        }
        ledger.take(verdict);
    }
    let stays = ambiguous.into_iter().filter(|verdict| ctx.is_frozen(verdict.entity));
    stays.for_each(|mut verdict| ledger.take(&mut verdict));
    let splices = ledger.in_order();
    let (claimed, signed) = (false_signatures::judge(&ctx, splices), dkim::judge(&ctx, splices));
    claimed.into_iter().chain(signed).for_each(|mut verdict| ledger.take(&mut verdict));
    let (mut splices, mut issues) = ledger.close();
    if is_refused {
        issues.push(Issue::new(Code::Refused, Span::new(0, message.len())));
        (splices, tree.sources[0].octets) = (Few::One(Splices::default()), message.into());
    }
    let changed = !splices[0].is_clean();
    let plan = Plan { message, tree, splices, bases, report: Report { issues, changed } };
    if outgrows(&plan, options.limits.message) {
        return Err(Retry::Opaque);
    }
    match surer::guesses(&plan, whole) {
        Some(surer) => Err(Retry::Guesses(surer)),
        None => Ok(plan),
    }
}

/// Judges what is around the body of an entity, its structure and then its header section, and adds
/// both to what was decided about the body.
fn judge_around(ctx: &Context<'_, '_>, verdict: &mut Verdict) {
    if let Some(of_structure) = structure::judge(ctx, verdict) {
        verdict.add(of_structure);
    }
    let edits = mem::take(&mut verdict.edits);
    verdict.add(header::judge(ctx, verdict.entity, edits));
}

/// Reports how the message's lines ended, if not with CR LF (rule B10), and the parts that were
/// found because of that.
fn stored_line_ends(ctx: &Context<'_, '_>) -> Option<Verdict> {
    let source = ctx.source(0);
    if source.line_ends == LineEnds::Crlf {
        return None;
    }

    let mut verdict = Verdict::new(0, ctx.entity(0));
    let octets = &source.octets;
    let end = octets.iter().position(|octet| matches!(octet, b'\r' | b'\n')).unwrap_or(0);
    // Each CR was made LF before the scan.
    let ended_with_cr = matches!(octets, Cow::Owned(_));
    let stored = if ended_with_cr { "stored with CR" } else { "stored with LF" };
    verdict.report_header(Code::LineEndsNormalized, end..end + 1, stored);
    // Hardly any reader takes CR for the end of a line, so none found a part.
    if ended_with_cr && !ctx.tree.children(0).is_empty() {
        verdict.report(Code::ContentAppeared, structure::types_of_children(ctx, 0));
    }
    Some(verdict)
}
