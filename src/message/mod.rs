//! Whole messages: scan, then plan, then splice. `crate::view` answers questions about what was
//! scanned.

mod abridged;
mod changes;
mod common_types;
pub(crate) mod content;
mod delimiters;
mod edit;
pub(crate) mod evidence;
pub(crate) mod field;
#[cfg(feature = "files")]
pub(crate) mod file_type;
mod guesses;
mod hints;
pub(crate) mod line_ends;
pub(crate) mod normalizer;
mod opaque;
pub(crate) mod options;
mod plan;
mod planned;
mod policy;
pub(crate) mod recode;
pub(crate) mod scan;
mod seal;
mod splice;
pub(crate) mod tree;

pub use abridged::{Abridged, AbridgedPlan};
pub use changes::{FieldChange, PlannedField, WrittenField};
pub use edit::Edit;
pub use normalizer::{Normalizer, normalize};
pub use opaque::Opaque;
pub use options::{Limits, OptionSchema, ValueSchema};
pub use planned::{Normalized, Plan, Report};
