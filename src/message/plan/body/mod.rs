//! Bodies: what becomes of each leaf, and what its Content- fields must say afterwards (rules B1 to
//! B9).

mod archive;
mod facts;
mod fields;
mod file;
mod label;
mod message;
mod rewrite;
mod text;

pub(in crate::message) use self::facts::Basis;
use self::facts::Body;
pub(super) use self::rewrite::{OLD_ENCODING, OLD_TYPE};
use super::context::Context;
use super::verdict::Verdict;
use crate::ascii::{are_printable_or_fws, trim_fws};
use crate::facts::content::{Class, Content};
use crate::facts::tree::{Entity, Kind, Leaf};
use crate::report::Tally;
use crate::transfer::{NameSpelling, TransferEncoding};
use crate::{Code, Few};

/// Returns what becomes of each entity's body. An entity that is not a leaf is judged by its
/// structure; a frozen one stays.
pub(super) fn judge_all(ctx: &Context<'_, '_>) -> Few<Verdict> {
    let verdict = |(index, entity): (usize, &Entity)| {
        if entity.is_leaf() && !ctx.is_frozen(index) {
            judge(ctx, index)
        } else {
            Verdict::new(index, entity)
        }
    };
    ctx.tree.entities.iter().enumerate().map(verdict).collect()
}

/// Returns what becomes of one leaf.
pub(super) fn judge(ctx: &Context<'_, '_>, index: usize) -> Verdict {
    let body = Body::new(ctx, index);
    let content = body.content;
    let mut verdict = Verdict::new(index, body.entity);
    match body.entity.kind {
        Kind::Leaf(Leaf::PastLimit | Leaf::TooLong) => {
            rewrite::opaque(&body, Code::PartOpaque, &mut verdict);
        }
        Kind::Leaf(Leaf::Encoded) => rewrite::opaque(&body, Code::EncodedPartOpaque, &mut verdict),
        Kind::Leaf(Leaf::NoBoundary) => judge_without_boundary(&body, &mut verdict),
        _ if content.class == Class::Fields && body.is_free() => fields::judge(&body, &mut verdict),
        _ if content.media_type().starts_with("message/") => message::judge(&body, &mut verdict),
        _ if content.is_inline_text() => text::judge(&body, &mut verdict),
        _ => file::judge(&body, &mut verdict),
    }
    correct_encoding_label(&body, &mut verdict);
    report_hidden_name(&body, &mut verdict);
    verdict.basis = body.basis();
    verdict
}

/// Applies rule B8: a multipart without its boundary is text.
fn judge_without_boundary(body: &Body<'_, '_>, verdict: &mut Verdict) {
    let hides_parts = body.content.hides_parts;
    let has_odd_lines = || body.has_bare_cr() || body.has_half_encoded_line_ends();

    // Nothing is lost with an empty body, unless readers would have looked for parts elsewhere.
    if body.is_blank() && !hides_parts {
        return;
    }
    if !body.is_free() && body.has_safe_lines() && !has_odd_lines() {
        return;
    }

    verdict.edits.media_type = Some("text/plain");
    let why = if hides_parts { Code::ContentAppeared } else { Code::BoundaryMissing };
    verdict.report(why, "the body is written as text/plain");
    let text = body.as_plain_text();
    if body.content.is_file() { file::judge(&text, verdict) } else { text::judge(&text, verdict) }
}

/// Reports the name of a file that few readers find, and all of them once its field is written
/// again.
fn report_hidden_name(body: &Body<'_, '_>, verdict: &mut Verdict) {
    let content = body.content;
    let fields = [content.disposition_field, content.type_field];
    if !body.is_free() || fields == [None; 2] {
        return;
    }
    let octets = body.ctx.octets(body.index);
    let values = fields.map(|field| field.map(|at| body.ctx.tree.fields[at].value_of(octets)));
    if let Some(name) = content.hidden_filename(values) {
        verdict.report(Code::ContentAppeared, format!("the file name {name}"));
    }
}

/// Reports what a decoder of the body found.
fn report_decoded(tally: Tally, verdict: &mut Verdict) {
    let range = verdict.body.clone();
    for issue in tally.into_issues() {
        // Content stored with LF was decoded with CR LF, which is longer.
        let span = issue.span().shifted(range.start);
        let span = span.start.min(range.end)..span.end.min(range.end);
        verdict.report_body(issue.code(), span, issue.detail().clone());
    }
}

/// Applies rule B1: a label with an odd spelling is written properly, and a wrong one is not kept.
fn correct_encoding_label(body: &Body<'_, '_>, verdict: &mut Verdict) {
    let content = body.content;
    let Some(field) = content.encoding_field.map(|at| &body.ctx.tree.fields[at]) else { return };
    let span = field.span.clone();
    // In signed content, a label that cannot stay would be renamed, and the body be read without
    // it.
    let has_to_change =
        body.is_free() || !are_printable_or_fws(field.value_of(body.ctx.octets(body.index)));
    if content.encoding == TransferEncoding::Unknown {
        // An unknown label stays if the octets do.
        if verdict.edits.encoding.is_some() {
            let value = field.value_of(body.ctx.octets(body.index));
            let label = String::from_utf8_lossy(trim_fws(value)).into_owned();
            verdict.report_header(Code::EncodingUnknown, span, label);
        }
    } else if content.ignores_encoding() && (has_to_change || verdict.edits.encoding.is_some()) {
        let encoding = *verdict.edits.encoding.get_or_insert(content.encoding);
        verdict.report(Code::EncodingIgnored, encoding.name());
    } else if content.spelling != NameSpelling::Exact && has_to_change {
        let encoding = *verdict.edits.encoding.get_or_insert(content.encoding);
        verdict.report_header(Code::EncodingLabelRepaired, span, encoding.name());
    } else if verdict.edits.encoding.is_none() && exceeds_what_is_around(body) {
        verdict.edits.encoding = Some(TransferEncoding::SevenBit);
        verdict.report_header(Code::EncodingLabelRepaired, span, "7bit");
    }
}

/// Returns whether a body says that it has octets above 7F, where rule G6 makes one around it say
/// that nothing in it does (RFC 2045, 6.4).
fn exceeds_what_is_around(body: &Body<'_, '_>) -> bool {
    use TransferEncoding::{Binary, EightBit};
    let tree = body.ctx.tree;
    let says_more = |content: &Content| {
        content.encoding_field.is_some() && matches!(content.encoding, EightBit | Binary)
    };
    says_more(body.content)
        && body.is_free()
        && tree.upwards(body.entity.parent).any(|at| says_more(&tree.entities[at].content))
}

#[cfg(test)]
mod tests {
    use crate::{Code, normalize};

    #[test]
    fn names_and_types_that_few_readers_find_are_reported() {
        let attachment = "Content-Disposition: attachment; filename";
        for (field, is_hidden) in [
            (format!("{attachment}=\"evil.exe\""), false),
            (format!("{attachment}=\"ev\u{7f}il.exe\""), false),
            (format!("{attachment}=\"evil.exe\u{7f}\""), true),
            (format!("{attachment}=evil.exe\u{1}"), true),
            (format!("{attachment}=evil.exe; x=\"a\u{7f}\""), false),
            (format!("{attachment}*=utf-8''evil.exe%7F"), true),
            (format!("{attachment}*=utf-8''ev%7Fil.exe"), false),
            (format!("{attachment}=\"=?utf-8?b?ZXZpbC5leGV/?=\""), true),
            ("Content-Disposition: attachment; x=\"a; filename=evil.exe".to_owned(), true),
            ("Content-Disposition: \"attachment; filename=evil.exe\"".to_owned(), true),
            ("Content-Disposition: \"attachment\"; filename=evil.exe".to_owned(), false),
            ("Content-Disposition: attachment; filename=evil.exe; x=\"a".to_owned(), false),
            ("\u{feff}Content-Type: text/html".to_owned(), true),
            ("\u{feff}Subject: a\r\nContent-Type: text/html".to_owned(), false),
        ] {
            let mail = format!("{field}\r\n\r\nx\r\n");
            let output = normalize(mail.as_bytes());
            let issues = output.report().issues();
            let is_reported = issues.iter().any(|issue| issue.code() == Code::ContentAppeared);
            assert_eq!(is_reported, is_hidden, "{field}");
        }
    }

    #[test]
    fn parts_behind_line_ends_of_cr_are_reported() {
        let mail = "Content-Type: multipart/mixed; boundary=b\n\n--b\n\none\n--b--\n";
        for (line_end, is_reported) in [("\r", true), ("\n", false), ("\r\n", false)] {
            let mail = mail.replace('\n', line_end);
            let output = normalize(mail.as_bytes());
            let issues = output.report().issues();
            let appeared = issues.iter().any(|issue| issue.code() == Code::ContentAppeared);
            assert_eq!(appeared, is_reported, "{line_end:?}");
        }
    }
}
