//! The three formats of stores, and the header that tells them apart (MS-PST, 2.2.2.6).

use super::encoding::Encoding;
use super::error::Error;

/// The sizes of what differs between the formats.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Format {
    /// Versions 14 and 15, up to Outlook 2002: ids and offsets of four octets.
    Ansi,
    /// Version 23, from Outlook 2003 on: ids and offsets of eight octets.
    Unicode,
    /// Version 36, of caches from Outlook 2013 on: pages of 4,096 octets, deflated blocks.
    LargePages,
}

impl Format {
    /// Returns the size of a page.
    pub(super) const fn page_size(self) -> usize {
        match self {
            Self::Ansi | Self::Unicode => 512,
            Self::LargePages => 4096,
        }
    }

    /// Returns the size of an id or an offset.
    pub(super) const fn id_size(self) -> usize {
        match self {
            Self::Ansi => 4,
            Self::Unicode | Self::LargePages => 8,
        }
    }

    /// Returns the size of the trailer of a page or a block.
    pub(super) const fn trailer_size(self) -> usize {
        match self {
            Self::Ansi => 12,
            Self::Unicode => 16,
            Self::LargePages => 24,
        }
    }

    /// Returns the size that blocks are multiples of.
    pub(super) const fn block_unit(self) -> usize {
        match self {
            Self::Ansi | Self::Unicode => 64,
            Self::LargePages => 512,
        }
    }

    /// Returns the id or offset in `octets` at `at`.
    pub(super) fn id(self, octets: &[u8], at: usize) -> Option<u64> {
        match self {
            Self::Ansi => u32_at(octets, at).map(u64::from),
            Self::Unicode | Self::LargePages => u64_at(octets, at),
        }
    }
}

/// What the header of a store says.
#[derive(Clone, Copy, Debug)]
pub(super) struct Header {
    pub(super) format: Format,
    pub(super) encoding: Encoding,
    /// The offset of the root of the tree of nodes.
    pub(super) nodes: u64,
    /// The offset of the root of the tree of blocks.
    pub(super) blocks: u64,
}

/// The size of the longest header.
pub(super) const HEADER_SIZE: usize = 564;

/// The first octets of a store.
pub(super) const SIGNATURE: &[u8; 4] = b"!BDN";

/// The marks of stores, of caches and of address books.
const CLIENTS: [&[u8; 2]; 3] = [b"SM", b"SO", b"AB"];

impl Header {
    /// Reads a header; checksums are not asked, since a store is read in spite of them.
    pub(super) fn read(octets: &[u8]) -> Result<Self, Error> {
        let is_store = octets.starts_with(SIGNATURE)
            && CLIENTS.iter().any(|client| octets.get(8..10) == Some(client.as_slice()));
        if !is_store {
            return Err(Error::NotAStore);
        }

        let version = u16_at(octets, 10).ok_or(Error::NotAStore)?;
        let format = match version {
            14 | 15 => Format::Ansi,
            // Visual Recovery writes 21.
            21..=23 => Format::Unicode,
            36 => Format::LargePages,
            _ => return Err(Error::Version(version)),
        };
        let (roots, encoding) = match format {
            Format::Ansi => (184, 461),
            Format::Unicode | Format::LargePages => (216, 513),
        };

        let encoding = match octets.get(encoding) {
            Some(0) => Encoding::Plain,
            Some(1) => Encoding::Permuted,
            Some(2) => Encoding::Cyclic,
            Some(other) => return Err(Error::Encoding(*other)),
            None => return Err(Error::NotAStore),
        };
        // root = id offset
        let nodes = format.id(octets, roots + format.id_size()).ok_or(Error::NotAStore)?;
        let blocks = format.id(octets, roots + 3 * format.id_size()).ok_or(Error::NotAStore)?;
        Ok(Self { format, encoding, nodes, blocks })
    }
}

pub(super) fn u16_at(octets: &[u8], at: usize) -> Option<u16> {
    octets.get(at..)?.first_chunk().map(|chunk| u16::from_le_bytes(*chunk))
}

pub(super) fn u32_at(octets: &[u8], at: usize) -> Option<u32> {
    octets.get(at..)?.first_chunk().map(|chunk| u32::from_le_bytes(*chunk))
}

pub(super) fn u64_at(octets: &[u8], at: usize) -> Option<u64> {
    octets.get(at..)?.first_chunk().map(|chunk| u64::from_le_bytes(*chunk))
}
