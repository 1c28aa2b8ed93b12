//! What an entity's Content- fields must say afterwards, gathered while its body is planned.

use crate::transfer::TransferEncoding;

/// Changes to the Content- fields of one entity; empty if they stay.
#[derive(Clone, Debug, Default)]
pub(crate) struct ContentEdits {
    /// Another media type; the other parameters are kept.
    pub(crate) media_type: Option<&'static str>,
    pub(crate) charset: Option<&'static str>,
    pub(crate) boundary: Option<String>,
    /// Whether the parameter `boundary` no longer has a meaning.
    pub(crate) no_boundary: bool,
    /// Whether the body became opaque: `application/octet-stream` with its old type in a parameter.
    pub(crate) opaque: bool,
    pub(crate) encoding: Option<TransferEncoding>,
}

impl ContentEdits {
    /// Returns whether any Content- field must change.
    pub(crate) fn is_any(&self) -> bool {
        self.change_type() || self.encoding.is_some()
    }

    /// Returns whether the Content-Type field must change.
    pub(crate) fn change_type(&self) -> bool {
        self.media_type.is_some()
            || self.charset.is_some()
            || self.boundary.is_some()
            || self.no_boundary
            || self.opaque
    }
}
