//! Which parameters are read, and how far (rule H7).

use super::RawText;

/// Which parameters of a value are read. Guesses are slow, and hostile mail has very many
/// parameters.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Wanted {
    /// All of them, as they are shown.
    #[default]
    All,
    /// The few that decide how a message is read.
    Deciding,
    /// All, to be written again. Octets under an unknown label keep it, so only in parameters that
    /// decide something are they read by a guess.
    Written,
}

impl Wanted {
    /// Returns whether a parameter is read at all.
    pub(super) fn includes(self, name: &str) -> bool {
        self != Self::Deciding || decides(name)
    }

    /// Returns how octets in a parameter are read that keep their unknown label, if others are read
    /// as `raw`; `None` if none keep it.
    pub(super) fn under_kept_label(self, name: &str, raw: RawText) -> Option<RawText> {
        let kept = if self.leaves_unread(name) { RawText::Unknown } else { raw };
        (self == Self::Written).then_some(kept)
    }

    /// Returns whether octets in a parameter that keep their unknown label are not read at all.
    pub(super) fn leaves_unread(self, name: &str) -> bool {
        self == Self::Written && !decides(name)
    }
}

/// Returns whether anything depends on a parameter but what is shown under its name.
pub fn decides(name: &str) -> bool {
    matches!(name, "boundary" | "charset" | "filename" | "name" | "number" | "protocol")
}
