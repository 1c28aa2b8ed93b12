//! How fields are written.

use crate::Profile;
use crate::decode::{Fallback, RawText};

/// What a field is judged by.
#[derive(Clone, Copy, Debug)]
pub(crate) struct FieldRules {
    pub(crate) profile: Profile,
    /// What raw octets may be in.
    pub(crate) fallback: Fallback,
}

impl FieldRules {
    pub(super) fn is_archive(&self) -> bool {
        self.profile == Profile::Archive
    }

    /// What raw octets that are not UTF-8 are taken for.
    pub(super) fn raw_text(&self) -> RawText {
        match self.profile {
            Profile::Transport => RawText::Unknown,
            Profile::Archive => RawText::Sure(self.fallback),
        }
    }
}
