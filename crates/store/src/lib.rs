//! Mail in files: what a file is, and what is no mail.
//!
//! The front ends of sevenbit share this crate, so that each of them finds the same mail in the
//! same files.
//!
//! ```
//! use std::path::Path;
//! use sevenbit_store::{Mailbox, Recognised, recognise};
//!
//! let box_of_mac = b"From a@x Mon Nov  2 10:00:00 2020\rSubject: 1\r\rhello\r";
//! assert_eq!(recognise(box_of_mac, Path::new("Inbox")), Recognised::Mailbox(Mailbox::Mbox));
//! assert_eq!(recognise(b"%PDF-1.7\n", Path::new("a")).words(), "a PDF document");
//! ```
//!
//! | to | use |
//! |---|---|
//! | know what a file is | [`recognise()`] |
//! | unpack gz, zst, bz2 and xz, also cut ones | [`packed`], [`ending`] |
//! | read the members of tar files and ZIP archives, also damaged ones | [`members`], [`zipped`] |
//! | take messages out of MMDF and mbx mailboxes, and out of `.emlx` | [`old`], [`emlx`] |

pub mod bounded;
pub mod emlx;
pub mod ending;
pub mod members;
pub mod old;
pub mod packed;
pub mod recognise;
pub mod zipped;

pub use recognise::{
    EMPTY, HEAD, Kind, Mailbox, Outlook, Recognised, TAR_WITHOUT_MAIL, TEXT, Wrapping,
    ZIP_WITHOUT_MAIL, recognise,
};
