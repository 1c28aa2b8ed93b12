//! The Q encoding of encoded-words (RFC 2047, 4.2).

use crate::codec::hex;
use crate::issue::Tally;
use crate::{Code, Span};

/// Appends the octets that the text of a Q word stands for: `_` is a space, an escape that is none stands
/// for itself and is reported.
pub(crate) fn decode_word(text: &[u8], out: &mut Vec<u8>, tally: &mut Tally) {
    let start = out.len();
    out.resize(start + text.len(), 0);
    let (mut read, mut written) = (0, start);
    while let Some(&octet) = text.get(read) {
        if octet == b'=' {
            let run = hex::unescape(b'=', &text[read..], &mut out[written..]);
            (read, written) = (read + 3 * run.escapes, written + run.escapes);
            if run.escapes > 0 {
                continue;
            }
            tally.note(Code::QuotedPrintableRepaired, Span::new(read, read + 1));
        }
        out[written] = if octet == b'_' { b' ' } else { octet };
        (read, written) = (read + 1, written + 1);
    }
    out.truncate(written);
}
