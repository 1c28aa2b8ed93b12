//! Decoding in chunks.

use std::borrow::Cow;
use std::fmt;

use super::Charset;
use super::bocu1;
use super::double_byte::DoubleByteSet;
use super::hz;
use super::iso2022::{self, Glyphs};
use super::koi7;
use super::multi_byte;
use super::route::Route;
use super::scsu;
use super::single_byte;
use super::sink::{Machine, Sink};
use super::tables::single::TABLES;
use super::unicode;
use super::whatwg;
use crate::codec::byte_order::{ByteOrder, Label};
use crate::codec::malformed::Malformed;
use crate::codec::utf16;
use crate::codec::{utf7, utf8, utf32};
use crate::report::Tally;
use crate::{DecodeFault, Decoded, Error, Issue};

/// Decodes a text that arrives in chunks of any size. The result does not depend on the chunks; a
/// few octets are kept between them.
///
/// ```
/// use sevenbit::{Charset, Malformed};
///
/// let mut decoder = Charset::UTF_8.decoder().on_malformed(Malformed::Strict);
/// let mut text = String::new();
/// for chunk in [&b"caf\xC3"[..], b"", b"\xA9 \xFF!"] {
///     decoder.push(chunk, &mut text);
/// }
/// assert_eq!(text, "café ");
/// assert_eq!(decoder.error().unwrap().offset(), 6);
/// ```
pub struct Decoder {
    charset: Charset,
    machine: Box<dyn Machine>,
    malformed: Malformed,
    at: usize,
    tally: Tally,
}

impl Decoder {
    pub(super) fn new(charset: Charset) -> Self {
        let machine = machine(charset.route());
        Self { charset, machine, malformed: Malformed::Replace, at: 0, tally: Tally::default() }
    }

    /// Sets the policy for ill-formed octets. To be called before the first octet.
    #[must_use]
    pub fn on_malformed(mut self, malformed: Malformed) -> Self {
        self.malformed = malformed;
        if matches!(self.charset.route(), Route::Utf8) && self.at == 0 {
            self.machine = Box::new(unicode::Reader(utf8::Decoder::new(malformed)));
        }
        self
    }

    /// Returns the charset it decodes.
    pub fn charset(&self) -> Charset {
        self.charset
    }

    /// Decodes the next octets and appends their text; ill-formed octets become what the policy
    /// says.
    pub fn push(&mut self, octets: &[u8], text: &mut String) {
        let at = self.at;
        self.at += octets.len();
        self.drive(text, |machine, sink| machine.push(octets, at, sink));
    }

    /// Returns whether nothing ill-formed has been found so far.
    pub fn is_clean(&self) -> bool {
        self.tally.is_empty()
    }

    /// Returns whether nothing has been lost so far.
    pub fn is_lossless(&self) -> bool {
        self.tally.is_lossless()
    }

    /// Returns the first loss in the octets so far, as an error: strict readers stop at it.
    pub fn error(&self) -> Option<Error> {
        Decoded::new(Cow::Borrowed(""), self.tally.clone().into_issues()).into_strict().err()
    }

    /// Ends the text and returns what was odd: at most one issue for each code, with spans that
    /// count all octets pushed.
    pub fn finish(mut self, text: &mut String) -> Vec<Issue> {
        let at = self.at;
        self.drive(text, |machine, sink| machine.end(at, sink));
        self.tally.into_issues()
    }

    fn drive(&mut self, text: &mut String, step: impl FnOnce(&mut dyn Machine, &mut Sink<'_>)) {
        let strict = self.malformed == Malformed::Strict;
        if strict && !self.is_lossless() {
            return;
        }
        let mut sink = Sink::new(text, &mut self.tally);
        step(&mut *self.machine, &mut sink);
        if let Some(good) = sink.lost
            && strict
        {
            text.truncate(good);
        }
    }
}

impl fmt::Debug for Decoder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Decoder")
            .field("charset", &self.charset)
            .field("at", &self.at)
            .finish_non_exhaustive()
    }
}

/// Returns the codec of a route, at its start.
fn machine(route: Route) -> Box<dyn Machine> {
    match route {
        Route::Whatwg(encoding, _) => Box::new(whatwg::Reader::new(encoding)),
        Route::Table(number) => Box::new(single_byte::Reader::new(&TABLES[usize::from(number)])),
        Route::Utf8 => Box::new(unicode::Reader(utf8::Decoder::new(Malformed::Replace))),
        Route::Utf8Old => {
            Box::new(unicode::Old::new(unicode::Reader(utf8::Decoder::new(Malformed::Replace))))
        }
        Route::Cesu8 => Box::new(unicode::Reader(utf8::Decoder::cesu8())),
        Route::Utf7 => Box::new(unicode::Reader(utf7::Decoder::new())),
        Route::Utf7Old => Box::new(unicode::Old::new(unicode::Reader(utf7::Decoder::new()))),
        Route::Utf16 => Box::new(unicode::Utf16Reader::default()),
        Route::Utf16Old => Box::new(unicode::Old::new(unicode::Utf16Reader::default())),
        Route::Utf16Be => {
            Box::new(unicode::Reader(utf16::Decoder::new(Label::Ordered(ByteOrder::Big))))
        }
        Route::Utf16Le => {
            Box::new(unicode::Reader(utf16::Decoder::new(Label::Ordered(ByteOrder::Little))))
        }
        Route::Utf32 => Box::new(unicode::Reader(utf32::Decoder::new(Label::WithBom))),
        Route::Utf32Be => {
            Box::new(unicode::Reader(utf32::Decoder::new(Label::Ordered(ByteOrder::Big))))
        }
        Route::Utf32Le => {
            Box::new(unicode::Reader(utf32::Decoder::new(Label::Ordered(ByteOrder::Little))))
        }
        Route::Iso2022Jp | Route::Iso2022Jp1 | Route::Iso2022Jp2 | Route::Iso2022Jp3 => {
            Box::new(iso2022::Reader::new(Glyphs::Katakana))
        }
        Route::Iso2022Kr => Box::new(iso2022::Reader::new(Glyphs::Double(DoubleByteSet::KsX1001))),
        Route::Iso2022Cn | Route::Iso2022CnExt => {
            Box::new(iso2022::Reader::new(Glyphs::Double(DoubleByteSet::Gb2312)))
        }
        Route::Hz => Box::new(hz::Reader::default()),
        Route::Koi7 => Box::new(koi7::Reader::default()),
        Route::Scsu => Box::new(scsu::Reader::default()),
        Route::Bocu1 => Box::new(bocu1::Reader::default()),
        Route::Utf1 => Box::new(multi_byte::Reader::new(&multi_byte::UTF_1)),
        Route::Jis94 => Box::new(multi_byte::Reader::new(&multi_byte::JIS_94)),
        Route::JisX0212 => Box::new(multi_byte::Reader::new(&multi_byte::JIS_X_0212)),
        Route::EucFixed => Box::new(multi_byte::Reader::new(&multi_byte::EUC_FIXED)),
        Route::EucTw => Box::new(multi_byte::Reader::new(&multi_byte::EUC_TW)),
        Route::EucJpMs => Box::new(multi_byte::Reader::new(&multi_byte::EUC_JP_MS)),
        Route::EucJisX0213 => Box::new(multi_byte::Reader::new(&multi_byte::EUC_JIS_2004)),
        Route::SjisX0213 => Box::new(multi_byte::Reader::new(&multi_byte::SHIFT_JIS_2004)),
        Route::Johab => Box::new(multi_byte::Reader::new(&multi_byte::JOHAB)),
        Route::Viqr => Box::new(multi_byte::Reader::new(&multi_byte::VIQR)),
        Route::Tscii => Box::new(multi_byte::Reader::new(&multi_byte::TSCII)),
        Route::Ascii | Route::Nothing(_) => Box::new(AsciiReader),
    }
}

/// Reads US-ASCII, and the ASCII of charsets that are not decoded.
struct AsciiReader;

impl Machine for AsciiReader {
    fn push(&mut self, octets: &[u8], at: usize, sink: &mut Sink<'_>) {
        let mut done = 0;
        while done < octets.len() {
            let (ascii, rest) =
                octets[done..].split_at(encoding_rs::Encoding::ascii_valid_up_to(&octets[done..]));
            sink.text.extend(str::from_utf8(ascii));
            done += ascii.len();
            if !rest.is_empty() {
                sink.bad(DecodeFault::NotAscii, at + done, at + done + 1);
                done += 1;
            }
        }
    }

    fn end(&mut self, _: usize, _: &mut Sink<'_>) {}
}
