//! Choices made by octets, for messages that are put together from pieces: fuzzing changes the
//! octets, and fewer of them make a simpler message.

/// Chooses by an octet each time.
pub struct Chooser<'o> {
    octets: std::slice::Iter<'o, u8>,
}

impl<'o> Chooser<'o> {
    pub fn new(octets: &'o [u8]) -> Self {
        Self { octets: octets.iter() }
    }

    /// Returns a number below `limit`, or nothing if the octets are used up.
    pub fn next_below(&mut self, limit: usize) -> Option<usize> {
        self.octets.next().map(|&octet| usize::from(octet) % limit)
    }

    /// Returns a number below `limit`, 0 once the octets are used up.
    pub fn below(&mut self, limit: usize) -> usize {
        self.next_below(limit).unwrap_or(0)
    }

    /// Returns one of `pieces`, the first once the octets are used up.
    pub fn one_of<T: Copy>(&mut self, pieces: &[T]) -> T {
        pieces[self.below(pieces.len())]
    }
}
