//! Which DKIM signatures and ARC seals covered something that changes (rule G12; RFC 6376, RFC 8617).

use super::Planner;
use crate::ascii::{is_fws, trim_fws};
use crate::transfer::LineEnds;
use crate::{Code, decode};

/// A field of the message's own header that is changed, dropped (`new` is empty) or added (`old` is).
pub(super) struct Change {
    pub(super) name: String,
    pub(super) old: Vec<u8>,
    pub(super) new: Vec<u8>,
}

/// What a signature says it covers.
struct Signature {
    domain: String,
    headers: Vec<String>,
    relaxed: bool,
    /// How many octets of the body, if not all.
    length: Option<usize>,
    seal: bool,
}

impl Planner<'_, '_> {
    /// Reports each signature that no longer verifies.
    pub(super) fn report_broken_seals(&mut self) {
        if self.changes.is_empty() && self.splices[0].is_clean() {
            return;
        }
        let root = self.entity(0);
        let source = self.source(0);
        for field in self.tree.fields_of(root) {
            let seal = field.is(source, "arc-seal");
            if !seal && !field.is(source, "dkim-signature") && !field.is(source, "arc-message-signature") {
                continue;
            }
            let signature = Signature::read(field.value_of(source), seal);
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
        let covers = |change: &&Change| match signature.seal {
            true => change.name.starts_with("arc-"),
            false => signature.headers.contains(&change.name),
        };
        let broken = |change: &&Change| !signature.relaxed || relaxed(&change.old) != relaxed(&change.new);
        self.changes.iter().filter(covers).filter(broken).map(|change| change.name.clone()).collect()
    }

    /// Whether octets of the body change that the signature covers.
    fn body_changes(&self, signature: &Signature) -> bool {
        let body = self.entity(0).section.body;
        let end = signature.length.map_or(usize::MAX, |length| body.saturating_add(length));
        let strays = self.line_ends == LineEnds::Crlf && self.splices[0].stray_line_ends;
        let spliced = |splice: &crate::message::splice::Splice| {
            splice.span.end >= body && splice.span.start < end && {
                // What is put in at the end of the header section is no body.
                splice.span.start > body || !splice.span.is_empty() || body == 0
            }
        };
        strays || self.splices[0].iter().any(spliced)
    }
}

impl Signature {
    /// ```text
    /// tag-list = tag-spec *( ";" tag-spec ) [ ";" ]      ; RFC 6376, 3.2
    /// ```
    fn read(value: &[u8], seal: bool) -> Self {
        let text: String = decode::text(value, &decode::RawText::Guess(None)).into_text().into_owned();
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
            headers: tag("h").unwrap_or_default().split(':').map(str::to_ascii_lowercase).collect(),
            relaxed: seal || canonical.starts_with("relaxed"),
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
