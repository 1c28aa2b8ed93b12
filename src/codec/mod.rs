//! The codecs: octets to octets and octets to code points, without any mail grammar.

pub(crate) mod address_words;
pub(crate) mod byte_order;
pub(crate) mod controls;
pub(crate) mod crlf_to_lf;
pub(crate) mod header_lines;
mod lanes;
mod level;
pub(crate) mod malformed;
pub(crate) mod metas;
pub(crate) mod octet_kinds;
mod octet_set;
pub(crate) mod scan;
pub(crate) mod shifts;
pub(crate) mod text;
pub(crate) mod text_classes;

pub(crate) mod base64;
pub(crate) mod hex;
pub(crate) mod lzfu;
pub(crate) mod percent;
pub(crate) mod quoted_printable;
pub(crate) mod utf32;
pub(crate) mod uuencode;
pub(crate) mod yenc;

pub mod mailbox_name;
pub mod utf16;
pub mod utf7;
pub mod utf8;
