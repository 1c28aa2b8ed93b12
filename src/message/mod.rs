//! Whole messages: scan, then view or plan, then splice.

mod header;
mod normalizer;
mod options;
mod view;

pub use normalizer::{Edit, Normalized, Normalizer, Plan, Report, normalize};
pub use options::{Limits, Markup, Profile, Signed, TextEncoding, Undecodable};
pub use view::{Mailbox, Message, Part};
