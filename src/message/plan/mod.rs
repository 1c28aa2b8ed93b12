//! The planner: decides, entity by entity, what must change, and says why. It changes nothing.
//!
//! The order matters. Bodies come first, because a boundary is renamed only where content keeps a line
//! that looks like it; then boundaries; then headers, which state what bodies and boundaries became.

mod blocks;
mod boundaries;
mod data;
mod dkim;
mod edits;
mod header;
mod leaf;
mod lists;
mod mime_version;
mod multipart;
mod opaque;
mod repeated;
mod text;
mod told;
mod zones;

use std::borrow::Cow;
use std::cell::OnceCell;
use std::ops::Range;

use self::boundaries::Exposed;
pub(crate) use self::dkim::counts_octets;
use self::edits::ContentEdits;
use self::told::Told;
use self::zones::Zone;
use super::line_ends::line_ends_of;
use super::options::Options;
use super::scan::scan;
use super::splice::{Place, Replacement, Splice, Splices};
use super::tree::{Entity, Kind, Purpose, Tree};
use crate::transfer::{LineEnds, Survey};
use crate::{Code, Issue, Profile, Rule, Signed, Span};

/// What was decided about a message.
#[derive(Clone, Debug)]
pub(crate) struct Decision<'a> {
    pub(crate) tree: Tree<'a>,
    pub(crate) splices: Vec<Splices>,
    pub(crate) issues: Vec<Issue>,
    pub(crate) refused: bool,
}

/// Plans the normal form of `message`.
pub(crate) fn plan<'a>(message: &'a [u8], options: &Options) -> Decision<'a> {
    let tree = scan(message, &options.limits, Purpose::Plan);
    let line_ends = line_ends_of(message);
    let mut planner = Planner::new(&tree, options, line_ends);
    planner.note_line_ends(message);
    planner.find_zones();
    planner.plan_bodies();
    planner.plan_boundaries();
    planner.plan_entities();
    planner.report_broken_seals();
    let Planner { mut splices, issues, refused, .. } = planner;
    splices.iter_mut().for_each(Splices::sort);
    Decision { tree, splices, issues: issues.into_issues(), refused }
}

/// The state of one planning.
pub(super) struct Planner<'p, 'a> {
    tree: &'p Tree<'a>,
    options: &'p Options,
    line_ends: LineEnds,
    splices: Vec<Splices>,
    issues: Told,
    /// For each entity.
    decided: Vec<Decided>,
    /// What came out of encodings and could be misread for delimiters.
    exposed: Exposed,
    /// What happened to the fields of the message's own header, for DKIM.
    changes: Vec<dkim::Change>,
    /// Whether any signature or seal may cover them, once somebody asked.
    sealed: OnceCell<bool>,
    refused: bool,
    /// Room for the issues of a field.
    found: Vec<Issue>,
}

/// What was decided about an entity.
#[derive(Clone, Debug, Default)]
struct Decided {
    /// What its Content- fields must come to say.
    edits: ContentEdits,
    zone: Zone,
    /// Whether its body is written anew.
    rewritten: bool,
}

impl<'p, 'a> Planner<'p, 'a> {
    fn new(tree: &'p Tree<'a>, options: &'p Options, line_ends: LineEnds) -> Self {
        Self {
            tree,
            options,
            line_ends,
            splices: vec![Splices::default(); tree.sources.len()],
            issues: Told::new(),
            decided: vec![Decided::default(); tree.entities.len()],
            exposed: Exposed::default(),
            changes: Vec::new(),
            sealed: OnceCell::new(),
            refused: false,
            found: Vec::new(),
        }
    }

    fn archive(&self) -> bool {
        self.options.profile == Profile::Archive
    }

    /// The entity, for as long as the tree lives.
    fn entity(&self, index: usize) -> &'p Entity {
        &self.tree.entities[index]
    }

    /// The octets that an entity's ranges point into.
    fn source(&self, index: usize) -> &'p [u8] {
        self.tree.source_of(self.entity(index))
    }

    /// How lines end in an entity's source: the message's own way, or any way in what was decoded.
    fn line_ends_of(&self, index: usize) -> LineEnds {
        match (self.entity(index).source, self.line_ends) {
            (0, LineEnds::Crlf) => LineEnds::Crlf,
            _ => LineEnds::Lf,
        }
    }

    /// The body of an entity as it stands.
    fn body(&self, index: usize) -> &'p [u8] {
        self.tree.body_of(self.entity(index))
    }

    /// What a range of an entity's source holds.
    fn survey(&self, index: usize, range: Range<usize>) -> Survey {
        self.tree.sources[self.entity(index).source].survey_of(range, self.line_ends_of(index))
    }

    /// Whether the lines of an entity's body are 7-bit safe once their line ends are mended.
    fn has_safe_lines(&self, index: usize) -> bool {
        let entity = self.entity(index);
        self.tree.sources[entity.source].has_safe_lines(entity.body.clone())
    }

    fn is_ascii(&self, index: usize, range: Range<usize>) -> bool {
        self.tree.sources[self.entity(index).source].is_ascii(range)
    }

    /// Marks where line ends must be mended while copying.
    fn note_line_ends(&mut self, message: &[u8]) {
        for (source, splices) in self.tree.sources.iter().zip(&mut self.splices) {
            splices.stray_line_ends = source.has_strays();
        }
        if self.line_ends != LineEnds::Crlf {
            let end = message.iter().position(|octet| matches!(octet, b'\r' | b'\n')).unwrap_or(0);
            let which = if self.line_ends == LineEnds::Lf { "stored with LF" } else { "stored with CR" };
            let issue = Issue::new(Code::LineEndsNormalized, Span::default()).with_detail(which);
            self.take_issue(issue, 0, "0".into(), end..end + 1);
        }
    }

    /// Decides about every leaf.
    fn plan_bodies(&mut self) {
        for index in 0..self.tree.entities.len() {
            if self.decided[index].zone != Zone::Frozen && self.entity(index).is_leaf() {
                self.plan_leaf(index);
            }
        }
    }

    /// Plans headers and structure, in the order of the document.
    fn plan_entities(&mut self) {
        for index in 0..self.tree.entities.len() {
            if self.decided[index].zone == Zone::Frozen {
                continue;
            }
            self.plan_empty_header(index);
            match &self.entity(index).kind {
                Kind::Leaf(_) => {}
                Kind::Multipart(multipart) => self.plan_multipart(index, multipart),
                Kind::Message(_) => self.plan_message(index),
            }
            self.plan_header(index);
        }
    }

    /// Replaces octets of an entity's source.
    fn splice(
        &mut self,
        index: usize,
        span: Range<usize>,
        with: impl Into<Cow<'static, [u8]>>,
        rule: Rule,
        reason: &'static str,
    ) {
        self.replace(index, self.entity(index).source, span, Replacement::Octets(with.into()), rule, reason);
    }

    fn replace(
        &mut self,
        entity: usize,
        source: usize,
        span: Range<usize>,
        with: Replacement,
        rule: Rule,
        reason: &'static str,
    ) {
        self.splices[source].push(Splice { span, with, rule, reason, entity, place: Place::InOrder });
    }

    /// Reports about an entity's body; `range` is in its source.
    fn report(
        &mut self,
        index: usize,
        code: Code,
        range: Range<usize>,
        detail: impl Into<Cow<'static, str>>,
    ) {
        let part = self.tree.section(index);
        self.report_in(self.entity(index).source, part, code, range, detail);
    }

    /// Reports about an entity's header.
    fn report_header(
        &mut self,
        index: usize,
        code: Code,
        range: Range<usize>,
        detail: impl Into<Cow<'static, str>>,
    ) {
        let part = self.tree.header_section(index);
        self.report_in(self.entity(index).source, part, code, range, detail);
    }

    fn report_in(
        &mut self,
        source: usize,
        part: Cow<'static, str>,
        code: Code,
        range: Range<usize>,
        detail: impl Into<Cow<'static, str>>,
    ) {
        let (span, part) = self.place_of(source, part, range);
        let make = |span, part| Issue::new(code, span).in_part(part).with_detail(detail);
        self.issues.push(code, span, part, make);
    }

    /// Takes over an issue; `range` says where it is in its source.
    fn take_issue(&mut self, issue: Issue, source: usize, part: Cow<'static, str>, range: Range<usize>) {
        let (span, part) = self.place_of(source, part, range);
        self.issues.push(issue.code(), span, part, |span, part| issue.at(span).in_part(part));
    }

    /// Where an issue is told to be.
    fn place_of(
        &self,
        source: usize,
        part: Cow<'static, str>,
        range: Range<usize>,
    ) -> (Span, Cow<'static, str>) {
        let part = if part.is_empty() { "0".into() } else { part };
        (Span::from(self.tree.span_in_message(source, range)), part)
    }

    fn refuse_signed(&self) -> bool {
        self.options.signed == Signed::Refuse
    }
}
