//! The fields of header sections: what is found, and what is known about each name.
//!
//! [`find_fields`] cuts a section into [`Field`]s, each with the [row](table) of its name and the
//! [facts](lines) of its lines.

mod find;
mod found;
mod lines;
mod renamed;
mod stray;
mod table;

pub use find::find_fields;
pub use found::{Counted, Field, HeaderEnd, MAX_NAME, Section, Shape};
pub use lines::LineFacts;
pub use renamed::{DOWNGRADED, DUPLICATE, old_name};
pub use stray::with_folds;
pub use table::{Downgrade, FieldKind, Mime, Repeat, Row, RowId, RowSet, Signature};
