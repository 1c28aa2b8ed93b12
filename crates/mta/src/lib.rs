//! The protocols of a filter in the path of mail, without its sockets: [`milter`], which answers a
//! mail server about a message, `hooks`, which does so over HTTP (feature `hooks`), and
//! [`gateway`], which stands between a client and the next hop in SMTP or LMTP.
//!
//! All read and write octets, or anything that does, so that tests and fuzzing drive them as
//! sockets do. [`filter`] is what they do to a message, [`policy`] which options a message gets,
//! [`decision`] what milter and hooks have their mail server do with it, [`fields`] how that knows
//! the fields of a message, [`memory`] what all connections together may hold, [`domain`] how
//! internationalised domains are compared, [`octets`] which path takes a message as it is. What
//! they must keep is in `laws` (feature `laws`).

#![forbid(unsafe_code)]

pub mod decision;
pub mod domain;
pub mod fields;
pub mod filter;
pub mod gateway;
#[cfg(feature = "hooks")]
pub mod hooks;
#[cfg(any(test, feature = "laws"))]
pub mod laws;
pub mod memory;
pub mod milter;
pub mod octets;
mod own_fields;
pub mod policy;
