//! What is done to one large message, as far as that can be told without most of it.

use std::fs::File;
use std::io;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::Instant;

use sevenbit::{Abridged, AbridgedPlan};

use super::line_ends::wants_lf;
use super::summary::Fate;
use super::verify::is_no_mail;
use super::worker::{Body, Job, Made, New, Outcome, Read, Worker, left_out};
use crate::exit::Failure;
use crate::input::{Found, Home, Item, Large, Skipped, has_cr};

impl Worker {
    /// Does it; a message of which more has to be known is read whole.
    pub(super) fn large(&self, item: Item, mut large: Box<Large>) -> Outcome {
        let is_too_old = self.select.is_too_old(large.message.head());
        match catch_unwind(AssertUnwindSafe(|| self.abridged(&item, &mut large.message))) {
            // If there is a plan, all of its header is in its head.
            Ok(Ok(Some(_))) if is_too_old => Outcome::Found(Found::Skipped(Skipped::TooOld)),
            Ok(Ok(Some((made, lf)))) => {
                let length = large.message.length();
                let octets_out = if let New::Planned(octets) = made.new { octets } else { length };
                let body = Body::Abridged { message: Box::new(large.message), lf };
                Outcome::Done(made.done(item, Some(large.file), length, octets_out, body))
            }
            Ok(Ok(None)) => match large.into_whole(&item) {
                Ok(octets) => self.work(Job::Message((item, Read::Whole(octets)))),
                Err(failure) => Outcome::Failed(failure),
            },
            Ok(Err(error)) => Outcome::Failed(Failure::reading(&item.called(), &error)),
            Err(_) => left_out(&item),
        }
    }

    /// The plan of a large message of which there was one before.
    pub fn plan_abridged<'a>(&self, message: &'a mut Abridged<File>) -> Option<AbridgedPlan<'a, File>> {
        message.plan(&self.normalizer)
    }

    /// What is made of it, and whether that is written with LF, if its plan is that of the whole and nothing else needs
    /// the whole: `--verify` and `--check` look at a message that changes.
    fn abridged(&self, item: &Item, message: &mut Abridged<File>) -> io::Result<Option<(Made, bool)>> {
        let begun = Instant::now();
        let head = message.head();
        let lf = wants_lf(self.line_ends, self.in_place, item, head);
        let is_no_mail = self.in_place && !matches!(item.home, Home::Maildir) && is_no_mail(head);
        let Some(mut plan) = self.plan_abridged(message) else { return Ok(None) };
        let stays = match lf {
            false => plan.is_clean(),
            // Nothing but line ends: CRLF for LF, and LF for that again.
            true => plan.edits().next().is_none() && !has_cr(item)?,
        };
        let new = if plan.is_refused() || stays {
            New::Same
        } else if self.verify || self.tells || is_no_mail {
            return Ok(None);
        } else if !self.reports {
            New::Planned(0)
        } else if lf {
            New::Planned(plan.write_lf_to(io::sink())?)
        } else {
            New::Planned(plan.write_to(io::sink())?)
        };
        let fate = Fate::of(plan.is_refused(), !matches!(new, New::Same), false);
        let made = self.made(new, fate, plan.report(), lf, plan.charset_labels(), begun);
        // What is refused passes as it is.
        Ok(Some((made, lf && !plan.is_refused())))
    }
}
