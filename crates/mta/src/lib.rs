//! The protocols of a filter in the path of mail, without its sockets: [`milter`], which answers a
//! mail server about a message, and [`gateway`], which stands between a client and the next hop in
//! SMTP or LMTP.
//!
//! Both read and write octets, or anything that does, so that tests and fuzzing drive them as
//! sockets do. [`filter`] is what both do to a message, [`policy`] which options a message gets,
//! [`memory`] what all connections together may hold, [`domain`] how internationalised domains are
//! compared, [`octets`] which path takes a message as it is. What both must keep is in `laws`
//! (feature `laws`).

#![forbid(unsafe_code)]

pub mod domain;
pub mod filter;
pub mod gateway;
#[cfg(any(test, feature = "laws"))]
pub mod laws;
pub mod memory;
pub mod milter;
pub mod octets;
pub mod policy;
