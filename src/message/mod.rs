//! Whole messages: scan, then view or plan, then splice.

mod abridged;
mod changes;
mod content;
mod delimiters;
mod edit;
mod fallback;
mod field;
mod guesses;
mod hints;
mod line_ends;
mod markup;
mod normalizer;
mod octet_text;
mod opaque;
mod options;
mod plan;
mod policy;
mod recode;
mod scan;
mod seal;
mod splice;
mod tree;
mod view;

pub use abridged::{Abridged, AbridgedPlan};
pub use changes::{FieldChange, PlannedField, WrittenField};
pub use edit::Edit;
pub use normalizer::{Normalized, Normalizer, Plan, Report, normalize};
pub use opaque::Opaque;
pub use options::{Limits, Markup, Profile, Signed, TextEncoding, Undecodable, Unlabelled};
#[cfg(feature = "files")]
pub use view::file_type;
pub use view::{
    Address, Attachment, AuthenticationResult, AuthenticationResults, BodyParts, Date, DeliveryReport,
    DispositionReport, FeedbackReport, Group, Hop, Mailbox, MailingList, Message, MessageReport, Origin,
    Part, Passage, ReportedRecipient, Tnef, TnefFile, base_subject, passages, safe_file_name,
};
