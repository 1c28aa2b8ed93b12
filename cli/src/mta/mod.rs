//! In the path of every message: `sevenbit milter` and `sevenbit gateway`.
//!
//! [`milter`] and [`gateway`] are the protocols, written against octets and anything that reads and writes; [`filter`] is
//! what both do to a message, [`memory`] what they may hold, [`domain`] how they write internationalised ones. These use nothing
//! else of the command, so that fuzzing compiles them too, with [`laws`], which they keep. [`run_milter`] and [`run_gateway`] run
//! them on the sockets, threads and signals of [`service`], the gateway beside its [`next_hops`]; [`log`], [`metrics`] and [`http`] say what happens.

mod domain;
pub mod filter;
mod gateway;
mod http;
#[cfg(test)]
mod laws;
mod log;
mod memory;
mod metrics;
mod milter;
mod next_hops;
mod octets;
mod options;
mod policy;
mod postfix;
mod proxied;
mod report;
mod rules;
pub mod run_gateway;
pub mod run_milter;
mod service;
#[cfg_attr(not(feature = "tls"), path = "no_tls.rs")]
mod tls;
