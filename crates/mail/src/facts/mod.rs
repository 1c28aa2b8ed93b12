//! A message as facts: where its entities, fields and delimiters are, what its Content- fields say,
//! and which charset its text is in. `crate::view` answers questions about them, and the rules of
//! sevenbit ask them.

pub mod common_types;
pub mod content;
pub mod delimiters;
pub mod evidence;
pub mod field;
pub mod guesses;
pub mod hints;
pub mod line_ends;
pub mod scan;
pub mod seal;
pub mod tree;
