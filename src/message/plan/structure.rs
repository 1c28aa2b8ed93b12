//! Structure (rules B8, B9, B11, G6): preambles, delimiters, epilogues, encoded composites.

use std::cmp::Reverse;
use std::ops::Range;

use super::context::Context;
use super::edits::ContentEdits;
use super::findings::Findings;
use super::verdict::Verdict;
use crate::message::delimiters::{DASHES, delimiter_start};
use crate::message::line_ends::without_line_end;
use crate::message::splice::{Place, Replacement, Splice};
use crate::message::tree::{DelimiterLine, Inner, Kind, Multipart, Source};
use crate::transfer::{LineEnds, TransferEncoding, has_bare_line_end};
use crate::{Code, Rule};

/// Returns what becomes of a multipart or message, apart from its parts. `edits` holds what its Content-
/// fields have to say so far, and is returned with what the structure adds.
pub(super) fn judge(ctx: &Context<'_, '_>, index: usize, mut edits: ContentEdits) -> (ContentEdits, Verdict) {
    let mut verdict = Verdict::new(index, ctx.entity(index));
    match &ctx.entity(index).kind {
        Kind::Leaf(_) => {}
        Kind::Multipart(multipart) => {
            judge_encoding(ctx, index, &multipart.inner, &mut edits, &mut verdict);
            judge_multipart(ctx, multipart, edits.boundary.as_deref(), &mut verdict);
        }
        Kind::Message(inner) => {
            judge_encoding(ctx, index, inner, &mut edits, &mut verdict);
            downgrade_type(ctx, index, &mut edits, &mut verdict);
        }
    }
    (edits, verdict)
}

/// Applies rule G6: multiparts and messages are 7bit, and say so if they say anything.
pub(super) fn correct_identity_label(
    ctx: &Context<'_, '_>,
    index: usize,
    edits: &mut ContentEdits,
    findings: &mut Findings,
) {
    let content = &ctx.entity(index).content;
    if let Some(field) = content.encoding_field
        && (content.encoding != TransferEncoding::SevenBit || content.ignores_encoding())
    {
        edits.encoding = Some(TransferEncoding::SevenBit);
        if content.ignores_encoding() {
            findings.body(Code::EncodingIgnored, ctx.entity(index).body.clone(), "7bit");
        } else {
            findings.header(Code::EncodingLabelRepaired, ctx.tree.fields[field].span.clone(), "7bit");
        }
    }
}

/// Applies rules B11 and G6: no encoding on a composite.
fn judge_encoding(
    ctx: &Context<'_, '_>,
    index: usize,
    inner: &Inner,
    edits: &mut ContentEdits,
    verdict: &mut Verdict,
) {
    let Some(source) = inner.decoded else {
        return correct_identity_label(ctx, index, edits, &mut verdict.findings);
    };
    let entity = ctx.entity(index);
    let body = entity.body.clone();
    edits.encoding = Some(TransferEncoding::SevenBit);
    verdict.findings.body(Code::CompositeEncoded, body.clone(), what_appeared(ctx, index));
    let splice = Splice {
        span: body,
        with: Replacement::Source(source),
        rule: Rule::B11,
        reason: "encoded composite decoded",
        entity: index,
        place: Place::Decoded,
    };
    verdict.splices.push((entity.source, splice));
}

/// Returns the encoding that was removed, and the types of what it hid.
fn what_appeared(ctx: &Context<'_, '_>, index: usize) -> String {
    const MAX_NAMED: usize = 8;
    let children = ctx.tree.children(index);
    let types = children.iter().take(MAX_NAMED).map(|&child| ctx.entity(child).content.media_type());
    let more = if children.len() > MAX_NAMED { ", ..." } else { "" };
    let name = ctx.entity(index).content.encoding.name();
    format!("{name}: {}{more}", types.collect::<Vec<_>>().join(", "))
}

/// Applies rules H8 and B9: an article, and a message that may hold UTF-8 in its header but no longer does,
/// or never did, become plain messages: at least half of all readers know only that type.
fn downgrade_type(ctx: &Context<'_, '_>, index: usize, edits: &mut ContentEdits, verdict: &mut Verdict) {
    let entity = ctx.entity(index);
    let code = match entity.content.media_type() {
        "message/global" => Code::GlobalDowngraded,
        "message/news" => Code::ObsoleteType,
        _ => return,
    };
    if ctx.is_free(index) {
        edits.media_type = Some("message/rfc822");
        verdict.findings.body(code, entity.body.clone(), "message/rfc822");
    }
}

/// Judges what a multipart holds besides its parts.
fn judge_multipart(
    ctx: &Context<'_, '_>,
    multipart: &Multipart,
    renamed: Option<&str>,
    verdict: &mut Verdict,
) {
    let index = multipart.inner.decoded.unwrap_or(ctx.entity(verdict.entity).source);
    let around = Around { ctx, index, source: &ctx.tree.sources[index], multipart, renamed };
    around.judge_boundary(verdict);
    let first = multipart.delimiters.first().map_or(multipart.end, |line| line.span.start);
    if !around.source.has_safe_lines(multipart.preamble.clone()) {
        around.drop_text(multipart.preamble.start..first, Code::PreambleDropped, verdict);
    }
    report_bare_line_ends(around.source, multipart.preamble.clone(), &mut verdict.findings);
    multipart.delimiters.iter().for_each(|line| around.judge_delimiter(line, verdict));
    match &multipart.epilogue {
        Some(epilogue) if !around.source.has_safe_lines(epilogue.clone()) => {
            around.drop_text(epilogue.clone(), Code::EpilogueDropped, verdict);
        }
        Some(_) => {}
        None => around.close(verdict),
    }
}

/// Reports bare line ends, which are mended while copying.
pub(super) fn report_bare_line_ends(source: &Source<'_>, range: Range<usize>, findings: &mut Findings) {
    // What was decoded, or stored with LF, has other line ends anyway.
    let may_be = source.line_ends == LineEnds::Crlf && source.has_bare_line_ends();
    if may_be && has_bare_line_end(&source.octets[range.clone()]) {
        findings.body(Code::BareLineEnd, range, "");
    }
}

/// The surroundings of the parts of a multipart.
struct Around<'p, 'a> {
    ctx: &'p Context<'p, 'a>,
    /// Index of the source that they are in, and that source.
    index: usize,
    source: &'p Source<'a>,
    multipart: &'p Multipart,
    /// The new boundary, if there is one.
    renamed: Option<&'p str>,
}

impl Around<'_, '_> {
    /// Applies rule B8: the boundary that lines show is given, and what is only closed has an empty part.
    fn judge_boundary(&self, verdict: &mut Verdict) {
        let (entity, boundary) = (self.ctx.entity(verdict.entity), &self.multipart.boundary);
        let given = entity.content.parameters.get("boundary").unwrap_or_default();
        if given.trim_end().as_bytes() != boundary {
            let shown = format!("found in the body: {}", String::from_utf8_lossy(boundary));
            verdict.findings.body(Code::BoundaryMissing, entity.body.clone(), shown);
        }
        if let Some(DelimiterLine { span, close: true }) = self.multipart.delimiters.first() {
            verdict.findings.body(Code::BoundaryMissing, entity.body.clone(), "only closed: an empty part");
            // Without a field, two readers take the multipart for a leaf.
            let part = b"\r\nContent-Type: text/plain\r\n";
            let line = [&*delimiter_start(self.boundary()), part].concat();
            self.put(span.start..span.start, &line, "delimiter of an empty part added", verdict);
        }
    }

    /// Returns the boundary as it is written.
    fn boundary(&self) -> &[u8] {
        self.renamed.map_or(self.multipart.boundary.as_slice(), str::as_bytes)
    }

    /// Judges a delimiter line: it gets the boundary's new name, and loses white space after it, which some
    /// readers take for part of it.
    fn judge_delimiter(&self, line: &DelimiterLine, verdict: &mut Verdict) {
        let boundary = line.boundary(&self.multipart.boundary);
        let octets = &self.source.octets;
        let dashes = octets[boundary.end..].starts_with(DASHES);
        let mark = boundary.end + if line.close && dashes { DASHES.len() } else { 0 };
        if line.close && !dashes {
            self.report_body(Code::CloseDelimiterAdded, verdict);
            self.put(mark..mark, DASHES, "close delimiter made one", verdict);
        }
        if let Some(renamed) = self.renamed {
            self.put(boundary, renamed.as_bytes(), "boundary renamed", verdict);
        }
        let padding = mark..mark + without_line_end(&octets[mark..line.span.end]).len();
        if !line.close && padding.end == line.span.end {
            // The input ends with this line: the header of its part must not continue it.
            self.put(padding.end..padding.end, b"\r\n", "delimiter line ended", verdict);
        }
        if !padding.is_empty() {
            verdict.findings.body_in(self.index, Code::DelimiterPadded, padding.clone(), "");
            self.put(padding, b"", "delimiter made plain", verdict);
        }
    }

    /// Adds the close delimiter that was missing.
    fn close(&self, verdict: &mut Verdict) {
        let end = self.multipart.end;
        let mut line = [b"\r\n", &*delimiter_start(self.boundary()), DASHES].concat();
        // The line end of an outer delimiter ends this line; there is none at the end of the input, nor if
        // that delimiter directly follows a header.
        if !matches!(self.source.octets.get(end), Some(b'\r' | b'\n')) {
            line.extend_from_slice(b"\r\n");
        }
        self.report_body(Code::CloseDelimiterAdded, verdict);
        let splice = Splice {
            span: end..end,
            with: Replacement::Octets(line.into()),
            rule: Rule::G6,
            reason: "close delimiter added",
            entity: verdict.entity,
            place: Place::End(Reverse(verdict.entity)),
        };
        verdict.splices.push((self.index, splice));
    }

    fn drop_text(&self, range: Range<usize>, code: Code, verdict: &mut Verdict) {
        const MAX_SHOWN: usize = 80;
        let text = &self.source.octets[range.clone()];
        let shown = String::from_utf8_lossy(&text[..text.len().min(MAX_SHOWN)]).trim().to_owned();
        verdict.findings.body_in(self.index, code, range.clone(), shown);
        let with = Replacement::Octets(b"".into());
        verdict.replace_in(self.index, range, with, Rule::B8, "unsafe text around parts dropped");
    }

    fn report_body(&self, code: Code, verdict: &mut Verdict) {
        verdict.findings.body(code, self.ctx.entity(verdict.entity).body.clone(), "");
    }

    fn put(&self, span: Range<usize>, with: &[u8], reason: &'static str, verdict: &mut Verdict) {
        let with = Replacement::Octets(with.to_vec().into());
        verdict.replace_in(self.index, span, with, Rule::G6, reason);
    }
}
