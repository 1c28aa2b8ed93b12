//! Bodies in base64: lines of 76 symbols, each ended by CRLF.

use std::io::{self, Write};

use fearless_simd::dispatch;

use super::engine::encode_block;
use super::line_vectors::{self, ENCODED_LINE, LINE_OCTETS, LINE_SYMBOLS};
use crate::codec::level::{self, Level};

/// Lines that the engine encodes in one step: enough for its vectors, few enough for the
/// first-level cache.
const BLOCK_LINES: usize = 32;
/// Lines written in one go.
const WRITE_LINES: usize = 64;

/// Returns the number of octets that [`encode_lines_to`] writes for `octets` octets.
pub const fn lines_len(octets: usize) -> usize {
    let symbols = octets.div_ceil(3) * 4;
    symbols + symbols.div_ceil(LINE_SYMBOLS) * 2
}

/// Writes `octets` in lines of base64, each ended by CRLF, including the last; buffers no more than
/// a few lines.
pub fn encode_lines_to(octets: &[u8], output: &mut impl Write) -> io::Result<()> {
    encode_lines_by(Level::new(), octets, output)
}

pub(super) fn encode_lines_by(
    level: Level,
    octets: &[u8],
    output: &mut impl Write,
) -> io::Result<()> {
    let mut lines = vec![*EMPTY_LINE; octets.len().div_ceil(LINE_OCTETS).min(WRITE_LINES)];
    let (whole, rest) = octets.as_chunks::<LINE_OCTETS>();
    for octets in whole.chunks(WRITE_LINES) {
        let lines = &mut lines[..octets.len()];
        if level::picks(level) {
            dispatch!(level, simd => line_vectors::encode_lines(simd, octets, lines));
        } else {
            encode_lines(octets, lines);
        }
        output.write_all(lines.as_flattened())?;
    }
    let mut last = Vec::with_capacity(ENCODED_LINE);
    if !rest.is_empty() {
        super::encode(rest, &mut last);
        last.extend_from_slice(b"\r\n");
    }
    output.write_all(&last)
}

/// A line without its symbols.
const EMPTY_LINE: &[u8; ENCODED_LINE] = &{
    let mut line = [0; ENCODED_LINE];
    line[LINE_SYMBOLS] = b'\r';
    line[LINE_SYMBOLS + 1] = b'\n';
    line
};

/// Puts the symbols of lines into lines that already have their line ends.
fn encode_lines(lines: &[[u8; LINE_OCTETS]], encoded: &mut [[u8; ENCODED_LINE]]) {
    let mut symbols = [[0; LINE_SYMBOLS]; BLOCK_LINES];
    for (lines, encoded) in lines.chunks(BLOCK_LINES).zip(encoded.chunks_mut(BLOCK_LINES)) {
        encode_block(lines.as_flattened(), symbols.as_flattened_mut());
        for (line, symbols) in encoded.iter_mut().zip(&symbols) {
            line[..LINE_SYMBOLS].copy_from_slice(symbols);
        }
    }
}
