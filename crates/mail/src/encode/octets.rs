//! The octets of a token.

use std::borrow::Cow;
use std::iter::repeat_n;
use std::ops::Deref;

/// How many octets are stored in place: the size of a `Vec`, less a tag and a length.
const FEW: usize = 15;

/// Octets of the input, or new ones; a few need no allocation: the tokens of hostile fields are all
/// short.
#[derive(Clone, Debug)]
pub enum Octets<'a> {
    Borrowed(&'a [u8]),
    Few([u8; FEW], u8),
    Many(Vec<u8>),
}

impl<'a> Octets<'a> {
    /// Returns a copy of `octets`.
    pub fn copied(octets: &[u8]) -> Self {
        if octets.len() > FEW {
            return Self::Many(octets.to_vec());
        }
        Self::few(octets, octets.len())
    }

    /// Returns three pieces, one after another.
    pub fn joined(pieces: [&[u8]; 3]) -> Self {
        let length: usize = pieces.iter().map(|piece| piece.len()).sum();
        if length > FEW {
            return Self::Many(pieces.concat());
        }
        Self::few(pieces.into_iter().flatten(), length)
    }

    /// Returns at most as many octets as there is room for. They are assembled in a register:
    /// moving a buffer as a whole would wait for its partial stores.
    fn few<'o>(octets: impl IntoIterator<Item = &'o u8>, length: usize) -> Self {
        let add = |word: u128, (at, &octet): (usize, &u8)| word | u128::from(octet) << (8 * at);
        let [few @ .., _] = octets.into_iter().take(FEW).enumerate().fold(0, add).to_le_bytes();
        Self::Few(few, length as u8)
    }

    /// Appends `octets`.
    pub fn append(&mut self, octets: &[u8]) {
        match self {
            Self::Many(many) => many.extend_from_slice(octets),
            Self::Few(few, length) if usize::from(*length) + octets.len() <= FEW => {
                let room = few.iter_mut().skip(usize::from(*length));
                room.zip(octets).for_each(|(to, &octet)| *to = octet);
                *length += octets.len() as u8;
            }
            _ if octets.is_empty() => {}
            _ if self.len() + octets.len() <= FEW => *self = Self::joined([self, octets, b""]),
            _ => *self = Self::Many([self, octets].concat()),
        }
    }

    /// Appends `count` spaces.
    pub fn append_spaces(&mut self, count: usize) {
        match (count, &mut *self) {
            (0, _) => {}
            (1, _) => self.append(b" "),
            (_, Self::Many(many)) => many.extend(repeat_n(b' ', count)),
            _ => *self = Self::Many(self.iter().copied().chain(repeat_n(b' ', count)).collect()),
        }
    }
}

impl Default for Octets<'_> {
    fn default() -> Self {
        Self::Borrowed(b"")
    }
}

impl Deref for Octets<'_> {
    type Target = [u8];

    #[inline]
    fn deref(&self) -> &[u8] {
        match self {
            Self::Borrowed(octets) => octets,
            Self::Few(octets, length) => &octets[..usize::from(*length)],
            Self::Many(octets) => octets,
        }
    }
}

impl PartialEq for Octets<'_> {
    fn eq(&self, other: &Self) -> bool {
        **self == **other
    }
}

impl Eq for Octets<'_> {}

impl<'a> From<&'a [u8]> for Octets<'a> {
    fn from(octets: &'a [u8]) -> Self {
        Self::Borrowed(octets)
    }
}

impl<'a, const N: usize> From<&'a [u8; N]> for Octets<'a> {
    fn from(octets: &'a [u8; N]) -> Self {
        Self::Borrowed(octets)
    }
}

impl From<Vec<u8>> for Octets<'_> {
    fn from(octets: Vec<u8>) -> Self {
        Self::Many(octets)
    }
}

impl<'a> From<Cow<'a, [u8]>> for Octets<'a> {
    fn from(octets: Cow<'a, [u8]>) -> Self {
        match octets {
            Cow::Borrowed(octets) => Self::Borrowed(octets),
            Cow::Owned(octets) => Self::Many(octets),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn few_or_many_are_the_same() {
        assert_eq!(size_of::<Octets<'_>>(), size_of::<Vec<u8>>());
        for start in 0..20 {
            for more in 0..20 {
                let (start, more) = (vec![b'a'; start], vec![b'b'; more]);
                let whole = [&start[..], &more].concat();
                for mut octets in
                    [Octets::copied(&start), Octets::from(&start[..]), start.clone().into()]
                {
                    octets.append(&more);
                    assert_eq!(*octets, *whole);
                    assert_eq!(
                        *Octets::joined([b"<", &whole, b">"]),
                        [b"<", &whole[..], b">"].concat()
                    );
                    for spaces in 0..3 {
                        let mut spaced = octets.clone();
                        spaced.append_spaces(spaces);
                        assert_eq!(*spaced, [&whole[..], &b"  "[..spaces]].concat());
                    }
                }
            }
        }
    }
}
