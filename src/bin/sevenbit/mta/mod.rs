//! In the path of every message: `sevenbit milter` and `sevenbit gateway`.
//!
//! [`milter`] and [`gateway`] are the protocols, written against octets and anything that reads and writes; [`filter`] is
//! what both do to a message; [`service`] has the sockets, threads and signals, [`log`] and [`metrics`] say what happens.

mod filter;
pub mod gateway;
mod log;
mod metrics;
pub mod milter;
mod options;
mod service;
