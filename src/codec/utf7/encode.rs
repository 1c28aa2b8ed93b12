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
        match self.direct {
            Direct::MailSafe => self.chunk(text.as_bytes(), is_mail_safe, out),
            Direct::OptionalDirect => self.chunk(text.as_bytes(), is_direct, out),
        }
    }

    /// Ends the text.
    pub(crate) fn finish(&mut self, out: &mut Vec<u8>) {
        if std::mem::take(&mut self.shifted) {
            self.units.close(out);
            out.push(b'-');
        }
    }

    #[inline]
    fn chunk(&mut self, text: &[u8], direct: impl Fn(u8) -> bool + Copy, out: &mut Vec<u8>) {
        let mut at = 0;
        while at < text.len() {
            let rest = &text[at..];
            if self.shifted {
                at += self.units.write(rest, direct, out);
                if let Some(&next) = text.get(at) {
                    self.close_before(next, out);
                }
                continue;
            }
            let run = scan::find(rest, |octet| !direct(octet));
            out.extend_from_slice(&rest[..run]);
            at += run;
            match rest.get(run) {
                Some(b'+') => {
                    out.extend_from_slice(b"+-");
                    at += 1;
                }
                Some(_) => {
                    out.push(b'+');
                    self.shifted = true;
                }
                None => {}
            }
        }
    }

    /// Ends a shifted sequence before a character that stands directly.
    #[inline]
    fn close_before(&mut self, next: u8, out: &mut Vec<u8>) {
        self.units.close(out);
        self.shifted = false;
        if next == b'-' || UTF_7.contains(next) {
            out.push(b'-');
        }
    }
}

/// Set D and the white space of rule 3.
#[inline]
pub(super) fn is_mail_safe(octet: u8) -> bool {
    let letter = (octet | 0x20).wrapping_sub(b'a') < 26;
    let quote = octet.wrapping_sub(b'\'') < 3; // ' ( )
    let digit = octet.wrapping_sub(b',') < 15; // , - . / 0-9 :
    letter | quote | digit | (octet == b'?') | is_white(octet)
}

/// Sets D and O, and the white space of rule 3.
#[inline]
pub(super) fn is_direct(octet: u8) -> bool {
    let graphic = octet.wrapping_sub(b'!') < 0x5D; // up to }
    graphic & (octet != b'+') & (octet != b'\\') | is_white(octet)
}

#[inline]
fn is_white(octet: u8) -> bool {
    (octet == b' ') | (octet == b'\t') | (octet == b'\n') | (octet == b'\r')
}
