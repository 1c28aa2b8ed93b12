//! How a line must not begin that we write ourselves (rule B4).

use super::is_literal;
use crate::ascii::is_wsp;
use crate::codec::hex;

/// Whether a line that begins like this may be changed or misread on the way: `From ` gets a `>` in mbox
/// files, `.` is doubled or ends the message in SMTP, and `--` with any of `boundaries` ends a part, also for
/// a parser that compares prefixes only.
pub(crate) fn is_risky_start(line: &[u8], boundaries: &[&[u8]]) -> bool {
    match line.first() {
        Some(b'.') => true,
        Some(b'F') => line.starts_with(b"From "),
        Some(b'-') => {
            let delimits = |rest: &[u8]| boundaries.iter().any(|boundary| begins(rest, boundary));
            line.strip_prefix(b"--").is_some_and(delimits)
        }
        _ => false,
    }
}

/// Whether any line of `text` begins so.
pub(crate) fn has_risky_line(text: &[u8], boundaries: &[&[u8]]) -> bool {
    is_risky_start(text, boundaries)
        || memchr::memchr_iter(b'\n', text).any(|end| is_risky_start(&text[end + 1..], boundaries))
}

/// The same for what begins a line of quoted-printable: the boundary is compared with the octets as they
/// are going to be written, since a boundary may look like an escape (`=3D`) or end like a soft break (`=`).
#[inline]
pub(super) fn is_risky_when_encoded(line: &[u8], boundaries: &[&[u8]]) -> bool {
    match line.first() {
        Some(b'.') => true,
        Some(b'F') => line.starts_with(b"From "),
        Some(b'-') => line.starts_with(b"--") && delimits_when_encoded(&line[2..], boundaries),
        _ => false,
    }
}

#[cold]
fn delimits_when_encoded(text: &[u8], boundaries: &[&[u8]]) -> bool {
    let mut written = [0; WRITTEN + 3];
    let length = if boundaries.is_empty() { 0 } else { write_start(text, &mut written) };
    boundaries.iter().any(|boundary| could_begin(&written[..length], boundary))
}

/// No boundary is longer (RFC 2046, 5.1.1: 70 octets), and no line has room for more.
const WRITTEN: usize = 76;

/// Writes how `text` is going to begin: each octet literal or escaped. Gives the length.
fn write_start(text: &[u8], written: &mut [u8; WRITTEN + 3]) -> usize {
    let mut length = 0;
    for (at, &octet) in text.iter().enumerate() {
        let ends = at + 1 == text.len() && is_wsp(octet);
        if is_literal(octet) && !ends {
            written[length] = octet;
            length += 1;
        } else {
            written[length..length + 3].copy_from_slice(&hex::escape(b'=', octet));
            length += 3;
        }
        if length >= WRITTEN {
            break;
        }
    }
    length
}

/// Whether a line that begins with `written` may begin with `boundary`, also where a soft break is its last `=`.
#[inline]
fn could_begin(written: &[u8], boundary: &[u8]) -> bool {
    let boundary = boundary.strip_suffix(b"=").unwrap_or(boundary);
    begins(written, boundary)
}

/// Most differ in the first octet, and a comparison of slices is a call.
#[inline]
fn begins(line: &[u8], boundary: &[u8]) -> bool {
    boundary.is_empty() || boundary.first() == line.first() && line.starts_with(boundary)
}
