//! Charsets of the WHATWG Encoding Standard, which encoding_rs reads.

use std::sync::{LazyLock, OnceLock};

use encoding_rs::{DecoderResult, EncoderResult, Encoding};

use super::double_byte::DoubleByteSet;
use super::route::Scope;
use super::sink::{CharWriter, Machine, Sink};
use super::tables::list::CHARSETS;
use crate::Code;

/// How much text is decoded at once after an ill-formed character.
const LITTLE: usize = 1024;

/// Decodes through encoding_rs; a signature never overrides the label.
pub(super) struct Reader(encoding_rs::Decoder);

impl Reader {
    pub(super) fn new(encoding: &'static Encoding) -> Self {
        Self(encoding.new_decoder_without_bom_handling())
    }

    /// Decodes all of `octets`, with or without more to come.
    fn run(&mut self, octets: &[u8], last: bool, at: usize, sink: &mut Sink<'_>) {
        let mut done = 0;
        // encoding_rs touches all the room that it is given: after an ill-formed character it gets little.
        let mut little: Option<String> = None;
        loop {
            let rest = &octets[done..];
            let (result, read) = match &mut little {
                None => {
                    let room = self.0.max_utf8_buffer_length_without_replacement(rest.len());
                    sink.text.reserve(room.unwrap_or(rest.len()).min(rest.len() * 2 + 64));
                    self.0.decode_to_string_without_replacement(rest, sink.text, last)
                }
                Some(text) => {
                    text.clear();
                    let read = self.0.decode_to_string_without_replacement(rest, text, last);
                    sink.text.push_str(text);
                    read
                }
            };
            done += read;
            match result {
                DecoderResult::InputEmpty => return,
                DecoderResult::OutputFull => {}
                DecoderResult::Malformed(bad, after) => {
                    let end = (at + done).saturating_sub(after.into());
                    sink.bad(Code::UndecodableText, end.saturating_sub(bad.into()), end);
                    little.get_or_insert_with(|| String::with_capacity(LITTLE));
                }
            }
        }
    }
}

/// Fewer octets of a single-byte charset are read faster through a table of ours than it takes to set up encoding_rs.
pub(super) const SHORT: usize = 64;

/// Decodes a few octets of `encoding`, the encoding of the charset with that number; `None` if any is ill-formed.
pub(super) fn decode_short(encoding: &'static Encoding, number: usize, octets: &[u8]) -> Option<String> {
    let half = half(encoding, number);
    let mut text = String::with_capacity(3 * octets.len());
    for &octet in octets {
        match half.get(usize::from(octet).wrapping_sub(0x80)) {
            None => text.push(octet.into()),
            Some(0) => return None,
            Some(&unit) => text.push(char::from_u32(unit.into())?),
        }
    }
    Some(text)
}

/// What the octets from 80 on stand for in `encoding`, the encoding of the charset with that number; 0 if nothing.
pub(super) fn half(encoding: &'static Encoding, number: usize) -> &'static [u16; 128] {
    static HALVES: [OnceLock<Box<[u16; 128]>>; CHARSETS.len()] = [const { OnceLock::new() }; CHARSETS.len()];
    HALVES[number].get_or_init(|| Box::new(upper_half(encoding)))
}

fn upper_half(encoding: &'static Encoding) -> [u16; 128] {
    std::array::from_fn(|at| {
        let octet = [0x80 + at as u8];
        let text = encoding.decode_without_bom_handling_and_without_replacement(&octet);
        text.and_then(|text| text.encode_utf16().next()).unwrap_or(0)
    })
}

impl Machine for Reader {
    fn push(&mut self, octets: &[u8], at: usize, sink: &mut Sink<'_>) {
        self.run(octets, false, at, sink);
    }

    fn end(&mut self, at: usize, sink: &mut Sink<'_>) {
        self.run(&[], true, at, sink);
    }
}

/// Encodes through encoding_rs, without its substitutions.
pub(super) struct Writer {
    encoding: &'static Encoding,
    encoder: encoding_rs::Encoder,
    scope: Scope,
    /// A letter that shares two octets with a diacritic, if one follows.
    held: Option<char>,
}

impl Writer {
    pub(super) fn new(encoding: &'static Encoding, scope: Scope) -> Self {
        let encoding = if scope == Scope::Gbk { encoding_rs::GBK } else { encoding };
        Self { encoding, encoder: encoding.new_encoder(), scope, held: None }
    }

    /// Encodes `text` up to a character that encoding_rs does not have.
    fn run(&mut self, text: &str, octets: &mut Vec<u8>) -> Result<(), usize> {
        let mut done = 0;
        loop {
            octets.reserve(text.len() - done + 16);
            let rest = &text[done..];
            let (result, read) =
                self.encoder.encode_from_utf8_to_vec_without_replacement(rest, octets, false);
            done += read;
            match result {
                EncoderResult::InputEmpty => return Ok(()),
                EncoderResult::OutputFull => {}
                EncoderResult::Unmappable(c) => return Err(done - c.len_utf8()),
            }
        }
    }

    /// Writes one character that encoding_rs reads but does not write.
    fn other(&self, c: char, octets: &mut Vec<u8>) -> bool {
        match self.scope {
            Scope::JisX0212 => DoubleByteSet::JisX0212.octets(c).is_some_and(|[row, cell]| {
                octets.extend([0x8F, row | 0x80, cell | 0x80]);
                true
            }),
            Scope::Hkscs => hkscs(c).is_some_and(|pair| {
                octets.extend(pair);
                true
            }),
            Scope::Private => private(c).is_some_and(|pair| {
                octets.extend(pair);
                true
            }),
            _ => false,
        }
    }

    /// Writes text that nothing after it can change.
    fn settled(&mut self, text: &str, octets: &mut Vec<u8>) -> Result<(), usize> {
        let (mut done, mut faithful, before) = (0, 0, octets.len());
        while done < text.len() {
            if done >= faithful {
                faithful = done + self.faithful(&text[done..]);
            }
            done += self.run(&text[done..faithful], octets).err().unwrap_or(faithful - done);
            match text[done..].chars().next() {
                Some(c) if self.other(c, octets) => done += c.len_utf8(),
                Some(_) => return Err(done),
                None => {}
            }
        }
        if self.scope == Scope::NoC1
            && let Some(at) = octets[before..].iter().position(|octet| matches!(octet, 0x80..=0x9F))
        {
            octets.truncate(before + at);
            return Err(text.char_indices().nth(at).map_or(0, |(offset, _)| offset));
        }
        Ok(())
    }

    /// Writes such text, with the characters that share two octets.
    fn shared(&mut self, text: &str, octets: &mut Vec<u8>) -> Result<(), usize> {
        let mut done = 0;
        while let Some((at, len, pair)) = next_shared(&text[done..]) {
            self.settled(&text[done..done + at], octets).map_err(|offset| done + offset)?;
            octets.extend(pair);
            done += at + len;
        }
        self.settled(&text[done..], octets).map_err(|offset| done + offset)
    }

    /// How much of `text` encoding_rs would decode to the same text again.
    fn faithful(&self, text: &str) -> usize {
        let suspect = |c: char| matches!(c, '\u{A5}' | '\u{203E}' | '\u{2212}' | '\u{E000}'..='\u{F8FF}');
        let changed = |c: char| {
            let (mut room, reading) =
                ([0; 4], if self.scope == Scope::Gbk { encoding_rs::GB18030 } else { self.encoding });
            let text = c.encode_utf8(&mut room);
            let (octets, ..) = self.encoding.encode(text);
            reading.decode_without_bom_handling(&octets).0 != *text
        };
        text.find(|c| suspect(c) && changed(c)).unwrap_or(text.len())
    }
}

impl super::sink::Writer for Writer {
    fn write(&mut self, text: &str, octets: &mut Vec<u8>) -> Result<(), usize> {
        if self.scope != Scope::Hkscs {
            return self.settled(text, octets);
        }
        let held = self.held.take().map(String::from).unwrap_or_default();
        let whole = held.clone() + text;
        let last = whole.chars().next_back().filter(|c| SHARED.iter().any(|(first, ..)| first == c));
        let settled = &whole[..whole.len() - last.map_or(0, char::len_utf8)];
        let result = self.shared(settled, octets);
        self.held = last.filter(|_| result.is_ok());
        result.map_err(|at| at.saturating_sub(held.len()))
    }

    fn end(&mut self, octets: &mut Vec<u8>) {
        if let Some(held) = self.held.take() {
            octets.extend(hkscs(held).unwrap_or_default());
        }
    }
}

/// The pairs of characters that share two octets in Big5-HKSCS.
const SHARED: [(char, char, [u8; 2]); 4] = [
    ('Ê', '\u{304}', [0x88, 0x62]),
    ('Ê', '\u{30C}', [0x88, 0x64]),
    ('ê', '\u{304}', [0x88, 0xA3]),
    ('ê', '\u{30C}', [0x88, 0xA5]),
];

/// The offset of the first such pair in `text`, its length, and its octets.
fn next_shared(text: &str) -> Option<(usize, usize, [u8; 2])> {
    let pairs = text.char_indices().zip(text.chars().skip(1));
    let find = |((at, first), second): ((usize, char), char)| {
        let (.., octets) = SHARED.iter().find(|(one, two, _)| (*one, *two) == (first, second))?;
        Some((at, first.len_utf8() + second.len_utf8(), *octets))
    };
    pairs.filter_map(find).next()
}

/// Writes ASCII and a double-byte set in A1-FE.
pub(super) struct RowsWriter(pub(super) DoubleByteSet);

impl CharWriter for RowsWriter {
    fn char(&mut self, c: char, octets: &mut Vec<u8>) -> bool {
        if c.is_ascii() {
            octets.push(c as u8);
            return true;
        }
        self.0.octets(c).is_some_and(|cell| {
            octets.extend(cell.map(|octet| octet | 0x80));
            true
        })
    }
}

/// The octets of a private character in Windows-31J.
fn private(c: char) -> Option<[u8; 2]> {
    let at = u32::from(c).checked_sub(0xE000).filter(|at| *at < 1880)?;
    let (lead, trail) = ((at / 188) as u8, (at % 188) as u8);
    Some([0xF0 + lead, if trail < 0x3F { 0x40 + trail } else { 0x41 + trail }])
}

/// The octets of a character that encoding_rs reads in Big5 but leaves to others to write.
fn hkscs(c: char) -> Option<[u8; 2]> {
    static SORTED: LazyLock<Vec<(char, [u8; 2])>> = LazyLock::new(|| {
        let pairs = (0x87..=0xFE).flat_map(|lead| (0x40..=0xFE).map(move |trail| [lead, trail]));
        let char = |pair: [u8; 2]| {
            let text = encoding_rs::BIG5.decode_without_bom_handling_and_without_replacement(&pair)?;
            let mut chars = text.chars();
            chars.next().filter(|_| chars.next().is_none()).map(|c| (c, pair))
        };
        let mut sorted: Vec<_> = pairs.filter_map(char).collect();
        sorted.sort_unstable();
        sorted
    });
    let at = SORTED.binary_search_by_key(&c, |(known, _)| *known).ok()?;
    Some(SORTED[at].1)
}

#[cfg(test)]
mod tests {
    use super::super::route::Route;
    use super::*;

    #[test]
    fn short_text_is_read_as_encoding_rs_reads_it() {
        for (number, entry) in CHARSETS.iter().enumerate() {
            let Route::Whatwg(encoding, _) = entry.route else { continue };
            for octet in (0..=u8::MAX).filter(|_| encoding.is_single_byte()) {
                let octets = [b'a', octet, octet];
                let read = encoding.decode_without_bom_handling_and_without_replacement(&octets);
                assert_eq!(
                    decode_short(encoding, number, &octets).as_deref(),
                    read.as_deref(),
                    "{}",
                    entry.name
                );
            }
        }
    }
}
