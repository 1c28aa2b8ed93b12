//! Octets to octets and octets to code points: the engines that know no mail grammar.

mod scan;
mod sink;

pub(crate) mod base64;
mod hex;
pub(crate) mod percent;
pub(crate) mod quoted;

pub mod mailbox_name;
