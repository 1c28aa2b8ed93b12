//! Every charset that mail has used: its labels, its octets to text and back, and a guess for text
//! without a label. The crate knows no mail.
//!
//! ```
//! use sevenbit_charset::Charset;
//!
//! let charset = Charset::for_label("koi8-r").unwrap();
//! assert_eq!(charset.decode(b"\xF0\xD2\xC9\xD7\xC5\xD4").text(), "Привет");
//! assert_eq!(Charset::detect(b"Sch\xF6ne Gr\xFC\xDFe").name(), "windows-1252");
//! ```
//!
//! | module | what it is |
//! |---|---|
//! | `report` | what was odd, where, and how bad: the words of every report |
//! | `codec` | octets to octets and to code points: UTF-7, UTF-8, UTF-16, base64, quoted-printable and their kin; knows no label |
//! | `charset` | labels, tables, decoders and encoders, and the guess |
//!
//! The items below are the interface, which sevenbit has under the same names. The modules
//! themselves serve sevenbit; they are not described, and may change with any version.
#![forbid(unsafe_code)]
#![deny(missing_docs, missing_debug_implementations)]
// What is public only for sevenbit explains itself by what is private beneath it.
#![allow(rustdoc::private_intra_doc_links)]

#[doc(hidden)]
pub mod ascii;
pub mod charset;
pub mod codec;
#[doc(hidden)]
pub mod lengths;
pub mod report;

#[cfg(feature = "bindings")]
pub use charset::CodeUnits;
pub use charset::{Charset, Decoder, Encoder, Guess, Spelling, Substitution};
pub use codec::malformed::Malformed;
pub use codec::{mailbox_name, utf7, utf8, utf16};
pub use report::{
    Code, DecodeFault, Decoded, Detail, Error, ErrorKind, Issue, ParseError, Rule, Severity, Shows,
    Span,
};
