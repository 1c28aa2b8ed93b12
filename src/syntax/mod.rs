//! The header grammar, in nom: encoded-words, parameters, phrases, addresses. It does not depend on
//! charsets.
//!
//! Every parser here accepts any octets, reads folds as white space (so that spans are those of the
//! raw field), and takes linear time.

pub(crate) mod address;
pub(crate) mod authentication_results;
pub(crate) mod comment;
pub(crate) mod date_time;
pub(crate) mod encoded_word;
pub(crate) mod field_name;
pub(crate) mod lexical;
pub(crate) mod mechanism;
pub(crate) mod media_type;
pub(crate) mod message_id;
pub(crate) mod parameter;
pub(crate) mod received;
pub(crate) mod value;
