//! How visible a change to a message is to a reader: what a comparison of a message with its normal
//! form has to leave out, and no more.

use crate::Code;

/// How visible a repair is to a reader of the message, as returned by [`Code::shows`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Shows {
    /// Not at all: the same fields with the same text, the same parts with the same content.
    Nowhere,
    /// In the field that holds the issue's span; for an issue in a body, in the text of that part.
    InPlace,
    /// In the header section that holds the issue, and in the part it describes: the lines that are
    /// not read may say what that part is.
    InHeader,
    /// In the part that holds the issue, and in everything inside it.
    InPart,
}

impl Code {
    /// Returns how visible the repair is to a reader. Everything else in the message reads as
    /// before.
    ///
    /// ```
    /// use sevenbit::{Code, Shows};
    ///
    /// assert_eq!(Code::Reencoded.shows(), Shows::Nowhere);
    /// assert_eq!(Code::DomainToAscii.shows(), Shows::InPlace);
    /// assert_eq!(Code::PartOpaque.shows(), Shows::InPart);
    /// ```
    pub fn shows(self) -> Shows {
        match self {
            Self::AddressNotAscii
            | Self::AddressUnreadable
            | Self::Base64AfterPadding
            | Self::ControlReplaced
            | Self::DateRewritten
            | Self::DomainToAscii
            | Self::DuplicateField
            | Self::FieldDowngraded
            | Self::MarkupCharset
            | Self::RawHeaderText
            | Self::TextRepaired
            | Self::UnparsedLine => Shows::InPlace,
            Self::HeaderTooLarge => Shows::InHeader,
            Self::CompositeEncoded
            | Self::ContentAppeared
            | Self::EncodedPartOpaque
            | Self::EncodingIgnored
            | Self::GlobalDowngraded
            | Self::ObsoleteType
            | Self::PartOpaque
            | Self::PartialMadeOpaque
            | Self::TnefUnpacked => Shows::InPart,
            _ => Shows::Nowhere,
        }
    }
}
