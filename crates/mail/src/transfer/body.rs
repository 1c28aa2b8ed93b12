//! A body without its transfer encoding.

use std::borrow::Cow;

use super::{TransferEncoding, has_bare_line_end, lf_as_crlf};
use crate::codec::quoted_printable;
use crate::report::Tally;

/// Returns a body without its transfer encoding. A line end in quoted-printable is CR LF however it
/// was stored.
pub fn decode<'r>(from: TransferEncoding, raw: &'r [u8], tally: &mut Tally) -> Cow<'r, [u8]> {
    let mut in_crlf = || from.decode(&lf_as_crlf(Cow::Borrowed(raw)), tally).into_owned();
    match from {
        TransferEncoding::QuotedPrintable if quoted_printable::has_half_encoded_line_ends(raw) => {
            Cow::Owned(quoted_printable::without_cr_before_crlf(&in_crlf()))
        }
        TransferEncoding::QuotedPrintable if has_bare_line_end(raw) => Cow::Owned(in_crlf()),
        _ => from.decode(raw, tally),
    }
}
