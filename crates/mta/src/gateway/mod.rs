//! SMTP in and SMTP out, or LMTP in and LMTP out, over anything that reads and writes: no socket is
//! opened here.
//!
//! No crate for SMTP fits: those that parse commands (smtp-proto, mailin, samotop) return what they
//! understood, and a transparent server has to pass on the original, including XFORWARD and unknown
//! parameters. lettre's client builds the commands itself, from messages that it has whole.

mod channel;
mod command;
mod content;
mod conversation;
mod data;
mod delivery;
mod exchange;
mod hello;
mod introduction;
mod next;
mod party;
mod probe;
mod reopen;
mod reply;
mod security;
mod spool;
mod transaction;

pub use channel::Channel;
pub use exchange::{Broken, Conversation, Host, Patience};
pub use next::{Connection, History, Wanted};
pub use party::is_timeout;
pub use probe::probe;
pub use spool::Room;
