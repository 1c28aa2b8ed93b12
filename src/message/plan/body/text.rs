//! Inline text (rules B5 and B7): whether its octets stay, and how they are written if they cannot.

use std::borrow::Cow;
use std::cell::LazyCell;

use super::facts::Body;
use super::{archive, label, report_decoded, rewrite};
use crate::Code;
use crate::codec::yenc;
use crate::facts::line_ends::lines;
use crate::facts::seal::is_cleartext_signed;
use crate::message::plan::verdict::Verdict;
use crate::message::recode::{ReadAs, Target};
use crate::report::Tally;
use crate::transfer::TransferEncoding;

/// The detail of the issue about a line end of which one half is encoded.
pub(super) const HALF_ENCODED: &str = "half-encoded";

/// Decides whether a leaf of inline text stays, and how it is written if it does not.
pub(super) fn judge(body: &Body<'_, '_>, verdict: &mut Verdict) {
    let is_unencoded = body.content.has_identity_encoding();
    let encoding = body.encoding();
    if is_unencoded && label::octet_lines_differ(body) {
        return judge_without_lines(body, verdict);
    }

    let survey = body.survey();
    let half_encoded = body.has_half_encoded_line_ends();
    if survey.bare_cr || survey.bare_lf || half_encoded {
        verdict.report(Code::BareLineEnd, if half_encoded { HALF_ENCODED } else { "" });
    }

    let may_transcode = body.policy().rewrites;
    let safe = body.has_safe_lines()
        && !half_encoded
        && !body.has_cr_as_data()
        && encoding != TransferEncoding::Uuencode
        && (!body.is_free() || encoding != TransferEncoding::Base64 || body.is_read_alike());
    if safe && (!may_transcode || is_plain_in_archive(body)) {
        return;
    }

    let mut tally = Tally::default();
    let content = body.as_it_will_be(body.decoded(&mut tally));
    // Under an unknown encoding octets stay; if they are not safe, they have to be taken for what
    // they look like.
    let octets_stay = !may_transcode
        || encoding == TransferEncoding::Unknown && safe
        || is_cleartext_signed(&content)
        || yenc::holds_file(&content);
    if octets_stay && safe {
        return;
    }

    // Asked last, as it costs a pass: most text that is rewritten is rewritten for another reason.
    let well_encoded = LazyCell::new(|| is_unencoded || body.is_well_encoded());
    if !tally.is_empty() && !*well_encoded {
        report_decoded(tally, verdict);
    }

    if octets_stay {
        encode_octets(body, content, verdict);
    } else {
        archive::judge(body, content, || safe && *well_encoded, verdict);
    }
}

/// Judges unencoded text whose octets are not cut into its lines, as in UTF-16: none of them ends a
/// line, so none is touched.
fn judge_without_lines(body: &Body<'_, '_>, verdict: &mut Verdict) {
    if body.policy().rewrites {
        archive::judge(body, Cow::Borrowed(body.octets()), || false, verdict);
    } else if !body.is_empty() && (body.is_free() || !body.has_safe_lines()) {
        if body.is_free() && !body.octet_lines_differ() {
            label::label_raw_text(body, body.octets(), verdict);
        }
        rewrite::encode(body, verdict, ReadAs::Data, Target::Base64);
    }
}

/// Returns whether an archive leaves text as it is without reading it: US-ASCII that is labelled
/// US-ASCII or UTF-8, or not at all.
fn is_plain_in_archive(body: &Body<'_, '_>) -> bool {
    let is_plain =
        |label: &str| label.eq_ignore_ascii_case("us-ascii") || label.eq_ignore_ascii_case("utf-8");
    body.content.has_identity_encoding()
        && !body.survey().eight_bit
        && body.content.charset_label().is_none_or(is_plain)
}

/// Encodes text whose octets stay, and labels it if it has no label.
fn encode_octets(body: &Body<'_, '_>, content: Cow<'_, [u8]>, verdict: &mut Verdict) {
    let is_data = body.octet_lines_differ_in(&content);
    if !is_data && !body.is_signed() {
        label::label_raw_text(body, &content, verdict);
    }
    let is_unencoded = body.content.has_identity_encoding();
    // Unencoded text in UTF-16 did not come here; with its line ends mended it may look so.
    if is_data || !is_unencoded && label::is_wide_unlabelled(body, &content) {
        return rewrite::encode(body, verdict, ReadAs::Data, Target::Base64);
    }
    let content = if is_unencoded && !body.has_bare_line_end() { content } else { lines(content) };
    rewrite::encode_text(body, verdict, ReadAs::Lines, &content);
}
