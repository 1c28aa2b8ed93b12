//! Whole messages: scan, then view or plan, then splice.

mod abridged;
mod content;
mod delimiters;
mod fallback;
mod fields;
mod header;
mod line_ends;
mod markup;
mod normalizer;
mod options;
mod plan;
mod recode;
mod scan;
mod splice;
mod tag;
mod tree;
mod view;

pub use abridged::{Abridged, AbridgedPlan};
pub use normalizer::{Edit, Normalized, Normalizer, Plan, Report, normalize};
pub use options::{Limits, Markup, Profile, Signed, TextEncoding, Undecodable};
pub use view::{Mailbox, Message, Part};
