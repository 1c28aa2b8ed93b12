//! Messages that are not descended into (rule B9): fragments, external bodies, and types that few readers
//! know. Some readers open them. In transport they stay if they are safe and not encoded; otherwise, and in an
//! archive, each is carried in one piece.

use super::facts::Body;
use super::rewrite;
use super::verdict::BodyVerdict;
use crate::Code;
use crate::issue::Tally;
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
        if body.policy().closes_other_messages || !body.survey().is_seven_bit() {
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
