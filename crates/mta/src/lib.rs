//! The protocols of a filter in the path of mail, without its sockets.
//!
//! | protocol | place in the path |
//! |---|---|
//! | [`milter`] | answers a mail server about a message |
//! | `hooks` (feature `hooks`) | does so over HTTP |
//! | [`gateway`] | stands between a client and the next hop in SMTP or LMTP |
//!
//! Each reads from any reader and writes to any writer, so that tests and fuzzing drive it as a
//! socket does. What they share:
//!
//! - [`filter`]: what is done to a message;
//! - [`policy`]: the options for a message;
//! - [`decision`]: what milter and hooks tell their mail server to do with a message;
//! - [`fields`]: the fields of a message as a mail server knows them;
//! - [`memory`]: the bound on what all connections together hold;
//! - [`domain`]: the comparison of internationalised domains;
//! - [`octets`]: which path takes a message as it is;
//! - `laws` (feature `laws`): the properties that hold for any octets.

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
