//! Which DKIM signatures and ARC seals cover something that changes (rule G12; RFC 6376, RFC 8617).
//!
//! The report holds for any verifier. Where verifiers differ, a signature counts as broken:
//! 1. A line that is not a field, a lost fold, white space before a colon, a header without its empty line:
//!    verifiers differ about which field that is.
//! 2. A stray CR or LF in the body, wherever `l=` ends, unless it covers nothing.

use std::collections::{HashMap, HashSet};

use super::context::Context;
use super::header_end::is_read_otherwise;
use super::verdict::Verdict;
use crate::ascii::{is_fws, trim_fws};
use crate::message::delimiters::OpenBoundaries;
use crate::message::field::{Field, Row, RowId, Shape, Signature, find_fields};
use crate::message::line_ends::to_crlf;
use crate::message::splice::{Replacement, Splice, Splices};
use crate::message::tree::Tree;
use crate::transfer::LineEnds;
use crate::{Code, Limits, decode};

/// The claims of a signature or seal about what it covers.
struct Signed {
    domain: String,
    /// The names of the fields in `h=`, in lower case, with colons between them.
    headers: String,
    relaxed: bool,
    relaxed_body: bool,
    /// How many octets of the body, if not all of them.
    length: Option<usize>,
    what: Signature,
}

/// Reports each signature of the message that no longer verifies once `splices` are applied.
pub(super) fn judge(ctx: &Context<'_, '_>, splices: &Splices) -> Option<Verdict> {
    let root = ctx.entity(0);
    let source = ctx.octets(0);
    let fields = ctx.tree.fields_of(root);
    if splices.is_clean() || fields.iter().all(|field| field.row.signature.is_none()) {
        return None;
    }
    let mut verdict = Verdict::new(0, root);
    let (changes, body) = (Changes::of(ctx, splices), body_change(ctx, splices));
    for field in fields {
        let Some(what) = field.row.signature else { continue };
        let signed = Signed::read(field.value_of(source), what);
        let mut covered = changes.covered_by(&signed, field);
        let kept = |body: &BodyChange| if signed.relaxed_body { body.relaxed } else { body.simple };
        let is_covered = |body: &BodyChange| signed.length.is_none_or(|length| kept(body) < length);
        if !signed.is_seal() && body.as_ref().is_some_and(is_covered) {
            covered.push("body");
        }
        if !covered.is_empty() {
            let detail = format!("{}: {}", signed.domain, covered.join(", "));
            verdict.report_header(Code::DkimBroken, field.span.clone(), detail);
        }
    }
    Some(verdict)
}

/// Returns the first octet of the body that changes.
fn body_change(ctx: &Context<'_, '_>, splices: &Splices) -> Option<BodyChange> {
    let source = ctx.octets(0);
    let body = ctx.entity(0).section.body;
    if ctx.source(0).line_ends == LineEnds::Crlf && splices.bare_line_ends {
        return Some(BodyChange { simple: 0, relaxed: 0 });
    }
    // Octets inserted at the end of the header section are not body.
    let is_of_header = |splice: &Splice| splice.entity == 0 && splice.span == (body..body);
    let of_body = splices.list.iter().filter(|splice| splice.span.end >= body && !is_of_header(splice));
    let first = of_body.map(|splice| first_change(splice, source)).min()?;
    // No signature covers octets after the last.
    let len = |relaxed| match source.get(body..first).unwrap_or_default() {
        _ if first == source.len() => usize::MAX,
        kept => canonical_len(kept, relaxed),
    };
    Some(BodyChange { simple: len(false), relaxed: len(true) })
}

/// After how many octets the body changes, in either canonical form.
struct BodyChange {
    simple: usize,
    relaxed: usize,
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

/// The changes in the message's own header, indexed so that each signature looks up the names that it covers.
struct Changes {
    names: HashMap<String, OfName>,
    /// The old and the new text of each field that is replaced, by where it is.
    replaced: HashMap<usize, [Vec<u8>; 2]>,
    /// The lines that were not part of a field, so that their neighbours may have been read with them.
    strays: Vec<RowId>,
}

/// Which fields of a name change: the position of the first one from the last one upwards, from 1, which is how a
/// signature counts them (RFC 6376, 5.4.2); in either canonical form.
struct OfName {
    simple: Option<usize>,
    relaxed: Option<usize>,
    /// Whether there was white space before the colon of any: verifiers differ about which fields these are.
    spaced: bool,
}

impl Changes {
    fn of(ctx: &Context<'_, '_>, splices: &Splices) -> Self {
        let root = ctx.entity(0);
        let (source, fields) = (ctx.octets(0), ctx.tree.fields_of(root));
        let (mut made, mut replaced, mut at) = (Vec::new(), HashMap::new(), 0);
        for splice in splices.list.iter().take_while(|splice| splice.span.end <= root.section.fields_end) {
            let Replacement::Octets(new) = &splice.with else { continue };
            made.extend_from_slice(&source[at..splice.span.start]);
            made.extend_from_slice(new);
            at = splice.span.end;
            replaced.insert(splice.span.start, [&source[splice.span.clone()], &**new].map(<[u8]>::to_vec));
        }
        made.extend_from_slice(&source[at..root.section.fields_end]);
        let mut written = Vec::new();
        let limits = Limits { header_octets: usize::MAX, ..ctx.options.limits };
        find_fields(&made, 0, true, &limits, &OpenBoundaries::default(), &mut written);
        let strays = fields.iter().filter(|field| !field.precedes_fields() && field.shape != Shape::Field);
        let strays = strays.map(|field| field.row).chain(is_read_otherwise(ctx, 0).then(|| RowId::of(b"")));
        let spaced = fields.iter().filter(|field| field.is_spaced()).map(|field| field.lower_name(source));
        let names = names(&by_name(fields, source), &by_name(&written, &made), &spaced.collect());
        Self { names, replaced, strays: strays.collect() }
    }

    /// Returns the names of the fields that change and are covered by the signature that `field` holds.
    fn covered_by<'c>(&'c self, signed: &'c Signed, field: &Field) -> Vec<&'c str> {
        let mut covered = Vec::new();
        if self.strays.iter().any(|row| !signed.is_seal() || row.is_sealed()) {
            covered.push("header");
        }
        if let Some([old, new]) = self.replaced.get(&field.span.start)
            && (!signed.relaxed || field.is_spaced() || relaxed(old) != relaxed(new))
        {
            covered.push(field.row.name);
        }
        let mut add = |name: &'c str, is_reached: &dyn Fn(usize) -> bool| {
            let Some(of_name) = self.names.get(name).filter(|_| name != field.row.name) else { return };
            let first = if signed.relaxed { of_name.relaxed } else { of_name.simple };
            if first.is_some_and(is_reached) {
                covered.push(if of_name.spaced { "header" } else { name });
            }
        };
        if signed.is_seal() {
            Row::all_sealed().for_each(|row| add(row.name, &|_| true));
        } else {
            let mut counts: HashMap<&str, usize> = HashMap::new();
            for name in signed.headers.split(':') {
                let count = counts.entry(name).or_default();
                *count += 1;
                add(name, &|first| first == *count);
            }
        }
        covered.sort_by_key(|name| *name != "header");
        covered.dedup();
        covered
    }
}

/// Returns the fields of each name, from the last one upwards. One with white space before its colon is not a field to
/// every verifier, so it does not count.
fn by_name<'s>(fields: &[Field], source: &'s [u8]) -> HashMap<String, Vec<&'s [u8]>> {
    let mut names: HashMap<String, Vec<&[u8]>> = HashMap::new();
    for field in fields.iter().rev().filter(|field| field.is_field() && !field.is_spaced()) {
        names.entry(field.lower_name(source)).or_default().push(&source[field.span.clone()]);
    }
    names
}

/// Returns which fields of each name change.
fn names(
    before: &HashMap<String, Vec<&[u8]>>,
    after: &HashMap<String, Vec<&[u8]>>,
    spaced: &HashSet<String>,
) -> HashMap<String, OfName> {
    let of = |name: &String| {
        let [old, new] = [before, after].map(|fields| fields.get(name).map_or(&[][..], Vec::as_slice));
        let first = |canonical: fn(&[u8]) -> Vec<u8>| {
            let differs = |at: &usize| {
                let (old, new) = (old.get(*at), new.get(*at));
                old != new && old.map(|field| canonical(field)) != new.map(|field| canonical(field))
            };
            (0..old.len().max(new.len())).find(differs).map(|at| at + 1)
        };
        OfName { simple: first(to_crlf), relaxed: first(relaxed), spaced: spaced.contains(name) }
    };
    before.keys().chain(after.keys()).map(|name| (name.clone(), of(name))).collect()
}

/// Returns whether any signature limits how many octets of the body it covers.
pub(crate) fn counts_octets(tree: &Tree<'_>) -> bool {
    let root = &tree.entities[0];
    let source = tree.source_of(root);
    tree.fields_of(root).iter().any(|field| {
        let read = |what| Signed::read(field.value_of(source), what);
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
    fn read(value: &[u8], what: Signature) -> Self {
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
