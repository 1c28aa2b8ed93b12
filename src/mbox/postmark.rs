//! The `From ` line before each message of an mbox, and lines that only look like one.
//!
//! The format does not define the rest of the line: sender and date are written in many ways, with time
//! zones, remote hosts and two-digit years. What distinguishes it from text is what is around it.

/// The beginning of the line.
pub(super) const POSTMARK: &[u8] = b"From ";

/// Returns whether `line` has a time of day in it, which every date on such a line has: `9:05`, `09:05:00`,
/// `9.05`.
pub(super) fn has_time(line: &[u8]) -> bool {
    line.windows(4).any(|at| {
        at[0].is_ascii_digit()
            && matches!(at[1], b':' | b'.')
            && at[2].is_ascii_digit()
            && at[3].is_ascii_digit()
    })
}

/// Returns whether `line` has a time of day and ends with a year, perhaps with a time zone or a remote host
/// after it.
pub(super) fn has_date(line: &[u8]) -> bool {
    let year = |word: &[u8]| word.len() == 4 && word.iter().all(u8::is_ascii_digit);
    has_time(line) && line.split(u8::is_ascii_whitespace).skip(3).any(year)
}

/// Returns whether `line` begins a header field.
pub(super) fn is_field(line: &[u8]) -> bool {
    let name = line.iter().take_while(|octet| matches!(octet, b'!'..=b'9' | b';'..=b'~')).count();
    name > 0 && line.get(name) == Some(&b':')
}

/// Returns the line that `octets` begin with, without its end, and its length with it.
pub(super) fn line(octets: &[u8]) -> (&[u8], usize) {
    let length = memchr::memchr(b'\n', octets).map_or(octets.len(), |end| end + 1);
    let line = &octets[..length];
    let line = line.strip_suffix(b"\n").unwrap_or(line);
    (line.strip_suffix(b"\r").unwrap_or(line), length)
}

/// Returns the length of the empty line that `octets` begin with, if it is one.
pub(super) fn blank(octets: &[u8]) -> Option<usize> {
    match octets {
        [b'\n', ..] => Some(1),
        [b'\r', b'\n', ..] => Some(2),
        _ => None,
    }
}

/// Returns the length of the empty line that `octets` end with, if it is one.
pub(super) fn blank_at_end(octets: &[u8]) -> Option<usize> {
    let before = octets.strip_suffix(b"\n")?;
    let (before, length) = before.strip_suffix(b"\r").map_or((before, 1), |before| (before, 2));
    before.ends_with(b"\n").then_some(length)
}

/// Returns where the last whole line of `octets` ends.
pub(super) fn line_end_before(octets: &[u8]) -> Option<usize> {
    memchr::memrchr(b'\n', octets).map(|at| at + 1)
}

/// Returns the last line of `octets` without its end, if it is whole and lies within the last `most` octets.
pub(super) fn last_line(octets: &[u8], most: usize) -> Option<&[u8]> {
    let line = octets.strip_suffix(b"\n")?;
    let line = line.strip_suffix(b"\r").unwrap_or(line);
    match memchr::memrchr(b'\n', line) {
        Some(end) => Some(&line[end + 1..]),
        None => (octets.len() < most).then_some(line),
    }
}

/// Returns the value of `Content-Length`, if this line is that field, and if it is a number.
pub(super) fn content_length(line: &[u8]) -> Option<Option<usize>> {
    const NAME: &[u8] = b"content-length:";
    let (name, value) = line.split_at_checked(NAME.len())?;
    let number = || std::str::from_utf8(value).ok()?.trim().parse().ok();
    name.eq_ignore_ascii_case(NAME).then(number)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates_of_every_kind() {
        for line in [
            "From joe@example.org Thu Nov 19 10:00:00 2026",
            "From joe Thu Nov 19 9:00 CET 2026",
            "From joe@example.org  Thu, 19 Nov 2026 10:00:00 +0100",
            "From - Thu Nov 19 10:00:00 2026 remote from host",
            "From MAILER-DAEMON Thu Nov 19 10.00.00 2026",
        ] {
            assert!(has_date(line.as_bytes()), "{line}");
        }
        for line in ["From the start of 2026 on", "From 10:30 to 12:00", "From me"] {
            assert!(!has_date(line.as_bytes()), "{line}");
        }
    }

    #[test]
    fn empty_lines_at_both_ends() {
        assert_eq!(
            (blank(b"\r\nx"), blank(b"\nx"), blank(b"x\n"), blank(b"")),
            (Some(2), Some(1), None, None)
        );
        for (octets, length) in [("a\n\n", Some(1)), ("a\r\n\r\n", Some(2)), ("a\n", None), ("\n", None)] {
            assert_eq!(blank_at_end(octets.as_bytes()), length, "{octets:?}");
        }
    }

    #[test]
    fn fields_have_a_name_and_a_colon() {
        assert!(is_field(b"Subject: x") && is_field(b"X:"));
        assert!(!is_field(b"the chairman: x") && !is_field(b": x") && !is_field(b" X: x") && !is_field(b""));
    }
}
