//! The fields of header sections: what becomes of each (normal form, H1 to H11). What is found, and
//! what is known about each name, says sevenbit-mail.
//!
//! [`judge`] alone decides what becomes of a field. It asks the file for its kind of value
//! ([`address_list`], [`parameters`], [`opaque`], [`phrase_list`], [`text`]), and that the files for
//! what values are made of ([`phrase`], [`addr_spec`], [`comment`], [`encoded_words`]).

mod addr_spec;
mod address_list;
mod ambiguous;
mod canonical_parameter;
mod comment;
mod doubtful;
mod draft;
mod encoded_words;
mod file_name;
mod judge;
mod opaque;
mod parameter_edits;
mod parameters;
mod phrase;
mod phrase_list;
mod raw_field;
mod raw_text;
mod rules;
#[cfg(test)]
mod tests;
mod text;
mod typed_address;
mod unread;
mod verdict;

pub(crate) use judge::{judge, judge_edited, judge_joined, stands};
pub(crate) use parameter_edits::ParameterEdits;
pub(crate) use raw_field::{RawField, UNPARSED_NAME, unparsed_as_field};
pub(crate) use rules::FieldRules;
pub(crate) use sevenbit_mail::facts::field::{
    DOWNGRADED, DUPLICATE, Downgrade, Field, FieldKind, HeaderEnd, LineFacts, MAX_NAME, Mime,
    Repeat, Row, RowId, RowSet, Shape, Signature, find_fields, with_folds,
};
pub(crate) use unread::{is_unread_field, unread_field};
pub(crate) use verdict::{FieldVerdict, Judged};
