//! The interface of sevenbit for JavaScript. `lib/` gives it the form that JavaScript is used to; here values are as cheap
//! to pass as possible: octets, texts, and JSON for anything with structure.

#![forbid(unsafe_code)]

#[cfg(feature = "view")]
mod answers;
mod charset;
mod decoded;
mod details;
mod explain;
#[path = "../../cli/src/explain/facts/mod.rs"]
mod facts;
#[cfg(feature = "files")]
mod files;
mod header;
mod issue;
mod mbox;
mod normalize;
mod options;
mod parse;
#[cfg(feature = "repair")]
mod readings;
mod short;
