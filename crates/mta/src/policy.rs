//! The choice of what is done with a message, by who sends it to whom and by what was found in it.

use std::fmt;
use std::net::IpAddr;
use std::sync::Arc;

use sevenbit::{Code, Severity};

use super::filter::{Action, Addresses, Fate, Filter, OnFailure};

/// Chooses the options of a message.
type Choose = dyn Fn(&Facts<'_>) -> Option<Arc<Filter>> + Send + Sync;

/// The options of a running filter. A message keeps those that it began with when they are read again.
#[derive(Clone)]
pub struct Policies {
    /// Those of a message for which no rule is.
    pub base: Arc<Filter>,
    choose: Option<Arc<Choose>>,
    /// Whether a message of any length may pass, if a rule is for it.
    pub may_pass_long: bool,
}

/// The facts about a message that rules ask for.
#[derive(Clone, Copy, Debug)]
pub struct Facts<'a> {
    /// The client's address, if it is known.
    pub client: Option<IpAddr>,
    /// Whether the client has logged in.
    pub is_authenticated: bool,
    /// Where it came in, as the option names it.
    pub listener: &'a str,
    /// Its sender and recipients.
    pub envelope: &'a Addresses,
}

/// The field of [`Action::Tag`], if `--header-report` names none.
pub const TAG: &str = "X-Sevenbit";

impl Policies {
    /// These options for every message.
    pub fn all(base: Arc<Filter>) -> Self {
        Self { may_pass_long: base.passes_long(), base, choose: None }
    }

    /// These options, unless `choose` has others for a message, among them some that let messages of any length pass.
    pub fn new(base: Arc<Filter>, choose: Arc<Choose>, some_pass_long: bool) -> Self {
        Self { may_pass_long: some_pass_long || base.passes_long(), base, choose: Some(choose) }
    }

    /// The options for a message.
    pub fn of(&self, facts: &Facts<'_>) -> Arc<Filter> {
        let chosen = self.choose.as_ref().and_then(|choose| choose(facts));
        chosen.unwrap_or_else(|| Arc::clone(&self.base))
    }
}

impl fmt::Debug for Policies {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Policies").field("base", &self.base).finish_non_exhaustive()
    }
}

impl Filter {
    /// The fate of a message: this one, unless what was found in it decides otherwise.
    pub fn judged(&self, fate: Fate, codes: &[Code], is_safe: impl FnOnce() -> bool) -> Fate {
        let may_stay = |code: &Code| code.severity() == Severity::Note || self.action(*code) == Action::Leave;
        let has = |action| codes.iter().any(|&code| self.action(code) == action);
        match fate {
            _ if has(Action::Reject) => Fate::Rejected,
            _ if has(Action::Quarantine) => Fate::Quarantined,
            Fate::Changed if has(Action::Leave) && codes.iter().all(may_stay) && is_safe() => Fate::Left,
            fate => fate,
        }
    }

    /// Whether a message of any length passes.
    pub fn passes_long(&self) -> bool {
        self.on_too_large == OnFailure::Accept || self.dry_run || self.skip
    }

    /// Whether anything that is found may stay.
    pub fn leaves_any(&self) -> bool {
        self.on.iter().any(|&(_, action)| action == Action::Leave)
    }

    /// The field that names what was found, if there is to be one, and the codes that it names.
    pub fn found_field(&self, codes: &[Code]) -> Option<(&str, Vec<Code>)> {
        let (name, named) = match &self.header_report {
            Some(name) => (name.as_str(), codes.to_vec()),
            None => {
                let tagged = codes.iter().copied().filter(|&code| self.action(code) == Action::Tag);
                (TAG, tagged.collect())
            }
        };
        (!named.is_empty()).then_some((name, named))
    }

    /// The action for a code.
    pub fn action(&self, code: Code) -> Action {
        self.on.iter().rev().find(|(of, _)| *of == code).map_or(Action::Fix, |&(_, action)| action)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::laws::filter;

    #[test]
    fn what_was_found_decides() {
        let (line, word, fold) = (Code::BareLineEnd, Code::EncodedWordRepaired, Code::Refolded);
        let on = vec![(line, Action::Reject), (word, Action::Leave), (fold, Action::Tag)];
        let filter = Filter { on, ..filter() };
        let judged = |codes: &[Code]| filter.judged(Fate::Changed, codes, || true);
        assert_eq!(judged(&[word, line]), Fate::Rejected);
        assert_eq!(judged(&[word]), Fate::Left);
        assert_eq!(judged(&[word, Code::AmbiguousSender]), Fate::Left);
        assert_eq!(judged(&[Code::CharsetRelabelled]), Fate::Changed);
        assert_eq!(filter.judged(Fate::Changed, &[word], || false), Fate::Changed);
        assert_eq!(judged(&[word, Code::RawHeaderText]), Fate::Changed);
        assert_eq!(filter.judged(Fate::Clean, &[], || true), Fate::Clean);
        assert_eq!(filter.found_field(&[word, fold]), Some((TAG, vec![fold])));
        assert_eq!(filter.found_field(&[word]), None);
    }
}
