//! The protocol of Sendmail's mail filters, spoken by Postfix and Sendmail, over octets: no socket
//! is opened here.
//!
//! There is no RFC. The sources are libmilter's documentation (`SMFIF_`, `SMFIP_`, `SMFIC_`,
//! `SMFIR_` in its `mfdef.h`) and the observed behaviour of Postfix and Sendmail; docs/mta.md says
//! how they differ.

mod answer;
mod changes;
mod macros;
mod negotiation;
pub mod packet;
mod session;
mod shown;

pub use session::{Flow, Session};
