//! The codecs: octets to octets and octets to code points, without any mail grammar.

pub mod byte_order;
#[doc(hidden)]
pub mod controls;
#[doc(hidden)]
pub mod crlf_to_lf;
#[doc(hidden)]
pub mod header_lines;
mod lanes;
mod level;
pub mod malformed;
#[doc(hidden)]
pub mod metas;
#[doc(hidden)]
pub mod octet_kinds;
mod octet_set;
#[doc(hidden)]
pub mod scan;
#[doc(hidden)]
pub mod shifts;
#[doc(hidden)]
pub mod text;
#[doc(hidden)]
pub mod text_classes;

#[doc(hidden)]
pub mod base64;
#[doc(hidden)]
pub mod hex;
#[doc(hidden)]
pub mod lzfu;
#[doc(hidden)]
pub mod percent;
#[doc(hidden)]
pub mod quoted_printable;
#[doc(hidden)]
pub mod utf32;
#[doc(hidden)]
pub mod uuencode;
#[doc(hidden)]
pub mod yenc;

pub mod mailbox_name;
pub mod utf16;
pub mod utf7;
pub mod utf8;
