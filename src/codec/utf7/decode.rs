//! Reading UTF-7, chunk by chunk.
//!
//! RFC 2152, rules 1 to 3. Deviations, all reported:
//! 1. `~`, `\` and control characters may stand directly: writers who are not careful write them so.
//! 2. U+FFFD stands for what is ill-formed, and reading goes on.

use super::run::{self, Run, copy_direct};
use crate::codec::base64::{Leftover, UTF_7};
use crate::codec::text;
use crate::issue::Tally;
use crate::{Code, Span};

/// Reads UTF-7 in chunks that begin and end anywhere; holds no more than one shifted sequence's last bits.
#[derive(Clone, Debug, Default)]
pub(crate) struct Decoder {
    state: State,
    /// Octets of the chunks so far.
    at: usize,
}

#[derive(Clone, Debug, Default)]
enum State {
    #[default]
    Direct,
    /// Behind a `+` that stood at `start`.
    Shifted { start: usize, run: Run },
}

/// Octets read before what they stand for goes into the text.
const PIECE: usize = 1024;

impl Decoder {
    pub(crate) fn new() -> Self {
        Self::default()
    }

    /// Appends what `chunk` stands for; `last` says that there is no more. Spans count from the first chunk.
    pub(crate) fn decode(&mut self, chunk: &[u8], last: bool, out: &mut String, tally: &mut Tally) {
        let mut octets = [0; PIECE * Run::GROWTH + Run::SLACK];
        for piece in chunk.chunks(PIECE) {
            let written = self.piece(piece, &mut octets, tally);
            text::push_utf8(&octets[..written], out);
        }
        if last {
            let written = self.close(self.at, &mut octets, 0, tally);
            text::push_utf8(&octets[..written], out);
        }
    }

    /// Reads a piece whole; gives the octets written.
    fn piece(&mut self, piece: &[u8], out: &mut [u8], tally: &mut Tally) -> usize {
        let (mut at, mut written) = (0, 0);
        while at < piece.len() {
            let rest = &piece[at..];
            match &mut self.state {
                State::Direct => {
                    let direct = copy_direct(rest, out, written, is_special);
                    (at, written) = (at + direct, written + direct);
                    if let Some(&octet) = rest.get(direct) {
                        written = self.special(octet, self.at + at, out, written, tally);
                        at += 1;
                    }
                }
                State::Shifted { run, .. } => {
                    let (symbols, end) = run.read(UTF_7, rest, out, written);
                    (at, written) = (at + symbols, end);
                    if let Some(&octet) = rest.get(symbols) {
                        let plus = octet == b'-' && run.is_empty();
                        if plus {
                            self.state = State::Direct;
                            out[written] = b'+';
                            written += 1;
                        } else {
                            written = self.close(self.at + at, out, written, tally);
                        }
                        at += usize::from(octet == b'-');
                    }
                }
            }
        }
        self.at += piece.len();
        written
    }

    /// One octet that may not stand directly, found at `at`.
    fn special(&mut self, octet: u8, at: usize, out: &mut [u8], written: usize, tally: &mut Tally) -> usize {
        let span = Span::new(at, at + 1);
        match octet {
            b'+' => {
                self.state = State::Shifted { start: at, run: Run::default() };
                written
            }
            0x80.. => {
                tally.note(Code::NotAscii, span);
                run::replace(out, written)
            }
            _ => {
                tally.note(Code::NotDirect, span);
                out[written] = octet;
                written + 1
            }
        }
    }

    /// Ends a shifted sequence before `end`, if there is one.
    fn close(&mut self, end: usize, out: &mut [u8], written: usize, tally: &mut Tally) -> usize {
        let State::Shifted { start, mut run } = std::mem::take(&mut self.state) else { return written };
        let span = Span::new(start, end);
        if run.is_empty() {
            tally.note(Code::ShiftWithoutBase64, span);
            return run::replace(out, written);
        }
        let (leftover, written) = run.finish(out, written);
        if run.unpaired > 0 {
            tally.note(Code::UnpairedSurrogate, span);
        }
        if leftover != Leftover::Nothing {
            tally.note(Code::LeftoverBits, span);
        }
        written
    }
}

/// What may not stand directly: all but sets D and O and rule 3's white space.
#[inline]
fn is_special(octet: u8) -> bool {
    let graphic = octet.wrapping_sub(b' ') < 0x5E;
    let white = (octet == b'\t') | (octet == b'\n') | (octet == b'\r');
    !(graphic | white) | (octet == b'+') | (octet == b'\\')
}
