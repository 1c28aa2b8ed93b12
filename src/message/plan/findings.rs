//! What is to be reported about one entity, before it goes into the whole report.

use std::borrow::Cow;
use std::ops::Range;

use super::issue_log::MAX_LISTED;
use crate::message::tree::Entity;
use crate::{Code, Issue, Span};

/// What is to be reported about one entity.
#[derive(Debug)]
pub(super) struct Findings {
    /// The source of the entity.
    source: usize,
    pub(super) list: Vec<Finding>,
    /// For each code, how often it occurs in a header with very many issues, and where the last one listed
    /// is.
    many: Option<Box<[Many; Code::ALL.len()]>>,
}

/// An issue whose span is in a source, not yet in the message.
#[derive(Debug)]
pub(super) struct Finding {
    pub(super) issue: Issue,
    pub(super) source: usize,
    pub(super) of: Of,
    /// How often it was found, anywhere in its span.
    pub(super) times: usize,
}

/// Which part of an entity an issue is in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Of {
    Header,
    Body,
}

#[derive(Clone, Copy, Debug, Default)]
struct Many {
    count: usize,
    last: usize,
}

impl Findings {
    pub(super) fn new(entity: &Entity) -> Self {
        Self { source: entity.source, list: Vec::new(), many: None }
    }

    /// Returns the source of the entity.
    pub(super) fn source(&self) -> usize {
        self.source
    }

    /// Reports something in the entity's body; `range` is in its source.
    pub(super) fn body(&mut self, code: Code, range: Range<usize>, detail: impl Into<Cow<'static, str>>) {
        self.body_in(self.source, code, range, detail);
    }

    /// Reports something in the entity's body, if that was decoded to another source.
    pub(super) fn body_in(
        &mut self,
        source: usize,
        code: Code,
        range: Range<usize>,
        detail: impl Into<Cow<'static, str>>,
    ) {
        let issue = Issue::new(code, range.into()).with_detail(detail);
        self.list.push(Finding { issue, source, of: Of::Body, times: 1 });
    }

    /// Reports something in the entity's header; `range` is in its source.
    pub(super) fn header(&mut self, code: Code, range: Range<usize>, detail: impl Into<Cow<'static, str>>) {
        self.header_issue(Issue::new(code, range.into()).with_detail(detail), 0);
    }

    /// Reports something in the entity's body, before everything else.
    pub(super) fn put_first(&mut self, issue: Issue) {
        debug_assert!(self.many.is_none(), "places have been counted");
        self.list.insert(0, Finding { issue, source: self.source, of: Of::Body, times: 1 });
    }

    /// Reports an issue of the entity's header whose span begins at `base` of its source.
    pub(super) fn header_issue(&mut self, issue: Issue, base: usize) {
        let span: Span = issue.span().shifted(base);
        let finding = Finding { issue: issue.at(span), source: self.source, of: Of::Header, times: 1 };
        self.add(finding);
    }

    /// Adds what was found in the header of the same entity.
    pub(super) fn absorb(&mut self, other: Self) {
        other.list.into_iter().for_each(|finding| self.add(finding));
    }

    fn add(&mut self, finding: Finding) {
        match self.list.len() {
            ..MAX_LISTED => self.list.push(finding),
            _ => self.add_to_many(finding),
        }
    }

    /// Adds a finding to many. Findings beyond those that will be listed are held as one: a header of a
    /// million fields is no reason to hold a million issues.
    #[cold]
    fn add_to_many(&mut self, finding: Finding) {
        let list = &mut self.list;
        let many = self.many.get_or_insert_with(|| {
            let mut many = Box::new([Many::default(); Code::ALL.len()]);
            list.iter().for_each(|finding| many[finding.issue.code().index()].count += finding.times);
            many
        });
        let of_code = &mut many[finding.issue.code().index()];
        let listed = of_code.count;
        of_code.count += finding.times;
        if listed <= MAX_LISTED {
            of_code.last = list.len();
            list.push(finding);
            return;
        }
        let last = &mut list[of_code.last];
        last.times += finding.times;
        last.issue.set_span(last.issue.span().around(finding.issue.span()));
    }
}
