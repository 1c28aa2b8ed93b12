//! Raw text of fields, and where it is.

use super::draft::Draft;
use crate::ascii::{are_printable_or_fws, is_fws, trim_fws};
use crate::charset::UNKNOWN_8BIT;
use crate::codec::base64;
use crate::decode::{
    Nul, RawCharset, is_text_in, lossless_text, raw_text_in, unstructured, without_controls,
};
use crate::encode::{Place, TextWords};
use crate::issue::Tally;
use crate::syntax::encoded_word::MAX_WORD;
use crate::syntax::lexical::{chunks, unfold, unfolded};
use crate::{Charset, Code, DecodeFault, Span};

/// Where text is read from: the field, or a piece of it whose quotes were removed.
#[derive(Clone, Copy, Debug)]
pub(super) struct Source<'s> {
    pub(super) octets: &'s [u8],
    /// Its span in the value, for reports.
    pub(super) span: Span,
    pub(super) place: Place,
    pub(super) words: WordPolicy,
}

/// Whether encoded-words may stay where they are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum WordPolicy {
    /// They are where they may be.
    Allowed,
    /// They are inside a quoted-string, or without white space beside one. Readers decode them, but they must
    /// not be written so.
    Misplaced,
}

impl Source<'_> {
    /// Returns the span in the value of a stretch of it; the whole span if quotes were removed.
    pub(super) fn at(&self, span: Span) -> Span {
        if self.octets.len() == self.span.len() { span.shifted(self.span.start) } else { self.span }
    }
}

/// Reads raw text into `out`; returns whether it has to be written differently.
pub(super) fn read_raw(draft: &mut Draft<'_>, octets: &[u8], span: Span, out: &mut TextWords<'_>) -> bool {
    let charset = draft.rules.raw_text().charset(octets);
    match charset {
        RawCharset::Unknown => {
            draft.tally.note(Code::RawHeaderText, span);
            match draft.rules.label_of(octets) {
                Some(guess) => {
                    draft.tally.note_value(Code::CharsetGuessed, span, None, || guess.detail());
                    read_labelled(guess.charset(), octets, span, out, &mut draft.tally);
                }
                None => read_unknown(octets, span, out, &mut draft.tally),
            }
            true
        }
        RawCharset::Escapes(charset) if !draft.rules.replaces() && !is_text_in(charset, octets) => {
            note_unread(charset, span, &mut draft.tally);
            read_torn_escapes(charset, &unfold(octets), out);
            true
        }
        RawCharset::Guessed(guess) if !draft.rules.replaces() => {
            let (charset, octets) = (guess.charset(), unfold(octets));
            let text = lossless_text(charset, &octets);
            match text {
                Some(_) => draft.tally.note(Code::RawHeaderText, span),
                None => note_unread(charset, span, &mut draft.tally),
            }
            draft.tally.note_value(Code::CharsetGuessed, span, None, || guess.detail());
            match text {
                Some(text) => out.text(&unstructured(text, span, &mut draft.tally)),
                None => read_guessed(charset, &octets, span, out, &mut draft.tally),
            }
            true
        }
        _ => {
            let text = raw_text_in(octets, span, charset, &mut draft.tally);
            out.text(&text);
            !are_printable_or_fws(octets)
        }
    }
}

fn note_unread(charset: Charset, span: Span, tally: &mut Tally) {
    tally.note(Code::RawHeaderText, span);
    tally.note_value(Code::Decode(DecodeFault::UndecodableText), span, None, || charset.name());
}

/// Reads raw octets of an unknown charset: words that need it keep their octets under the label
/// `unknown-8bit`.
pub(super) fn read_unknown(octets: &[u8], span: Span, out: &mut TextWords<'_>, tally: &mut Tally) {
    each_piece(octets, span, out, tally, |_, piece, out| match std::str::from_utf8(piece) {
        // A piece that is UTF-8 by itself would be read as that the next time.
        Ok(text) => out.text(&without_controls(text.into(), Nul::Dropped, span, &mut Tally::default())),
        _ => out.octets(UNKNOWN_8BIT.as_bytes(), piece),
    });
}

/// Reads raw octets that are not decoded but get a label: words that need it keep their octets under it.
fn read_labelled(charset: Charset, octets: &[u8], span: Span, out: &mut TextWords<'_>, tally: &mut Tally) {
    if !is_text_in(charset, octets) {
        tally.note_value(Code::Decode(DecodeFault::UndecodableText), span, None, || charset.name());
    }
    if charset == Charset::UTF_8 {
        return read_damaged_utf8(octets, span, out, tally);
    }
    each_piece(octets, span, out, tally, |_, piece, out| match std::str::from_utf8(piece) {
        Ok(text) if piece.is_ascii() => out.text(text),
        _ => out.octets(charset.name().as_bytes(), piece),
    });
}

/// Reads raw octets of which some are not text in the charset that they seem to be in: those stay, under its
/// label.
fn read_guessed(charset: Charset, octets: &[u8], span: Span, out: &mut TextWords<'_>, tally: &mut Tally) {
    if charset == Charset::UTF_8 {
        return read_damaged_utf8(octets, span, out, tally);
    }
    each_piece(octets, span, out, tally, |_, piece, out| match lossless_text(charset, piece) {
        Some(text) => out.text(&text),
        None => out.octets(charset.name().as_bytes(), piece),
    });
}

/// Reads UTF-8 with some damage: by itself the damaged part would belie the label and be read as something
/// else the next time, so it stays together with what is whole.
fn read_damaged_utf8(octets: &[u8], span: Span, out: &mut TextWords<'_>, tally: &mut Tally) {
    let is_high = |octet: &u8| !octet.is_ascii();
    let is_fold = |octet: &u8| is_fws(*octet);
    let (Some(first), Some(last)) = (octets.iter().position(is_high), octets.iter().rposition(is_high))
    else {
        return;
    };
    let start = octets[..first].iter().rposition(is_fold).map_or(0, |at| at + 1);
    let end = octets[last..].iter().position(is_fold).map_or(octets.len(), |at| last + at);
    let mut plain = |range: &[u8], out: &mut TextWords<'_>| {
        each_piece(range, span, out, tally, |_, piece, out| out.text(&String::from_utf8_lossy(piece)));
    };
    plain(&octets[..start], out);
    out.octets(b"utf-8".as_slice(), &without_structure(&unfold(&octets[start..end])));
    plain(&octets[end..], out);
}

/// Passes what is between white space and controls to `read`, with the word it belongs to. A control becomes
/// a space; NUL is dropped where it is beside US-ASCII only (rule H5).
fn each_piece<'a>(
    octets: &[u8],
    span: Span,
    out: &mut TextWords<'a>,
    tally: &mut Tally,
    read: impl Fn(&[u8], &[u8], &mut TextWords<'a>),
) {
    for (space, chunk) in chunks(octets) {
        out.space(&unfolded(space));
        for piece in chunk.chunk_by(|a, b| a.is_ascii_control() == b.is_ascii_control()) {
            if !piece[0].is_ascii_control() {
                read(chunk, piece, out);
                continue;
            }
            tally.note(Code::ControlReplaced, span);
            if !chunk.is_ascii() || piece.iter().any(|&octet| octet != 0) {
                out.text(" ");
            }
        }
    }
}

/// Reads raw text with escapes of ISO/IEC 2022 that is cut short or broken: its octets stay, in one word under the
/// label that they announce, or, since readers read each word of such a charset by itself, in several under none.
fn read_torn_escapes(charset: Charset, octets: &[u8], out: &mut TextWords<'_>) {
    let text = trim_fws(octets);
    let start = octets.iter().take_while(|&&octet| is_fws(octet)).count();
    out.space(&octets[..start]);
    let clean = without_structure(text);
    let mut word = format!("=?{}?B?", charset.name()).into_bytes();
    base64::encode(&clean, &mut word);
    word.extend_from_slice(b"?=");
    match word.len() {
        ..=MAX_WORD => out.word(word),
        _ => out.octets(UNKNOWN_8BIT.as_bytes(), &clean),
    }
    out.space(&octets[start + text.len()..]);
}

/// Returns octets without NUL and line ends, which must not be found in a word (rule H5).
pub(super) fn without_structure(octets: &[u8]) -> Vec<u8> {
    octets.iter().map(|&octet| if matches!(octet, 0 | b'\r' | b'\n') { b' ' } else { octet }).collect()
}
