//! How fields are written.

use crate::charset::{Guess, UNKNOWN_8BIT};
use crate::decode::{Fallback, RawCharset, RawText};
use crate::{Profile, Undecodable, Unlabelled};

/// What a field is judged by.
#[derive(Clone, Copy, Debug)]
pub(crate) struct FieldRules {
    pub(crate) profile: Profile,
    /// What raw octets may be in.
    pub(crate) fallback: Fallback,
    /// What becomes of octets that cannot be read.
    pub(crate) undecodable: Undecodable,
    /// What raw octets that stay are called.
    pub(crate) unlabelled: Unlabelled,
    /// Whether a list of addresses is one with that of another field, and there are addresses with a domain in them.
    pub(crate) among_addresses: bool,
}

impl FieldRules {
    pub(super) fn is_archive(&self) -> bool {
        self.profile == Profile::Archive
    }

    /// Whether U+FFFD is written for octets that are no text in their charset.
    pub(super) fn replaces(&self) -> bool {
        self.is_archive() && self.undecodable == Undecodable::Replace
    }

    /// What raw octets that are not UTF-8 are taken for.
    pub(super) fn raw_text(&self) -> RawText {
        match self.profile {
            Profile::Transport => RawText::Unknown,
            Profile::Archive => RawText::Sure(self.fallback),
        }
    }

    /// The same for parameters, which are read however unsure that is: names of files and the like have to be shown.
    pub(super) fn raw_parameter(&self) -> RawText {
        match self.profile {
            Profile::Transport => RawText::Unknown,
            Profile::Archive => RawText::Guess(self.fallback),
        }
    }

    /// The charset whose label raw octets get that stay as they are (transport); nothing if they are called
    /// `unknown-8bit`. They are never read by it: a guess at a label must not move an address.
    pub(super) fn label_of(&self, octets: &[u8]) -> Option<Guess> {
        if self.unlabelled == Unlabelled::Keep {
            return None;
        }
        match RawText::Sure(self.fallback).charset(octets) {
            RawCharset::Guessed(guess) if guess.is_sure() => Some(guess),
            _ => None,
        }
    }

    /// The name of that charset.
    pub(super) fn name_of(&self, octets: &[u8]) -> &'static str {
        self.label_of(octets).map_or(UNKNOWN_8BIT, |guess| guess.charset().name())
    }
}
