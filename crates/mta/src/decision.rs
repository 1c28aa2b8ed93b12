//! The decision on a message that a mail server shows and delivers itself: the same for a milter and
//! for hooks. How the server is told is for the protocol.

use std::borrow::Cow;
use std::io::{self, Sink, Write};

use sevenbit::{Code, Plan};

use super::filter::{By, Fate, Filter, OnFailure, Outcome, Record, codes, guarded};
use super::octets::{Octets, Path};

/// A message that a mail server has shown.
#[derive(Clone, Copy, Debug)]
pub struct Incoming<'m> {
    /// The octets that are planned; what is in front of the message itself counts too.
    pub octets: &'m [u8],
    /// The length of the message itself, held or not.
    pub length: u64,
    /// The extent of it that is here.
    pub held: Held,
    /// Whether its client has said that addresses and header may have UTF-8.
    pub asks_smtputf8: bool,
}

/// The extent of a message that is here.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Held {
    /// All of it.
    Whole,
    /// Not all: it has more octets than may be held.
    TooLarge,
    /// Not all: there was no room.
    NoRoom,
    /// Other octets than it has: the protocol of the mail server cannot carry them.
    Garbled,
}

/// The treatment of a message.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Decision {
    /// Passed on with each field untouched.
    Untouched,
    /// Passed on without the fields that only this filter may write.
    AsItCame,
    /// Passed on as planned.
    Changed,
    /// The mail server puts it aside, without the fields that only this filter may write.
    QuarantinedAsItCame,
    /// The mail server puts it aside, as planned.
    QuarantinedChanged,
    /// Its client is to try again, and hears this reply.
    Deferred(String),
    /// Its client has it back, with this reply.
    Refused(String),
}

/// A message that was looked at.
#[derive(Debug)]
pub struct Decided<'m> {
    /// The plan of what would be written; nothing if the message was not looked at.
    pub plan: Option<Plan<'m>>,
    /// The codes found in it, each once.
    pub codes: Vec<Code>,
    /// The fate that it has, or would have had in a dry run.
    pub fate: Fate,
    /// The treatment of the message.
    pub decision: Decision,
}

impl<'m> Decided<'m> {
    /// Decides by these options, for a mail server that can put messages aside or not.
    pub fn on(incoming: Incoming<'m>, filter: &Filter, may_quarantine: bool) -> Self {
        let is_planned = incoming.held == Held::Whole && !filter.skip;
        let plan =
            is_planned.then(|| guarded(|| filter.normalizer.plan(incoming.octets))).flatten();
        let codes = plan.as_ref().map(|plan| codes(plan.report())).unwrap_or_default();
        let fate = incoming.fate(plan.as_ref(), &codes, filter);

        let decision = if filter.dry_run {
            Decision::Untouched
        } else {
            decide(fate, plan.as_ref(), incoming, filter, may_quarantine)
        };
        Self { plan, codes, fate, decision }
    }

    /// Decides on a message whose plan cannot be followed because of a defect.
    pub fn failed(incoming: Incoming<'m>, filter: &Filter, may_quarantine: bool) -> Self {
        let fate = Fate::Failed;
        let decision = if filter.dry_run {
            Decision::Untouched
        } else {
            decide(fate, None, incoming, filter, may_quarantine)
        };
        Self { plan: None, codes: Vec::new(), fate, decision }
    }

    /// The plan, if the message goes on as planned.
    pub fn followed_plan(&self) -> Option<&Plan<'m>> {
        match self.decision {
            Decision::Changed | Decision::QuarantinedChanged => self.plan.as_ref(),
            _ => None,
        }
    }

    /// The field that is added to name what was found, if there is to be one, and the codes that it
    /// names.
    pub fn added_field<'f>(&self, filter: &'f Filter) -> Option<(&'f str, Vec<Code>)> {
        let is_added = match self.decision {
            Decision::AsItCame => matches!(self.fate, Fate::Clean | Fate::Refused),
            Decision::Changed | Decision::QuarantinedChanged => true,
            _ => false,
        };
        if is_added { filter.found_field(&self.codes) } else { None }
    }

    /// Completes the record of the message, from which so many octets were left out because only
    /// this filter may write them, and to which so many were added beside the plan.
    pub fn complete(&self, record: &mut Record, incoming: Incoming<'_>, removed: u64, added: u64) {
        record.codes.clone_from(&self.codes);
        record.fate = self.fate;
        record.outcome = self.decision.outcome();

        if matches!(record.outcome, Outcome::Passed | Outcome::Quarantined) {
            let planned = self.followed_plan().and_then(|plan| incoming.length_as(plan));
            let octets = planned.unwrap_or(incoming.length).saturating_sub(removed);
            record.octets_out = Some(octets + added);
            // What becomes of it, the mail server does not say.
            record.by = By::MailServer;
        }
        if record.fate == Fate::Clean && removed > 0 {
            record.fate = Fate::Changed;
        }
    }
}

impl Decision {
    /// The reply to the client of the message.
    fn outcome(&self) -> Outcome {
        match self {
            Self::Untouched | Self::AsItCame | Self::Changed => Outcome::Passed,
            Self::QuarantinedAsItCame | Self::QuarantinedChanged => Outcome::Quarantined,
            Self::Deferred(_) => Outcome::Deferred,
            Self::Refused(_) => Outcome::Refused,
        }
    }
}

impl Incoming<'_> {
    fn fate(&self, plan: Option<&Plan<'_>>, codes: &[Code], filter: &Filter) -> Fate {
        let Some(plan) = plan else {
            return match self.held {
                _ if filter.skip => Fate::Skipped,
                Held::Whole => Fate::Failed,
                Held::TooLarge => Fate::TooLarge,
                Held::NoRoom => Fate::NoRoom,
                Held::Garbled => Fate::Garbled,
            };
        };

        let smtputf8 = filter.carries.smtputf8 && self.asks_smtputf8;
        let path = Path { smtputf8, ..filter.carries };
        let octets = || {
            let mut octets = Octets::default();
            octets.write_all(self.octets).ok().map(|()| Cow::Owned(octets))
        };
        let fate = filter.judged(Fate::of(plan.report()), plan.report(), codes, path, octets);

        let measure =
            |_: &mut Sink| self.length_as(plan).ok_or_else(|| io::ErrorKind::Other.into());
        match fate {
            Fate::Changed | Fate::Quarantined
                if Filter::outgrows(filter.max_output, self.length, measure) =>
            {
                Fate::TooLarge
            }
            fate => fate,
        }
    }

    /// The length of the message once it is changed. What is in front of it is not counted, as it was
    /// not before.
    fn length_as(&self, plan: &Plan<'_>) -> Option<u64> {
        let before = self.octets.len() as u64 - self.length;
        plan.write_to(io::sink()).ok().map(|written| written.saturating_sub(before))
    }
}

fn decide(
    fate: Fate,
    plan: Option<&Plan<'_>>,
    incoming: Incoming<'_>,
    filter: &Filter,
    may_quarantine: bool,
) -> Decision {
    match fate {
        Fate::Changed => return Decision::Changed,
        Fate::Quarantined if may_quarantine => return Decision::QuarantinedChanged,
        Fate::Skipped => return Decision::Untouched,
        Fate::Clean | Fate::Left | Fate::Refused => return Decision::AsItCame,
        _ => {}
    }

    let rejecting = if fate == Fate::Rejected { plan } else { None };
    let refusal = rejecting.map(|plan| filter.refusal(plan.report(), incoming.octets));
    let (policy, words) = filter.on_failure(fate, &refusal.unwrap_or_default());
    match policy {
        OnFailure::Accept => Decision::AsItCame,
        OnFailure::Quarantine if may_quarantine => Decision::QuarantinedAsItCame,
        // As with one that cannot be looked at: without the right to quarantine, it comes again.
        OnFailure::Quarantine | OnFailure::TempFail => Decision::Deferred(words),
        OnFailure::Reject => Decision::Refused(words),
    }
}
