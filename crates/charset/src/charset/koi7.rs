//! KOI-7 with shifts (GOST 13052, GOST 27463): SO to the Cyrillic set N1, SI back to the Latin set
//! N0.
//!
//! 1. N0 is read as US-ASCII; the standard has the currency sign in place of the dollar.

use super::sink::{CharWriter, Machine, Sink};
use crate::DecodeFault;

const SO: u8 = 0x0E;
const SI: u8 = 0x0F;

/// The characters of 40-7F after SO: the right half of KOI8-R, except for its last letter.
const N1: &str = "юабцдефгхийклмнопярстужвьызшэщчъЮАБЦДЕФГХИЙКЛМНОПЯРСТУЖВЬЫЗШЭЩЧ\u{7F}";

/// Reads KOI-7.
#[derive(Default)]
pub(super) struct Reader {
    shifted: bool,
}

impl Machine for Reader {
    fn push(&mut self, octets: &[u8], at: usize, sink: &mut Sink<'_>) {
        for (i, octet) in octets.iter().enumerate() {
            match octet {
                &SO => self.shifted = true,
                &SI => self.shifted = false,
                0x80.. => sink.bad(DecodeFault::UndecodableText, at + i, at + i + 1),
                0x40.. if self.shifted => {
                    sink.text.extend(N1.chars().nth(usize::from(octet - 0x40)))
                }
                _ => sink.char((*octet).into()),
            }
        }
    }

    fn end(&mut self, _: usize, _: &mut Sink<'_>) {}
}

/// Writes KOI-7.
#[derive(Debug, Default)]
pub(super) struct Writer {
    shifted: bool,
}

impl CharWriter for Writer {
    fn char(&mut self, c: char, out: &mut Vec<u8>) -> bool {
        let cyrillic = N1.chars().position(|known| known == c && c != '\x7F');
        let octet = match cyrillic {
            Some(at) => 0x40 + at as u8,
            None if c.is_ascii() && !matches!(c as u8, SO | SI) => c as u8,
            None => return false,
        };
        if cyrillic.is_some() != self.shifted
            && (cyrillic.is_some() || octet >= 0x40 || octet == b'\n')
        {
            self.shift(cyrillic.is_some(), out);
        }
        out.push(octet);
        true
    }

    fn end(&mut self, out: &mut Vec<u8>) {
        self.shift(false, out);
    }
}

impl Writer {
    fn shift(&mut self, shifted: bool, out: &mut Vec<u8>) {
        if shifted != self.shifted {
            out.push(if shifted { SO } else { SI });
            self.shifted = shifted;
        }
    }
}
