//! What keeps a store, or a part of it, from being read.

use std::fmt;
use std::io;

/// A reason why a store, or a part of it, cannot be read.
#[derive(Debug)]
#[non_exhaustive]
pub enum Error {
    /// The file itself cannot be read.
    Io(io::Error),
    /// The file is no store of Outlook.
    NotAStore,
    /// A store of a version that is not read: 37 is protected by Windows Information Protection.
    Version(u16),
    /// A store that is encoded in a way that is not read: only Windows can decrypt 16
    /// (`NDB_CRYPT_EDPCRYPTED`).
    Encoding(u8),
    /// A page that is damaged or outside of the file.
    Page {
        /// The offset of the page in the file.
        offset: u64,
    },
    /// A block that is missing, damaged or outside of the file.
    Block {
        /// The id of the block.
        id: u64,
    },
    /// A node that the store names and does not have.
    Node {
        /// The id of the node.
        id: u32,
    },
    /// A value that a heap should hold and does not.
    Heap {
        /// The id of the value in its heap.
        id: u32,
    },
    /// A table or a list of properties whose head is damaged.
    Head,
    /// Things that contain themselves, or are nested deeper than is read.
    TooDeep,
    /// More octets than a sound store of this size can hold: blocks are named again and again.
    TooMuch,
}

impl fmt::Display for Error {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Io(error) => write!(formatter, "{error}"),
            Self::NotAStore => write!(formatter, "not a store of Outlook"),
            Self::Version(37) => write!(
                formatter,
                "the store is protected by Windows Information Protection (version 37); \
                 export it with Outlook as .pst"
            ),
            Self::Version(version) => {
                write!(formatter, "version {version} of Outlook's stores is not known")
            }
            Self::Encoding(encoding) => write!(
                formatter,
                "the store is encrypted (method {encoding}); export it with Outlook as .pst"
            ),
            Self::Page { offset } => write!(formatter, "the page at {offset} is damaged"),
            Self::Block { id } => write!(formatter, "the block {id:#x} is missing or damaged"),
            Self::Node { id } => write!(formatter, "the node {id:#x} is missing"),
            Self::Heap { id } => write!(formatter, "the value {id:#x} of a heap is missing"),
            Self::Head => write!(formatter, "the head of a table or a list is damaged"),
            Self::TooDeep => write!(formatter, "an item is in itself, or nested too deeply"),
            Self::TooMuch => {
                write!(formatter, "the store holds more octets than one of its size can")
            }
        }
    }
}

impl std::error::Error for Error {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::Io(error) => Some(error),
            _ => None,
        }
    }
}

impl From<io::Error> for Error {
    fn from(error: io::Error) -> Self {
        Self::Io(error)
    }
}
