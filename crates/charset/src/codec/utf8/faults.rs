//! Every ill-formed sequence in some octets, one after another.

use super::sequence::{self, Sequence, sequence};
use crate::codec::scan;
use crate::{DecodeFault, Span};

/// Returns the ill-formed sequences in `octets`, from the first to the last.
pub fn faults(octets: &[u8]) -> Faults<'_> {
    Faults { octets, at: 0 }
}

/// An ill-formed UTF-8 sequence.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Fault {
    pub(super) fault: sequence::Fault,
    at: usize,
}

impl Fault {
    /// Returns what is wrong with it.
    pub const fn kind(&self) -> DecodeFault {
        self.fault.kind
    }

    /// Returns the octets that belong together: a lead octet and its continuation octets; for a
    /// CESU-8 pair both halves.
    pub const fn span(&self) -> Span {
        Span::new(self.at, self.at + self.fault.octets)
    }

    /// Returns the UCS-4 value that they encoded, if they are all there: what an overlong form
    /// hides, the surrogate or the character of a pair, what a sequence of five or six octets meant
    /// by RFC 2279.
    pub const fn value(&self) -> Option<u32> {
        self.fault.value
    }
}

/// The iterator of [`faults`].
#[derive(Clone, Debug)]
pub struct Faults<'a> {
    octets: &'a [u8],
    at: usize,
}

impl Iterator for Faults<'_> {
    type Item = Fault;

    fn next(&mut self) -> Option<Fault> {
        loop {
            // US-ASCII has no faults.
            self.at += scan::find(&self.octets[self.at..], |octet| octet >= 0x80);
            let rest = &self.octets[self.at..];
            if rest.is_empty() {
                return None;
            }
            match sequence(rest, true) {
                Sequence::Character(octets) => self.at += octets,
                Sequence::Fault(fault) => {
                    let at = self.at;
                    self.at += fault.octets;
                    return Some(Fault { fault, at });
                }
                // Impossible at the end of the octets.
                Sequence::Open => return None,
            }
        }
    }
}

impl std::iter::FusedIterator for Faults<'_> {}
