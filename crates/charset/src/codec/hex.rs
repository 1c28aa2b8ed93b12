//! Escapes of a mark and two hexadecimal digits: `=XX` in quoted-printable, `%XX` in parameters.

const DIGITS: &[u8; 16] = b"0123456789ABCDEF";

/// Set in [`VALUES`] for a lower-case digit.
const LOWER: u8 = 0x10;
/// Set in [`VALUES`] for an octet that is not a digit.
const NO_DIGIT: u8 = 0x80;

static VALUES: [u8; 256] = values();
static PAIRS: [[u8; 2]; 256] = pairs();

const fn values() -> [u8; 256] {
    let mut values = [NO_DIGIT; 256];
    let mut value = 0;
    while value < 16 {
        values[DIGITS[value].to_ascii_lowercase() as usize] = value as u8 | LOWER;
        values[DIGITS[value] as usize] = value as u8;
        value += 1;
    }
    values
}

const fn pairs() -> [[u8; 2]; 256] {
    let mut pairs = [[0; 2]; 256];
    let mut octet = 0;
    while octet < 256 {
        pairs[octet] = [DIGITS[octet >> 4], DIGITS[octet & 15]];
        octet += 1;
    }
    pairs
}

/// Returns the escape for an octet.
#[inline]
pub fn escape(mark: u8, octet: u8) -> [u8; 3] {
    let [high, low] = PAIRS[usize::from(octet)];
    [mark, high, low]
}

/// A run of adjacent escapes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Run {
    /// How many escapes, and so how many octets.
    pub escapes: usize,
    /// Whether a digit was in lower case.
    pub(crate) lower: bool,
}

/// Decodes the escapes that `text` begins with into `out`, as many as follow one another and fit.
#[inline]
pub fn unescape(mark: u8, text: &[u8], out: &mut [u8]) -> Run {
    let (mut escapes, mut seen) = (0, 0);
    for (&[first, high, low], out) in text.as_chunks::<3>().0.iter().zip(out) {
        let (high, low) = (VALUES[usize::from(high)], VALUES[usize::from(low)]);
        if first != mark || (high | low) & NO_DIGIT != 0 {
            break;
        }
        *out = high << 4 | low & 15;
        seen |= high | low;
        escapes += 1;
    }
    Run { escapes, lower: seen & LOWER != 0 }
}
