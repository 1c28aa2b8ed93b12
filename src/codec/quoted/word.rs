//! The Q encoding of encoded-words (RFC 2047, 4.2).

use crate::codec::hex;
use crate::issue::Tally;
use crate::{Code, Span};

/// Appends the octets that the text of a Q word stands for: `_` is a space, an escape that is none stands
/// for itself and is reported.
pub(crate) fn decode_word(text: &[u8], out: &mut Vec<u8>, tally: &mut Tally) {
    out.reserve(text.len());
    let mut at = 0;
    while let Some(&octet) = text.get(at) {
        match octet {
            b'_' => out.push(b' '),
            b'=' => {
                let mut octets = [0; 16];
                let run = hex::unescape(b'=', &text[at..], &mut octets);
                out.extend_from_slice(&octets[..run.escapes]);
                if run.escapes > 0 {
                    at += 3 * run.escapes;
                    continue;
                }
                out.push(octet);
                tally.note(Code::QuotedPrintableRepaired, Span::new(at, at + 1));
            }
            _ => out.push(octet),
        }
        at += 1;
    }
}
