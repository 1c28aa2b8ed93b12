//! Mail in files: what a file is, and what is no mail.
//!
//! The front ends of sevenbit share this crate, so that each of them finds the same mail in the
//! same files.

pub mod bounded;
pub mod emlx;
pub mod members;
pub mod old;
pub mod packed;
pub mod recognise;
pub mod zipped;

pub use recognise::{
    HEAD, Kind, Mailbox, Outlook, Recognised, Wrapping, ZIP_WITHOUT_MAIL, recognise,
};
