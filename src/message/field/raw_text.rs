//! Raw text of fields, and where it stands.

use super::draft::Draft;
use crate::ascii::are_printable_or_fws;
use crate::decode::{RawCharset, raw_text_in, without_controls};
use crate::encode::{Place, TextWords};
use crate::issue::Tally;
use crate::syntax::lexical::{chunks, unfolded};
use crate::{Code, Span};

/// Where text is read from: the field, or a piece of it whose quotes were taken off.
#[derive(Clone, Copy, Debug)]
pub(super) struct Source<'s> {
    pub(super) octets: &'s [u8],
    /// Where it stands in the value, for reports.
    pub(super) span: Span,
    pub(super) place: Place,
    pub(super) words: WordPolicy,
}

/// Whether encoded-words may stay where they are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum WordPolicy {
    /// They stand where they may.
    Allowed,
    /// They stand inside a quoted-string, or without white space beside one. Readers decode them, but nobody may write them so.
    Misplaced,
}

impl Source<'_> {
    /// Where a stretch of it stands in the value; all of it, where quotes were taken off.
    pub(super) fn at(&self, span: Span) -> Span {
        if self.octets.len() == self.span.len() { span.shifted(self.span.start) } else { self.span }
    }
}

/// Reads raw text into `out`; says whether it has to be written otherwise than it stands.
pub(super) fn read_raw(draft: &mut Draft<'_>, octets: &[u8], span: Span, out: &mut TextWords<'_>) -> bool {
    let charset = draft.rules.raw_text().charset(octets);
    if charset == RawCharset::Unknown {
        draft.tally.note(Code::RawHeaderText, span);
        read_unknown(octets, out);
        return true;
    }
    let text = raw_text_in(octets, span, charset, &mut draft.tally);
    out.text(&text);
    !are_printable_or_fws(octets)
}

/// Raw octets of an unknown charset: words that need it keep their octets under the label `unknown-8bit`.
pub(super) fn read_unknown(octets: &[u8], out: &mut TextWords<'_>) {
    for (space, chunk) in chunks(octets) {
        out.space(&unfolded(space));
        for piece in chunk.chunk_by(|a, b| a.is_ascii_control() == b.is_ascii_control()) {
            match std::str::from_utf8(piece) {
                _ if piece[0].is_ascii_control() => out.text(&"\u{fffd}".repeat(piece.len())),
                // What is UTF-8 by itself would be read as that the next time.
                Ok(text) => {
                    out.text(&without_controls(text.into(), Span::default(), &mut Tally::default()));
                }
                _ => out.octets(b"unknown-8bit".as_slice(), piece),
            }
        }
    }
}
