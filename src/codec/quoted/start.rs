//! How a line must not begin that we write ourselves (rule B4).

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

/// The same for a line of quoted-printable before it is cut: the boundary is compared with the octets as they are written,
/// since a boundary may look like an escape (`=3D`) or end like a soft break (`=`).
#[cold]
pub(super) fn is_risky_written(line: &[u8], boundaries: &[&[u8]]) -> bool {
    let line = &line[..memchr::memchr(b'\r', line).unwrap_or(line.len())];
    match line {
        [b'.', ..] => true,
        // The space at the end of a line is an escape already.
        [b'F', ..] => line.starts_with(b"From ") || line == b"From=20",
        [b'-', b'-', rest @ ..] => boundaries.iter().any(|boundary| could_begin(foremost(rest), boundary)),
        _ => false,
    }
}

/// No boundary is longer (RFC 2046, 5.1.1: 70 octets), and no line has room for more.
const FOREMOST: usize = 76;

/// So many octets, and the rest of an escape.
fn foremost(written: &[u8]) -> &[u8] {
    let end = match written.get(FOREMOST - 2..FOREMOST) {
        None => written.len().min(FOREMOST),
        Some([b'=', _]) => FOREMOST + 1,
        Some([_, b'=']) => FOREMOST + 2,
        _ => FOREMOST,
    };
    &written[..end]
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
