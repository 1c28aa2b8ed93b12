//! The work to be done on each message, according to the options.

use std::fs::File;

use sevenbit::{Abridged, AbridgedPlan, Issue, Limits, Normalizer, Plan, Profile};

use crate::args::{LineEnds, Normalize, TnefChoice};
use crate::heading::Heading;
use crate::input::Select;
use crate::issue::IssueKind;

/// The work to be done on each message.
pub struct Task {
    pub normalizer: Normalizer,
    pub limits: Limits,
    pub profile: Profile,
    pub line_ends: Option<LineEnds>,
    pub in_place: bool,
    /// Whether what is in TNEF is written as parts.
    pub unpacks_tnef: bool,
    pub verify: bool,
    /// Whether `--check` prints what would change.
    pub prints: bool,
    /// The kinds of issues that are listed; an empty list means all.
    pub issues: Vec<IssueKind>,
    /// Whether places are said by their lines instead of their octets.
    pub line_numbers: bool,
    /// Whether no output is written: a check or a dry run.
    pub only_looks: bool,
    /// Whether copies of a message are left out.
    pub is_unique: bool,
    /// Whether a report is written, which needs the issues and the length of the output.
    pub reports: bool,
    /// Whether a summary is printed, which needs codes and charsets.
    pub sums: bool,
    /// Whether a row of `--export` is asked for.
    #[cfg(feature = "parquet")]
    pub exports: bool,
    pub select: Select,
}

impl Task {
    /// The task that the options describe.
    pub fn new(args: &Normalize, select: Select) -> Self {
        Self {
            normalizer: args.normalizer(),
            limits: args.limits(),
            profile: args.form.profile(),
            // A message that is stored with LF is right as it is stored.
            line_ends: args.line_ends.or_else(|| args.check.then_some(LineEnds::Keep)),
            in_place: args.in_place,
            unpacks_tnef: args.tnef == TnefChoice::Unpack,
            verify: args.verifies(),
            prints: false,
            issues: args.issue.clone(),
            line_numbers: args.line_numbers,
            only_looks: args.only_looks(),
            is_unique: args.unique,
            reports: false,
            sums: false,
            #[cfg(feature = "parquet")]
            exports: false,
            select,
        }
    }

    /// Whether the options need all octets of every message.
    pub fn needs_all(&self) -> bool {
        #[cfg(feature = "parquet")]
        let exports = self.exports;
        #[cfg(not(feature = "parquet"))]
        let exports = false;
        exports || self.unpacks_tnef || self.line_numbers || self.is_unique
    }

    /// Whether some kinds of issues are asked for: then messages that have one are listed, also
    /// those that would not change.
    pub fn asks_for_issues(&self) -> bool {
        !self.issues.is_empty()
    }

    /// Whether an issue is listed.
    pub fn lists(&self, issue: &Issue) -> bool {
        self.issues.is_empty() || self.issues.iter().any(|kind| kind.includes(issue))
    }

    /// The Message-ID and the subject of a message, whose header is enough; empty if there is no
    /// report to put them in.
    pub fn heading(&self, message: &[u8]) -> Heading {
        if self.reports { Heading::of(message) } else { Heading::default() }
    }

    /// The plan of a message.
    pub fn plan<'a>(&self, message: &'a [u8]) -> Plan<'a> {
        self.normalizer.plan(message)
    }

    /// The plan of a large message, if it can be made without most of it.
    pub fn plan_abridged<'a>(
        &self,
        message: &'a mut Abridged<File>,
    ) -> Option<AbridgedPlan<'a, File>> {
        message.plan(&self.normalizer)
    }
}
