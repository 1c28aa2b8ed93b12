//! A message as a tree of octet ranges. Only what had to be decoded to be read is copied.

use std::borrow::Cow;
use std::collections::HashSet;
use std::ops::Range;
use std::sync::OnceLock;

use super::content::{Class, Content};
use super::delimiters::DASHES;
use super::field::{Field, Section};
use super::guesses::Guesses;
use super::seal;
use crate::Few;
use crate::ascii::decimal;
use crate::transfer::{LineEnds, Survey, TransferEncoding};

/// The octets that ranges point into: the message itself, or a decoded body (rule B11).
#[derive(Clone, Debug)]
pub struct Source<'a> {
    pub octets: Cow<'a, [u8]>,
    /// The entity whose decoded body this is; `None` for the message itself.
    pub of: Option<usize>,
    /// How its lines end: only with CR LF, or also with LF.
    pub line_ends: LineEnds,
    /// A survey of all of it, with CR LF as its line end. Not made for a view.
    pub survey: Survey,
}

/// The purpose of a scan.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Purpose {
    /// Questions of programs: everything is opened that hides mail, and nothing is surveyed.
    View,
    /// A plan of what is written.
    Plan(Openings),
}

/// The parts of a message that not every reader opens, and whether a scan opens them. Who plans
/// decides that; the scanner knows no profile.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Openings {
    /// A transfer encoding under a name that readers do not know (rule B1) is undone.
    pub misspelt_encodings: bool,
    /// A multipart in a transfer encoding (rule B11) is decoded.
    pub encoded_multiparts: bool,
    /// A multipart whose boundary few readers find (rule B8) is one.
    pub hidden_parts: bool,
    /// A news article (rule B9) is a message, unless something around it claims to be signed.
    pub articles: bool,
}

impl Purpose {
    /// Returns what a scan opens. Articles are files to most readers, and so to a view.
    pub fn openings(self) -> Openings {
        match self {
            Self::View => Openings {
                misspelt_encodings: true,
                encoded_multiparts: true,
                hidden_parts: true,
                articles: false,
            },
            Self::Plan(openings) => openings,
        }
    }
}

impl<'a> Source<'a> {
    /// Returns a whole message, or the decoded body of an entity.
    pub fn new(
        octets: Cow<'a, [u8]>,
        of: Option<usize>,
        line_ends: LineEnds,
        purpose: Purpose,
    ) -> Self {
        let survey = match purpose {
            Purpose::View => Survey::default(),
            Purpose::Plan(_) => Survey::of(&octets, LineEnds::Crlf),
        };
        Self { octets, of, line_ends, survey }
    }

    /// Returns a survey of a range of lines. If all lines of the source are as they should be, only
    /// its octets can differ.
    pub fn survey_of(&self, range: Range<usize>) -> Survey {
        self.survey_by(range, self.line_ends)
    }

    fn survey_by(&self, range: Range<usize>, line_ends: LineEnds) -> Survey {
        if self.survey.is_eight_bit_safe() {
            return Survey { eight_bit: !self.is_ascii(range), ..Survey::default() };
        }
        Survey::of(&self.octets[range], line_ends)
    }

    /// Returns whether a range of lines is 7-bit safe once every CR and LF in it is written as CR
    /// LF.
    pub fn has_safe_lines(&self, range: Range<usize>) -> bool {
        self.survey_by(range, LineEnds::Lf).has_safe_lines()
    }

    /// Returns whether a range is all US-ASCII.
    pub fn is_ascii(&self, range: Range<usize>) -> bool {
        !self.survey.eight_bit || self.octets[range].is_ascii()
    }

    /// Returns whether there is a bare CR or LF anywhere.
    pub fn has_bare_line_ends(&self) -> bool {
        self.survey.bare_cr || self.survey.bare_lf
    }
}

impl AsRef<[u8]> for Source<'_> {
    fn as_ref(&self) -> &[u8] {
        &self.octets
    }
}

/// All entities of a message in document order; the message itself is the first.
#[derive(Clone, Debug)]
pub struct Tree<'a> {
    pub sources: Few<Source<'a>>,
    pub entities: Few<Entity>,
    pub fields: Vec<Field>,
    /// Lines of content that begin like a delimiter but delimit nothing (rule G6). Not gathered for
    /// a view.
    pub delimiter_like: HashSet<DelimiterLike>,
    /// Whether text of a view has U+FFFD in place of U+0000.
    pub replaces_nul: bool,
    /// The charsets that unlabelled text may be in; determined when first asked for.
    pub guesses: OnceLock<Guesses>,
}

/// One entity: header section and body.
#[derive(Clone, Debug)]
pub struct Entity {
    pub source: usize,
    pub parent: Option<usize>,
    /// How many multiparts and messages are around it.
    pub depth: usize,
    /// Its position among the parent's children, from 1.
    pub ordinal: usize,
    pub start: usize,
    /// Indexes into the tree's fields.
    pub fields: Range<usize>,
    pub section: Section,
    pub body: Range<usize>,
    pub content: Content,
    pub kind: Kind,
    /// Indexes of the parts of a multipart, or of the only one, the message in a message.
    pub children: Vec<usize>,
    /// The source that holds the decoded body, if it had to be decoded: there the children are.
    pub decoded: Option<usize>,
}

/// The kind of an entity's body.
#[derive(Clone, Debug)]
pub enum Kind {
    Leaf(Leaf),
    Multipart(Box<Multipart>),
    /// A message with a header of its own.
    Message,
}

/// Why a body is read as a leaf.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Leaf {
    /// Any body that is neither multipart nor message.
    Simple,
    /// A multipart without a boundary, or whose boundary never occurs (rule B8).
    NoBoundary,
    /// A multipart that is encoded: readers do not look into it, and unless it is decoded it stays
    /// in one piece (rule B11, transport).
    Encoded,
    /// A multipart or message past a limit, or the message itself with more parts or fields than
    /// allowed (rule G13).
    PastLimit,
    /// The message itself, which is too long to be looked into (rule G13).
    TooLong,
}

#[derive(Clone, Debug, Default)]
pub struct Multipart {
    pub boundary: Vec<u8>,
    /// Text before the first delimiter, without the line end that belongs to the delimiter.
    pub preamble: Range<usize>,
    pub delimiters: Vec<DelimiterLine>,
    /// Text after the close delimiter's line.
    pub epilogue: Option<Range<usize>>,
    /// Where the multipart ends.
    pub end: usize,
}

/// A delimiter line: from its `--` to the end of the line, including the line end.
#[derive(Clone, Debug)]
pub struct DelimiterLine {
    pub span: Range<usize>,
    /// Whether it closes the multipart; it may lack its dashes.
    pub close: bool,
}

/// A line of `content` that a reader that compares prefixes takes for a delimiter of `multipart`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct DelimiterLike {
    pub multipart: usize,
    /// The leaf that the line is in; `None` for a delimiter, a header, a preamble or an epilogue.
    pub leaf: Option<usize>,
}

impl DelimiterLine {
    /// Returns where the boundary is in it.
    pub fn boundary(&self, boundary: &[u8]) -> Range<usize> {
        let start = self.span.start + DASHES.len();
        start..start + boundary.len()
    }
}

impl Tree<'_> {
    /// Adds an entity that begins at `start` of a source, as a leaf without octets; returns its
    /// index. Its fields are the last ones.
    pub fn add(
        &mut self,
        source: usize,
        parent: Option<usize>,
        start: usize,
        section: Section,
        content: Content,
    ) -> usize {
        let (index, first) =
            (self.entities.len(), self.entities.last().map_or(0, |last| last.fields.end));
        let (mut depth, mut ordinal) = (0, 1);
        if let Some(parent) = parent.map(|parent| &mut self.entities[parent]) {
            parent.children.push(index);
            (depth, ordinal) = (parent.depth + 1, parent.children.len());
        }
        self.entities.push(Entity {
            source,
            parent,
            depth,
            ordinal,
            start,
            fields: first..self.fields.len(),
            body: section.body..section.body,
            section,
            content,
            kind: Kind::Leaf(Leaf::Simple),
            children: Vec::new(),
            decoded: None,
        });
        index
    }

    /// Returns the octets that the ranges of `entity` point into.
    pub fn source_of(&self, entity: &Entity) -> &[u8] {
        &self.sources[entity.source].octets
    }

    /// Returns the fields of `entity`.
    pub fn fields_of(&self, entity: &Entity) -> &[Field] {
        &self.fields[entity.fields.clone()]
    }

    /// Returns the body of `entity` as it is.
    pub fn body_of(&self, entity: &Entity) -> &[u8] {
        &self.source_of(entity)[entity.body.clone()]
    }

    /// Returns the children of the entity with that index.
    pub fn children(&self, index: usize) -> &[usize] {
        &self.entities[index].children
    }

    /// Returns the span of octets of the message that holds `range` of source `source`: for decoded
    /// content, that of the body it was decoded from.
    pub fn span_in_message(&self, mut source: usize, mut range: Range<usize>) -> Range<usize> {
        while let Some(of) = self.sources[source].of {
            range = self.entities[of].body.clone();
            source = self.entities[of].source;
        }
        range
    }

    /// Returns `from` and the entities around it, outwards.
    pub fn upwards(&self, from: Option<usize>) -> impl Iterator<Item = usize> {
        std::iter::successors(from, |&at| self.entities[at].parent)
    }

    /// Returns whether an entity, or one around it, says that its parts are signed or encrypted.
    pub fn claim_seal(&self, from: Option<usize>) -> bool {
        self.upwards(from).any(|at| self.entities[at].content.claims_seal())
    }

    /// Returns whether the parts of an entity are signed or encrypted (rule G12): it says so and
    /// has the part that its protocol asks for (RFC 1847, 2.1 and 2.2), whose content can be one.
    pub fn is_seal(&self, index: usize) -> bool {
        self.control_part(index).is_some_and(|(protocol, control)| {
            seal::is_control(&protocol, control.content.encoding, self.body_of(control))
        })
    }

    /// Returns whether an entity is inside signed or encrypted content.
    pub fn is_sealed(&self, entity: &Entity) -> bool {
        self.upwards(entity.parent).any(|at| self.is_seal(at))
    }

    /// Returns the part that the protocol of an entity asks for, found by its type, if the entity
    /// claims to be signed or encrypted. If no protocol is named, the type of a widely known kind
    /// of signature takes its place.
    pub fn control_part(&self, index: usize) -> Option<(String, &Entity)> {
        let content = &self.entities[index].content;
        if !content.claims_seal() {
            return None;
        }
        let place = usize::from(content.media_type() == "multipart/signed");
        let control = self.children(index).get(place).map(|&child| &self.entities[child])?;
        let given = seal::protocol_name(control.content.media_type());
        let is_right = match content.parameters.get("protocol") {
            Some(protocol) => seal::protocol_name(protocol) == given,
            None => seal::is_signature(&given),
        };
        match control.kind {
            // A part past a limit is written as something else.
            Kind::Leaf(Leaf::PastLimit) => None,
            Kind::Leaf(_) if is_right => Some((given, control)),
            _ => None,
        }
    }

    /// Returns the IMAP section of an entity (RFC 3501, 6.4.5): `1.2`; empty for a message that is
    /// a multipart.
    pub fn section(&self, index: usize) -> Cow<'static, str> {
        let is_numbered = |at: &usize| !self.is_message(*at) || !self.entities[*at].is_multipart();
        let numbered = self.upwards(Some(index)).filter(is_numbered);
        let mut numbers: Few<_> = numbered.map(|at| decimal(self.entities[at].ordinal)).collect();
        numbers.reverse();
        if let Few::One(number) = numbers { number } else { numbers.join(".").into() }
    }

    /// Returns whether an entity is a message: the whole one, or what is in a part of type message.
    pub fn is_message(&self, index: usize) -> bool {
        self.entities[index]
            .parent
            .is_none_or(|parent| matches!(self.entities[parent].kind, Kind::Message))
    }

    /// Returns the section of an entity's header: `0` for the message itself, `2.0` for the message
    /// in part 2.
    pub fn header_section(&self, index: usize) -> Cow<'static, str> {
        match self.entities[index].parent {
            None => "0".into(),
            Some(parent) if self.is_message(index) => format!("{}.0", self.section(parent)).into(),
            Some(_) => self.section(index),
        }
    }
}

impl Entity {
    pub fn is_multipart(&self) -> bool {
        matches!(self.kind, Kind::Multipart(_))
    }

    /// Returns whether it is a leaf labelled binary whose octets are data, not lines (rule B10).
    pub fn is_data(&self) -> bool {
        let content = &self.content;
        let is_file = || match self.kind {
            Kind::Leaf(Leaf::Simple) => !content.is_inline_text() && content.class != Class::Fields,
            Kind::Leaf(Leaf::NoBoundary) => content.is_file(),
            _ => false,
        };
        content.encoding == TransferEncoding::Binary && is_file() && content.top_type() != "message"
    }

    pub fn is_leaf(&self) -> bool {
        matches!(self.kind, Kind::Leaf(_))
    }

    /// Returns the source that its children are in.
    pub fn inner_source(&self) -> usize {
        self.decoded.unwrap_or(self.source)
    }
}
