//! HZ (RFC 1843): GB 2312 between `~{` and `~}`.
//!
//! 1. A line end inside `~{` ends the shift, as in the older zW; RFC 1843 forbids it.
//! 2. `~` before CR LF is read as before LF alone: the line goes on.
//! 3. `~` before anything else is ill-formed; what follows is text.

use super::double_byte::DoubleByteSet;
use super::sink::{CharWriter, Machine, Sink, Text};
use crate::DecodeFault;
use crate::codec::shifts::Shifts;

/// Reads HZ.
#[derive(Default)]
pub(super) struct Reader {
    /// Whether it is between `~{` and `~}`.
    shifted: bool,
    /// The first octet of a pair whose second has not come.
    first: Option<u8>,
    /// Whether it is after `~` and CR.
    joining: bool,
}

impl Reader {
    fn octet(&mut self, octet: u8, at: usize, sink: &mut Sink<'_, impl Text>) {
        if std::mem::take(&mut self.joining) && octet == b'\n' {
            return;
        }
        match self.first.take() {
            Some(b'~') => self.escape(octet, at, sink),
            Some(lead) if matches!(octet, 0x21..=0x7E) => {
                sink.cell_or_bad(DoubleByteSet::Gb2312.cell(lead, octet), at - 1, at + 1);
            }
            Some(_) => {
                sink.bad(DecodeFault::UndecodableText, at - 1, at);
                self.lone(octet, at, sink);
            }
            None => self.lone(octet, at, sink),
        }
    }

    /// Reads an octet that is not the second of a pair.
    fn lone(&mut self, octet: u8, at: usize, sink: &mut Sink<'_, impl Text>) {
        match octet {
            b'~' => self.first = Some(octet),
            0x80.. => sink.bad(DecodeFault::UndecodableText, at, at + 1),
            0x21..=0x7E if self.shifted => self.first = Some(octet),
            _ => {
                self.shifted &= !matches!(octet, b'\r' | b'\n');
                sink.char(octet.into());
            }
        }
    }

    /// Reads the octet after `~`.
    fn escape(&mut self, octet: u8, at: usize, sink: &mut Sink<'_, impl Text>) {
        match octet {
            b'{' => self.shifted = true,
            b'}' => self.shifted = false,
            b'~' => sink.char('~'),
            b'\n' => {}
            b'\r' => self.joining = true,
            _ => {
                sink.bad(DecodeFault::UndecodableText, at - 1, at);
                self.lone(octet, at, sink);
            }
        }
    }
}

/// No pair begins with `~`: GB 2312 has no characters in that row.
const SHIFTS: Shifts<2> = Shifts { there: *b"~{", back: *b"~}" };

impl<T: Text> Machine<T> for Reader {
    /// Reads what most text contains in runs, and everything else one octet at a time.
    fn push(&mut self, octets: &[u8], at: usize, sink: &mut Sink<'_, T>) {
        let mut done = 0;
        while done < octets.len() {
            if self.first.is_none() && !self.joining {
                let rest = &octets[done..];
                let (read, shifted) =
                    DoubleByteSet::Gb2312.read_shifting(&SHIFTS, rest, self.shifted, sink.text);
                (done, self.shifted) = (done + read, shifted);
            }
            if let Some(&octet) = octets.get(done) {
                self.octet(octet, at + done, sink);
                done += 1;
            }
        }
    }

    fn end(&mut self, at: usize, sink: &mut Sink<'_, T>) {
        if self.first.take().is_some() {
            sink.bad(DecodeFault::UndecodableText, at - 1, at);
        }
    }
}

/// Writes HZ.
#[derive(Default)]
pub(super) struct Writer {
    shifted: bool,
}

impl Writer {
    fn shift(&mut self, shifted: bool, out: &mut Vec<u8>) {
        if self.shifted != shifted {
            out.extend(if shifted { b"~{" } else { b"~}" });
            self.shifted = shifted;
        }
    }
}

impl CharWriter for Writer {
    fn char(&mut self, c: char, out: &mut Vec<u8>) -> bool {
        if c.is_ascii() {
            self.shift(false, out);
            out.extend((c == '~').then_some(b'~'));
            out.push(c as u8);
            return true;
        }
        let Some(cell) = DoubleByteSet::Gb2312.octets(c).filter(|[row, _]| *row < b'~') else {
            return false;
        };
        self.shift(true, out);
        out.extend(cell);
        true
    }

    fn end(&mut self, out: &mut Vec<u8>) {
        self.shift(false, out);
    }
}
