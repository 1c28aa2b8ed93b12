//! The command `sevenbit`, driven as a real process: the contract that others script against, as far as it
//! does not depend on what the normal form is. What does is in `tests/command_normalize.rs`.
#![cfg(feature = "cli")]

mod charset;
mod directories;
mod inspect;
mod lines;
mod safety;
mod streams;
mod support;
mod usage;
