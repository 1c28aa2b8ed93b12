//! Encoded composites (rule B11), each scanned as a source of its own.

use std::borrow::Cow;

use super::{MAX_DECODED_LEVELS, Next, Scanner};
use crate::facts::delimiters::holds_delimiter_like_line;
use crate::facts::tree::{Kind, Leaf, Source};
use crate::report::Tally;
use crate::transfer::LineEnds;
use crate::transfer::decode;

impl Scanner<'_, '_> {
    /// Decodes the body of the composite that ends here and scans what comes out, inside delimiters
    /// that are only watched (rule B11).
    pub(super) fn scan_decoded(&mut self, index: usize) {
        let entity = &self.tree.entities[index];
        if self.decoded_around(entity.source) >= MAX_DECODED_LEVELS {
            self.tree.entities[index].kind = Kind::Leaf(Leaf::PastLimit);
            return;
        }
        let octets =
            decode(entity.content.encoding, self.tree.body_of(entity), &mut Tally::default());
        if !self.purpose.openings().encoded_multiparts
            && let Kind::Multipart(multipart) = &entity.kind
        {
            let leaf = if holds_delimiter_like_line(&octets, &multipart.boundary) {
                Leaf::Encoded
            } else {
                Leaf::NoBoundary
            };
            self.tree.entities[index].kind = Kind::Leaf(leaf);
            return self.check_base64(index);
        }
        // Its lines may end in any way.
        let octets = Cow::Owned(octets.into_owned());
        let decoded = Source::new(octets, Some(index), LineEnds::Lf, self.purpose);
        let source = self.tree.sources.len();
        self.tree.sources.push(decoded);
        let watched = self.open.watched();
        let around = (std::mem::replace(&mut self.open, watched), std::mem::take(&mut self.frames));
        self.frames.push(index);
        let entity = &mut self.tree.entities[index];
        entity.decoded = Some(source);
        let next = match &mut entity.kind {
            Kind::Multipart(multipart) => {
                multipart.preamble = 0..0;
                self.open.push(multipart.boundary.clone(), index);
                Next::Content { from: 0, leaf: None }
            }
            _ => Next::Entity { at: 0, parent: Some(index) },
        };
        self.run(source, next);
        (self.open, self.frames) = around;
    }

    /// Returns how many decoded composites are around what is in a source.
    fn decoded_around(&self, source: usize) -> usize {
        let around = |&of: &usize| self.tree.sources[self.tree.entities[of].source].of;
        std::iter::successors(self.tree.sources[source].of, around).count()
    }
}

#[cfg(test)]
mod tests {
    use crate::Message;

    #[test]
    fn decoded_parts_come_before_what_follows_them() {
        let mail = b"Content-Type: multipart/mixed; boundary=a\r\n\r\n--a\r\n\
            Content-Type: multipart/mixed; boundary=b\r\nContent-Transfer-Encoding: base64\r\n\r\n\
            LS1iDQoNCm9uZQ0KLS1iDQoNCnR3bw0KLS1iLS0NCg==\r\n\
            --a\r\nContent-Type: message/rfc822\r\nContent-Transfer-Encoding: quoted-printable\r\n\r\n\
            Subject: three\r\n\r\nthree\r\n\
            --a\r\n\r\nfour\r\n--a--\r\n";
        let message = Message::parse(mail);
        let paths: Vec<_> = message.parts().map(|part| part.path()).collect();
        assert_eq!(paths, ["", "1", "1.1", "1.2", "2", "2.1", "3"]);
        let texts: Vec<_> = message.leaves().filter_map(|part| part.text()).collect();
        assert_eq!(texts, ["one", "two", "three", "four"]);
        for part in message.parts() {
            assert!(
                part.children()
                    .all(|child| child.parent().is_some_and(|of| of.path() == part.path()))
            );
        }
    }
}
