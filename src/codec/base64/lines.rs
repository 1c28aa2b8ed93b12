//! Bodies in base64: lines of 76 symbols, each ended by CRLF.

use std::io::{self, Write};

use super::block::encode_block;

/// RFC 2045, 6.8: at most 76 symbols a line.
const LINE_SYMBOLS: usize = 76;
const LINE_OCTETS: usize = LINE_SYMBOLS / 4 * 3;
const ENCODED_LINE: usize = LINE_SYMBOLS + 2;

/// Lines encoded at once: enough for the vector engine, little enough for the first-level cache.
const BLOCK_LINES: usize = 64;
/// Lines written at once when streaming.
const STREAM_LINES: usize = 1024;

/// The octets that [`encode_lines`] writes for `octets` octets.
pub(crate) const fn lines_len(octets: usize) -> usize {
    let symbols = octets.div_ceil(3) * 4;
    symbols + symbols.div_ceil(LINE_SYMBOLS) * 2
}

/// Appends `octets` in lines of base64, every one ended by CRLF, the last too.
pub(crate) fn encode_lines(octets: &[u8], out: &mut Vec<u8>) {
    out.reserve(lines_len(octets.len()));
    let mut symbols = [0; BLOCK_LINES * LINE_SYMBOLS];
    for block in octets.chunks(BLOCK_LINES * LINE_OCTETS) {
        let written = encode_block(block, &mut symbols);
        let padded = written.next_multiple_of(4);
        symbols[written..padded].fill(b'=');
        scatter(&symbols[..padded], out);
    }
}

/// Writes `octets` in the same lines, holding no more than some thousand of them.
pub(crate) fn encode_lines_to(octets: &[u8], output: &mut impl Write) -> io::Result<()> {
    let mut lines = Vec::new();
    for block in octets.chunks(STREAM_LINES * LINE_OCTETS) {
        lines.clear();
        encode_lines(block, &mut lines);
        output.write_all(&lines)?;
    }
    Ok(())
}

/// Cuts symbols into lines.
fn scatter(symbols: &[u8], out: &mut Vec<u8>) {
    let (whole, rest) = symbols.as_chunks::<LINE_SYMBOLS>();
    let start = out.len();
    out.resize(start + whole.len() * ENCODED_LINE, b'\r');
    let (lines, _) = out[start..].as_chunks_mut::<ENCODED_LINE>();
    for (line, symbols) in lines.iter_mut().zip(whole) {
        line[..LINE_SYMBOLS].copy_from_slice(symbols);
        line[LINE_SYMBOLS..].copy_from_slice(b"\r\n");
    }
    if !rest.is_empty() {
        out.extend_from_slice(rest);
        out.extend_from_slice(b"\r\n");
    }
}
