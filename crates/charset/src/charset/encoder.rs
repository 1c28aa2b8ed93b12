//! Encoding in pieces.

use std::fmt;

use super::route::Route;
use super::sink::{CharWriter, Each, Writer, prefix};
use super::tables::single::TABLES;
use super::unicode::{Cesu8Writer, Utf7Writer, Utf8Writer, Utf16Writer, Utf32Writer};
use super::{
    Charset, bocu1, hkscs, hz, inverse, iso2022, koi7, multi_byte, repertoire, scsu, single_byte,
};
use crate::codec::byte_order::{ByteOrder, Label};
use crate::words;
use crate::{Error, ErrorKind};

/// The substitution for a character that the charset does not have.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum Substitution {
    /// Nothing: it is an error.
    #[default]
    Refuse,
    /// A question mark.
    QuestionMark,
    /// Its code point, as in `<U+20AC>`.
    CodePoint,
}

words!(Substitution, "substitution": Refuse "refuse", QuestionMark "question-mark", CodePoint "code-point");

/// Encodes a text that arrives in pieces of any size. The result does not depend on the pieces.
///
/// ```
/// use sevenbit::{Charset, Substitution};
///
/// let mut encoder = Charset::ISO_8859_1.encoder().substituting(Substitution::CodePoint);
/// let mut octets = Vec::new();
/// encoder.push("5 €", &mut octets)?;
/// encoder.finish(&mut octets);
/// assert_eq!(octets, b"5 <U+20AC>");
/// # Ok::<(), sevenbit::Error>(())
/// ```
pub struct Encoder {
    charset: Charset,
    writer: Box<dyn Writer>,
    substitution: Substitution,
    at: usize,
}

impl Encoder {
    pub(super) fn new(charset: Charset) -> Self {
        let writer = writer(charset);
        Self { charset, writer, substitution: Substitution::Refuse, at: 0 }
    }

    /// Sets the substitution for characters that the charset does not have.
    #[must_use]
    pub fn substituting(mut self, substitution: Substitution) -> Self {
        self.substitution = substitution;
        self
    }

    /// Returns the charset it encodes.
    pub fn charset(&self) -> Charset {
        self.charset
    }

    /// Encodes the next piece of text and appends its octets.
    ///
    /// # Errors
    /// `unmappable` with the character that the charset does not have and its offset in everything
    /// pushed so far; the text before it has been written.
    pub fn push(&mut self, text: &str, octets: &mut Vec<u8>) -> Result<(), Error> {
        // Where one character is missing more follow, and text examined after it is examined again.
        let (mut done, mut step) = (0, text.len());
        while done < text.len() {
            let piece = prefix(&text[done..], step);
            let Err(at) = self.writer.write(piece, octets) else {
                done += piece.len();
                step = step.saturating_mul(2);
                continue;
            };
            done += at;
            let missing = text[done..].chars().next().unwrap_or(char::REPLACEMENT_CHARACTER);
            if !self.substitute(missing, octets) {
                self.at += done;
                return Err(Error::new(ErrorKind::Unmappable, self.at).naming(missing));
            }
            done += missing.len_utf8();
            step = STEP;
        }
        self.at += text.len();
        Ok(())
    }

    /// Writes what has been held back, and what returns the charset to its initial state: the
    /// octets so far are a whole text, to which more may be pushed. A character that would have
    /// combined with one before stands alone then, or is `unmappable` if the charset has no such
    /// form.
    #[cfg(feature = "bindings")]
    pub fn complete(&mut self, octets: &mut Vec<u8>) {
        self.writer.end(octets);
    }

    /// Ends the text: writes what returns the charset to its initial state.
    pub fn finish(mut self, octets: &mut Vec<u8>) {
        self.writer.end(octets);
    }

    /// Writes something instead of `missing`; returns whether that was possible.
    fn substitute(&mut self, missing: char, octets: &mut Vec<u8>) -> bool {
        match self.substitution {
            Substitution::Refuse => false,
            Substitution::QuestionMark => self.writer.write("?", octets).is_ok(),
            Substitution::CodePoint => {
                self.writer.write(&format!("<U+{:04X}>", u32::from(missing)), octets).is_ok()
            }
        }
    }
}

/// Octets of text tried after a missing character, doubled each time.
const STEP: usize = 32;

impl fmt::Debug for Encoder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Encoder")
            .field("charset", &self.charset)
            .field("at", &self.at)
            .finish_non_exhaustive()
    }
}

/// Returns the codec of a charset, at its start.
fn writer(charset: Charset) -> Box<dyn Writer> {
    match charset.route() {
        route if route.writes_each_alone() => {
            Box::new(inverse::Writer(repertoire::inverse(charset)))
        }
        Route::Whatwg(..) => each(hkscs::Writer::new(repertoire::inverse(charset))),
        Route::Table(number) => each(single_byte::Writer::new(
            &TABLES[usize::from(number)],
            repertoire::inverse(charset),
        )),
        Route::Utf8 | Route::Utf8Old => Box::new(Utf8Writer),
        Route::Cesu8 => each(Cesu8Writer),
        Route::Utf7 | Route::Utf7Old => Box::new(Utf7Writer::default()),
        Route::Utf16 | Route::Utf16Old => Box::new(Utf16Writer::new(Label::WithBom)),
        Route::Utf16Be => Box::new(Utf16Writer::new(Label::Ordered(ByteOrder::Big))),
        Route::Utf16Le => Box::new(Utf16Writer::new(Label::Ordered(ByteOrder::Little))),
        Route::Utf32 => Box::new(Utf32Writer::new(Label::WithBom)),
        Route::Utf32Be => Box::new(Utf32Writer::new(Label::Ordered(ByteOrder::Big))),
        Route::Utf32Le => Box::new(Utf32Writer::new(Label::Ordered(ByteOrder::Little))),
        Route::Iso2022Jp => each(iso2022::Writer::new(&iso2022::JP)),
        Route::Iso2022Jp1 => each(iso2022::Writer::new(&iso2022::JP_1)),
        Route::Iso2022Jp2 => each(iso2022::Writer::new(&iso2022::JP_2)),
        Route::Iso2022Jp3 => each(iso2022::Writer::new(&iso2022::JP_3)),
        Route::Iso2022Kr => each(iso2022::Writer::new(&iso2022::KR)),
        Route::Iso2022Cn => each(iso2022::Writer::new(&iso2022::CN)),
        Route::Iso2022CnExt => each(iso2022::Writer::new(&iso2022::CN_EXT)),
        Route::Hz => each(hz::Writer::default()),
        Route::Koi7 => each(koi7::Writer::default()),
        Route::Scsu => each(scsu::Writer),
        Route::Bocu1 => each(bocu1::Writer::default()),
        Route::Utf1 => each(multi_byte::Writer::new(&multi_byte::UTF_1)),
        Route::Jis94 => each(multi_byte::Writer::new(&multi_byte::JIS_94)),
        Route::JisX0212 => each(multi_byte::Writer::new(&multi_byte::JIS_X_0212)),
        Route::EucFixed => each(multi_byte::Writer::new(&multi_byte::EUC_FIXED)),
        Route::EucTw => each(multi_byte::Writer::new(&multi_byte::EUC_TW)),
        Route::EucJpMs => each(multi_byte::Writer::new(&multi_byte::EUC_JP_MS)),
        Route::EucJisX0213 => each(multi_byte::Writer::new(&multi_byte::EUC_JIS_2004)),
        Route::SjisX0213 => each(multi_byte::Writer::new(&multi_byte::SHIFT_JIS_2004)),
        Route::Johab => each(multi_byte::Writer::new(&multi_byte::JOHAB)),
        Route::Viqr => each(multi_byte::Writer::new(&multi_byte::VIQR)),
        Route::Tscii => each(multi_byte::Writer::new(&multi_byte::TSCII)),
        Route::Ascii | Route::Nothing(_) => each(Nothing),
    }
}

fn each(writer: impl CharWriter + 'static) -> Box<dyn Writer> {
    Box::new(Each(writer))
}

/// Writes nothing: the charset is not encodable.
struct Nothing;

impl CharWriter for Nothing {
    fn char(&mut self, _: char, _: &mut Vec<u8>) -> bool {
        false
    }
}
