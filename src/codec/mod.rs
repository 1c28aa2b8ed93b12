//! Octets to octets and octets to code points: the engines that know no mail grammar.

pub(crate) mod heads;
mod lanes;
mod level;
pub(crate) mod lf;
pub(crate) mod look;
pub(crate) mod malformed;
pub(crate) mod marks;
pub(crate) mod scan;
mod set;
pub(crate) mod text;

pub(crate) mod base64;
pub(crate) mod hex;
pub(crate) mod percent;
pub(crate) mod quoted;
pub(crate) mod utf32;
pub(crate) mod uuencode;

pub mod mailbox_name;
pub mod utf16;
pub mod utf7;
pub mod utf8;
