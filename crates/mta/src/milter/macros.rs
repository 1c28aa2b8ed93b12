//! The macros by which an MTA describes itself and a message.

/// The macros that the MTA sent, about itself and a message.
#[derive(Debug, Default)]
pub struct Macros {
    /// Its name for the message (`i`).
    pub queue_id: String,
    /// Its own name and version (`v`), if it sends that.
    pub version: String,
    /// The address of its client (`{client_addr}`).
    pub client: String,
    /// Whether its client has logged in (`{auth_authen}`).
    pub has_login: bool,
}
