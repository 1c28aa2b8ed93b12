//! Decoding and encoding for languages whose strings are made of UTF-16.
//!
//! Text that first becomes UTF-8, and then what such a language uses, is read twice. Text that is
//! read by a table has its code units at hand.

use encoding_rs::{DecoderResult, Encoding};

use super::double_byte::DoubleByteSet;
use super::iso2022::{self, Glyphs};
use super::route::Route;
use super::single_byte::NOTHING;
use super::sink::{Machine, Sink};
use super::tables::single::TABLES;
use super::{Charset, by_fours, hz, pairs, repertoire, whatwg};
use crate::codec::scan::SMALL;
use crate::codec::{utf7, utf16};
use crate::report::Tally;

/// Well-formed text, as it is handed to a language whose strings are made of UTF-16.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum CodeUnits<'o> {
    /// US-ASCII: the octets are the text.
    Ascii(&'o str),
    /// The code units of UTF-16.
    Utf16(Vec<u16>),
}

impl Charset {
    /// Decodes `octets` into the code units of UTF-16; `None` if anything is ill-formed, as with
    /// [`decode_strict`](Charset::decode_strict).
    ///
    /// ```
    /// use sevenbit::{Charset, CodeUnits};
    ///
    /// let charset = Charset::for_label("iso-2022-jp").unwrap();
    /// assert_eq!(charset.decode_code_units(b"Tokyo"), Some(CodeUnits::Ascii("Tokyo")));
    /// assert_eq!(charset.decode_code_units(b"\x1B$BEl\x1B(B"), Some(CodeUnits::Utf16(vec![0x6771])));
    /// assert_eq!(charset.decode_code_units(b"\x1B$BE"), None);
    /// ```
    pub fn decode_code_units(self, octets: &[u8]) -> Option<CodeUnits<'_>> {
        let route = self.route();
        if route.keeps_ascii(octets) {
            return str::from_utf8(octets).ok().map(CodeUnits::Ascii);
        }
        let units = match route {
            Route::Whatwg(encoding, _) if encoding.is_single_byte() => {
                let half = whatwg::half(encoding, usize::from(self.0));
                by_units(&units_of(half), octets)
            }
            // Beside the decoder of text, that of code units would take 8 kB of a module that
            // travels with a page.
            Route::Whatwg(encoding, _) if !SMALL => by_encoding_rs(encoding, octets),
            Route::Whatwg(encoding, _) => pairs::of(encoding, usize::from(self.0))
                .read(octets)
                .or_else(|| self.by_text(octets)),
            Route::Utf7 => by_utf_7(octets),
            Route::Iso2022Jp | Route::Iso2022Jp1 | Route::Iso2022Jp2 | Route::Iso2022Jp3 => {
                by(iso2022::Reader::new(Glyphs::Katakana), octets)
            }
            Route::Iso2022Kr => {
                by(iso2022::Reader::new(Glyphs::Double(DoubleByteSet::KsX1001)), octets)
            }
            Route::Hz => by(hz::Reader::default(), octets),
            Route::Table(number) => match TABLES[usize::from(number)].units() {
                Some(units) => by_units(&units, octets),
                None => self.by_text(octets),
            },
            _ => self.by_text(octets),
        };
        units.map(CodeUnits::Utf16)
    }

    /// Encodes the code units of UTF-16 in a charset that is a table of characters. `None` for
    /// other charsets, which are written from text ([`encode`](Charset::encode)), if the charset
    /// lacks a character, or if there is a lone surrogate.
    ///
    /// ```
    /// use sevenbit::Charset;
    ///
    /// let charset = Charset::for_label("shift_jis").unwrap();
    /// assert_eq!(charset.encode_code_units(&[0x6771]), Some(vec![0x93, 0x8C]));
    /// assert_eq!(charset.encode_code_units(&[0xD83D]), None);
    /// ```
    pub fn encode_code_units(self, units: &[u16]) -> Option<Vec<u8>> {
        if !self.route().writes_each_alone() {
            return None;
        }
        let mut octets = Vec::with_capacity(2 * units.len());
        let written = repertoire::inverse(self).write_units(units, &mut octets);
        (written == units.len()).then_some(octets)
    }

    fn by_text(self, octets: &[u8]) -> Option<Vec<u16>> {
        let text = self.decode_lossless(octets)?;
        let mut units = Vec::with_capacity(text.len());
        utf16::push_text(&text, &mut units);
        Some(units)
    }
}

/// Returns the unit of each octet in a charset that extends ASCII by `half`; [`NOTHING`] if there
/// is none.
fn units_of(half: &[u16; 128]) -> [u16; 256] {
    std::array::from_fn(|octet| match half.get(octet.wrapping_sub(0x80)) {
        None => octet as u16,
        Some(0) => NOTHING,
        Some(&unit) => unit,
    })
}

/// Returns the units of octets that are one character each.
fn by_units(table: &[u16; 256], octets: &[u8]) -> Option<Vec<u16>> {
    let mut units = vec![0; octets.len()];
    by_fours::map(octets, &mut units, |octet| table[usize::from(octet)]);
    // Most tables are full.
    let lacks = table.contains(&NOTHING) && units.contains(&NOTHING);
    (!lacks).then_some(units)
}

fn by_encoding_rs(encoding: &'static Encoding, octets: &[u8]) -> Option<Vec<u16>> {
    let mut decoder = encoding.new_decoder_without_bom_handling();
    let mut units = vec![0; decoder.max_utf16_buffer_length(octets.len())?];
    let (result, _, written) =
        decoder.decode_to_utf16_without_replacement(octets, &mut units, true);
    units.truncate(written);
    (result == DecoderResult::InputEmpty).then_some(units)
}

fn by_utf_7(octets: &[u8]) -> Option<Vec<u16>> {
    let (mut units, mut tally) = (Vec::with_capacity(octets.len()), Tally::default());
    utf7::Decoder::new().decode_to_units(octets, true, &mut units, &mut tally);
    tally.is_lossless().then_some(units)
}

fn by(mut machine: impl Machine<Vec<u16>>, octets: &[u8]) -> Option<Vec<u16>> {
    let (mut units, mut tally) = (Vec::with_capacity(octets.len()), Tally::default());
    let mut sink = Sink::new(&mut units, &mut tally);
    machine.push(octets, 0, &mut sink);
    machine.end(octets.len(), &mut sink);
    tally.is_lossless().then_some(units)
}
