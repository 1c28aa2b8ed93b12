//! Line ends in quoted-printable of which one half is encoded.

use memchr::memmem;

use crate::ascii::{line_end, without_line_end};

/// Returns whether quoted-printable has line ends of which one half is encoded and the other is not, perhaps with
/// soft line breaks between the two: readers see one line end or two.
pub(crate) fn has_half_encoded_line_ends(raw: &[u8]) -> bool {
    let is = |at: usize, escape: &[u8]| raw.get(at..at + 3).is_some_and(|it| it.eq_ignore_ascii_case(escape));
    let is_line_end = |at: usize| matches!(raw.get(at), Some(b'\r' | b'\n'));
    memmem::find_iter(raw, b"=0").any(|at| is(at, b"=0D") && is_line_end(at + 3))
        || memmem::find_iter(raw, b"\r=").any(|cr| {
            let mut at = cr + 1;
            while raw[at..].first() == Some(&b'=')
                && without_line_end(&raw[at + 1..line_end(raw, at)]).trim_ascii().is_empty()
            {
                at = line_end(raw, at);
            }
            is(at, b"=0A")
        })
}

/// Returns octets with CR LF for every CR CR LF.
pub(crate) fn without_cr_before_crlf(octets: &[u8]) -> Vec<u8> {
    let is_kept = |at: &usize| !octets[*at..].starts_with(b"\r\r\n");
    (0..octets.len()).filter(is_kept).map(|at| octets[at]).collect()
}
