//! What an MTA says of itself and of a message, by macros.

/// What the MTA said of itself and of a message.
#[derive(Debug, Default)]
pub struct Macros {
    /// Its name for the message (`i`).
    pub queue_id: String,
    /// Its own name and version (`v`), if it says that.
    pub version: String,
}
