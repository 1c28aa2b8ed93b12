//! A message of any form and charset as clean Unicode: its headers, mailboxes, texts and files, its
//! place in a thread, its way through servers, and the reports in it.
//!
//! ```
//! use sevenbit_mail::Message;
//!
//! let mail = b"From: =?utf-8?Q?Zo=C3=AB?= <zoe@example.org>\r\n\
//!     Subject: =?koi8-r?Q?=F0=D2=C9=D7=C5=D4?=\r\n\
//!     Content-Type: text/plain; charset=iso-8859-1\r\n\
//!     Content-Transfer-Encoding: 8bit\r\n\r\nd\xE9j\xE0 vu\r\n";
//! let message = Message::parse(mail);
//! assert_eq!(message.subject().as_deref(), Some("Привет"));
//! assert_eq!(message.mailboxes("from")[0].name(), "Zoë");
//! assert_eq!(message.text(), "déjà vu\n");
//! ```
//!
//! | module | what it is |
//! |---|---|
//! | `syntax` | the grammar of header fields; knows no charset |
//! | `transfer` | transfer encodings and line ends |
//! | `decode` | header octets in, text out |
//! | `encode` | text in, header octets out |
//! | `repair` | text that was read in a wrong charset, mended |
//! | `facts` | octets in, the tree of entities, fields and delimiters out |
//! | `view` | the questions of programs about such a tree |
//!
//! Any octets at all give an answer: never an error, never a panic. The crate knows facts and no
//! policy. What must change about a message that is passed on, and how it is written, is the work
//! of the crate `sevenbit`, which has the items below under the same names.
#![forbid(unsafe_code)]
#![deny(missing_docs, missing_debug_implementations)]
// What is public only for sevenbit explains itself by what is private beneath it.
#![allow(rustdoc::private_intra_doc_links)]

mod header_value;
mod limits;
mod repair;
mod view;

// The facts that the rules of sevenbit ask for. They serve sevenbit alone: they are not described,
// and may change with any version.
#[doc(hidden)]
pub mod decode;
#[doc(hidden)]
pub mod encode;
#[doc(hidden)]
pub mod facts;
#[doc(hidden)]
pub mod few;
#[cfg(feature = "serde")]
#[doc(hidden)]
pub mod serialize;
#[doc(hidden)]
pub mod syntax;
#[doc(hidden)]
pub mod transfer;
#[doc(hidden)]
pub use repair::{doubtful, doubtful_text, holds_shift};
#[doc(hidden)]
pub use view::{extension, may_be_tnef};

use few::Few;
use sevenbit_charset::{ascii, charset, codec, lengths, report};

pub use header_value::{decode_header, encode_header};
pub use limits::Limits;
pub use repair::{Reading, ReadingOrigin, RepairStep, Repaired, readings, repair_text};
pub use sevenbit_charset::{
    Charset, Code, DecodeFault, Decoded, Detail, Guess, Issue, ParseError, Rule, Severity, Span,
    Spelling,
};
#[cfg(feature = "files")]
pub use view::file_type;
pub use view::{
    Address, Attachment, AuthenticationResult, AuthenticationResults, BodyParts, Date,
    DeliveryReport, DispositionReport, FeedbackReport, Group, Hop, Mailbox, MailingList, Message,
    MessageReport, Origin, Part, Passage, ReportedRecipient, Tnef, TnefFile, WordSchema,
    base_subject, disguised_type, passages, safe_file_name,
};
