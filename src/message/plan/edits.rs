//! The changes to an entity's Content- fields.

use crate::transfer::TransferEncoding;

/// Changes to the Content- fields of one entity; empty if they stay.
#[derive(Clone, Debug, Default)]
pub(super) struct ContentEdits {
    /// Another media type. Of the parameters all but `boundary` are kept; of an opaque body only
    /// its old type is, in a parameter.
    pub(super) media_type: Option<&'static str>,
    pub(super) charset: Option<&'static str>,
    pub(super) boundary: Option<String>,
    pub(super) encoding: Option<TransferEncoding>,
}

impl ContentEdits {
    /// Adds the changes that another step asks for; they replace earlier ones.
    pub(super) fn add(&mut self, other: Self) {
        self.media_type = other.media_type.or(self.media_type);
        self.charset = other.charset.or(self.charset);
        self.boundary = other.boundary.or(self.boundary.take());
        self.encoding = other.encoding.or(self.encoding);
    }

    /// Returns whether any Content- field must change.
    pub(super) fn is_any(&self) -> bool {
        self.change_type() || self.encoding.is_some()
    }

    /// Returns whether the Content-Type field must change.
    pub(super) fn change_type(&self) -> bool {
        self.media_type.is_some() || self.charset.is_some() || self.boundary.is_some()
    }
}
