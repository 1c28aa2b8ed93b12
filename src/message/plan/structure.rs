//! Structure (rules B8, B9, B11, G6): preambles, delimiters, epilogues, encoded composites.

use std::cmp::Reverse;
use std::ops::Range;

use super::context::Context;
use super::verdict::Verdict;
use crate::facts::delimiters::{DASHES, delimiter_start};
use crate::facts::line_ends::without_line_end;
use crate::facts::tree::{DelimiterLine, Kind, Multipart, Source};
use crate::message::splice::{Replacement, SpliceOrder};
use crate::transfer::{LineEnds, NameSpelling, TransferEncoding, has_bare_line_end};
use crate::{Code, Detail, Rule};

/// Judges a multipart or message, apart from its parts; `before` is what was decided about it.
/// Returns `None` for a leaf.
pub(super) fn judge(ctx: &Context<'_, '_>, before: &Verdict) -> Option<Verdict> {
    let entity = ctx.entity(before.entity);
    let mut verdict = Verdict::new(before.entity, entity);
    match &entity.kind {
        Kind::Leaf(_) => return None,
        Kind::Multipart(multipart) => {
            judge_encoding(ctx, &mut verdict);
            judge_multipart(ctx, multipart, before.edits.boundary.as_deref(), &mut verdict);
        }
        Kind::Message => {
            judge_encoding(ctx, &mut verdict);
            downgrade_type(ctx, &mut verdict);
        }
    }
    Some(verdict)
}

/// Applies rule G6: multiparts and messages are 7bit, and say so if they say anything.
pub(super) fn correct_identity_label(ctx: &Context<'_, '_>, verdict: &mut Verdict) {
    let content = &ctx.entity(verdict.entity).content;
    if let Some(field) = content.encoding_field
        && (content.encoding != TransferEncoding::SevenBit
            || content.spelling != NameSpelling::Exact
            || content.ignores_encoding())
    {
        verdict.edits.encoding = Some(TransferEncoding::SevenBit);
        if content.ignores_encoding() {
            verdict.report(Code::EncodingIgnored, "7bit");
        } else {
            verdict.report_header(
                Code::EncodingLabelRepaired,
                ctx.tree.fields[field].span.clone(),
                "7bit",
            );
        }
    }
}

/// Applies rules B11 and G6: no encoding on a composite.
fn judge_encoding(ctx: &Context<'_, '_>, verdict: &mut Verdict) {
    let Some(source) = ctx.entity(verdict.entity).decoded else {
        return correct_identity_label(ctx, verdict);
    };
    verdict.edits.encoding = Some(TransferEncoding::SevenBit);
    verdict.report(Code::CompositeEncoded, what_appeared(ctx, verdict.entity));
    // Most readers decode an encoded message, and hardly any of them anything else that is
    // composite.
    if ctx.entity(verdict.entity).content.media_type() != "message/rfc822" {
        verdict.report(Code::ContentAppeared, types_of_children(ctx, verdict.entity));
    }
    let (body, content) = (verdict.body.clone(), Replacement::Source(source));
    verdict.replace_in(verdict.source, body, content, Rule::B11, "encoded composite decoded");
}

/// Returns the encoding that was removed, and the types of what it hid.
fn what_appeared(ctx: &Context<'_, '_>, index: usize) -> String {
    format!("{}: {}", ctx.entity(index).content.encoding.name(), types_of_children(ctx, index))
}

/// Returns the media types of the first children.
pub(super) fn types_of_children(ctx: &Context<'_, '_>, index: usize) -> String {
    const MAX_NAMED: usize = 8;
    let children = ctx.tree.children(index);
    let types =
        children.iter().take(MAX_NAMED).map(|&child| ctx.entity(child).content.media_type());
    let more = if children.len() > MAX_NAMED { ", ..." } else { "" };
    format!("{}{more}", types.collect::<Vec<_>>().join(", "))
}

/// Applies rules H8 and B9: an article, and a message that may hold UTF-8 in its header but no
/// longer does, or never did, become plain messages: at least half of all readers know only that
/// type.
fn downgrade_type(ctx: &Context<'_, '_>, verdict: &mut Verdict) {
    let code = match ctx.entity(verdict.entity).content.media_type() {
        "message/global" => Code::GlobalDowngraded,
        "message/news" => Code::ObsoleteType,
        _ => return,
    };
    if ctx.is_free(verdict.entity) {
        verdict.edits.media_type = Some("message/rfc822");
        verdict.report(code, "message/rfc822");
    }
}

/// Judges what a multipart holds besides its parts. `renamed` is its new boundary, if it gets one.
fn judge_multipart(
    ctx: &Context<'_, '_>,
    multipart: &Multipart,
    renamed: Option<&str>,
    verdict: &mut Verdict,
) {
    let given = ctx.entity(verdict.entity).content.parameters.get("boundary").unwrap_or_default();
    if ctx.entity(verdict.entity).content.hides_parts {
        verdict.report(Code::ContentAppeared, types_of_children(ctx, verdict.entity));
    }
    let index = ctx.entity(verdict.entity).inner_source();
    let source = &ctx.tree.sources[index];
    let mut around = Around { index, source, multipart, renamed, verdict };
    around.judge_boundary(given);
    let first = multipart.delimiters.first().map_or(multipart.end, |line| line.span.start);
    if !around.source.has_safe_lines(multipart.preamble.clone()) {
        around.drop_text(multipart.preamble.start..first, Code::PreambleDropped);
    }
    report_bare_line_ends(around.source, multipart.preamble.clone(), around.verdict);
    multipart.delimiters.iter().for_each(|line| around.judge_delimiter(line));
    match &multipart.epilogue {
        Some(epilogue) if !around.source.has_safe_lines(epilogue.clone()) => {
            around.drop_text(epilogue.clone(), Code::EpilogueDropped);
        }
        Some(_) => {}
        None => around.close(),
    }
}

/// Reports bare line ends, which are mended while copying.
pub(super) fn report_bare_line_ends(
    source: &Source<'_>,
    range: Range<usize>,
    verdict: &mut Verdict,
) {
    // A source that was decoded, or stored with LF, has other line ends anyway.
    if source.line_ends == LineEnds::Crlf
        && source.has_bare_line_ends()
        && has_bare_line_end(&source.octets[range.clone()])
    {
        verdict.report_body(Code::BareLineEnd, range, "");
    }
}

/// The surroundings of the parts of a multipart.
struct Around<'p, 'a> {
    /// Index of the source that they are in, and that source.
    index: usize,
    source: &'p Source<'a>,
    multipart: &'p Multipart,
    /// The new boundary.
    renamed: Option<&'p str>,
    verdict: &'p mut Verdict,
}

impl Around<'_, '_> {
    /// Applies rule B8: the boundary that lines show is given, and what is only closed has an empty
    /// part.
    fn judge_boundary(&mut self, given: &str) {
        let boundary = &self.multipart.boundary;
        if given.trim_end().as_bytes() != boundary {
            let shown = format!("found in the body: {}", String::from_utf8_lossy(boundary));
            self.verdict.report(Code::BoundaryMissing, shown);
        }
        if let Some(DelimiterLine { span, close: true }) = self.multipart.delimiters.first() {
            self.verdict.report(Code::BoundaryMissing, "only closed: an empty part");
            // Without a field, two readers take the multipart for a leaf.
            let part = b"\r\nContent-Type: text/plain\r\n";
            let line = [&*self.delimiter(), part].concat();
            self.put(span.start..span.start, &line, "delimiter of an empty part added");
        }
    }

    /// Returns the delimiter as it is written.
    fn delimiter(&self) -> Vec<u8> {
        delimiter_start(self.renamed.map_or(&*self.multipart.boundary, str::as_bytes))
    }

    /// Judges a delimiter line: it gets the boundary's new name, and loses white space after it,
    /// which some readers take for part of it.
    fn judge_delimiter(&mut self, line: &DelimiterLine) {
        let boundary = line.boundary(&self.multipart.boundary);
        let octets = &self.source.octets;
        let dashes = octets[boundary.end..].starts_with(DASHES);
        let mark = boundary.end + if line.close && dashes { DASHES.len() } else { 0 };
        if line.close && !dashes {
            self.verdict.report(Code::CloseDelimiterAdded, "");
            self.put(mark..mark, DASHES, "close delimiter made one");
        }
        if let Some(renamed) = self.renamed {
            self.put(boundary, renamed.as_bytes(), "boundary renamed");
        }
        let padding = mark..mark + without_line_end(&octets[mark..line.span.end]).len();
        if !line.close && padding.end == line.span.end {
            // The input ends with this line: the header of its part must not continue it.
            self.put(padding.end..padding.end, b"\r\n", "delimiter line ended");
        }
        if !padding.is_empty() {
            self.report_in(Code::DelimiterPadded, padding.clone(), "");
            self.put(padding, b"", "delimiter made plain");
        }
    }

    /// Adds the close delimiter that was missing.
    fn close(&mut self) {
        let end = self.multipart.end;
        let mut line = [b"\r\n", &*self.delimiter(), DASHES].concat();
        // The line end of an outer delimiter ends this line; there is none at the end of the input,
        // nor if that delimiter directly follows a header.
        if !matches!(self.source.octets.get(end), Some(b'\r' | b'\n')) {
            line.extend_from_slice(b"\r\n");
        }
        self.verdict.report(Code::CloseDelimiterAdded, "");
        self.put(end..end, &line, "close delimiter added");
        if let Some(splice) = self.verdict.splices.last_mut() {
            splice.place = SpliceOrder::End(Reverse(self.verdict.entity));
        }
    }

    fn drop_text(&mut self, range: Range<usize>, code: Code) {
        const MAX_SHOWN: usize = 80;
        let text = &self.source.octets[range.clone()];
        let shown = String::from_utf8_lossy(&text[..text.len().min(MAX_SHOWN)]).trim().to_owned();
        self.report_in(code, range.clone(), shown);
        let with = Replacement::Octets(b"".into());
        self.verdict.replace_in(
            self.index,
            range,
            with,
            Rule::B8,
            "unsafe text around parts dropped",
        );
    }

    /// Reports something in a range; of a body that was encoded, in all of it.
    fn report_in(&mut self, code: Code, range: Range<usize>, detail: impl Into<Detail>) {
        let range =
            if self.index == self.verdict.source { range } else { self.verdict.body.clone() };
        self.verdict.report_body(code, range, detail);
    }

    fn put(&mut self, span: Range<usize>, with: &[u8], reason: &'static str) {
        let with = Replacement::Octets(with.to_vec().into());
        self.verdict.replace_in(self.index, span, with, Rule::G6, reason);
    }
}
