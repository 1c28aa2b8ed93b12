//! The guessed charsets of unlabelled text, one for each group of entities.

use crate::Charset;
use crate::charset::Guess;

/// The charsets that other text in a message is labelled with: the first few, as many as mail has.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Labels([Option<Charset>; 4]);

impl Labels {
    pub fn of(charsets: &[Charset]) -> Self {
        let mut labels = Self::default();
        labels.0.iter_mut().zip(charsets).for_each(|(label, charset)| *label = Some(*charset));
        labels
    }

    pub fn iter(&self) -> impl Iterator<Item = Charset> + '_ {
        self.0.iter().copied().flatten()
    }
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Guesses {
    /// For each entity, its group: everything that belongs to one message.
    pub groups: Vec<usize>,
    /// For each group, the guess, if it has any evidence.
    pub of_groups: Vec<Option<Guess>>,
    /// From text that is not evidence for any of them.
    pub of_the_rest: Option<Guess>,
    pub labels: Labels,
}

impl Guesses {
    pub fn of_entity(&self, index: usize) -> Option<Guess> {
        self.groups.get(index).and_then(|&group| self.of_groups[group])
    }

    /// Returns these guesses, with each that is not sure replaced by the one from `others` if that
    /// is, or taken back if they have no evidence for any.
    pub fn surer_by(mut self, others: &Self) -> Self {
        let is_sure = |guess: &Option<Guess>| guess.is_some_and(Guess::is_sure);
        for (guess, other) in self.of_groups.iter_mut().zip(&others.of_groups) {
            if !is_sure(guess) && (is_sure(other) || other.is_none()) {
                *guess = *other;
            }
        }
        self
    }
}
