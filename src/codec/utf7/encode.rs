//! Writing UTF-7, chunk by chunk.
//!
//! RFC 2152, rules 1 to 3. A `-` ends a shifted sequence before a character of set B, before `-`, and at the end of the
//! text; elsewhere it is left out. CR and LF stand directly, so no sequence crosses a line end.

use super::Units;
use crate::codec::base64::UTF_7;
use crate::codec::scan;

/// Which characters stand for themselves, beside space, TAB, CR and LF (RFC 2152, rules 1 and 3).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Direct {
    /// Set D, letters, digits and ``'(),-./:?``: what every gateway and every header field lets through.
    #[default]
    MailSafe,
    /// Set D and set O, ``!"#$%&*;<=>@[]^_`{|}``: easier to read, and not safe in header fields.
    OptionalDirect,
}

impl Direct {
    /// Whether all of `text` stands for itself.
    pub(super) fn all(self, text: &str) -> bool {
        let octets = text.as_bytes();
        let direct = match self {
            Self::MailSafe => scan::find(octets, |octet| !is_mail_safe(octet)),
            Self::OptionalDirect => scan::find(octets, |octet| !is_direct(octet)),
        };
        direct == octets.len()
    }
}

/// Octets of text written at once, and of such for which less room does.
const PIECE: usize = 1024;
const SHORT: usize = 64;

/// Writes UTF-7 in chunks that begin and end between any two characters.
pub(crate) struct Encoder {
    direct: Direct,
    units: Units,
    shifted: bool,
}

impl Encoder {
    pub(crate) const fn new(direct: Direct) -> Self {
        Self { direct, units: Units::new(UTF_7), shifted: false }
    }

    /// Appends `text`.
    pub(crate) fn encode(&mut self, text: &str, out: &mut Vec<u8>) {
        if text.len() <= SHORT {
            return self.pieces(text, SHORT, &mut [0; SHORT * Units::GROWTH + Units::SLACK], out);
        }
        self.pieces(text, PIECE, &mut [0; PIECE * Units::GROWTH + Units::SLACK], out);
    }

    /// Ends the text.
    pub(crate) fn finish(&mut self, out: &mut Vec<u8>) {
        if std::mem::take(&mut self.shifted) {
            let mut room = [0; Units::SLACK];
            let written = self.units.close(&mut room, 0);
            out.extend_from_slice(&room[..written]);
            out.push(b'-');
        }
    }

    #[inline]
    fn pieces(&mut self, text: &str, length: usize, room: &mut [u8], out: &mut Vec<u8>) {
        let mut rest = text;
        while !rest.is_empty() {
            let end = (0..=rest.len().min(length)).rev().find(|&end| rest.is_char_boundary(end));
            let (piece, more) = rest.split_at(end.unwrap_or(rest.len()));
            let written = match self.direct {
                Direct::MailSafe => self.piece(piece.as_bytes(), is_mail_safe, &MAIL_SAFE, room),
                Direct::OptionalDirect => self.piece(piece.as_bytes(), is_direct, &OPTIONAL_DIRECT, room),
            };
            out.extend_from_slice(&room[..written]);
            rest = more;
        }
    }

    /// Writes a piece whole; gives the octets written.
    #[inline(always)]
    fn piece(
        &mut self,
        text: &[u8],
        is_direct: impl Fn(u8) -> bool,
        table: &[bool; 256],
        out: &mut [u8],
    ) -> usize {
        let direct = |octet: u8| table[usize::from(octet)];
        let (mut at, mut written) = (0, 0);
        while at < text.len() {
            if self.shifted {
                // A copy, which the compiler keeps in registers.
                let mut units = self.units.clone();
                let read;
                (read, written) = units.write(&text[at..], direct, out, written);
                self.units = units;
                at += read;
                if let Some(&next) = text.get(at) {
                    written = self.close_before(next, out, written);
                }
                continue;
            }
            let run = match text[at..] {
                // Between two words that are shifted.
                [octet, next, ..] if next >= 0x80 => usize::from(direct(octet)),
                _ => scan::find(&text[at..], |octet| !is_direct(octet)),
            };
            out[written..written + run].copy_from_slice(&text[at..at + run]);
            (at, written) = (at + run, written + run);
            match text.get(at) {
                Some(b'+') => {
                    out[written..written + 2].copy_from_slice(b"+-");
                    (at, written) = (at + 1, written + 2);
                }
                Some(_) => {
                    out[written] = b'+';
                    written += 1;
                    self.shifted = true;
                }
                None => {}
            }
        }
        written
    }

    /// Ends a shifted sequence before a character that stands directly.
    #[inline]
    fn close_before(&mut self, next: u8, out: &mut [u8], written: usize) -> usize {
        let written = self.units.close(out, written);
        self.shifted = false;
        // Written over, where it is not wanted.
        out[written] = b'-';
        written + usize::from(next == b'-' || UTF_7.contains(next))
    }
}

/// The same for single octets; of vectors the comparisons are faster.
static MAIL_SAFE: [bool; 256] = {
    let mut table = [false; 256];
    let mut octet = 0;
    while octet < 128 {
        table[octet as usize] = is_mail_safe(octet);
        octet += 1;
    }
    table
};
static OPTIONAL_DIRECT: [bool; 256] = {
    let mut table = [false; 256];
    let mut octet = 0;
    while octet < 128 {
        table[octet as usize] = is_direct(octet);
        octet += 1;
    }
    table
};

/// Set D and the white space of rule 3.
#[inline]
pub(super) const fn is_mail_safe(octet: u8) -> bool {
    let letter = (octet | 0x20).wrapping_sub(b'a') < 26;
    let quote = octet.wrapping_sub(b'\'') < 3; // ' ( )
    let digit = octet.wrapping_sub(b',') < 15; // , - . / 0-9 :
    letter | quote | digit | (octet == b'?') | is_white(octet)
}

/// Sets D and O, and the white space of rule 3.
#[inline]
pub(super) const fn is_direct(octet: u8) -> bool {
    let graphic = octet.wrapping_sub(b'!') < 0x5D; // up to }
    graphic & (octet != b'+') & (octet != b'\\') | is_white(octet)
}

#[inline]
const fn is_white(octet: u8) -> bool {
    (octet == b' ') | (octet == b'\t') | (octet == b'\n') | (octet == b'\r')
}
