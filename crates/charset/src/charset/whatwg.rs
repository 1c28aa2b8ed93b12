//! Charsets of the WHATWG Encoding Standard, which encoding_rs reads.

use std::sync::OnceLock;

use encoding_rs::{DecoderResult, Encoding};

use super::sink::{Machine, Sink};
use super::tables::list::CHARSETS;
use crate::DecodeFault;
use crate::codec::text;

/// How much text is decoded in one go after an ill-formed character.
const LITTLE: usize = 1024;

/// Decodes through encoding_rs; a byte order mark never overrides the label.
pub(super) struct Reader(encoding_rs::Decoder);

impl Reader {
    pub(super) fn new(encoding: &'static Encoding) -> Self {
        Self(encoding.new_decoder_without_bom_handling())
    }

    /// Decodes all of `octets`, with or without more to come.
    fn run(&mut self, octets: &[u8], last: bool, at: usize, sink: &mut Sink<'_>) {
        let mut done = 0;
        // encoding_rs touches all the room that it is given: after an ill-formed character it is
        // given little.
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
                    sink.bad(DecodeFault::UndecodableText, end.saturating_sub(bad.into()), end);
                    little.get_or_insert_with(|| String::with_capacity(LITTLE));
                }
            }
        }
    }
}

/// Fewer octets of a single-byte charset are read through our own table in less time than it takes
/// to set up encoding_rs.
pub(super) const SHORT: usize = 64;

/// Decodes a few octets of `encoding`, the encoding of the charset with that number; `None` if any
/// is ill-formed.
pub(super) fn decode_short(
    encoding: &'static Encoding,
    number: usize,
    octets: &[u8],
) -> Option<String> {
    let characters = characters(encoding, number);
    let (mut room, mut length) = ([0; 3 * SHORT + 1], 0);
    for &octet in octets {
        let character = &characters[usize::from(octet)];
        let count = usize::from(character[3]);
        if count == 0 {
            return None;
        }
        // The last octet is overwritten, or follows the text.
        room[length..length + 4].copy_from_slice(character);
        length += count;
    }
    Some(text::written(&room, length))
}

/// Returns the characters of all octets in `encoding`, the encoding of the charset with that
/// number: in UTF-8, which takes three octets at most, and how many octets that are; 0 if there is
/// none.
fn characters(encoding: &'static Encoding, number: usize) -> &'static [[u8; 4]; 256] {
    static CHARACTERS: [OnceLock<Box<[[u8; 4]; 256]>>; CHARSETS.len()] =
        [const { OnceLock::new() }; CHARSETS.len()];
    let character = |octet: usize| char_of(encoding, &[octet as u8]).map_or([0; 4], in_utf_8);
    CHARACTERS[number].get_or_init(|| Box::new(std::array::from_fn(character)))
}

fn in_utf_8(c: char) -> [u8; 4] {
    let mut character = [0; 4];
    character[3] = c.encode_utf8(&mut character).len() as u8;
    character
}

/// Returns the units of the octets from 80 on in `encoding`, the encoding of the charset with that
/// number; 0 if there is none.
#[cfg(feature = "bindings")]
pub(super) fn half(encoding: &'static Encoding, number: usize) -> &'static [u16; 128] {
    static HALVES: [OnceLock<Box<[u16; 128]>>; CHARSETS.len()] =
        [const { OnceLock::new() }; CHARSETS.len()];
    HALVES[number].get_or_init(|| Box::new(upper_half(encoding)))
}

#[cfg(feature = "bindings")]
fn upper_half(encoding: &'static Encoding) -> [u16; 128] {
    let char = |at: usize| char_of(encoding, &[0x80 + at as u8]).unwrap_or('\0');
    std::array::from_fn(|at| u16::try_from(char(at) as u32).unwrap_or(0))
}

impl Machine for Reader {
    fn push(&mut self, octets: &[u8], at: usize, sink: &mut Sink<'_>) {
        self.run(octets, false, at, sink);
    }

    fn end(&mut self, at: usize, sink: &mut Sink<'_>) {
        self.run(&[], true, at, sink);
    }
}

/// Returns the character of `octets`, if they are exactly one.
pub(super) fn char_of(encoding: &'static Encoding, octets: &[u8]) -> Option<char> {
    let (mut decoder, mut text) = (encoding.new_decoder_without_bom_handling(), [0; 32]);
    let (result, _, written) = decoder.decode_to_utf8_without_replacement(octets, &mut text, true);
    let mut chars = str::from_utf8(&text[..written]).ok()?.chars();
    let first = chars.next();
    let is_one = result == DecoderResult::InputEmpty && chars.next().is_none();
    if is_one { first } else { None }
}

#[cfg(test)]
mod tests {
    use super::super::route::Route;
    use super::*;

    #[test]
    fn short_text_is_read_as_encoding_rs_reads_it() {
        for (number, entry) in CHARSETS.iter().enumerate() {
            let Route::Whatwg(encoding, _) = entry.route else { continue };
            if !encoding.is_single_byte() {
                continue;
            }
            for octet in 0..=u8::MAX {
                for octets in [vec![b'a', octet, octet], vec![octet; SHORT]] {
                    let read =
                        encoding.decode_without_bom_handling_and_without_replacement(&octets);
                    let short = decode_short(encoding, number, &octets);
                    assert_eq!(short.as_deref(), read.as_deref(), "{}", entry.name);
                }
            }
        }
    }
}
