//! Messages that are not descended into (rule B9): fragments, external bodies, and types that few
//! readers know. Some readers open them. In transport they stay if they are safe and not encoded;
//! otherwise, and in an archive, each is carried in one piece.

use super::facts::Body;
use super::rewrite;
use crate::Code;
use crate::message::plan::boundaries::Exposed;
use crate::message::plan::structure::correct_identity_label;
use crate::message::plan::verdict::Verdict;
use crate::message::recode::{ReadAs, Target};
use crate::report::Tally;
use crate::transfer::{LineEnds, Survey};

/// Decides about a leaf of a message type.
pub(super) fn judge(body: &Body<'_, '_>, verdict: &mut Verdict) {
    if body.content.has_identity_encoding() {
        if body.policy().rewrites || !body.survey().is_seven_bit() {
            return rewrite::opaque(body, Code::PartialMadeOpaque, verdict);
        }
        correct_identity_label(body.ctx, verdict);
        return verdict.report(Code::AmbiguousPart, body.content.media_type().to_owned());
    }
    if body.is_free() {
        return rewrite::opaque(body, Code::PartialMadeOpaque, verdict);
    }
    let content = body.decoded(&mut Tally::default());
    if !Survey::of(&content, LineEnds::Lf).is_seven_bit() {
        return rewrite::opaque(body, Code::PartialMadeOpaque, verdict);
    }
    verdict.report(Code::CompositeEncoded, "");
    verdict.exposed = Exposed::by(body.ctx, body.index, &content);
    rewrite::encode(body, verdict, ReadAs::Lines, Target::SevenBit);
}
