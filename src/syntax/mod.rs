//! The header grammar, in nom: encoded-words, parameters, phrases, addresses. Knows no charset.
//!
//! Every parser here takes any octets, reads folds as white space (so that spans are those of the field
//! as it stands), and does no more work than a constant times the octets it is given.

pub(crate) mod address;
pub(crate) mod encoded_word;
pub(crate) mod lexical;
pub(crate) mod parameter;
pub(crate) mod plain;
