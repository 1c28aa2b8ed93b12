//! Assembles octets from six-bit values, and judges the bits left over.

/// The remainder of a run of symbols after all whole units.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Leftover {
    /// Nothing, or fewer than six bits that are all zero.
    Nothing,
    /// Fewer than six bits, but not all zero.
    Bits,
    /// At least one whole symbol that belongs to no unit.
    Symbols,
}

impl Leftover {
    /// Judges the end of a run of `symbols` symbols holding units of `unit` bits (8 for octets, 16
    /// for UTF-16); `tail` holds the last bits of the run.
    #[inline]
    pub(crate) const fn judge(symbols: usize, unit: u32, tail: u32) -> Self {
        // Only the remainder counts; taking it first keeps the product small.
        let left = (symbols % unit as usize) as u32 * 6 % unit;
        if left >= 6 {
            Self::Symbols
        } else if tail & ((1 << left) - 1) != 0 {
            Self::Bits
        } else {
            Self::Nothing
        }
    }
}

/// Up to three symbols of a quad that is not complete yet.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Quad {
    bits: u32,
    symbols: u32,
}

impl Quad {
    pub(super) const fn is_empty(self) -> bool {
        self.symbols == 0
    }

    pub(super) const fn symbols(self) -> u32 {
        self.symbols
    }

    /// Takes one value; returns three octets at every fourth.
    #[inline]
    pub(super) fn push(&mut self, value: u8) -> Option<[u8; 3]> {
        self.bits = self.bits << 6 | u32::from(value);
        self.symbols += 1;
        if self.symbols < 4 {
            return None;
        }
        let [_, octets @ ..] = self.bits.to_be_bytes();
        *self = Self::default();
        Some(octets)
    }

    /// Ends the run: appends the octets that the remaining symbols hold, and judges the bits left
    /// over.
    pub(super) fn finish(&mut self, out: &mut Vec<u8>) -> Leftover {
        let Self { bits, symbols } = std::mem::take(self);
        match symbols {
            2 => out.push((bits >> 4) as u8),
            3 => out.extend([(bits >> 10) as u8, (bits >> 2) as u8]),
            _ => {}
        }
        Leftover::judge(symbols as usize, 8, bits)
    }
}
