//! Whether a base64 body needs no repair, so that every parser reads the same out of it.

use super::{Leftover, MIME};

/// Whether `body` holds nothing but symbols in lines ended by CRLF or LF, padding only as the last symbols,
/// whole quads in all, and zero bits where padding stands for them.
pub(crate) fn is_clean(body: &[u8]) -> bool {
    let Some(census) = Census::of(body) else { return false };
    let end = body.iter().rposition(|&octet| !is_line_end(octet)).map_or(0, |at| at + 1);
    let symbols = &body[..end];
    let padding = symbols.iter().rev().take_while(|&&octet| octet == b'=').count();
    // `Census` counts padding as symbols.
    if padding != census.padding || padding > 2 || census.symbols % 4 != 0 {
        return false;
    }
    let last = symbols[..end - padding].last().and_then(|&symbol| MIME.value(symbol));
    padding == 0 || last.is_some_and(|last| Leftover::judge(4 - padding, 8, last.into()) == Leftover::Nothing)
}

fn is_line_end(octet: u8) -> bool {
    matches!(octet, b'\r' | b'\n')
}

/// How many symbols and how much padding a body holds.
struct Census {
    symbols: usize,
    padding: usize,
}

impl Census {
    /// Counts; nothing if an octet is neither symbol nor padding nor line end, or a CR stands alone.
    fn of(body: &[u8]) -> Option<Self> {
        let mut census = Self { symbols: 0, padding: 0 };
        let mut before = 0;
        for block in body.chunks(BLOCK) {
            let counts = Counts::of(block, before);
            if counts.alien != 0 {
                return None;
            }
            before = block[block.len() - 1];
            census.symbols += block.len() - usize::from(counts.line_ends);
            census.padding += usize::from(counts.padding);
        }
        (before != b'\r').then_some(census)
    }
}

/// Small enough for counts in 16 bits, which leaves room for many in a vector.
const BLOCK: usize = 4096;

struct Counts {
    alien: u8,
    line_ends: u16,
    padding: u16,
}

impl Counts {
    /// Counts a block that stands behind the octet `before`: straight comparisons only, so that the
    /// compiler makes vectors of them.
    fn of(block: &[u8], before: u8) -> Self {
        let mut counts =
            Self { alien: u8::from(before == b'\r' && block[0] != b'\n'), line_ends: 0, padding: 0 };
        for &octet in block {
            let letter = (octet | 0x20).wrapping_sub(b'a') < 26;
            let digit = octet.wrapping_sub(b'/') < 11; // `/` stands before `0`
            let line_end = (octet == b'\n') | (octet == b'\r');
            let padding = octet == b'=';
            counts.alien |= u8::from(!(letter | digit | line_end | padding | (octet == b'+')));
            counts.line_ends += u16::from(line_end);
            counts.padding += u16::from(padding);
        }
        for (&octet, &next) in block.iter().zip(&block[1..]) {
            counts.alien |= u8::from((octet == b'\r') & (next != b'\n'));
        }
        counts
    }
}
