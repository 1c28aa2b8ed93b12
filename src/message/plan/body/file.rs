//! Attachments and every other leaf that is not inline text (rule B6): the octets are kept, only
//! the transfer encoding and the charset label may change.

use std::borrow::Cow;

use super::facts::Body;
use super::text::HALF_ENCODED;
use super::{label, report_decoded, rewrite};
use crate::Code;
use crate::facts::line_ends::lines;
use crate::message::plan::verdict::Verdict;
use crate::message::recode::{ReadAs, Target};
use crate::report::Tally;
use crate::transfer::{LineEnds, Survey, TransferEncoding};

/// Decides about a file.
pub(super) fn judge(body: &Body<'_, '_>, verdict: &mut Verdict) {
    match body.encoding() {
        TransferEncoding::QuotedPrintable | TransferEncoding::Base64 => {
            judge_encoded(body, verdict)
        }
        TransferEncoding::Uuencode
            if body.is_free() || !body.has_safe_lines() || body.has_bare_cr() =>
        {
            encode_again(body, verdict);
        }
        TransferEncoding::Uuencode => {}
        _ => judge_unencoded(body, verdict),
    }
    label::label_text_file(body, verdict);
}

/// Judges data under 7bit, 8bit or binary: a bare CR or LF is part of it (rule B10).
fn judge_unencoded(body: &Body<'_, '_>, verdict: &mut Verdict) {
    let is_text = body.media_type.starts_with("text/") && !body.is_empty();
    if is_text && body.is_free() && label::octet_lines_differ(body) {
        return rewrite::encode(body, verdict, ReadAs::Data, Target::Base64);
    }
    let survey = body.survey();
    let binary = body.encoding() == TransferEncoding::Binary;
    if binary && body.is_stored_with_lf() && body.has_bare_line_end() {
        return rewrite::encode(body, verdict, ReadAs::Data, Target::Base64);
    }
    if survey.is_seven_bit() {
        return;
    }
    if survey.bare_cr || survey.bare_lf {
        verdict.report(Code::BareLineEnd, "data");
        let read_as =
            if body.is_stored_with_lf() && !binary { ReadAs::StoredLines } else { ReadAs::Data };
        return rewrite::encode(body, verdict, read_as, Target::Base64);
    }
    let content = lines(Cow::Borrowed(body.octets()));
    let to = rewrite::shorter_for_lines(body, &content);
    rewrite::encode_content(body, verdict, ReadAs::Lines, to, Some(&content));
}

/// Judges data under quoted-printable or base64: it stays if its lines are safe and every reader
/// decodes it to the same octets; an archive also wants it to be exactly right.
fn judge_encoded(body: &Body<'_, '_>, verdict: &mut Verdict) {
    let quoted = body.encoding() == TransferEncoding::QuotedPrintable;
    let half_encoded = body.has_half_encoded_line_ends();
    if half_encoded {
        verdict.report(Code::BareLineEnd, HALF_ENCODED);
    }
    let torn = quoted && (half_encoded || body.has_bare_cr());
    let exact = body.policy().mends_encodings;
    // Base64 that is exactly right is read alike.
    let may_be_odd = || body.is_free() && (quoted || !exact) && !body.is_read_alike();
    if !body.has_safe_lines() || torn || exact && !body.is_well_encoded() || may_be_odd() {
        encode_again(body, verdict);
    }
}

/// Decodes data and encodes it again.
fn encode_again(body: &Body<'_, '_>, verdict: &mut Verdict) {
    let mut tally = Tally::default();
    let content = body.decoded(&mut tally);
    report_decoded(tally, verdict);
    let survey = Survey::of(&content, LineEnds::Crlf);
    let to = if survey.is_seven_bit() || survey.bare_cr || survey.bare_lf || survey.nul {
        Target::Base64
    } else {
        rewrite::shorter_for_lines(body, &content)
    };
    rewrite::encode_content(body, verdict, ReadAs::Data, to, Some(&content));
}
