//! What an entity's Content- fields must come to say, gathered while its body is planned.

use crate::transfer::TransferEncoding;

/// Changes to the Content- fields of one entity; nothing where they stay.
#[derive(Clone, Debug, Default)]
pub(crate) struct ContentEdits {
    /// Another media type, its other parameters kept.
    pub(crate) media_type: Option<&'static str>,
    pub(crate) charset: Option<&'static str>,
    pub(crate) boundary: Option<String>,
    /// The parameter `boundary` means nothing any more.
    pub(crate) no_boundary: bool,
    /// The body became opaque: `application/octet-stream` with its old type in a parameter.
    pub(crate) opaque: bool,
    pub(crate) encoding: Option<TransferEncoding>,
}

impl ContentEdits {
    /// Whether any Content- field must change.
    pub(crate) fn is_any(&self) -> bool {
        self.change_type() || self.encoding.is_some()
    }

    /// Whether the Content-Type field must change.
    pub(crate) fn change_type(&self) -> bool {
        self.media_type.is_some()
            || self.charset.is_some()
            || self.boundary.is_some()
            || self.no_boundary
            || self.opaque
    }
}
