//! In the path of every message: `sevenbit milter`, `sevenbit hooks` and `sevenbit gateway`.
//!
//! The protocols, and what they do to a message, are the crate `sevenbit-mta`. [`run_milter`],
//! `run_hooks` and [`run_gateway`] run them on the sockets, threads and signals of [`service`], the
//! hooks over HTTP (`http_link`), the gateway beside its [`next_hops`] and the connections to them
//! that are [`kept`]; [`places`] checks the sockets and files that options name; [`rules`] says whose
//! mail is treated how; [`log`], [`metrics`] and [`http`] say what happens, [`itself`] whether a
//! filter answers, and [`commands`] ask for that.

mod commands;
#[cfg(feature = "hooks")]
mod credentials;
mod http;
#[cfg(feature = "hooks")]
mod http_link;
mod itself;
mod kept;
mod log;
mod metrics;
mod next_hops;
mod options;
mod places;
mod postfix;
mod proxied;
mod report;
mod rules;
pub mod run_gateway;
#[cfg(feature = "hooks")]
pub mod run_hooks;
pub mod run_milter;
mod service;
#[cfg_attr(not(feature = "tls"), path = "no_tls.rs")]
mod tls;

#[cfg(feature = "hooks")]
use sevenbit_mta::hooks;
#[cfg(test)]
use sevenbit_mta::laws;
use sevenbit_mta::{domain, filter, gateway, memory, milter, octets, policy};
