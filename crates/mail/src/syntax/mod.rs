//! The header grammar, in nom: encoded-words, parameters, phrases, addresses. It does not depend on
//! charsets.
//!
//! Every parser here accepts any octets, reads folds as white space (so that spans are those of the
//! raw field), and takes linear time.

pub mod address;
pub mod authentication_results;
pub mod comment;
pub mod date_time;
pub mod encoded_word;
pub mod field_name;
pub mod lexical;
pub mod mechanism;
pub mod media_type;
pub mod message_id;
pub mod parameter;
pub mod received;
pub mod value;
