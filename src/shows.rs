//! How far what was done to a message shows to a reader: what a comparison of a message with its normal form has to leave
//! out, and no more.

use crate::Code;

/// How far a repair shows to a reader of the message, as [`Code::shows`] has it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Shows {
    /// Not at all: the same fields with the same text, the same parts with the same content.
    Nowhere,
    /// In the field that the issue's span is in; of an issue in a body, in the text of that part.
    InPlace,
    /// In the header section that the issue is in, and in the part that it describes: what of it is not read may say what that is.
    InHeader,
    /// In the part that the issue is in, and in all that is inside.
    InPart,
}

impl Code {
    /// How far what was done about it shows to a reader. What else is in the message reads as before.
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
            | Self::DomainToAscii
            | Self::DuplicateField
            | Self::FieldDowngraded
            | Self::MarkupCharset
            | Self::RawHeaderText
            | Self::UnparsedLine => Shows::InPlace,
            Self::HeaderTooLarge => Shows::InHeader,
            Self::CompositeEncoded
            | Self::EncodedPartOpaque
            | Self::EncodingIgnored
            | Self::GlobalDowngraded
            | Self::ObsoleteType
            | Self::PartOpaque
            | Self::PartialMadeOpaque => Shows::InPart,
            _ => Shows::Nowhere,
        }
    }
}
