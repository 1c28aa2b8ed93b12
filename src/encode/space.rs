//! White space before a token.

use std::borrow::Cow;

/// How many octets of white space are written as they stand.
const MOST: usize = 8;

/// White space, unfolded: how much there is, and what, where there is not too much of it. Of more than 8 octets one
/// space is written, as of none, so that no others are kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Space {
    length: u32,
    /// Begins with what is written where one octet is.
    octets: [u8; MOST],
}

impl Space {
    /// One space.
    pub(crate) const ONE: Self = Self { length: 1, octets: [b' '; MOST] };
    const NONE: Self = Self { length: 0, octets: [b' '; MOST] };

    #[inline]
    pub(crate) fn len(self) -> usize {
        self.length as usize
    }

    #[inline]
    pub(crate) fn is_empty(self) -> bool {
        self.length == 0
    }

    /// How much is written: some, and not too much.
    #[inline]
    pub(crate) fn width(self) -> usize {
        if (1..=MOST).contains(&self.len()) { self.len() } else { 1 }
    }

    /// What is written.
    #[inline]
    pub(crate) fn octets(&self) -> &[u8] {
        &self.octets[..self.width()]
    }

    fn of_many(space: &[u8]) -> Self {
        let mut octets = [b' '; MOST];
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
            [octet] => Self { length: 1, octets: [octet; MOST] },
            _ => Self::of_many(space),
        }
    }
}

impl From<Cow<'_, [u8]>> for Space {
    fn from(space: Cow<'_, [u8]>) -> Self {
        Self::from(&space[..])
    }
}
