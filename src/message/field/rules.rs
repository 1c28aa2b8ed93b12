//! How fields are written.

use crate::charset::Guess;
use crate::decode::{RawCharset, RawText};
use crate::facts::evidence::raw_in_parameter;
use crate::facts::guesses::Labels;
use crate::message::policy::Policy;

/// The policy, the guess and the limit that a field is judged by.
#[derive(Clone, Copy, Debug)]
pub(crate) struct FieldRules {
    pub(crate) policy: Policy,
    /// The charset that raw octets may be in; each piece is guessed about by itself if there is
    /// none.
    pub(crate) guess: Option<Guess>,
    /// The labels of other text in the message, which are evidence for file names.
    pub(crate) labels: Labels,
    /// The maximum length of a header section. A longer field is never output, and need not be
    /// written to its end.
    pub(crate) max_header_octets: usize,
}

impl FieldRules {
    /// Returns the charset assumed for raw octets that are not UTF-8.
    pub(super) fn raw_text(&self) -> RawText {
        if self.policy.rewrites { RawText::written(self.guess) } else { RawText::Unknown }
    }

    /// Returns the charset assumed for the octets of a parameter, as in a view.
    pub(super) fn shown_parameter(&self, octets: &[u8]) -> RawText {
        raw_in_parameter(octets, self.guess, self.labels)
    }

    /// Returns the charset that labels raw octets that stay as they are (transport); `None` if they
    /// are labelled `unknown-8bit`. They are never read by it: a guess at a label must not move an
    /// address.
    pub(super) fn label_of(&self, octets: &[u8]) -> Option<Guess> {
        if !self.policy.guesses_labels {
            return None;
        }
        match RawText::written(self.guess).charset(octets) {
            RawCharset::Guessed(guess) if guess.is_sure() => Some(guess),
            _ => None,
        }
    }
}
