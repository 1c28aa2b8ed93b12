//! Which DKIM signatures and ARC seals cover something that changes (rule G12; RFC 6376, RFC 8617).
//!
//! The report holds for any verifier. Where verifiers differ, a signature counts as broken:
//! 1. A line that is not a field, a lost fold, white space before a colon, a header without its empty line:
//!    verifiers differ about which field that is.
//! 2. A stray CR or LF in the body, wherever `l=` ends.

use std::collections::HashMap;

use super::context::Context;
use super::header_end::is_read_otherwise;
use super::verdict::Verdict;
use crate::ascii::{is_fws, trim_fws};
use crate::message::field::{Field, Row, RowId, Shape, Signature};
use crate::message::line_ends::{is_empty_line, without_line_end};
use crate::message::splice::{Replacement, Splice, Splices};
use crate::message::tree::Tree;
use crate::transfer::LineEnds;
use crate::{Code, decode};

/// A field of the message's own header that is changed, dropped (`new` is empty) or added (`old` is empty).
#[derive(Default)]
struct Change {
    /// In lower case.
    name: String,
    /// Where it is; `None` for one that is added.
    start: Option<usize>,
    old: Vec<u8>,
    new: Vec<u8>,
    /// Whether one of its lines was not part of a field, so that its neighbours may have been read with it.
    stray: bool,
    /// Whether there was white space before the colon.
    spaced: bool,
    /// Its position among the fields of its name from the last one upwards, from 1, which is how a signature
    /// counts them (RFC 6376, 5.4.2). 0 for one that is added.
    from_last: usize,
}

/// What a signature or seal claims to cover.
struct Signed {
    domain: String,
    /// Where its own field is.
    start: usize,
    /// The names of the fields in `h=`, in lower case, with colons between them.
    headers: String,
    relaxed: bool,
    relaxed_body: bool,
    /// How many octets of the body, if not all of them.
    length: Option<usize>,
    what: Signature,
}

/// Reports each signature of the message that no longer verifies once `splices` are applied.
pub(super) fn judge(ctx: &Context<'_, '_>, splices: &Splices) -> Verdict {
    let root = ctx.entity(0);
    let source = ctx.octets(0);
    let mut verdict = Verdict::new(0, root);
    let fields = ctx.tree.fields_of(root);
    if splices.is_clean() || fields.iter().all(|field| field.row.signature.is_none()) {
        return verdict;
    }
    let changes = changes(ctx, splices);
    let (changed, body) = (Changed::of(&changes), body_change(ctx, splices));
    for field in fields {
        let Some(what) = field.row.signature else { continue };
        let signed = Signed::read(field.value_of(source), field.span.start, what);
        let mut covered = changed.covered_by(&signed);
        if !signed.is_seal() && body.as_ref().is_some_and(|body| body.is_covered_by(&signed)) {
            covered.push("body");
        }
        if !covered.is_empty() {
            let detail = format!("{}: {}", signed.domain, covered.join(", "));
            verdict.report_header(Code::DkimBroken, field.span.clone(), detail);
        }
    }
    verdict
}

/// Returns the changes to the fields of the message's own header, in the order in which they were decided.
fn changes(ctx: &Context<'_, '_>, splices: &Splices) -> Vec<Change> {
    let root = ctx.entity(0);
    let (source, fields) = (ctx.octets(0), ctx.tree.fields_of(root));
    let mut changes = Vec::new();
    let places = places_from_last(fields, source);
    for splice in
        splices.iter().filter(|splice| splice.entity == 0 && splice.span.end <= root.section.fields_end)
    {
        let Replacement::Octets(new) = &splice.with else { continue };
        if splice.span.is_empty() {
            let lines = new
                .split_inclusive(|&octet| octet == b'\n')
                .filter(|line| !is_empty_line(without_line_end(line)));
            changes.extend(lines.map(Change::added));
        } else if let Ok(at) = fields.binary_search_by_key(&splice.span.start, |field| field.span.start)
            && !fields[at].precedes_fields()
        {
            changes.push(Change::of_field(&fields[at], source, new, places[at]));
        }
    }
    if is_read_otherwise(ctx, 0) {
        changes.push(Change { stray: true, ..Change::default() });
    }
    changes
}

/// Returns for each field its position among those of its name, from the last one upwards. One with white
/// space before its colon is not a field to every verifier, so it does not count for those above it.
fn places_from_last(fields: &[Field], source: &[u8]) -> Vec<usize> {
    let mut below: HashMap<Vec<u8>, usize> = HashMap::new();
    let mut places: Vec<usize> = Vec::with_capacity(fields.len());
    for field in fields.iter().rev() {
        let count = below.entry(field.name(source).to_ascii_lowercase()).or_default();
        places.push(*count + 1);
        *count += usize::from(!field.is_spaced());
    }
    places.reverse();
    places
}

/// Returns the first octet of the body that changes.
fn body_change(ctx: &Context<'_, '_>, splices: &Splices) -> Option<BodyChange> {
    let source = ctx.octets(0);
    let body = ctx.entity(0).section.body;
    if ctx.source(0).line_ends == LineEnds::Crlf && splices.bare_line_ends {
        return Some(BodyChange::Anywhere);
    }
    let is_of_body = |splice: &&Splice| {
        // What is inserted at the end of the header section is not body.
        let is_of_header = splice.entity == 0 && splice.span == (body..body);
        splice.span.end >= body && !is_of_header
    };
    let first = splices.iter().filter(is_of_body).map(|splice| first_change(splice, source)).min()?;
    let Some(kept) = first.checked_sub(body) else { return Some(BodyChange::Anywhere) };
    let kept = source.get(body..)?.get(..kept)?;
    let at_end = body + kept.len() == source.len();
    Some(BodyChange::After { simple: canonical_len(kept, false), relaxed: canonical_len(kept, true), at_end })
}

/// Where the body changes first.
enum BodyChange {
    Anywhere,
    /// After this many octets in either canonical form; whether the body ends there.
    After {
        simple: usize,
        relaxed: usize,
        at_end: bool,
    },
}

impl BodyChange {
    fn is_covered_by(&self, signed: &Signed) -> bool {
        match (self, signed.length) {
            (Self::Anywhere, _) | (_, None) => true,
            (Self::After { at_end: true, .. }, _) => false,
            (Self::After { relaxed, .. }, Some(length)) if signed.relaxed_body => *relaxed < length,
            (Self::After { simple, .. }, Some(length)) => *simple < length,
        }
    }
}

/// Returns the length of the canonical form of `body` in octets: in it there is less white space, and every
/// line end is two octets (RFC 6376, 3.4.3 and 3.4.4).
fn canonical_len(body: &[u8], relaxed: bool) -> usize {
    let (mut count, mut space) = (0, 0);
    for octet in body {
        match octet {
            b'\r' => {}
            b'\n' => (count, space) = (count + 2, 0),
            b' ' | b'\t' if relaxed => space = 1,
            _ => (count, space) = (count + space + 1, 0),
        }
    }
    count
}

/// The changes in the header, indexed so that each signature looks up the names that it covers, not each
/// change.
struct Changed<'c> {
    changes: &'c [Change],
    /// The changes to fields of each name, by their positions from the last.
    names: HashMap<&'c str, Vec<OfName>>,
    starts: HashMap<usize, usize>,
    /// The first changes of lines that were not part of a field.
    stray: Option<usize>,
    stray_of_seals: Option<usize>,
}

/// The changes to the fields of one name, up to a position from the last.
#[derive(Clone, Copy)]
struct OfName {
    from_last: usize,
    /// The first change of any kind.
    any: usize,
    /// The first change that shows in the relaxed canonical form.
    relaxed: Option<usize>,
}

impl<'c> Changed<'c> {
    fn of(changes: &'c [Change]) -> Self {
        let (names, starts) = (HashMap::new(), HashMap::new());
        let mut changed = Self { changes, names, starts, stray: None, stray_of_seals: None };
        for (at, change) in changes.iter().enumerate() {
            changed.starts.extend(change.start.map(|start| (start, at)));
            if change.stray {
                changed.stray.get_or_insert(at);
                if change.is_sealed() {
                    changed.stray_of_seals.get_or_insert(at);
                }
                continue;
            }
            let relaxed = change.shows_relaxed().then_some(at);
            let of_name = changed.names.entry(&change.name).or_default();
            of_name.push(OfName { from_last: change.from_last, any: at, relaxed });
        }
        for of_name in changed.names.values_mut() {
            of_name.sort_by_key(|change| change.from_last);
            for at in 1..of_name.len() {
                let (before, this) = (of_name[at - 1], &mut of_name[at]);
                this.any = this.any.min(before.any);
                this.relaxed = this.relaxed.into_iter().chain(before.relaxed).min();
            }
        }
        changed
    }

    /// Returns the first change seen by a signature that covers the last `count` fields of a name.
    fn first(&self, name: &str, count: usize, relaxed: bool) -> Option<usize> {
        let of_name = self.names.get(name)?;
        let covered = of_name.partition_point(|change| change.from_last <= count);
        let up_to = of_name[..covered].last()?;
        if relaxed { up_to.relaxed } else { Some(up_to.any) }
    }

    /// Returns the names of the fields that change and are covered, in order.
    fn covered_by(&self, signed: &Signed) -> Vec<&'c str> {
        let first = |name: &str, count| self.first(name, count, signed.relaxed);
        let own = self.starts.get(&signed.start).copied();
        let own = own.filter(|&own| !signed.relaxed || self.changes[own].shows_relaxed());
        let mut covered: Vec<usize> = own.into_iter().collect();
        if signed.is_seal() {
            let all = |row: &Row| first(row.name, usize::MAX);
            covered.extend(Row::all_sealed().filter_map(all).chain(self.stray_of_seals));
        } else {
            let mut counts: HashMap<&str, usize> = HashMap::new();
            signed.headers.split(':').for_each(|name| *counts.entry(name).or_default() += 1);
            covered
                .extend(counts.into_iter().filter_map(|(name, count)| first(name, count)).chain(self.stray));
        }
        covered.sort_unstable();
        let name = |at: usize| match &self.changes[at] {
            // Verifiers differ about which field it is.
            Change { stray: true, .. } | Change { spaced: true, .. } => "header",
            change => &*change.name,
        };
        let mut names: Vec<_> = covered.into_iter().map(name).collect();
        names.dedup();
        names
    }
}

impl Change {
    fn of_field(field: &Field, source: &[u8], new: &[u8], from_last: usize) -> Self {
        Self {
            name: String::from_utf8_lossy(field.name(source)).to_ascii_lowercase(),
            start: Some(field.span.start),
            old: source[field.span.clone()].to_vec(),
            new: new.to_vec(),
            stray: field.shape != Shape::Field,
            spaced: field.is_spaced(),
            from_last,
        }
    }

    fn added(line: &[u8]) -> Self {
        let name = String::from_utf8_lossy(line).split(':').next().unwrap_or_default().to_lowercase();
        Self { name, new: line.to_vec(), ..Self::default() }
    }

    fn is_sealed(&self) -> bool {
        RowId::of(self.name.as_bytes()).is_sealed
    }

    /// Returns whether the change shows in the relaxed canonical form.
    fn shows_relaxed(&self) -> bool {
        self.stray || self.spaced || relaxed(&self.old) != relaxed(&self.new)
    }
}

/// Returns whether any signature limits how many octets of the body it covers.
pub(crate) fn counts_octets(tree: &Tree<'_>) -> bool {
    let root = &tree.entities[0];
    let source = tree.source_of(root);
    tree.fields_of(root).iter().any(|field| {
        let read = |what| Signed::read(field.value_of(source), field.span.start, what);
        field.row.signature.is_some_and(|what| read(what).length.is_some())
    })
}

/// Returns where a splice first writes an octet that differs from the old one.
fn first_change(splice: &Splice, source: &[u8]) -> usize {
    let old = &source[splice.span.clone()];
    let same = match &splice.with {
        Replacement::Octets(new) => old.iter().zip(new.iter()).take_while(|(old, new)| old == new).count(),
        _ => 0,
    };
    splice.span.start + same
}

impl Signed {
    fn is_seal(&self) -> bool {
        self.what == Signature::Seals
    }

    /// ```text
    /// tag-list = tag-spec *( ";" tag-spec ) [ ";" ]      ; RFC 6376, 3.2
    /// ```
    fn read(value: &[u8], start: usize, what: Signature) -> Self {
        // Its tags are US-ASCII.
        let text: String = decode::text(value, &decode::RawText::Unknown).into_text().into_owned();
        let tag = |name: &str| {
            let of = |spec: &str| {
                let (tag, value) = spec.split_once('=')?;
                (tag.trim() == name).then(|| value.split_whitespace().collect::<String>())
            };
            text.split(';').find_map(of)
        };
        let canonical = tag("c").unwrap_or_default();
        Self {
            domain: tag("d").unwrap_or_default(),
            start,
            headers: tag("h").unwrap_or_default().to_ascii_lowercase(),
            relaxed: what == Signature::Seals || canonical.starts_with("relaxed"),
            relaxed_body: canonical.ends_with("/relaxed"),
            length: tag("l").and_then(|length| length.parse().ok()),
            what,
        }
    }
}

/// Returns a field in the relaxed canonical form (RFC 6376, 3.4.2).
fn relaxed(field: &[u8]) -> Vec<u8> {
    let colon = field.iter().position(|&octet| octet == b':').unwrap_or(field.len());
    let mut out = trim_fws(&field[..colon]).to_ascii_lowercase();
    out.push(b':');
    let words = field[colon..].strip_prefix(b":").unwrap_or_default().split(|&octet| is_fws(octet));
    for word in words.filter(|word| !word.is_empty()) {
        out.extend_from_slice(word);
        out.push(b' ');
    }
    out
}
