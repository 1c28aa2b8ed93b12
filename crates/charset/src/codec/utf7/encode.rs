//! Writing UTF-7, chunk by chunk.
//!
//! RFC 2152, rules 1 to 3. A `-` ends a shifted sequence before a character of set B, before `-`,
//! and at the end of the text; elsewhere it is left out. CR and LF stand for themselves, so no
//! sequence crosses a line end.

use super::Units;
use super::dialect::{self, is_direct, is_mail_safe};
use super::vector::{self, Written};
use crate::codec::base64::UTF_7;
use crate::codec::level::{self, Level};
use crate::codec::scan;
use crate::words;

/// Which characters stand for themselves, besides space, TAB, CR and LF (RFC 2152, rules 1 and 3).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Direct {
    /// Set D, letters, digits and ``'(),-./:?``: what every gateway and every header field lets
    /// through.
    #[default]
    MailSafe,
    /// Set D and set O, ``!"#$%&*;<=>@[]^_`{|}``: easier to read, but not safe in header fields.
    OptionalDirect,
}

words!(Direct, "set of UTF-7": MailSafe "mail-safe", OptionalDirect "optional-direct");

impl Direct {
    /// Returns whether all of `text` stands for itself.
    pub(super) fn all(self, text: &str) -> bool {
        let octets = text.as_bytes();
        let direct = match self {
            Self::MailSafe => scan::find(octets, |octet| !is_mail_safe(octet)),
            Self::OptionalDirect => scan::find(octets, |octet| !is_direct(octet)),
        };
        direct == octets.len()
    }
}

/// Octets of text written in one step, and of text that needs less room.
const PIECE: usize = 1024;
const SHORT: usize = 64;
/// Octets of text written one by one before vectors are tried again.
const FEW: usize = 64;

/// Writes UTF-7 in chunks that begin and end between any two characters.
#[derive(Debug)]
pub struct Encoder {
    direct: Direct,
    vectors: Option<Level>,
    units: Units,
    shifted: bool,
}

impl Encoder {
    /// Returns an encoder at the beginning of a text, which writes `direct` characters as they are.
    pub fn new(direct: Direct) -> Self {
        Self::with(level::picking_at_once(), direct)
    }

    /// Returns an encoder with these vectors, or without any.
    pub(super) fn with(vectors: Option<Level>, direct: Direct) -> Self {
        Self { direct, vectors, units: Units::new(UTF_7), shifted: false }
    }

    /// Appends `text`.
    pub fn encode(&mut self, text: &str, out: &mut Vec<u8>) {
        if text.len() <= SHORT {
            return self.pieces(text, &mut [0; SHORT * Units::GROWTH + vector::ROOM], out);
        }
        self.pieces(text, &mut [0; PIECE * Units::GROWTH + vector::ROOM], out);
    }

    /// Ends the text.
    pub fn finish(&mut self, out: &mut Vec<u8>) {
        if std::mem::take(&mut self.shifted) {
            let mut room = [0; Units::SLACK];
            let written = self.units.close(&mut room, 0);
            out.extend_from_slice(&room[..written]);
            out.push(b'-');
        }
    }

    #[inline]
    fn pieces(&mut self, text: &str, room: &mut [u8], out: &mut Vec<u8>) {
        let mut rest = text;
        while !rest.is_empty() {
            let (mut read, mut written) = self.vectors(rest, room);
            if read == 0 {
                (read, written) = self.closely(rest, room);
            }
            out.extend_from_slice(&room[..written]);
            rest = &rest[read..];
        }
    }

    /// Writes as much as vectors can; returns the octets read and written.
    fn vectors(&mut self, text: &str, out: &mut [u8]) -> (usize, usize) {
        let Some(level) = level::if_any_picks(self.vectors) else { return (0, 0) };
        if !self.units.is_empty() {
            return (0, 0);
        }
        let dialect = match self.direct {
            Direct::MailSafe => &dialect::MAIL_SAFE,
            Direct::OptionalDirect => &dialect::OPTIONAL_DIRECT,
        };
        let begun = Written { open: self.shifted, ..Written::default() };
        let done = vector::write(level, dialect, text.as_bytes(), begun, out);
        self.shifted = done.open;
        (done.octets, done.written)
    }

    /// Writes a piece one character at a time: a short one before vectors continue, up to where no
    /// units are pending.
    fn closely(&mut self, text: &str, out: &mut [u8]) -> (usize, usize) {
        let vectors = self.vectors.is_some();
        let length = if vectors { FEW } else { (out.len() - vector::ROOM) / Units::GROWTH };
        let (mut read, mut written) = (0, 0);
        while read == 0 || vectors && read < text.len() && !self.units.is_empty() {
            let piece = prefix(&text[read..], if read == 0 { length } else { 1 }).as_bytes();
            let out = &mut out[written..];
            written += match self.direct {
                Direct::MailSafe => self.piece(piece, is_mail_safe, &dialect::IS_MAIL_SAFE, out),
                Direct::OptionalDirect => self.piece(piece, is_direct, &dialect::IS_DIRECT, out),
            };
            read += piece.len();
        }
        (read, written)
    }

    /// Writes a piece whole; returns the octets written.
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
                // A copy, so that the compiler keeps it in registers.
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

    /// Ends a shifted sequence before a character that is written directly.
    #[inline]
    fn close_before(&mut self, next: u8, out: &mut [u8], written: usize) -> usize {
        let written = self.units.close(out, written);
        self.shifted = false;
        // Overwritten if it is not wanted.
        out[written] = b'-';
        written + usize::from(next == b'-' || UTF_7.contains(next))
    }
}

/// Returns the characters that fit into `octets` octets, or the first one.
fn prefix(text: &str, octets: usize) -> &str {
    let end = (1..=text.len().min(octets)).rev().find(|&end| text.is_char_boundary(end));
    &text[..end.unwrap_or_else(|| text.chars().next().map_or(0, char::len_utf8))]
}
