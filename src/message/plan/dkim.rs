//! Which DKIM signatures and ARC seals covered something that changes (rule G12; RFC 6376, RFC 8617).
//!
//! What is told is what holds for any verifier. Where those differ, a signature counts as broken:
//! 1. A line that is no field, a lost fold, white space before a colon, a header without its empty line: one
//!    verifier sees another field there than the next.
//! 2. A stray CR or LF in the body, wherever `l=` ends.

use std::collections::HashMap;

use super::Planner;
use crate::ascii::{is_fws, trim_fws};
use crate::message::fields::Field;
use crate::message::splice::{Replacement, Splice};
use crate::message::tree::Tree;
use crate::transfer::LineEnds;
use crate::{Code, decode};

/// A field of the message's own header that is changed, dropped (`new` is empty) or added (`old` is).
#[derive(Default)]
pub(super) struct Change {
    /// In lower case.
    pub(super) name: String,
    /// Where it stands; nothing of one that is added.
    pub(super) start: Option<usize>,
    pub(super) old: Vec<u8>,
    pub(super) new: Vec<u8>,
    /// Whether a line of it was none of a field, so that its neighbours may have been read with it.
    pub(super) stray: bool,
    /// Whether white space stood before the colon.
    pub(super) spaced: bool,
}

/// What a signature says it covers.
struct Signature {
    domain: String,
    /// Where its own field stands.
    start: usize,
    /// The names of the fields in `h=`, in lower case, with colons between them.
    headers: String,
    relaxed: bool,
    relaxed_body: bool,
    /// How many octets of the body, if not all.
    length: Option<usize>,
    seal: bool,
}

impl Planner<'_, '_> {
    /// Whether it matters what happens to the fields of an entity: to those of the message itself, if it is signed or
    /// sealed.
    pub(super) fn may_break_seals(&self, index: usize) -> bool {
        let is_sealed = || {
            self.tree.fields_of(self.entity(0)).iter().any(|field| seal_of(self.source(0), field).is_some())
        };
        index == 0 && *self.sealed.get_or_init(is_sealed)
    }

    /// Reports each signature that no longer verifies.
    pub(super) fn report_broken_seals(&mut self) {
        if self.changes.is_empty() && self.splices[0].is_clean() {
            return;
        }
        let changes = std::mem::take(&mut self.changes);
        let (changed, body) = (Changed::of(&changes), self.body_change());
        let root = self.entity(0);
        let source = self.source(0);
        for field in self.tree.fields_of(root) {
            let Some(seal) = seal_of(source, field) else { continue };
            let signature = Signature::read(field.value_of(source), field.span.start, seal);
            let mut covered = changed.covered_by(&signature);
            if !seal && body.as_ref().is_some_and(|body| body.is_covered_by(&signature)) {
                covered.push("body");
            }
            if !covered.is_empty() {
                let detail = format!("{}: {}", signature.domain, covered.join(", "));
                self.report_header(0, Code::DkimBroken, field.span.clone(), detail);
            }
        }
    }

    /// The first octet of the body that changes.
    fn body_change(&self) -> Option<BodyChange> {
        let source = self.source(0);
        let body = self.entity(0).section.body;
        if self.line_ends == LineEnds::Crlf && self.splices[0].stray_line_ends {
            return Some(BodyChange::Anywhere);
        }
        let of_body = |splice: &&Splice| {
            // What is put in at the end of the header section is no body.
            let of_header = splice.entity == 0 && splice.span == (body..body);
            splice.span.end >= body && !of_header
        };
        let changes = self.splices[0].iter().filter(of_body).map(|splice| first_change(splice, source));
        let first = changes.min()?;
        let Some(kept) = first.checked_sub(body) else { return Some(BodyChange::Anywhere) };
        let kept = source.get(body..)?.get(..kept)?;
        let at_end = body + kept.len() == source.len();
        Some(BodyChange::Behind {
            simple: canonical_len(kept, false),
            relaxed: canonical_len(kept, true),
            at_end,
        })
    }
}

/// Where the body changes first.
enum BodyChange {
    Anywhere,
    /// Behind so many octets of either canonical form; whether that is where the body ends.
    Behind {
        simple: usize,
        relaxed: usize,
        at_end: bool,
    },
}

impl BodyChange {
    fn is_covered_by(&self, signature: &Signature) -> bool {
        match (self, signature.length) {
            (Self::Anywhere, _) | (_, None) => true,
            (Self::Behind { at_end: true, .. }, _) => false,
            (Self::Behind { relaxed, .. }, Some(length)) if signature.relaxed_body => *relaxed < length,
            (Self::Behind { simple, .. }, Some(length)) => *simple < length,
        }
    }
}

/// How many octets of the canonical form `body` has: in it white space is less, and every line end is two octets (RFC
/// 6376, 3.4.3 and 3.4.4).
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

/// What changes in the header, so that each signature asks for the names that it covers, not for each change.
struct Changed<'c> {
    changes: &'c [Change],
    /// Of each name, the first change at all, and the first that shows in the relaxed canonical form.
    names: HashMap<&'c str, (usize, Option<usize>)>,
    starts: HashMap<usize, usize>,
    /// The first lines that were none of a field.
    stray: Option<usize>,
    stray_of_seals: Option<usize>,
}

/// What a seal covers (RFC 8617, 5.1.1).
const SEALED: [&str; 3] = ["arc-authentication-results", "arc-message-signature", "arc-seal"];

impl<'c> Changed<'c> {
    fn of(changes: &'c [Change]) -> Self {
        let (names, starts) = (HashMap::new(), HashMap::new());
        let mut changed = Self { changes, names, starts, stray: None, stray_of_seals: None };
        for (at, change) in changes.iter().enumerate() {
            changed.starts.extend(change.start.map(|start| (start, at)));
            if change.stray {
                changed.stray.get_or_insert(at);
                if SEALED.contains(&&*change.name) {
                    changed.stray_of_seals.get_or_insert(at);
                }
                continue;
            }
            let shows = change.shows_relaxed().then_some(at);
            let known = changed.names.entry(&change.name).or_insert((at, shows));
            known.1 = known.1.or(shows);
        }
        changed
    }

    /// The names of the fields that change and are covered, in order.
    fn covered_by(&self, signature: &Signature) -> Vec<&'c str> {
        let first = |name: &str| {
            let (any, relaxed) = self.names.get(name)?;
            if signature.relaxed { *relaxed } else { Some(*any) }
        };
        let own = self.starts.get(&signature.start).copied();
        let own = own.filter(|&own| !signature.relaxed || self.changes[own].shows_relaxed());
        let mut covered: Vec<usize> = own.into_iter().collect();
        if signature.seal {
            covered.extend(SEALED.into_iter().filter_map(first).chain(self.stray_of_seals));
        } else {
            covered.extend(signature.headers.split(':').filter_map(first).chain(self.stray));
        }
        covered.sort_unstable();
        let name = |at: usize| if self.changes[at].stray { "header" } else { &*self.changes[at].name };
        let mut names = Vec::new();
        for name in covered.into_iter().map(name) {
            if names.last() != Some(&name) {
                names.push(name);
            }
        }
        names
    }
}

impl Change {
    /// Whether the relaxed canonical form is another one afterwards.
    fn shows_relaxed(&self) -> bool {
        self.stray || self.spaced || relaxed(&self.old) != relaxed(&self.new)
    }
}

/// Whether any signature says how many octets of the body it covers.
pub(crate) fn counts_octets(tree: &Tree<'_>) -> bool {
    let root = &tree.entities[0];
    let source = tree.source_of(root);
    tree.fields_of(root).iter().any(|field| {
        seal_of(source, field).is_some_and(|seal| {
            Signature::read(field.value_of(source), field.span.start, seal).length.is_some()
        })
    })
}

/// Whether a field is a signature or a seal, and whether it is a seal.
fn seal_of(source: &[u8], field: &Field) -> Option<bool> {
    match () {
        () if field.is(source, "arc-seal") => Some(true),
        () if field.is(source, "dkim-signature") || field.is(source, "arc-message-signature") => Some(false),
        () => None,
    }
}

/// Where a splice first writes another octet than stood there.
fn first_change(splice: &Splice, source: &[u8]) -> usize {
    let old = &source[splice.span.clone()];
    let same = match &splice.with {
        Replacement::Octets(new) => old.iter().zip(new.iter()).take_while(|(old, new)| old == new).count(),
        _ => 0,
    };
    splice.span.start + same
}

impl Signature {
    /// ```text
    /// tag-list = tag-spec *( ";" tag-spec ) [ ";" ]      ; RFC 6376, 3.2
    /// ```
    fn read(value: &[u8], start: usize, seal: bool) -> Self {
        let text: String = decode::text(value, &decode::RawText::in_value(value)).into_text().into_owned();
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
            relaxed: seal || canonical.starts_with("relaxed"),
            relaxed_body: canonical.ends_with("/relaxed"),
            length: tag("l").and_then(|length| length.parse().ok()),
            seal,
        }
    }
}

/// A field in the relaxed canonical form (RFC 6376, 3.4.2).
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
