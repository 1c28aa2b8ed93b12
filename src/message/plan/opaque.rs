//! Bodies that cannot be written as what they are (rules B9, G13): base64 under another type.

use super::Planner;
use crate::Code;
use crate::message::recode::{Content, Target};
use crate::transfer::LineEnds;

/// The parameter that keeps the old type of an opaque part.
pub(super) const OLD_TYPE: &str = "x-original-type";

impl Planner<'_, '_> {
    /// Carries a body as `application/octet-stream` in base64, with its old type in a parameter.
    pub(super) fn make_opaque(&mut self, index: usize, why: Code) {
        let entity = self.entity(index);
        self.decided[index].edits.opaque = true;
        self.report(index, why, entity.body.clone(), entity.content.media_type().to_owned());
        // Lines stay the lines they are: what was stored with LF means CR LF.
        let stored = self.line_ends_of(index) != LineEnds::Crlf && entity.content.has_identity_encoding();
        let content = if stored { Content::LinesAndStrays } else { Content::Data };
        self.recode(index, content, Target::Base64);
    }
}
