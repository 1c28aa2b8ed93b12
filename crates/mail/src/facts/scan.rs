//! The scanner: one pass over the octets, an explicit stack, no copying (this is the hot path).
//!
//! The content of an encoded composite (rule B11) is scanned where the composite ends, as a source
//! of its own.

mod decoded;
mod limits;
mod lost_boundary;

use std::borrow::Cow;
use std::collections::HashSet;
use std::ops::Range;
use std::sync::OnceLock;

use memchr::memmem;

use self::lost_boundary::{add_empty_part, boundary_of};
use super::content::{Class, Content, OPAQUE_TYPE};
use super::delimiters::{Delimiter, OpenBoundaries, State, dashed_lines};
use super::field::{Counted, find_fields};
use super::line_ends::{before_line_end, cr_as_lf, line_ends_of, without_line_end};
use super::tree::{DelimiterLike, DelimiterLine, Kind, Leaf, Multipart, Purpose, Source, Tree};
use crate::codec::base64::looks_like_base64;
use crate::report::Tally;
use crate::transfer::{LineEnds, NameSpelling, TransferEncoding, decode};
use crate::{Few, Limits};

/// How deep encoded composites may be nested: each level costs a pass over its octets.
const MAX_DECODED_LEVELS: usize = 8;

/// Finds every entity of `message`. If there are more of them, or of their fields, than allowed,
/// the message is one leaf (rule G13).
pub fn scan<'a>(message: &'a [u8], limits: &Limits, purpose: Purpose) -> Tree<'a> {
    match scan_within(message, limits, purpose) {
        (_, true) => scan_within(message, &limits.with_depth(0), purpose).0,
        (tree, false) => tree,
    }
}

/// Scans until a limit for the whole message is exceeded; returns also whether one is.
fn scan_within<'a>(message: &'a [u8], limits: &Limits, purpose: Purpose) -> (Tree<'a>, bool) {
    let (octets, line_ends) = match line_ends_of(message) {
        LineEnds::Cr => (Cow::Owned(cr_as_lf(message)), LineEnds::Lf),
        line_ends => (Cow::Borrowed(message), line_ends),
    };
    let tree = Tree {
        sources: Few::One(Source::new(octets, None, line_ends, purpose)),
        entities: Few::default(),
        fields: Vec::with_capacity(32),
        delimiter_like: HashSet::new(),
        replaces_nul: false,
        guesses: OnceLock::new(),
    };
    let mut scanner = Scanner {
        tree,
        limits,
        purpose,
        frames: Vec::new(),
        open: OpenBoundaries::default(),
        counted: Counted::default(),
        is_full: false,
        searched: 0,
    };
    scanner.run(0, Next::Entity { at: 0, parent: None });
    (scanner.tree, scanner.is_full)
}

struct Scanner<'a, 'l> {
    tree: Tree<'a>,
    limits: &'l Limits,
    purpose: Purpose,
    /// The multiparts and messages around the current position, outermost first.
    frames: Vec<usize>,
    open: OpenBoundaries,
    /// The counts for the headers read so far.
    counted: Counted,
    /// Whether there is more of anything than a message may have.
    is_full: bool,
    /// How many octets were searched for boundaries.
    searched: usize,
}

/// The next thing to scan, at the current position.
enum Next {
    Entity {
        at: usize,
        parent: Option<usize>,
    },
    /// Content that ends with the next delimiter line: of a leaf, or around parts.
    Content {
        from: usize,
        leaf: Option<usize>,
    },
}

impl Scanner<'_, '_> {
    /// Scans one source from `next` to its end.
    fn run(&mut self, source: usize, mut next: Next) {
        while !self.is_full {
            next = match next {
                Next::Entity { at, parent } => self.enter(source, at, parent),
                Next::Content { from, leaf } => match self.next_delimiter(source, from, leaf) {
                    Some((line, found)) => self.delimit(source, from, line, found, leaf),
                    None => {
                        let end = self.tree.sources[source].octets.len();
                        self.end_leaf(leaf, end);
                        self.leave_until(None, end);
                        return;
                    }
                },
            };
        }
    }

    /// Reads the header of the entity at `at`, and returns what comes next.
    fn enter(&mut self, source: usize, at: usize, parent: Option<usize>) -> Next {
        let tree = &mut self.tree;
        let octets: &[u8] = &tree.sources[source].octets;
        let first = tree.fields.len();
        let of_message =
            parent.is_none_or(|parent| matches!(tree.entities[parent].kind, Kind::Message));
        let section =
            find_fields(octets, at, of_message, self.limits, &self.open, &mut tree.fields);
        let default_type = match parent {
            Some(parent) if tree.entities[parent].content.media_type() == "multipart/digest" => {
                "message/rfc822"
            }
            _ => "text/plain",
        };
        let mut content = Content::read(octets, &tree.fields[first..], first, default_type);
        let opens = self.purpose.openings();
        if content.spelling == NameSpelling::Misspelt && !opens.misspelt_encodings {
            // Readers that do not recognise the label take the octets as they are.
            content.encoding = TransferEncoding::SevenBit;
        }
        if opens.articles && content.media_type() == "message/news" && !tree.claim_seal(parent) {
            content.class = Class::Message;
        }
        let index = tree.add(source, parent, at, section, content);
        self.count(index);
        self.enter_body(index)
    }

    /// Enters a body as what it is, and returns what comes next.
    fn enter_body(&mut self, index: usize) -> Next {
        let kind = self.kind_of(index);
        let entity = &mut self.tree.entities[index];
        entity.kind = kind;
        let from = entity.body.start;
        match &entity.kind {
            Kind::Multipart(multipart) => {
                self.open.push(multipart.boundary.clone(), index);
                self.frames.push(index);
                Next::Content { from, leaf: None }
            }
            Kind::Message if entity.content.has_identity_encoding() => {
                if entity.content.ignores_encoding() {
                    self.open.enclose(index);
                }
                self.frames.push(index);
                Next::Entity { at: from, parent: Some(index) }
            }
            _ => Next::Content { from, leaf: Some(index) },
        }
    }

    /// Returns what a body is, as far as its header shows that, and the lines of a multipart.
    fn kind_of(&mut self, index: usize) -> Kind {
        let entity = &self.tree.entities[index];
        let (content, body) = (&entity.content, entity.body.start);
        match content.class {
            _ if entity.parent.is_none() && self.is_left_unread(index) => Kind::Leaf(Leaf::TooLong),
            Class::Multipart | Class::Message if entity.depth >= self.limits.depth => {
                Kind::Leaf(Leaf::PastLimit)
            }
            Class::Multipart => {
                let found = boundary_of(&self.tree, index, &self.open, &mut self.searched);
                self.tree.entities[index].content.hides_parts = found.is_hidden;
                let opens = self.purpose.openings();
                if found.octets.is_empty() || found.is_hidden && !opens.hidden_parts {
                    return Kind::Leaf(Leaf::NoBoundary);
                }
                Kind::Multipart(Box::new(Multipart {
                    boundary: found.octets,
                    preamble: body..body,
                    end: body,
                    ..Multipart::default()
                }))
            }
            Class::Message => Kind::Message,
            Class::Shown | Class::Fields | Class::Other => Kind::Leaf(Leaf::Simple),
        }
    }

    /// Returns whether the body of the message is not looked into: the message is too long, and its
    /// body is not opaque already. Faulty base64 is not: it would be written in another encoding.
    fn is_left_unread(&self, index: usize) -> bool {
        let entity = &self.tree.entities[index];
        let octets = &self.tree.sources[entity.source].octets;
        if self.limits.is_opaque || octets.len() <= self.limits.message {
            return self.limits.is_opaque;
        }
        if entity.content.media_type() != OPAQUE_TYPE
            || entity.content.encoding != TransferEncoding::Base64
        {
            return true;
        }

        let mut faults = Tally::default();
        decode(TransferEncoding::Base64, &octets[entity.body.start..], &mut faults);
        !faults.is_empty()
    }

    /// Finds the next delimiter line at or after `from`, which begins a line.
    fn next_delimiter(
        &mut self,
        source: usize,
        from: usize,
        leaf: Option<usize>,
    ) -> Option<(Range<usize>, Delimiter)> {
        if self.open.is_empty() {
            return None;
        }
        let octets: &[u8] = &self.tree.sources[source].octets;
        let delimiter_like = &mut self.tree.delimiter_like;
        let planning = self.purpose != Purpose::View;
        let mut note = |line: &[u8], own: Option<usize>| {
            let leaf = if own.is_some() { None } else { leaf };
            let taken_for = planning.then(|| self.open.taken_for(line, own)).into_iter().flatten();
            delimiter_like.extend(taken_for.map(|multipart| DelimiterLike { multipart, leaf }));
        };
        let found = dashed_lines(octets, from..octets.len()).find_map(|span| {
            let line = without_line_end(&octets[span.clone()]);
            let found = self.open.find(line);
            note(line, found.map(|delimiter| delimiter.entity));
            found.map(|delimiter| (span, delimiter))
        });
        if self.tree.sources[source].survey.bare_cr {
            // This is not a line end yet, but will be written as one.
            let end = found.as_ref().map_or(octets.len(), |(span, _)| span.start);
            for at in memmem::find_iter(&octets[from..end], b"\r--") {
                // Only what it begins with counts; to look for the end of each would take quadratic
                // time.
                note(&octets[from + at + 1..end], None);
            }
        }
        found
    }

    /// Handles a delimiter line after content that begins at `from`; it ends everything inside its
    /// multipart.
    fn delimit(
        &mut self,
        source: usize,
        from: usize,
        line: Range<usize>,
        found: Delimiter,
        leaf: Option<usize>,
    ) -> Next {
        let octets: &[u8] = &self.tree.sources[source].octets;
        let end = before_line_end(octets, from, line.start);
        let close = found.close || self.ends_multipart(octets, &line, found.entity);
        self.end_leaf(leaf, end);
        self.leave_until(Some(found.entity), end);
        let next = line.end;
        if let Kind::Multipart(multipart) = &mut self.tree.entities[found.entity].kind {
            if multipart.delimiters.is_empty() {
                multipart.preamble.end = end;
            }
            multipart.delimiters.push(DelimiterLine { span: line, close });
            if !close {
                self.open.set(found.entity, State::Begun);
                return Next::Entity { at: next, parent: Some(found.entity) };
            }
            multipart.epilogue = Some(next..next);
        }
        self.open.set(found.entity, State::Watched);
        Next::Content { from: next, leaf: None }
    }

    /// Returns whether a delimiter line without the dashes of a close delimiter is one anyway: it
    /// comes after a part, and no part can come after it, since the source ends with the line.
    /// (With a line end after it, half of all readers see one.) Not in signed content, which stays:
    /// whatever is inserted after it would make it the delimiter of a part.
    fn ends_multipart(&self, octets: &[u8], line: &Range<usize>, entity: usize) -> bool {
        let entity = &self.tree.entities[entity];
        let Kind::Multipart(multipart) = &entity.kind else { return false };
        let ends = !multipart.delimiters.is_empty()
            && line.end == octets.len()
            && !octets.ends_with(b"\n");
        ends && !self.tree.is_sealed(entity)
    }

    /// Ends a leaf, or a message whose body is encoded.
    fn end_leaf(&mut self, leaf: Option<usize>, end: usize) {
        let Some(leaf) = leaf else { return };
        let entity = &mut self.tree.entities[leaf];
        entity.body.end = end;
        match entity.kind {
            Kind::Message => self.scan_decoded(leaf),
            _ => {
                self.check_base64(leaf);
                self.find_type(leaf);
            }
        }
    }

    /// Gives a leaf whose media type cannot be read the one that it shows itself to have.
    fn find_type(&mut self, leaf: usize) {
        let Tree { entities, sources, .. } = &mut self.tree;
        let entity = &mut entities[leaf];
        if matches!(entity.kind, Kind::Leaf(Leaf::Simple)) {
            entity.content.find_type(&sources[entity.source].octets[entity.body.clone()]);
        }
    }

    /// Makes text that is labelled base64 but does not look like it be read as it is (rule B1).
    fn check_base64(&mut self, leaf: usize) {
        let entity = &self.tree.entities[leaf];
        if entity.content.encoding != TransferEncoding::Base64 {
            return;
        }
        let may_be_text = match entity.kind {
            Kind::Leaf(Leaf::NoBoundary) => true,
            Kind::Leaf(Leaf::TooLong) => false,
            _ => entity.content.top_type() == "text",
        };
        if may_be_text && !looks_like_base64(self.tree.body_of(entity)) {
            let content = &mut self.tree.entities[leaf].content;
            (content.encoding, content.spelling) = (TransferEncoding::SevenBit, NameSpelling::Odd);
        }
    }

    /// Leaves the multiparts and messages inside `until` (or all of them), which end at `end`.
    fn leave_until(&mut self, until: Option<usize>, end: usize) {
        while let Some(&frame) = self.frames.last() {
            if Some(frame) == until {
                return;
            }
            self.frames.pop();
            self.open.pop(frame);
            self.leave(frame, end);
        }
    }

    /// Ends a composite. The ranges inside a decoded one are in its own source; its body does not
    /// change.
    fn leave(&mut self, index: usize, end: usize) {
        let entity = &mut self.tree.entities[index];
        if entity.decoded.is_none() {
            entity.body.end = end;
        }
        let Kind::Multipart(multipart) = &mut entity.kind else { return };
        multipart.end = end;
        if let Some(epilogue) = &mut multipart.epilogue {
            epilogue.end = end;
        }
        if !multipart.delimiters.is_empty() {
            return;
        }
        let is_encoded = !entity.content.has_identity_encoding();
        if is_encoded && entity.decoded.is_none() {
            self.scan_decoded(index);
        } else if !is_encoded && add_empty_part(&mut self.tree, index) {
            self.count(self.tree.entities.len() - 1);
        } else {
            let entity = &mut self.tree.entities[index];
            (entity.kind, entity.decoded) = (Kind::Leaf(Leaf::NoBoundary), None);
            self.check_base64(index);
        }
    }
}
