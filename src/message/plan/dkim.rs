//! Which DKIM signatures and ARC seals cover something that changes (rule G12; RFC 6376, RFC 8617).
//!
//! The report holds for any verifier. Where verifiers differ, a signature counts as broken:
//! 1. A line that is not a field, a lost fold, white space before a colon, a header without its
//!    empty line: verifiers differ about which field that is.
//! 2. A stray CR or LF in the body, wherever `l=` ends, unless it covers nothing.

use std::cell::LazyCell;
use std::collections::{HashMap, HashSet};
use std::io::Write;

use super::context::Context;
use super::header_end::is_read_otherwise;
use super::verdict::Verdict;
use crate::ascii::{is_fws, trim_fws};
use crate::facts::delimiters::OpenBoundaries;
use crate::facts::line_ends::to_crlf;
use crate::facts::tree::Tree;
use crate::message::field::{Field, Row, RowId, Shape, Signature, find_fields};
use crate::message::splice::{Replacement, Splice, Spliced, Splices};
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
pub(super) fn judge(ctx: &Context<'_, '_>, splices: &[Splices]) -> Option<Verdict> {
    let root = ctx.entity(0);
    let source = ctx.octets(0);
    let fields = ctx.tree.fields_of(root);
    if splices[0].is_clean() || fields.iter().all(|field| field.row.signature.is_none()) {
        return None;
    }
    let mut verdict = Verdict::new(0, root);
    let (changes, body) = (Changes::of(ctx, splices), body_change(ctx, &splices[0]));
    for field in fields {
        let Some(what) = field.row.signature else { continue };
        let signed = Signed::read(field.value_of(source), what);
        let mut covered = changes.covered_by(&signed, field);
        if let Some(kept) = &body
            && !signed.is_seal()
            && signed.length.is_none_or(|length| kept[usize::from(signed.relaxed_body)] < length)
        {
            covered.push("body");
        }
        if !covered.is_empty() {
            let detail = format!("{}: {}", signed.domain, covered.join(", "));
            verdict.report_header(Code::DkimBroken, field.span.clone(), detail);
        }
    }
    Some(verdict)
}

/// Returns after how many octets the body changes, in the simple canonical form and in the relaxed
/// one; counted only if a signature asks.
fn body_change<'s>(
    ctx: &Context<'s, '_>,
    splices: &Splices,
) -> Option<LazyCell<[usize; 2], impl FnOnce() -> [usize; 2] + use<'s>>> {
    let (source, body) = (ctx.octets(0), ctx.entity(0).section.body);
    // Octets inserted at the end of the header section are not body.
    let is_of_header = |splice: &Splice| splice.entity == 0 && splice.span == (body..body);
    let of_body =
        splices.list.iter().filter(|splice| splice.span.end >= body && !is_of_header(splice));
    let first = if ctx.source(0).line_ends == LineEnds::Crlf && splices.bare_line_ends {
        0
    } else {
        of_body.map(|splice| first_change(splice, source)).min()?
    };
    // No signature covers octets after the last.
    let len = move |relaxed| match source.get(body..first).unwrap_or_default() {
        _ if first == source.len() => usize::MAX,
        kept => canonical_len(kept, relaxed),
    };
    Some(LazyCell::new(move || [false, true].map(len)))
}

/// Returns the length of the canonical form of `body` in octets: in it there is less white space,
/// and every line end is two octets (RFC 6376, 3.4.3 and 3.4.4).
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

/// The changes in the message's own header, indexed so that each signature looks up the names that
/// it covers.
struct Changes<'s> {
    source: &'s [u8],
    /// Those of the header.
    splices: &'s [Splice],
    /// The names of which any field changes, in lower case.
    names: HashMap<String, OfName>,
    /// The lines that were not part of a field, so that their neighbours may have been read with
    /// them.
    strays: Vec<RowId>,
}

/// Which fields of a name change: the position of the first one from the last one upwards, from 1,
/// which is how a signature counts them (RFC 6376, 5.4.2); in the simple canonical form and in the
/// relaxed one.
struct OfName {
    first: [Option<usize>; 2],
    /// Whether there was white space before the colon of any: verifiers differ about which fields
    /// these are.
    spaced: bool,
}

impl<'s> Changes<'s> {
    fn of(ctx: &Context<'s, '_>, splices: &'s [Splices]) -> Self {
        let (source, root) = (ctx.octets(0), ctx.entity(0));
        let (fields, end) = (ctx.tree.fields_of(root), root.section.fields_end);
        let of_header = splices[0].list.iter().take_while(|splice| splice.span.end <= end).count();
        let within = &splices[0].list[..of_header];
        let strays =
            fields.iter().filter(|field| !field.precedes_fields() && field.shape != Shape::Field);
        let strays =
            strays.map(|field| field.row).chain(is_read_otherwise(ctx, 0).then(|| RowId::of(b"")));
        let mut names = HashMap::new();
        // The same octets are the same fields, up to the limit.
        if !within.is_empty() || fields.iter().any(|field| field.shape != Shape::Field) {
            let (mut made, spliced) = (Vec::new(), Spliced { sources: &ctx.tree.sources, splices });
            let copied = |range, out: &mut Vec<u8>| out.write_all(&source[range]);
            let written = spliced.write_range(0, 0..end, within, &mut made, copied);
            written.expect("writing to memory does not fail");
            names = self::names(fields, &source[..end], &made, &ctx.options.limits);
        }
        Self { source, splices: within, names, strays: strays.collect() }
    }

    /// Returns the names of the fields that change and are covered by the signature that `field`
    /// holds.
    fn covered_by<'c>(&'c self, signed: &'c Signed, field: &Field) -> Vec<&'c str> {
        let mut covered = Vec::new();
        if self.strays.iter().any(|row| !signed.is_seal() || row.is_sealed()) {
            covered.push("header");
        }
        let after = self.splices.partition_point(|splice| splice.span.start <= field.span.start);
        if let Some(Splice { span, with: Replacement::Octets(new), .. }) =
            self.splices[..after].last()
            && span.start == field.span.start
            && (!signed.relaxed
                || field.is_spaced()
                || relaxed(&self.source[span.clone()]) != relaxed(new))
        {
            covered.push(field.row.name);
        }
        let mut add = |name: &'c str, is_reached: &dyn Fn(usize) -> bool| {
            if name == field.row.name {
                return;
            }
            let Some(of_name) = self.names.get(name) else { return };
            if of_name.first[usize::from(signed.relaxed)].is_some_and(is_reached) {
                covered.push(if of_name.spaced { "header" } else { name });
            }
        };
        if signed.is_seal() {
            Row::all_sealed().for_each(|row| add(row.name, &|_| true));
        } else {
            let mut counts: HashMap<&str, usize> = HashMap::new();
            for name in signed.headers.split(':').filter(|name| self.names.contains_key(*name)) {
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

/// A field of the old header or of the new one: its name in lower case, its octets, and whether it
/// is in the new one.
type Named<'s> = (&'s [u8], &'s [u8], bool);

/// Returns the names of which any field changes when the header becomes `made`, and which of their
/// fields do.
fn names(fields: &[Field], source: &[u8], made: &[u8], limits: &Limits) -> HashMap<String, OfName> {
    let (limits, mut written) = (limits.with_header_octets(usize::MAX), Vec::new());
    find_fields(made, 0, true, &limits, &OpenBoundaries::default(), &mut written);
    let spaced = fields.iter().filter(|field| field.is_spaced());
    let spaced: HashSet<_> = spaced.map(|field| field.lower_name(source)).collect();
    let [old, new] = [source, made].map(<[u8]>::to_ascii_lowercase);
    let old = fields.iter().rev().map(|field| (field, source, &old, false));
    let new = written.iter().rev().map(|field| (field, made, &new, true));
    // One with white space before its colon is not a field to every verifier, so it does not count.
    let counted = old.chain(new).filter(|(field, ..)| field.is_field() && !field.is_spaced());
    let named = counted.map(|(field, octets, lower, is_new)| {
        (field.name(lower), &octets[field.span.clone()], is_new)
    });
    let mut all: Vec<Named<'_>> = named.collect();
    all.sort_by_key(|&(name, ..)| name);
    let of = |fields: &[Named<'_>]| {
        let (old, new) = fields.split_at(fields.partition_point(|(.., is_new)| !is_new));
        let first = |canonical: fn(&[u8]) -> Vec<u8>| {
            let differs = |at: &usize| {
                let [old, new] =
                    [old, new].map(|fields| fields.get(*at).map(|(_, octets, _)| *octets));
                old != new && old.map(canonical) != new.map(canonical)
            };
            (0..fields.len()).find(differs).map(|at| at + 1)
        };
        let first = [to_crlf, relaxed].map(first);
        first[0].or(first[1])?;
        let name = String::from_utf8_lossy(fields[0].0).into_owned();
        let spaced = spaced.contains(&name);
        Some((name, OfName { first, spaced }))
    };
    all.chunk_by(|(one, ..), (other, ..)| one == other).filter_map(of).collect()
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
        Replacement::Octets(new) => {
            old.iter().zip(new.iter()).take_while(|(old, new)| old == new).count()
        }
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
                (tag.trim() == name).then(|| value.replace(char::is_whitespace, ""))
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

#[cfg(test)]
mod tests;
