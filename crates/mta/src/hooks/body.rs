//! The body of a request as it comes: held as far as there is room, and otherwise counted.

use crate::decision::Held;
use crate::memory::Share;

/// The memory that a message takes at most, as a multiple of the octets of its request, while it is
/// answered: the request, what is decoded from it, the plan, and the answer.
const COPIES: u64 = 4;

/// The octets of a request beside its message.
const REST: u64 = 1 << 20;

/// A request that comes.
#[derive(Debug)]
pub struct Body {
    octets: Vec<u8>,
    length: u64,
    limit: u64,
    share: Share,
    has_room: bool,
}

impl Body {
    /// A request about a message of at most so many octets, of which nothing has come. JSON makes a
    /// message longer, Base64 by a third; half as much again is enough.
    pub fn new(max_message: u64, share: Share) -> Self {
        let limit = max_message.saturating_add(max_message / 2).saturating_add(REST);
        Self { octets: Vec::new(), length: 0, limit, share, has_room: true }
    }

    /// The next octets.
    pub fn push(&mut self, octets: &[u8]) {
        self.length += octets.len() as u64;
        let is_held = self.length <= self.limit
            && self.has_room
            && self.share.grow_to(COPIES.saturating_mul(self.length));
        if is_held {
            self.octets.extend_from_slice(octets);
            return;
        }

        self.has_room &= self.length > self.limit;
        self.octets = Vec::new();
        self.share.shrink_to(0);
    }

    /// The number of octets that have come.
    pub fn length(&self) -> u64 {
        self.length
    }

    /// The octets, with the memory that they and their answer take.
    ///
    /// # Errors
    /// They are not held, and why.
    pub fn finish(self) -> Result<(Vec<u8>, Share), Held> {
        if self.length > self.limit {
            Err(Held::TooLarge)
        } else if self.has_room {
            Ok((self.octets, self.share))
        } else {
            Err(Held::NoRoom)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::memory::Memory;

    #[test]
    fn what_is_too_long_is_counted_and_not_held() {
        let memory = Memory::new(64 << 20);
        let mut body = Body::new(1000, memory.share());
        body.push(b"{");
        assert!(memory.used() > 0);
        for _ in 0..3 {
            body.push(&vec![b' '; 1 << 20]);
        }
        body.push(b"}");
        assert_eq!((body.length(), memory.used()), ((3 << 20) + 2, 0));
        assert_eq!(body.finish().err(), Some(Held::TooLarge));
    }

    #[test]
    fn what_there_is_no_room_for_is_not_held() {
        let memory = Memory::new(1 << 20);
        let mut body = Body::new(1 << 20, memory.share());
        body.push(&vec![b' '; 200 << 10]);
        body.push(&vec![b' '; 100 << 10]);
        assert_eq!(memory.used(), 0);
        body.push(b"}");
        assert_eq!(body.finish().err(), Some(Held::NoRoom));

        let mut body = Body::new(1 << 20, memory.share());
        body.push(b"{}");
        let (octets, share) = body.finish().expect("held");
        assert_eq!(octets, b"{}");
        assert!(memory.used() > 0);
        drop(share);
        assert_eq!(memory.used(), 0);
    }
}
