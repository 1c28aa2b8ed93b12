//! Pages of documentation from the folder `docs`.

/// What sevenbit re-emits, rule by rule.
///
#[doc = include_str!("../docs/normal-form.md")]
pub mod normal_form {}

/// How each charset label is treated, and which test covers each rule of the documents that define
/// the Unicode forms.
///
#[doc = include_str!("../docs/charsets.md")]
pub mod charsets {}

/// What independent readers make of mail before and after.
///
/// [normal form]: normal_form
#[doc = include_str!("../docs/readers.md")]
pub mod readers {}
