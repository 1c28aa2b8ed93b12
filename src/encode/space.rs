//! White space before a token.

use std::borrow::Cow;

/// How many octets of white space are written as they stand.
const MOST: usize = 8;

/// White space, unfolded: how much there is, and what, where there is not too much of it. Of more than 8 octets one
/// space is written, so that no others are kept.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Space {
    length: u32,
    octets: [u8; MOST],
}

impl Space {
    /// One space.
    pub(crate) const ONE: Self = Self { length: 1, octets: *b" \0\0\0\0\0\0\0" };

    pub(crate) fn len(self) -> usize {
        self.length as usize
    }

    pub(crate) fn is_empty(self) -> bool {
        self.length == 0
    }

    /// How much is written: some, and not too much.
    pub(crate) fn width(self) -> usize {
        if (1..=MOST).contains(&self.len()) { self.len() } else { 1 }
    }

    /// What is written.
    pub(crate) fn octets(&self) -> &[u8] {
        match self.octets.get(..self.len()) {
            Some(octets) if !octets.is_empty() => octets,
            _ => b" ",
        }
    }
}

impl From<&[u8]> for Space {
    #[inline]
    fn from(space: &[u8]) -> Self {
        if let b" " = space {
            return Self::ONE;
        }
        let mut octets = [0; MOST];
        octets.iter_mut().zip(space).for_each(|(to, &octet)| *to = octet);
        Self { length: u32::try_from(space.len()).unwrap_or(u32::MAX), octets }
    }
}

impl From<Cow<'_, [u8]>> for Space {
    fn from(space: Cow<'_, [u8]>) -> Self {
        Self::from(&space[..])
    }
}
