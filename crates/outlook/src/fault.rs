//! The faults of a file of Outlook: what could not be read, and where.

use std::fmt;

/// A part of a message that could not be read. Everything else in the message is still there.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Fault {
    /// A property whose value is missing, cut off or of an unknown type.
    Property {
        /// The id of the property.
        id: u16,
    },
    /// A list of properties that is cut off or missing.
    Properties,
    /// The list of the names of properties.
    Names,
    /// A recipient.
    Recipient {
        /// The position in the list of recipients, from 0.
        number: usize,
    },
    /// An attachment without its content.
    Attachment {
        /// The position in the list of attachments, from 0.
        number: usize,
    },
    /// A message inside of messages that are nested deeper than is read.
    TooDeep,
    /// A value, or a sum of values, that is larger than is read.
    TooLarge,
    /// Octets that were read although their checksum differs: some may have changed.
    Checksum,
}

impl fmt::Display for Fault {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Property { id } => write!(formatter, "the property {id:04X} cannot be read"),
            Self::Properties => write!(formatter, "a list of properties cannot be read"),
            Self::Names => write!(formatter, "the names of properties cannot be read"),
            Self::Recipient { number } => {
                write!(formatter, "the recipient {number} cannot be read")
            }
            Self::Attachment { number } => {
                write!(formatter, "the attachment {number} cannot be read")
            }
            Self::TooDeep => write!(formatter, "a message is nested too deeply"),
            Self::Checksum => write!(formatter, "a checksum differs: some octets may have changed"),
            Self::TooLarge => write!(formatter, "a value is too large"),
        }
    }
}
