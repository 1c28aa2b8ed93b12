//! Which DKIM signatures and ARC seals covered something that changes (rule G12; RFC 6376, RFC 8617).
//!
//! What is told is what holds for any verifier. Where those differ, a signature counts as broken:
//! 1. A line that is no field, a lost fold, white space before a colon, a header without its empty line: one
//!    verifier sees another field there than the next.
//! 2. A stray CR or LF in the body, wherever `l=` ends.

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
        let root = self.entity(0);
        let source = self.source(0);
        for field in self.tree.fields_of(root) {
            let Some(seal) = seal_of(source, field) else { continue };
            let signature = Signature::read(field.value_of(source), field.span.start, seal);
            let mut covered = self.covered_changes(&signature);
            if !seal && self.body_changes(&signature) {
                covered.push("body".to_owned());
            }
            covered.dedup();
            if !covered.is_empty() {
                let detail = format!("{}: {}", signature.domain, covered.join(", "));
                self.report_header(0, Code::DkimBroken, field.span.clone(), detail);
            }
        }
    }

    fn covered_changes(&self, signature: &Signature) -> Vec<String> {
        let broken = |change: &&Change| {
            let reread = change.stray || change.spaced;
            reread || !signature.relaxed || relaxed(&change.old) != relaxed(&change.new)
        };
        let name = |change: &Change| if change.stray { "header".to_owned() } else { change.name.clone() };
        let covered = self.changes.iter().filter(|change| signature.covers(change));
        covered.filter(broken).map(name).collect()
    }

    /// Whether octets of the body change that the signature covers.
    fn body_changes(&self, signature: &Signature) -> bool {
        let source = self.source(0);
        let body = self.entity(0).section.body;
        let end = body.saturating_add(signature.covered_octets(&source[body..]));
        let strays = self.line_ends == LineEnds::Crlf && self.splices[0].stray_line_ends;
        let spliced = |splice: &Splice| {
            // What is put in at the end of the header section is no body.
            let of_header = splice.entity == 0 && splice.span == (body..body);
            splice.span.end >= body && !of_header && first_change(splice, source) < end
        };
        strays || self.splices[0].iter().any(spliced)
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

    /// Whether a change is one of what was signed: the fields of `h=` and the signature's own.
    fn covers(&self, change: &Change) -> bool {
        change.start == Some(self.start)
            || match self.seal {
                true => change.name.starts_with("arc-"),
                false => change.stray || self.headers.split(':').any(|name| name == change.name),
            }
    }

    /// How many octets of the body, as it stands, are covered: `l=` counts those of the canonical form, in which
    /// white space is less and every line end two octets (RFC 6376, 3.4.3 and 3.4.4).
    fn covered_octets(&self, body: &[u8]) -> usize {
        let Some(length) = self.length else { return usize::MAX };
        let (mut count, mut space) = (0_usize, 0);
        for (at, octet) in body.iter().enumerate() {
            if count >= length {
                return at;
            }
            match octet {
                b'\r' => {}
                b'\n' => (count, space) = (count + 2, 0),
                b' ' | b'\t' if self.relaxed_body => space = 1,
                _ => (count, space) = (count + space + 1, 0),
            }
        }
        body.len()
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
