//! The milter, the hooks and the gateway; the first and the last with real mail servers: Postfix, OpenDKIM, miltertest, as separate
//! programs that `install.sh` installs. If they are missing, or this user may not start Postfix,
//! each test says what it did not try, and passes; with `SEVENBIT_REQUIRE=all` it fails.
#![cfg(all(feature = "mta", unix))]

mod abuse;
mod c_milter;
mod configured;
mod dkim;
mod exact;
mod failures;
#[cfg(feature = "hooks")]
mod hooks;
mod identity;
mod kept;
mod lmtp;
mod load;
mod miltertest;
mod nothing;
mod others;
mod over_tcp;
mod page;
mod rspamd;
mod service;
mod seven_bit;
mod share;
mod support;
mod systemd;
#[cfg(feature = "tls")]
mod tls;
mod watched;
