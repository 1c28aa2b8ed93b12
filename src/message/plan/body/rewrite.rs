//! How a body that cannot stay is written: in which transfer encoding (rule B3), and as which type
//! if its own promises more than 7 bits carry (rules B9, G13).

use std::borrow::Cow;

use super::facts::Body;
use crate::codec::base64;
use crate::codec::quoted_printable::{self, LineStarts};
use crate::facts::content::OPAQUE_TYPE;
use crate::message::plan::verdict::Verdict;
use crate::message::recode::{ReadAs, Recode, Target, utf7};
use crate::message::splice::Replacement;
use crate::transfer::{LineEnds, Survey, TransferEncoding, choose_encoded};
use crate::{Code, Rule, TextEncoding};

/// A replacement of up to this many octets is made while planning; a longer one, while writing.
const MAX_MADE_AT_ONCE: usize = 256 * 1024;

/// The parameter that keeps the old type of an opaque part.
pub(in crate::message::plan) const OLD_TYPE: &str = "x-original-type";

/// The parameter that keeps the encoding of a body that was not decoded.
pub(in crate::message::plan) const OLD_ENCODING: &str = "x-original-encoding";

/// Carries a body as `application/octet-stream` in base64, with its old type in a parameter. That
/// of a message which is too long to be looked into is not decoded: its encoding is kept in another
/// one.
pub(super) fn opaque(body: &Body<'_, '_>, why: Code, verdict: &mut Verdict) {
    // Nothing else is said of it.
    *verdict = Verdict::new(body.index, body.entity);
    verdict.edits.media_type = Some(OPAQUE_TYPE);
    verdict.report(why, body.content.media_type().to_owned());
    let stays = || body.has_safe_lines() && body.is_well_encoded() && body.is_read_alike();
    if body.encoding() == TransferEncoding::Base64 && stays() {
        return;
    }
    // Lines stay lines: LF in stored content means CR LF.
    let stored =
        body.is_stored_with_lf() && body.content.has_identity_encoding() && !body.is_too_long();
    encode(body, verdict, if stored { ReadAs::StoredLines } else { ReadAs::Data }, Target::Base64);
}

/// Writes the body in another encoding.
pub(super) fn encode(body: &Body<'_, '_>, verdict: &mut Verdict, read_as: ReadAs, to: Target) {
    encode_content(body, verdict, read_as, to, None);
}

/// Writes text whose content, decoded and with CR LF, is `text`.
pub(super) fn encode_text(
    body: &Body<'_, '_>,
    verdict: &mut Verdict,
    read_as: ReadAs,
    text: &[u8],
) {
    let to = target_for_text(body, read_as, text);
    if to == Target::Utf7 {
        verdict.edits.charset = Some("utf-7");
    }
    encode_content(body, verdict, read_as, to, Some(text));
}

/// Writes the body in another encoding: immediately, if it is not big. `known` is its content as it
/// is to be encoded, if that has been made.
pub(super) fn encode_content(
    body: &Body<'_, '_>,
    verdict: &mut Verdict,
    read_as: ReadAs,
    to: Target,
    known: Option<&[u8]>,
) {
    // Base64 of octets as they are takes no longer to make than to copy.
    let as_they_are = to == Target::Base64
        && body.content.has_identity_encoding()
        && (read_as == ReadAs::Data
            || !matches!(read_as, ReadAs::Text { .. }) && !body.has_bare_line_end());
    let recode = Recode {
        from: body.encoding(),
        read_as: if as_they_are { ReadAs::Data } else { read_as },
        to,
        not_first: body.starts_to_avoid().clone(),
        is_closed: body.is_closed(),
    };
    let encoding = to.encoding();
    if encoding != recode.from {
        verdict.edits.encoding = Some(encoding);
    }
    verdict.report(Code::Reencoded, encoding.name());
    if body.octets().is_empty() {
        // Every encoding of nothing is nothing.
        return;
    }

    let with = if body.octets().len() > MAX_MADE_AT_ONCE || as_they_are {
        Replacement::Recode(Box::new(recode))
    } else {
        let content = known.map_or_else(|| recode.content(body.octets()), Cow::Borrowed);
        Replacement::Octets(Cow::Owned(recode.made(&content)))
    };
    verdict.replace_in(body.entity.source, body.range(), with, Rule::B3, "body encoded again");
}

/// Applies rule B3 to text: 7bit if the content allows, otherwise the shorter encoding. Only text
/// that becomes Unicode may become UTF-7: any other text keeps its octets, and the label says what
/// they mean.
pub(super) fn target_for_text(body: &Body<'_, '_>, read_as: ReadAs, text: &[u8]) -> Target {
    let starts = body.starts_to_avoid();
    if !text.is_empty() && !text.ends_with(b"\n") && body.is_closed() {
        return shorter_for_lines(body, text);
    }
    if fits_seven_bit(text, starts) {
        return Target::SevenBit;
    }
    if body.ctx.options.text_encoding == TextEncoding::Utf7
        && matches!(read_as, ReadAs::Text { .. })
        && !text.is_ascii()
    {
        let encoded = utf7(text);
        // Delimiters are not looked at: a boundary may get another name, and the choice must be the
        // same the next time.
        let in_base64 = base64::lines_len(text.len());
        let quoted = quoted_printable::text_fits(text, &LineStarts::default(), in_base64);
        if encoded.len() <= quoted.unwrap_or(in_base64) && fits_seven_bit(&encoded, starts) {
            return Target::Utf7;
        }
    }
    shorter_for_lines(body, text)
}

/// Applies rule B3 to content that consists of lines: quoted-printable or base64, whichever is
/// shorter.
pub(super) fn shorter_for_lines(body: &Body<'_, '_>, content: &[u8]) -> Target {
    match choose_encoded(content, body.starts_to_avoid()) {
        TransferEncoding::Base64 => Target::Base64,
        _ => Target::QuotedText,
    }
}

/// Returns whether text may be written in 7bit: rule B4 also applies to what came out of an
/// encoding.
fn fits_seven_bit(text: &[u8], starts: &LineStarts) -> bool {
    text.is_ascii()
        && Survey::of(text, LineEnds::Crlf).is_seven_bit()
        && !starts.begin_any_line(text)
}
