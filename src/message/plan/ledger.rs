//! The one place where verdicts become splices and a report.

use std::borrow::Cow;

use super::findings::{Finding, Findings, Of};
use super::issue_log::IssueLog;
use super::verdict::Verdict;
use crate::message::splice::Splices;
use crate::message::tree::{Source, Tree};
use crate::{Issue, Span};

/// What has been decided so far.
#[derive(Debug)]
pub(super) struct Ledger<'p, 'a> {
    tree: &'p Tree<'a>,
    /// One list for each source.
    pub(super) splices: Vec<Splices>,
    issues: IssueLog,
}

impl<'p, 'a> Ledger<'p, 'a> {
    pub(super) fn new(tree: &'p Tree<'a>) -> Self {
        let mut data = vec![Vec::new(); tree.sources.len()];
        for leaf in tree.entities.iter().filter(|entity| entity.is_data()) {
            data[leaf.source].push(leaf.body.clone());
        }
        let of_source = |(source, data): (&Source<'_>, _)| Splices::of(source.has_bare_line_ends(), data);
        let splices = tree.sources.iter().zip(data).map(of_source).collect();
        Self { tree, splices, issues: IssueLog::new() }
    }

    /// Enters what was decided about an entity.
    #[inline]
    pub(super) fn take(&mut self, verdict: Verdict) {
        // Most entities stay as they are.
        if !verdict.is_empty() {
            self.enter(verdict);
        }
    }

    fn enter(&mut self, verdict: Verdict) {
        let source = verdict.splices.first().map_or(0, |(source, _)| *source);
        if verdict.splices.iter().all(|(of, _)| *of == source) {
            self.splices[source].append(verdict.splices.into_iter().map(|(_, splice)| splice).collect());
        } else {
            verdict.splices.into_iter().for_each(|(source, splice)| self.splices[source].push(splice));
        }
        self.report(verdict.entity, verdict.findings);
    }

    /// Enters what was found in an entity.
    pub(super) fn report(&mut self, index: usize, findings: Findings) {
        for Finding { issue, source, of, times } in findings.list {
            let span = issue.span();
            let span = Span::from(self.tree.span_in_message(source, span.start..span.end));
            self.issues.push(issue.at(span), times, || section(self.tree, index, of));
        }
    }

    /// Returns the splices in order, and the issues ordered by where they begin.
    pub(super) fn close(mut self) -> (Vec<Splices>, Vec<Issue>) {
        self.splices.iter_mut().for_each(Splices::sort);
        (self.splices, self.issues.into_issues())
    }
}

/// Returns the section that a report gives for an issue of an entity; a message that is a multipart has no
/// number of its own.
fn section(tree: &Tree<'_>, index: usize, of: Of) -> Cow<'static, str> {
    let section = match of {
        Of::Header => tree.header_section(index),
        Of::Body => tree.section(index),
    };
    if section.is_empty() { "0".into() } else { section }
}
