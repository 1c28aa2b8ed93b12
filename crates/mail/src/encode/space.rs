//! White space before a token.

use std::borrow::Cow;

/// The longest white space that is written as it is.
const MAX: usize = 8;

/// Unfolded white space: its length, and its octets if there are at most eight. Longer white space
/// is written as one space, and so is none at all, so that no more has to be kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Space {
    length: u32,
    /// The first octet is what is written if only one is.
    octets: [u8; MAX],
}

impl Space {
    /// One space.
    pub const ONE: Self = Self { length: 1, octets: [b' '; MAX] };
    const NONE: Self = Self { length: 0, octets: [b' '; MAX] };

    #[inline]
    pub fn len(self) -> usize {
        self.length as usize
    }

    #[inline]
    pub fn is_empty(self) -> bool {
        self.length == 0
    }

    /// Returns how much is written: at least one octet, and only one if there are too many.
    #[inline]
    pub fn width(self) -> usize {
        if (1..=MAX).contains(&self.len()) { self.len() } else { 1 }
    }

    /// Returns the octets that are written.
    #[inline]
    pub fn octets(&self) -> &[u8] {
        &self.octets[..self.width()]
    }

    fn of_many(space: &[u8]) -> Self {
        let mut octets = [b' '; MAX];
        if let Some(few) = octets.get_mut(..space.len()) {
            few.copy_from_slice(space);
        }
        Self { length: u32::try_from(space.len()).unwrap_or(u32::MAX), octets }
    }
}

impl Default for Space {
    fn default() -> Self {
        Self::NONE
    }
}

impl From<&[u8]> for Space {
    #[inline]
    fn from(space: &[u8]) -> Self {
        match *space {
            [] => Self::NONE,
            [octet] => Self { length: 1, octets: [octet; MAX] },
            _ => Self::of_many(space),
        }
    }
}

impl From<Cow<'_, [u8]>> for Space {
    fn from(space: Cow<'_, [u8]>) -> Self {
        Self::from(&space[..])
    }
}
