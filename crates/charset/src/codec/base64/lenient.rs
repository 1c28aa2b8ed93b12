//! Reading base64 bodies and B words as they come (rule B2).
//!
//! Deviations from RFC 2045, 6.8, all reported except the first:
//! 1. White space and line ends may occur anywhere: gateways wrap and pad lines.
//! 2. Octets outside the alphabet are skipped, as the RFC itself says, and so is padding that does
//!    not complete a quad.
//! 3. Padding may be missing at the end: truncated bodies are decoded as far as they go.
//! 4. Text after complete padding is read as further base64 if all of it up to its own end or
//!    padding is well-formed (bodies glued together); otherwise it is dropped.
//! 5. A [footer] is dropped: read as base64, its letters would become octets.

use super::engine::decode_block;
use super::footer::footer;
use super::quad::Quad;
use super::strict::decode_strict;
use super::{Leftover, MIME};
use crate::ascii::{is_fws, is_wsp};
use crate::codec::level::Level;
use crate::report::Tally;
use crate::{Code, Span};

/// Appends the octets that `body` encodes; spans are offsets in `body`.
pub fn decode(body: &[u8], out: &mut Vec<u8>, tally: &mut Tally) {
    if body.len() < MIN_BLOCK && decode_strict(Level::new(), body, out) {
        return;
    }
    out.reserve(body.len() / 4 * 3 + 3);
    let start = out.len();
    let mut reader =
        Reader { body, at: 0, quad: Quad::default(), start, may_have_footer: true, out, tally };
    let mut padded = false;
    while !padded && reader.at < body.len() {
        if body.len() - reader.at >= MIN_BLOCK {
            reader.blocks();
        }
        padded = reader.repair(REPAIR_OCTETS);
    }
    if padded { reader.after_padding() } else { reader.finish() }
}

/// Symbols decoded in one go by the vector engine: 64 lines of 76.
const BLOCK_SYMBOLS: usize = 4864;
/// Fewer octets are faster to read one by one.
const MIN_BLOCK: usize = 256;
/// How many octets are read one by one before blocks are tried again: as many as a block has, so
/// that a block that fails late costs no more than the slow reading after it.
const REPAIR_OCTETS: usize = 4096;

/// Quads read in one step.
const QUADS: usize = 16;

struct Reader<'a> {
    body: &'a [u8],
    at: usize,
    quad: Quad,
    /// How long the output was before.
    start: usize,
    /// Whether a footer was not looked for yet.
    may_have_footer: bool,
    out: &'a mut Vec<u8>,
    tally: &'a mut Tally,
}

impl Reader<'_> {
    /// Reads lines of one length in blocks as long as they contain only symbols; leaves `at` at the
    /// first octet that must be read one by one.
    fn blocks(&mut self) {
        let mut symbols = [0; BLOCK_SYMBOLS];
        while self.quad.is_empty()
            && let Some(shape) = Shape::of(&self.body[self.at..])
        {
            let (mut read, mut filled) = shape.gather(&self.body[self.at..], &mut symbols);
            // The last line may be as long as the others, but padded.
            if filled > 0 && symbols[filled - 1] == b'=' {
                (read, filled) = (read - shape.line, filled - shape.symbols);
            }
            if filled == 0 || !self.take_block(&symbols[..filled]) {
                return;
            }
            self.at += read;
        }
    }

    fn take_block(&mut self, symbols: &[u8]) -> bool {
        let start = self.out.len();
        self.out.resize(start + symbols.len() / 4 * 3, 0);
        let taken = decode_block(symbols, &mut self.out[start..]).is_some();
        if !taken {
            self.out.truncate(start);
        }
        taken
    }

    /// Reads one octet at a time: `octets` of them, then on to the end of a quad. Returns whether
    /// padding ended the base64.
    fn repair(&mut self, octets: usize) -> bool {
        let until = self.at.saturating_add(octets);
        while self.at < self.body.len() && (self.at < until || !self.quad.is_empty()) {
            if self.quad.is_empty() {
                self.quads(until);
            }
            let Some(&octet) = self.body.get(self.at) else { break };
            match octet {
                b'=' if self.padding() => return true,
                b'=' => self.skip(),
                _ if is_fws(octet) => self.at += 1,
                _ => self.symbol(octet),
            }
        }
        false
    }

    /// Reads whole quads, as long as one follows another.
    fn quads(&mut self, until: usize) {
        while self.at < until {
            let mut octets = [[0; 3]; QUADS];
            let quads =
                self.body[self.at..].as_chunks().0.iter().map_while(|quad| MIME.quad(*quad));
            let read = quads.zip(&mut octets).map(|(bits, to)| *to = low_octets(bits)).count();
            self.out.extend_from_slice(octets[..read].as_flattened());
            self.at += 4 * read;
            if read < QUADS {
                break;
            }
        }
    }

    fn symbol(&mut self, octet: u8) {
        let Some(value) = MIME.value(octet) else { return self.skip() };
        if let Some(octets) = self.quad.push(value) {
            self.out.extend_from_slice(&octets);
        }
        self.at += 1;
    }

    /// Skips octets that mean nothing, with one note for the whole run; or a footer.
    fn skip(&mut self) {
        if std::mem::take(&mut self.may_have_footer)
            && let Some(footer) = footer(self.body)
        {
            // More than the symbols before it may have been read.
            self.quad.finish(self.out);
            self.out.truncate(self.start + footer.symbols * 3 / 4);
            self.at = self.body.len();
            return self.tally.note(Code::Base64Dropped, Span::new(footer.start, self.at));
        }
        let alien = |&octet: &u8| octet != b'=' && !is_fws(octet) && !MIME.contains(octet);
        let start = self.at;
        self.at += 1 + self.body[start + 1..].iter().take_while(|octet| alien(octet)).count();
        self.tally.note(Code::Base64Repaired, Span::new(start, self.at));
    }

    /// Returns whether the padding at this `=` completes the open quad. If so, both are consumed.
    fn padding(&mut self) -> bool {
        let Some(end) = self.padding_end() else { return false };
        let start = std::mem::replace(&mut self.at, end);
        if self.quad.finish(self.out) != Leftover::Nothing {
            self.tally.note(Code::Base64Repaired, Span::new(start, end));
        }
        true
    }

    /// Returns where the padding that begins here ends, if it completes the quad.
    fn padding_end(&self) -> Option<usize> {
        let mut wanted = match self.quad.symbols() {
            2 => 2,
            3 => 1,
            _ => return None,
        };
        for (at, &octet) in self.body.iter().enumerate().skip(self.at) {
            match octet {
                b'=' if wanted == 1 => return Some(at + 1),
                b'=' => wanted -= 1,
                _ if is_fws(octet) => {}
                _ => return None,
            }
        }
        None
    }

    /// Ends a body without padding.
    fn finish(&mut self) {
        let end = self.body.len();
        match (self.quad.symbols(), self.quad.finish(self.out)) {
            (0, _) => {}
            (_, Leftover::Symbols) => self.tally.note(Code::Base64Dropped, Span::new(end - 1, end)),
            _ => self.tally.note(Code::Base64Repaired, Span::new(end, end)),
        }
    }

    /// Handles deviation 4, segment by segment.
    fn after_padding(&mut self) {
        loop {
            self.skip_blanks();
            let start = self.at;
            while self.body.get(self.at) == Some(&b'=') {
                self.at += 1;
                self.skip_blanks();
            }
            if self.at > start {
                self.tally.note(Code::Base64Repaired, Span::new(start, self.at));
            }
            if self.at == self.body.len() {
                return;
            }
            if !self.segment() {
                return self.tally.note(Code::Base64Dropped, Span::new(self.at, self.body.len()));
            }
        }
    }

    fn skip_blanks(&mut self) {
        self.at += self.body[self.at..].iter().take_while(|&&octet| is_fws(octet)).count();
    }

    /// Reads one more segment if it is well-formed up to its padding or the end; otherwise reads
    /// nothing.
    fn segment(&mut self) -> bool {
        let (start, length) = (self.at, self.out.len());
        let read = self.strict();
        if read {
            self.tally.note(Code::Base64AfterPadding, Span::new(start, self.at));
        } else {
            (self.at, self.quad) = (start, Quad::default());
            self.out.truncate(length);
        }
        read
    }

    fn strict(&mut self) -> bool {
        while let Some(&octet) = self.body.get(self.at) {
            if octet == b'=' {
                let Some(end) = self.padding_end() else { return false };
                self.at = end;
                return self.quad.finish(self.out) == Leftover::Nothing;
            }
            match MIME.value(octet) {
                Some(value) => self.out.extend(self.quad.push(value).into_iter().flatten()),
                // Blanks only before a line end: prose has them between words.
                None => {
                    self.at +=
                        self.body[self.at..].iter().take_while(|&&octet| is_wsp(octet)).count();
                    if !matches!(self.body.get(self.at), None | Some(b'\r' | b'\n')) {
                        return false;
                    }
                }
            }
            self.at = self.body.len().min(self.at + 1);
        }
        self.quad.is_empty()
    }
}

/// Returns the octets of a quad's 24 bits.
fn low_octets(bits: u32) -> [u8; 3] {
    let [_, octets @ ..] = bits.to_be_bytes();
    octets
}

/// The shape of the lines ahead, judged by the first.
struct Shape {
    symbols: usize,
    line: usize,
}

impl Shape {
    /// Returns the shape of the first line, if it can go through the vector engine.
    fn of(body: &[u8]) -> Option<Self> {
        let window = &body[..body.len().min(BLOCK_SYMBOLS + 2)];
        let shape = match memchr::memchr(b'\n', window) {
            Some(end) => {
                let symbols = end - usize::from(end > 0 && window[end - 1] == b'\r');
                Self { symbols, line: end + 1 }
            }
            // No line end near: the whole window is one piece.
            None => {
                let symbols = window.len().min(BLOCK_SYMBOLS) / 4 * 4;
                Self { symbols, line: symbols }
            }
        };
        (shape.symbols >= 4 && shape.symbols <= BLOCK_SYMBOLS && shape.symbols % 4 == 0)
            .then_some(shape)
    }

    /// Gathers the symbols of the lines of this shape, as many as follow and fit; returns the
    /// octets read and the symbols gathered.
    fn gather(&self, body: &[u8], symbols: &mut [u8; BLOCK_SYMBOLS]) -> (usize, usize) {
        match (self.symbols, self.line) {
            (76, 78) => gather_fixed::<76, 78>(body, symbols),
            (76, 77) => gather_fixed::<76, 77>(body, symbols),
            (_, line) => {
                let lines = body.chunks_exact(line).zip(symbols.chunks_exact_mut(self.symbols));
                let same = lines
                    .take_while(|(line, _)| line[self.symbols..] == body[self.symbols..self.line]);
                let count =
                    same.map(|(line, to)| to.copy_from_slice(&line[..self.symbols])).count();
                (count * line, count * self.symbols)
            }
        }
    }
}

/// [`Shape::gather`] for a length known at compile time, so that copies need no call.
fn gather_fixed<const SYMBOLS: usize, const LINE: usize>(
    body: &[u8],
    symbols: &mut [u8; BLOCK_SYMBOLS],
) -> (usize, usize) {
    let lines = body.as_chunks::<LINE>().0.iter().zip(symbols.as_chunks_mut::<SYMBOLS>().0);
    let same = lines.take_while(|(line, _)| line[SYMBOLS..] == body[SYMBOLS..LINE]);
    let count = same.map(|(line, to)| to.copy_from_slice(&line[..SYMBOLS])).count();
    (count * LINE, count * SYMBOLS)
}
