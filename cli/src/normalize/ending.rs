//! The result of normalising a message.

/// The result of normalising a message.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ending {
    /// Its output differs from its input, whether it was written or not.
    Changed,
    /// The message was in its normal form.
    Normal,
    /// The message passed as it was because a signature would have broken.
    Refused,
    /// The message was kept as it was because its output did not pass `--verify`, or because it is
    /// a file without a header among mail that is changed in place.
    Kept,
}

impl Ending {
    /// The ending of a message that was worked on.
    pub fn of(refused: bool, changed: bool, objected: bool) -> Self {
        match (refused, changed, objected) {
            (true, ..) => Self::Refused,
            (_, _, true) => Self::Kept,
            (_, true, _) => Self::Changed,
            _ => Self::Normal,
        }
    }
}
