//! How fields are written.

use crate::decode::{Fallback, RawText};
use crate::{Profile, Undecodable};

/// What a field is judged by.
#[derive(Clone, Copy, Debug)]
pub(crate) struct FieldRules {
    pub(crate) profile: Profile,
    /// What raw octets may be in.
    pub(crate) fallback: Fallback,
    /// What becomes of octets that cannot be read.
    pub(crate) undecodable: Undecodable,
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
}
