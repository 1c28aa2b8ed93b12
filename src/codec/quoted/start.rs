//! How a line must not begin that we write ourselves (rule B4).

/// Whether a line that begins like this may be changed or misread on the way: `From ` gets a `>` in mbox
/// files, `.` is doubled or ends the message in SMTP, and `--` with any of `boundaries` ends a part, also for
/// a parser that compares prefixes only.
pub(crate) fn is_risky_start(line: &[u8], boundaries: &[&[u8]]) -> bool {
    match line.first() {
        Some(b'.') => true,
        Some(b'F') => line.starts_with(b"From "),
        Some(b'-') => {
            let delimits = |rest: &[u8]| boundaries.iter().any(|boundary| rest.starts_with(boundary));
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
pub(super) fn is_risky_when_encoded(line: &[u8], boundaries: &[&[u8]]) -> bool {
    match line.first() {
        Some(b'.') => true,
        Some(b'F') => line.starts_with(b"From "),
        Some(b'-') => {
            let delimits = |rest: &[u8]| boundaries.iter().any(|boundary| could_be_written(rest, boundary));
            line.strip_prefix(b"--").is_some_and(delimits)
        }
        _ => false,
    }
}

/// Whether `boundary` is how `text`, encoded, may begin: each octet literal or escaped, with a soft break
/// where the boundary ends in `=`.
fn could_be_written(text: &[u8], boundary: &[u8]) -> bool {
    let mut wanted = boundary;
    for &octet in text {
        if matches!(wanted, [] | [b'=']) {
            break;
        }
        let escape = crate::codec::hex::escape(b'=', octet);
        let compared = wanted.len().min(escape.len());
        if wanted[0] == octet && super::is_literal(octet) {
            wanted = &wanted[1..];
        } else if wanted[..compared] == escape[..compared] {
            wanted = &wanted[compared..];
        } else {
            return false;
        }
    }
    matches!(wanted, [] | [b'='])
}
