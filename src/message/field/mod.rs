//! The fields of header sections: what is found, what is known about each name, and what becomes of
//! each field (normal form, H1 to H11).
//!
//! [`find_fields`] cuts a section into [`Field`]s, each with the [row](table) of its name and the
//! [facts](lines) of its lines. [`judge`] alone decides what becomes of a field. It asks the file
//! for its kind of value ([`address_list`], [`parameters`], [`opaque`], [`phrase_list`], [`text`]),
//! and that the files for what values are made of ([`phrase`], [`addr_spec`], [`comment`],
//! [`encoded_words`]).

mod addr_spec;
mod address_list;
mod ambiguous;
mod canonical_parameter;
mod comment;
mod doubtful;
mod draft;
mod encoded_words;
mod file_name;
mod find;
mod found;
mod judge;
mod line_room;
mod lines;
mod opaque;
mod parameter_edits;
mod parameters;
mod phrase;
mod phrase_list;
mod raw_field;
mod raw_text;
mod renamed;
mod rules;
mod stray;
mod table;
#[cfg(test)]
mod tests;
mod text;
mod typed_address;
mod unread;
mod verdict;

pub(crate) use find::find_fields;
pub(crate) use found::{Counted, Field, HeaderEnd, Section, Shape};
pub(crate) use judge::{judge, judge_edited, judge_joined, stands};
pub(crate) use parameter_edits::ParameterEdits;
pub(crate) use raw_field::{RawField, UNPARSED_NAME, unparsed_as_field};
pub(crate) use renamed::DUPLICATE;
pub(crate) use rules::FieldRules;
pub(crate) use stray::with_folds;
pub(crate) use table::{FieldKind, Mime, Repeat, Row, RowId, RowSet, Signature};
pub(crate) use unread::{is_unread_field, unread_field};
pub(crate) use verdict::{FieldVerdict, Judged};
