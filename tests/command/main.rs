//! The command `sevenbit`, driven as a real process: the contract that others script against, as far as it
//! does not depend on what the normal form is. What does is in `tests/command_normalize.rs`.
#![cfg(feature = "cli")]

mod archives;
mod charset;
mod directories;
mod documented;
mod explain;
mod export;
mod hostile;
mod inspect;
mod interrupted;
mod killed;
mod large;
mod lines;
mod mailboxes;
mod maildir;
mod safety;
mod selection;
mod splitting;
mod streams;
mod support;
mod usage;
