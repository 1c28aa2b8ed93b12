//! What was odd about octets, where, and how bad it is: the one vocabulary of everything that reads
//! or writes mail here.

#[cfg(feature = "serde")]
mod data;
mod decoded;
mod detail;
mod error;
mod issue;
mod shows;
mod words;

pub use decoded::Decoded;
pub use detail::Detail;
pub use error::{Error, ErrorKind};
pub use issue::{Code, DecodeFault, Issue, Rule, Severity, Span, Tally};
pub use shows::Shows;
pub use words::ParseError;
