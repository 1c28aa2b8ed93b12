//! Mail in any charset ever used goes in; the same message comes out normalised and 7-bit safe,
//! with its meaning kept.
//!
//! ```
//! use sevenbit::{Message, Normalizer, Profile};
//!
//! let mail = b"Subject: =?koi8-r?Q?=F0=D2=C9=D7=C5=D4?=\r\n\
//!     Content-Type: text/plain; charset=iso-8859-1\r\n\
//!     Content-Transfer-Encoding: 8bit\r\n\r\nd\xE9j\xE0 vu\r\n";
//!
//! // As clean Unicode.
//! let message = Message::parse(mail);
//! assert_eq!(message.subject().as_deref(), Some("Привет"));
//! assert_eq!(message.leaves().next().unwrap().text().as_deref(), Some("déjà vu\n"));
//!
//! // As mail again, 7-bit safe; what was done, and why, is in the report.
//! let safe = Normalizer::new().profile(Profile::Transport).normalize(mail);
//! assert!(safe.octets().is_ascii());
//! for issue in safe.report().issues() {
//!     println!("{issue}");
//! }
//! ```
//!
//! | to | use |
//! |---|---|
//! | write messages again in their normal form | [`normalize`], or [`Normalizer`] for its options: to a [`Normalized`] slice, from a reader to a writer, or as a [`Plan`] of [`Edit`]s |
//! | write a message that is too large for memory | [`Abridged`], or [`Normalizer::normalize_file`] |
//! | read them | [`Message`], its [`Part`]s and [`Mailbox`]es, its [`Date`], and which are [the body and which attachments](BodyParts) |
//! | change their fields and bodies one by one, as milters do | [`Plan::header_fields`], [`Plan::write_body_to`] |
//! | know what was odd, and what was done about it | [`Report`], its [`Issue`]s, each with a [`Code`] |
//! | mend text that was read in a wrong charset, or list what it may read as | [`repair_text`], [`readings`], [`Part::readings`] |
//! | read and write the text of a header field | [`decode_header`], [`encode_header`] |
//! | read and write a charset by its label | [`Charset`], with [`Decoder`] and [`Encoder`] for streams |
//! | read and write UTF-7, UTF-8, UTF-16, IMAP mailbox names | [`utf7`], [`utf8`], [`utf16`], [`mailbox_name`] |
//! | cut mbox files into messages, whole or by byte ranges | [`mbox`] |
//!
//! Any octets at all give an answer and a report: never an error, never a panic. The rules by which
//! messages are written (`H4`, `B5` and so on, see [`Rule`]) are described on the page
//! [`guide::normal_form`], charsets in [`guide::charsets`], and what readers make of the result in
//! [`guide::readers`]. `ARCHITECTURE.md` in the source describes how a message flows through the
//! code.
//!
//! There is no `no_std` build: messages come from streams and files, are boxes and tables on the
//! heap, and where there is no operating system, in WebAssembly, there is `std` all the same.
#![forbid(unsafe_code)]
#![deny(missing_docs, missing_debug_implementations)]

/// The examples of the README, run as tests.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;

#[cfg(doc)]
pub mod guide;

#[cfg(feature = "serde")]
mod serialize;

mod issues;
mod message;
mod planned;
mod unpack_tnef;

pub mod mbox;

use sevenbit_charset::{ascii, charset, codec, lengths, report, words};
use sevenbit_mail::few::Few;
use sevenbit_mail::{decode, encode, facts, syntax, transfer};

pub use issues::MessageIssues;
pub use message::options::choices::*;
pub use message::{
    Abridged, AbridgedPlan, Edit, FieldChange, Normalized, Normalizer, Opaque, OptionSchema, Plan,
    PlannedField, Report, ValueSchema, WrittenField, normalize,
};
pub use planned::Planned;
#[cfg(feature = "serde")]
pub use serialize::{AttachmentData, MessageData, TextReadings};
#[cfg(feature = "bindings")]
pub use sevenbit_charset::CodeUnits;
pub use sevenbit_charset::Malformed;
pub use sevenbit_charset::{Charset, Decoder, Encoder, Guess, Spelling, Substitution};
pub use sevenbit_charset::{
    Code, DecodeFault, Decoded, Detail, Error, ErrorKind, Issue, ParseError, Rule, Severity, Shows,
    Span,
};
pub use sevenbit_charset::{mailbox_name, utf7, utf8, utf16};
#[cfg(feature = "files")]
pub use sevenbit_mail::file_type;
pub use sevenbit_mail::{
    Address, Attachment, AuthenticationResult, AuthenticationResults, BodyParts, Date,
    DeliveryReport, DispositionReport, FeedbackReport, Group, Hop, Limits, Mailbox, MailingList,
    Message, MessageReport, Origin, Part, Passage, ReportedRecipient, Tnef, TnefFile, WordSchema,
    base_subject, decode_header, disguised_type, encode_header, passages, safe_file_name,
};
pub use sevenbit_mail::{Reading, ReadingOrigin, RepairStep, Repaired, readings, repair_text};
pub use unpack_tnef::UnpackedTnef;

/// The page of the rules, `docs/normal-form.md`, for programs that show them beside what was done.
#[cfg(feature = "bindings")]
pub const NORMAL_FORM: &str = include_str!("../docs/normal-form.md");

/// Everything may be sent to another thread, and used by several at once.
const _: () = {
    const fn is_shared<T: Send + Sync + ?Sized>() {}
    is_shared::<Abridged<std::fs::File>>();
    is_shared::<AbridgedPlan<'_, std::fs::File>>();
    is_shared::<Attachment<'_>>();
    is_shared::<Charset>();
    is_shared::<Date>();
    is_shared::<Decoded<'_>>();
    is_shared::<Decoder>();
    is_shared::<Edit<'_>>();
    is_shared::<Encoder>();
    is_shared::<Error>();
    is_shared::<Guess>();
    is_shared::<Hop>();
    is_shared::<Issue>();
    is_shared::<MailingList>();
    is_shared::<Message<'_>>();
    is_shared::<MessageReport>();
    is_shared::<Normalized<'_>>();
    is_shared::<Normalizer>();
    is_shared::<Opaque<std::fs::File>>();
    is_shared::<ParseError>();
    is_shared::<Part<'_>>();
    is_shared::<Plan<'_>>();
    is_shared::<PlannedField<'_>>();
    is_shared::<RepairStep>();
    is_shared::<Repaired<'_>>();
    is_shared::<Report>();
    is_shared::<Tnef<'_>>();
    is_shared::<UnpackedTnef>();
    is_shared::<WrittenField<'_>>();
    is_shared::<mbox::Mail>();
    is_shared::<mbox::Mbox<std::fs::File>>();
};
