//! The protocol of Sendmail's mail filters, spoken by Postfix and Sendmail, over octets: no socket is opened here.
//!
//! There is no RFC. What is said here is libmilter's documentation (`SMFIF_`, `SMFIP_`, `SMFIC_`, `SMFIR_` in its
//! `mfdef.h`) and what Postfix and Sendmail were seen to do; docs/mta.md says how they differ.

mod answer;
mod changes;
mod macros;
mod negotiation;
pub mod packet;
mod session;
mod shown;

pub use session::{Flow, Session};
