//! Messages that are not descended into (rule B9): fragments, external bodies, and types that few readers
//! know. They stay as they are if that is safe, and must not be encoded; an encoded one, which some readers
//! open and most do not, is carried in one piece.

use super::facts::Body;
use super::rewrite;
use super::verdict::BodyVerdict;
use crate::Code;
use crate::ascii::trim_fws;
use crate::issue::Tally;
use crate::message::content::Content;
use crate::message::delimiters::OpenBoundaries;
use crate::message::field::{Shape, find_fields};
use crate::message::plan::boundaries::Exposed;
use crate::message::plan::structure::correct_identity_label;
use crate::message::recode::{ReadAs, Target};
use crate::transfer::{LineEnds, Survey};

/// Decides about a leaf of a message type.
pub(super) fn judge(body: &Body<'_, '_>) -> BodyVerdict {
    if body.is_free() && !body.content.has_identity_encoding() {
        return rewrite::opaque(body, Code::PartialMadeOpaque);
    }
    let mut verdict = BodyVerdict::keep(body.entity);
    if body.content.has_identity_encoding() {
        if !body.survey().is_seven_bit() {
            return rewrite::opaque(body, Code::PartialMadeOpaque);
        }
        if body.policy().closes_odd_messages && holds_more_than_text(body) {
            return rewrite::opaque(body, Code::PartialMadeOpaque);
        }
        correct_identity_label(body.ctx, body.index, &mut verdict.edits, &mut verdict.findings);
        verdict.report(body, Code::AmbiguousPart, body.content.media_type().to_owned());
        return verdict;
    }
    let content = body.decoded(&mut Tally::default());
    if !Survey::of(&content, LineEnds::Lf).is_seven_bit() {
        return rewrite::opaque(body, Code::PartialMadeOpaque);
    }
    verdict.report(body, Code::CompositeEncoded, "");
    verdict.exposed = Exposed::by(body.ctx, body.index, &content);
    rewrite::encode(body, &mut verdict, ReadAs::Lines, Target::SevenBit);
    verdict
}

/// Returns whether a reader that opens it as a message finds more than a header and text. The first piece of
/// a message begins with a header (RFC 2046, 5.2.2.1), and so does an external body (5.2.3): anything else is
/// not one.
fn holds_more_than_text(body: &Body<'_, '_>) -> bool {
    let octets = body.octets();
    let mut fields = Vec::new();
    let section =
        find_fields(octets, 0, true, &body.ctx.options.limits, &OpenBoundaries::default(), &mut fields);
    if trim_fws(&octets[section.body..]).is_empty() {
        return false;
    }
    let begins_with_field = fields.first().is_some_and(|field| field.shape == Shape::Field);
    if !begins_with_field {
        return match body.media_type {
            "message/partial" => !body.content.is_later_piece(),
            media_type => media_type == "message/external-body",
        };
    }
    !Content::read(octets, &fields, 0, "text/plain").is_inline_text()
}
