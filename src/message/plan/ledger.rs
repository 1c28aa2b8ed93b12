//! The one place where verdicts become splices and a report.

use std::borrow::Cow;

use super::issue_log::IssueLog;
use super::verdict::Verdict;
use crate::facts::tree::{Source, Tree};
use crate::message::splice::Splices;
use crate::transfer::TransferEncoding;
use crate::{Few, Issue};

/// The splices and issues decided so far.
#[derive(Debug)]
pub(super) struct Ledger<'p, 'a> {
    tree: &'p Tree<'a>,
    /// One list for each source.
    splices: Few<Splices>,
    issues: IssueLog,
}

impl<'p, 'a> Ledger<'p, 'a> {
    pub(super) fn new(tree: &'p Tree<'a>) -> Self {
        let of_source = |source: &Source<'_>| Splices::of(source.has_bare_line_ends());
        let splices = tree.sources.iter().map(of_source).collect();
        Self { tree, splices, issues: IssueLog::default() }
    }

    /// Enters the leaves whose octets are data, and still labelled so.
    pub(super) fn enter_data(&mut self, verdicts: &[Verdict]) {
        for verdict in verdicts {
            let leaf = &self.tree.entities[verdict.entity];
            let label = verdict.edits.encoding;
            if leaf.is_data() && matches!(label, None | Some(TransferEncoding::Binary)) {
                self.splices[leaf.source].data.push(leaf.body.clone());
            }
        }
    }

    /// Enters what was decided about an entity.
    pub(super) fn take(&mut self, verdict: &mut Verdict) {
        let splices = std::mem::take(&mut verdict.splices);
        let source = splices.first().map_or(0, |splice| splice.source);
        if splices.iter().all(|splice| splice.source == source) {
            self.splices[source].append(splices)
        } else {
            splices.into_iter().for_each(|splice| self.splices[splice.source].list.push(splice))
        }
        let (tree, index) = (self.tree, verdict.entity);
        if !verdict.in_body.is_empty() {
            self.report(std::mem::take(&mut verdict.in_body), verdict.source, tree.section(index));
        }
        if !verdict.in_header.is_empty() {
            self.report(
                std::mem::take(&mut verdict.in_header),
                verdict.source,
                tree.header_section(index),
            );
        }
    }

    /// Enters what was found in a section of the message; one that is a multipart has no number of
    /// its own.
    fn report(&mut self, found: IssueLog, source: usize, section: Cow<'static, str>) {
        let tree = self.tree;
        let section = if section.is_empty() { "0".into() } else { section };
        self.issues.absorb(found, &|issue| {
            let span = issue.span();
            let span = tree.span_in_message(source, span.start..span.end);
            issue.at(span.into()).in_part(section.clone())
        });
    }

    /// Returns the splices in order.
    pub(super) fn in_order(&mut self) -> &[Splices] {
        self.splices.iter_mut().for_each(Splices::sort);
        &self.splices
    }

    /// Returns the splices, and the issues ordered by where they begin.
    pub(super) fn close(self) -> (Few<Splices>, Vec<Issue>) {
        (self.splices, self.issues.into_issues())
    }
}
