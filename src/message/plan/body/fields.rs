//! Bodies that are blocks of header fields (rule B6): delivery status, disposition notifications,
//! feedback reports, the header of a returned message. If unsafe, they are written by the header
//! rules; what is text, as text.

use super::facts::Body;
use super::{rewrite, text};
use crate::decode::guess_of_values;
use crate::facts::guesses::Labels;
use crate::facts::line_ends::{lines, to_crlf, without_line_end};
use crate::message::field::{
    FieldRules, FieldVerdict, Judged, RawField, judge as judge_field, unparsed_as_field,
};
use crate::message::plan::boundaries::Exposed;
use crate::message::plan::structure::correct_identity_label;
use crate::message::plan::verdict::Verdict;
use crate::report::Tally;
use crate::syntax::field_name::field_name;
use crate::syntax::lexical::fields;
use crate::transfer::{LineEnds, Survey, TransferEncoding};
use crate::{Code, Issue, Rule};

/// Decides about a leaf of header field blocks.
pub(super) fn judge(body: &Body<'_, '_>, verdict: &mut Verdict) {
    downgrade_type(body, verdict);
    // RFC 6522, 3, wants quoted-printable for these: programs show encoded-words in them as they
    // stand.
    if verdict.edits.media_type.unwrap_or(body.media_type).starts_with("text/") {
        return text::judge(body, verdict);
    }
    let message = body.content.top_type() == "message";
    let identity = body.content.has_identity_encoding();
    let is_ambiguous = message && names_its_content(&body.decoded(&mut Tally::default()));
    if is_ambiguous {
        verdict.report(Code::AmbiguousPart, body.content.media_type().to_owned());
    }
    if body.has_safe_lines() && !body.has_half_encoded_line_ends() && (identity || !message) {
        if message {
            correct_identity_label(body.ctx, verdict);
        }
        return;
    }
    let content = lines(body.decoded(&mut Tally::default()));
    let is_safe = Survey::of(&content, LineEnds::Crlf).is_seven_bit();
    // The parts that some readers find would be none once their delimiters are fields.
    let loses_parts = || is_ambiguous && fields(&content).any(is_no_field);
    if !is_safe && (loses_parts() || !body.ctx.may_read_block(&content)) {
        return rewrite::opaque(body, Code::PartOpaque, verdict);
    }
    let made = if is_safe { content.into_owned() } else { write_blocks(body, &content, verdict) };
    if body.encoding() != TransferEncoding::SevenBit {
        verdict.edits.encoding = Some(TransferEncoding::SevenBit);
    }
    if !identity {
        verdict.report(Code::Reencoded, TransferEncoding::SevenBit.name());
    }
    verdict.exposed = Exposed::by(body.ctx, body.index, &made);
    verdict.replace(body.range(), made, Rule::B6, "fields in the body made 7-bit safe");
}

/// Returns whether blocks of fields have a Content-Type, so that a reader that opens them as a
/// message finds parts or a file.
fn names_its_content(content: &[u8]) -> bool {
    const NAME: &[u8] = b"Content-Type";
    let begins =
        |line: &[u8]| line.get(..NAME.len()).is_some_and(|name| name.eq_ignore_ascii_case(NAME));
    content.split(|&octet| matches!(octet, b'\r' | b'\n')).any(begins)
}

fn is_no_field(raw: &[u8]) -> bool {
    let line = without_line_end(raw);
    !line.is_empty() && field_name(line).is_none()
}

/// Applies rule H8: an internationalised form with anything international in it becomes the 7-bit
/// form.
fn downgrade_type(body: &Body<'_, '_>, verdict: &mut Verdict) {
    if body.content.has_identity_encoding() && body.is_ascii() {
        return;
    }
    let media_type = match body.media_type {
        "message/global-delivery-status" => "message/delivery-status",
        "message/global-disposition-notification" => "message/disposition-notification",
        "message/global-headers" => "text/rfc822-headers",
        _ => return,
    };
    verdict.edits.media_type = Some(media_type);
    verdict.report(Code::GlobalDowngraded, media_type);
}

/// Writes every block of `content` (its lines end with CR LF) by the header rules.
fn write_blocks(body: &Body<'_, '_>, content: &[u8], verdict: &mut Verdict) -> Vec<u8> {
    let policy = *body.policy();
    let asks = policy.rewrites || policy.guesses_labels;
    let guess = asks.then(|| guess_of_values(fields(content))).flatten();
    let rules =
        FieldRules { policy, guess, labels: Labels::default(), max_header_octets: usize::MAX };
    // The first of each code, in their order: there may be as many as lines.
    let mut issues: Vec<Issue> = Vec::new();
    let mut out = Vec::with_capacity(content.len() + content.len() / 4);
    for raw in fields(content) {
        match write_line(raw, &rules, &mut issues) {
            FieldVerdict::Keep => out.extend_from_slice(&to_crlf(raw)),
            FieldVerdict::Write(made) => out.extend_from_slice(&made),
            FieldVerdict::Drop => {}
        }
    }
    for issue in issues {
        verdict.report(issue.code(), issue.detail().clone());
    }
    out
}

fn write_line(raw: &[u8], rules: &FieldRules, issues: &mut Vec<Issue>) -> FieldVerdict {
    let line = without_line_end(raw);
    if line.is_empty() {
        return FieldVerdict::Keep;
    }
    let unparsed = is_no_field(raw).then(|| unparsed_as_field(line));
    let Judged { verdict, issues: found } =
        judge_field(&RawField::split(unparsed.as_deref().unwrap_or(raw)), rules);
    let of_line =
        unparsed.iter().map(|_| Issue::new(Code::UnparsedLine, crate::Span::new(0, raw.len())));
    for issue in of_line.chain(found) {
        let at = issues.partition_point(|known| known.code() < issue.code());
        if issues.get(at).is_none_or(|known| known.code() != issue.code()) {
            issues.insert(at, issue);
        }
    }
    match (verdict, unparsed) {
        (FieldVerdict::Keep, Some(made)) => FieldVerdict::Write(made),
        (verdict, _) => verdict,
    }
}

#[cfg(test)]
mod tests {
    use crate::{Code, normalize};

    #[test]
    fn blocks_in_which_readers_find_parts_are_opaque() {
        let parts = "Content-Type: multipart/mixed; boundary=b\r\n\r\n--b\r\n\r\none\r\n--b--\r\n";
        for (blocks, is_opaque) in [
            (format!("Reporting-MTA: dns; \u{e9}\r\n{parts}"), true),
            (format!("Reporting-MTA: dns; e\r\n{parts}"), false),
            ("Reporting-MTA: dns; \u{e9}\r\n\r\nno field\r\n".to_owned(), false),
            ("Content-Type: text/plain; x=\u{e9}\r\n\r\nAction: failed\r\n".to_owned(), false),
        ] {
            let mail = format!("Content-Type: message/delivery-status\r\n\r\n{blocks}");
            let output = normalize(mail.as_bytes());
            let issues = output.report().issues();
            let is_reported = issues.iter().any(|issue| issue.code() == Code::PartOpaque);
            assert_eq!(is_reported, is_opaque, "{blocks}");
        }
    }
}
