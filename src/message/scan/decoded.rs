//! Encoded composites (rule B11), each scanned as a source of its own.

use super::{Encoded, MAX_DECODED_LEVELS, Next, Scanner};
use crate::issue::Tally;
use crate::message::delimiters::holds_delimiter_like_line;
use crate::message::recode::decode;
use crate::message::tree::{Kind, Leaf, Purpose, Source};

impl Scanner<'_, '_> {
    /// Notes that the body of a composite is encoded.
    pub(super) fn look_into_later(&mut self, entity: usize) {
        let mut level = 0;
        let mut source = self.tree.entities[entity].source;
        while let Some(of) = self.tree.sources[source].of {
            level += 1;
            source = self.tree.entities[of].source;
        }
        self.encoded.push(Encoded { entity, around: self.open.watched(), level });
    }

    /// Decodes the body of a composite and scans what comes out (rule B11).
    pub(super) fn scan_decoded(&mut self, at: usize) {
        let Encoded { entity, level, .. } = self.encoded[at];
        let around = std::mem::take(&mut self.encoded[at].around);
        if level >= MAX_DECODED_LEVELS {
            self.tree.entities[entity].kind = Kind::Leaf(Leaf::PastLimit);
            return;
        }
        let encoding = self.tree.entities[entity].content.encoding;
        let octets = decode(encoding, self.tree.body_of(&self.tree.entities[entity]), &mut Tally::default());
        if matches!(self.purpose, Purpose::Plan(policy) if !policy.decodes_multiparts)
            && let Kind::Multipart(multipart) = &self.tree.entities[entity].kind
        {
            let has_parts = holds_delimiter_like_line(&octets, &multipart.boundary);
            self.tree.entities[entity].kind =
                Kind::Leaf(if has_parts { Leaf::Encoded } else { Leaf::NoBoundary });
            return self.check_base64(entity);
        }
        let decoded = Source::of_body(octets.into_owned(), entity, self.purpose);
        let source = self.tree.sources.len();
        self.tree.sources.push(decoded);
        self.open = around;
        self.frames = vec![entity];
        match &mut self.tree.entities[entity].kind {
            Kind::Multipart(multipart) => {
                multipart.inner.decoded = Some(source);
                multipart.preamble = 0..0;
                self.open.push(multipart.boundary.clone(), entity);
                self.run(source, Next::Content { from: 0, leaf: None });
            }
            Kind::Message(inner) => {
                inner.decoded = Some(source);
                self.run(source, Next::Entity { at: 0, parent: Some(entity) });
            }
            Kind::Leaf(_) => {}
        }
    }
}
