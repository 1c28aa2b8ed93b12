//! Whole messages: plan, then splice. What is planned on, the tree of a message, is a fact that
//! sevenbit-mail finds.

mod abridged;
mod changes;
mod edit;
pub(crate) mod field;
pub(crate) mod normalizer;
mod opaque;
pub(crate) mod options;
mod plan;
mod planned;
mod policy;
pub(crate) mod recode;
mod splice;

pub use abridged::{Abridged, AbridgedPlan};
pub use changes::{FieldChange, PlannedField, WrittenField};
pub use edit::Edit;
pub use normalizer::{Normalizer, normalize};
pub use opaque::Opaque;
pub use options::{OptionSchema, ValueSchema};
pub use planned::{Normalized, Plan, Report};
