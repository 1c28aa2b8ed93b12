//! The guessed charsets of unlabelled text, one for each group of entities.

use crate::decode::Fallback;

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Guesses {
    /// For each entity, its group.
    groups: Vec<usize>,
    of_groups: Vec<Fallback>,
    /// From text that is not evidence for any of them.
    of_the_rest: Fallback,
}

impl Guesses {
    pub(super) fn new(groups: Vec<usize>, of_groups: Vec<Fallback>, of_the_rest: Fallback) -> Self {
        Self { groups, of_groups, of_the_rest }
    }

    pub(super) fn of_the_rest(&self) -> Fallback {
        self.of_the_rest
    }

    pub(super) fn of_entity(&self, index: usize) -> Fallback {
        self.groups.get(index).and_then(|&group| self.of_groups.get(group)).copied().unwrap_or_default()
    }

    /// Returns whether any guess is not sure.
    pub(super) fn is_any_unsure(&self) -> bool {
        self.of_groups.iter().any(|guess| guess.guess().is_some_and(|guess| !guess.is_sure()))
    }

    /// Returns these guesses, with each that is not sure replaced by the one from `others` if that is.
    pub(super) fn surer_by(mut self, others: &Self) -> Self {
        for (guess, other) in self.of_groups.iter_mut().zip(&others.of_groups) {
            if !guess.is_sure() && other.is_sure() {
                *guess = *other;
            }
        }
        self
    }
}
