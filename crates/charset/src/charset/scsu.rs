//! SCSU (UTS 6): windows on Unicode in single-byte mode, UTF-16BE in Unicode mode.
//!
//! The output is simple and valid, not the shortest: Latin as it is, any other unit quoted.

use super::sink::{CharWriter, Machine, Sink};
use crate::DecodeFault;

/// The fixed windows, for quoting.
const FIXED: [u32; 8] = [0, 0x80, 0x100, 0x300, 0x2000, 0x2080, 0x2100, 0x3000];

/// Reads SCSU.
pub(super) struct Reader {
    windows: [u32; 8],
    active: usize,
    unicode: bool,
    /// A tag or unit that has begun, and its octets so far.
    held: [u8; 3],
    len: usize,
    /// A high surrogate, and where its octets begin.
    high: Option<(u16, usize)>,
}

impl Default for Reader {
    fn default() -> Self {
        let windows = [0x80, 0xC0, 0x400, 0x600, 0x900, 0x3040, 0x30A0, 0xFF00];
        Self { windows, active: 0, unicode: false, held: [0; 3], len: 0, high: None }
    }
}

impl Reader {
    /// Returns the length of the tag or unit that begins with `first`.
    fn length(&self, first: u8) -> usize {
        match (self.unicode, first) {
            (false, 0x01..=0x08 | 0x18..=0x1F) => 2,
            (false, 0x0B | 0x0E) => 3,
            (true, 0xE0..=0xE7 | 0xF2) => 1,
            (true, 0xF0 | 0xF1) => 3,
            (true, _) => 2,
            (false, _) => 1,
        }
    }

    fn whole(&mut self, held: [u8; 3], start: usize, end: usize, sink: &mut Sink<'_>) {
        match (self.unicode, held) {
            (false, [tag, b, c]) => self.single(tag, b, c, start, end, sink),
            (true, [0xF0, high, low]) | (true, [high @ (0..=0xDF | 0xF3..), low, _]) => {
                self.unit(u16::from_be_bytes([high, low]), start, end, sink);
            }
            (true, [tag @ 0xE0..=0xE7, ..]) => self.select(tag - 0xE0),
            (true, [tag @ 0xE8..=0xEF, b, _]) => self.define(tag - 0xE8, b, start, end, sink),
            (true, [0xF1, b, c]) => self.define_far(b, c),
            (true, _) => sink.bad(DecodeFault::UndecodableText, start, end),
        }
    }

    /// Reads a whole tag or character of single-byte mode.
    fn single(&mut self, tag: u8, b: u8, c: u8, start: usize, end: usize, sink: &mut Sink<'_>) {
        match tag {
            0x01..=0x08 => {
                let at = usize::from(tag - 1);
                let base = if b < 0x80 { FIXED[at] } else { self.windows[at] };
                self.scalar(base + u32::from(b & 0x7F), start, end, sink);
            }
            0x0B => self.define_far(b, c),
            0x0E => self.unit(u16::from_be_bytes([b, c]), start, end, sink),
            0x0F => self.unicode = true,
            0x10..=0x17 => self.active = usize::from(tag - 0x10),
            0x18..=0x1F => self.define(tag - 0x18, b, start, end, sink),
            0x80.. => {
                self.scalar(self.windows[self.active] + u32::from(tag & 0x7F), start, end, sink)
            }
            0 | 9 | 10 | 13 | 0x20..=0x7F => self.scalar(tag.into(), start, end, sink),
            _ => sink.bad(DecodeFault::UndecodableText, start, end),
        }
    }

    fn select(&mut self, window: u8) {
        self.active = usize::from(window);
        self.unicode = false;
    }

    /// Defines a window by one octet.
    fn define(&mut self, window: u8, octet: u8, start: usize, end: usize, sink: &mut Sink<'_>) {
        let base = match octet {
            0x01..=0x67 => u32::from(octet) * 0x80,
            0x68..=0xA7 => u32::from(octet) * 0x80 + 0xAC00,
            0xF9..=0xFF => {
                [0xC0, 0x250, 0x370, 0x530, 0x3040, 0x30A0, 0xFF60][usize::from(octet - 0xF9)]
            }
            _ => return sink.bad(DecodeFault::UndecodableText, start, end),
        };
        self.windows[usize::from(window)] = base;
        self.select(window);
    }

    /// Defines a window above U+FFFF.
    fn define_far(&mut self, b: u8, c: u8) {
        let window = b >> 5;
        self.windows[usize::from(window)] =
            0x1_0000 + 0x80 * (u32::from(b & 0x1F) << 8 | u32::from(c));
        self.select(window);
    }

    fn scalar(&mut self, value: u32, start: usize, end: usize, sink: &mut Sink<'_>) {
        match u16::try_from(value) {
            Ok(unit) => self.unit(unit, start, end, sink),
            Err(_) => {
                self.lone(sink);
                sink.char_or_bad(char::from_u32(value), start, end);
            }
        }
    }

    fn unit(&mut self, unit: u16, start: usize, end: usize, sink: &mut Sink<'_>) {
        if let Some((high, _)) = self.high
            && let Some(Ok(c)) = char::decode_utf16([high, unit]).next()
            && c as u32 > 0xFFFF
        {
            self.high = None;
            return sink.char(c);
        }
        self.lone(sink);
        match unit {
            0xD800..0xDC00 => self.high = Some((unit, start)),
            0xDC00..0xE000 => sink.bad(DecodeFault::UnpairedSurrogate, start, end),
            _ => sink.char_or_bad(char::from_u32(unit.into()), start, end),
        }
    }

    /// Reports a high surrogate that no low one follows.
    fn lone(&mut self, sink: &mut Sink<'_>) {
        if let Some((_, start)) = self.high.take() {
            sink.bad(DecodeFault::UnpairedSurrogate, start, start + 2);
        }
    }
}

impl Machine for Reader {
    fn push(&mut self, octets: &[u8], at: usize, sink: &mut Sink<'_>) {
        for (i, octet) in octets.iter().enumerate() {
            self.held[self.len] = *octet;
            self.len += 1;
            let (held, len, end) = (self.held, self.len, at + i + 1);
            if len == self.length(held[0]) {
                self.len = 0;
                self.whole(held, end - len, end, sink);
            }
        }
    }

    fn end(&mut self, at: usize, sink: &mut Sink<'_>) {
        self.lone(sink);
        if self.len > 0 {
            sink.bad(DecodeFault::UndecodableText, at - self.len, at);
            self.len = 0;
        }
    }
}

/// Writes SCSU.
pub(super) struct Writer;

impl CharWriter for Writer {
    fn char(&mut self, c: char, out: &mut Vec<u8>) -> bool {
        match c {
            '\0' | '\t' | '\n' | '\r' | ' '..='\x7F' | '\u{80}'..='\u{FF}' => {
                out.push(c as u32 as u8)
            }
            '\x01'..='\x1F' => out.extend([0x01, c as u8]),
            _ => c.encode_utf16(&mut [0; 2]).iter().for_each(|unit| {
                out.push(0x0E);
                out.extend(unit.to_be_bytes());
            }),
        }
        true
    }
}
