//! Octets to octets and octets to code points: the engines that know no mail grammar.

pub(crate) mod base64;

pub mod mailbox_name;
