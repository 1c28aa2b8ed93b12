//! The `From ` line before each message of an mbox, and lines that only look like one.
//!
//! The format does not define the rest of the line: sender and date are written in many ways, with
//! time zones, remote hosts and two-digit years. What distinguishes it from text is what is around
//! it.

use super::separator::LINE;

/// The beginning of the line.
pub(super) const POSTMARK: &[u8] = b"From ";

/// Returns whether `line` has a time of day in it, which every date on such a line has: `9:05`,
/// `09:05:00`, `9.05`.
pub(super) fn has_time(line: &[u8]) -> bool {
    line.windows(4).any(|at| {
        at[0].is_ascii_digit()
            && matches!(at[1], b':' | b'.')
            && at[2].is_ascii_digit()
            && at[3].is_ascii_digit()
    })
}

/// Returns whether `line` has a time of day and ends with a year, perhaps with a time zone or a
/// remote host after it.
pub(super) fn has_date(line: &[u8]) -> bool {
    let year = |word: &[u8]| word.len() == 4 && word.iter().all(u8::is_ascii_digit);
    has_time(line) && line.split(u8::is_ascii_whitespace).skip(3).any(year)
}

/// Returns whether `line` is `From ` and a number, as Takeout writes it.
pub(super) fn is_numbered(line: &[u8]) -> bool {
    let number = line.strip_prefix(POSTMARK).unwrap_or_default().trim_ascii();
    number.len() > 9 && number.iter().all(u8::is_ascii_digit)
}

/// Returns whether `line` is nothing but `From `, as Thunderbird writes it.
pub(super) fn is_bare(line: &[u8]) -> bool {
    line.strip_prefix(POSTMARK).is_some_and(|rest| rest.trim_ascii().is_empty())
}

/// Returns whether `line` begins a file of `git format-patch`: the same date for all of them.
pub(super) fn is_patch(line: &[u8]) -> bool {
    let Some(rest) = line.strip_prefix(POSTMARK) else { return false };
    let digits = rest.iter().take_while(|octet| octet.is_ascii_hexdigit()).count();
    matches!(digits, 40 | 64) && &rest[digits..] == b" Mon Sep 17 00:00:00 2001"
}

/// Returns whether `line` is a `From ` line as programs write it, and no prose with a date in it: a
/// sender, a day of the week, a month, a day, a time, a year, perhaps a time zone.
pub(super) fn is_postmark(line: &[u8]) -> bool {
    const DAYS: [&[u8]; 7] = [b"Mon", b"Tue", b"Wed", b"Thu", b"Fri", b"Sat", b"Sun"];
    let words: Vec<&[u8]> =
        line.split(u8::is_ascii_whitespace).filter(|word| !word.is_empty()).take(10).collect();
    let Some(day) = words.iter().position(|word| DAYS.contains(word)) else { return false };
    let is_number = |word: &[u8]| word.iter().all(u8::is_ascii_digit);
    match &words[day..] {
        [_, month, date, time, rest @ ..] if day == 2 => {
            let has_year = rest.iter().take(2).any(|word| word.len() == 4 && is_number(word));
            month.len() == 3 && is_number(date) && has_time(time) && has_year && rest.len() <= 2
        }
        _ => false,
    }
}

/// Returns whether `line` begins a header field. A word before `://` is no name of a field.
///
/// ```text
/// field = field-name *WSP ":" unstructured    ; RFC 5322, with the blanks of obs-syntax
/// ```
pub(super) fn is_field(line: &[u8]) -> bool {
    let name = line.iter().take_while(|octet| matches!(octet, b'!'..=b'9' | b';'..=b'~')).count();
    let blanks = line[name..].iter().take_while(|octet| matches!(octet, b' ' | b'\t')).count();
    let rest = &line[name + blanks..];
    name > 0 && rest.starts_with(b":") && !rest.starts_with(b"://")
}

/// Which octets end the lines of a message.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum LineEnds {
    /// LF, perhaps after CR: a CR alone is an octet like others.
    #[default]
    Lf,
    /// CR alone too, as mail programs of the old Mac wrote it.
    Cr,
}

impl LineEnds {
    /// Returns those that the first line of `octets` has.
    pub(super) fn of(octets: &[u8]) -> Self {
        match memchr::memchr2(b'\r', b'\n', octets) {
            Some(end) if octets[end] == b'\r' && octets.get(end + 1) != Some(&b'\n') => Self::Cr,
            _ => Self::Lf,
        }
    }

    /// Returns whether this octet ends a line.
    pub(super) fn end_with(self, octet: u8) -> bool {
        octet == b'\n' || self == Self::Cr && octet == b'\r'
    }

    /// Returns the line that `octets` begin with, without its end, and its length with it.
    pub(super) fn line(self, octets: &[u8]) -> (&[u8], usize) {
        let end = if self == Self::Cr { memchr::memchr2(b'\r', b'\n', octets) } else { None };
        match end {
            Some(end) if octets[end] == b'\r' && octets.get(end + 1) != Some(&b'\n') => {
                (&octets[..end], end + 1)
            }
            _ => line(octets),
        }
    }
}

/// Returns the `From ` line that `octets` begin with, without its end, and its length with it. A CR
/// alone ends it if a header, another `From ` line or nothing follows.
pub(super) fn from_line(octets: &[u8]) -> (&[u8], usize) {
    if LineEnds::of(octets) == LineEnds::Lf {
        return line(octets);
    }
    let (found, length) = LineEnds::Cr.line(octets);
    let rest = &octets[length..];
    let begins = rest.is_empty()
        || blank(rest).is_some()
        || rest.starts_with(POSTMARK)
        || rest.starts_with(b">From ");
    if begins || is_field(rest) { (found, length) } else { line(octets) }
}

/// Returns the length of what programs leave before the first `From ` line of a file: empty lines,
/// and if such a line follows near the beginning, a BOM and octets 00. `is_first` if the octets are
/// the first of the file.
pub(super) fn beginning(octets: &[u8], is_first: bool) -> usize {
    let mut empty = 0;
    while let Some(length) = blank(&octets[empty..]) {
        empty += length;
    }
    let mark = if is_first && octets.starts_with(b"\xEF\xBB\xBF") { 3 } else { 0 };
    let others =
        octets[mark..].iter().take_while(|octet| matches!(octet, 0 | b'\r' | b'\n')).count();
    let rest = &octets[mark + others..];
    let is_followed = rest.starts_with(POSTMARK) || rest.starts_with(b">From ");
    // What is further away is judged by what is near it, so that a reader that begins there sees
    // the same.
    let is_near = mark + others < LINE;
    if is_followed && is_near { mark + others } else { empty }
}

/// Returns how many octets 00 `octets` end with: a file system leaves them where a write was lost.
pub(super) fn nuls_at_end(octets: &[u8]) -> usize {
    octets.iter().rev().take_while(|octet| **octet == 0).count()
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
        [b'\r', ..] => Some(1),
        _ => None,
    }
}

/// Returns the length of the empty line that `octets` end with, if it is one.
pub(super) fn blank_at_end(octets: &[u8]) -> Option<usize> {
    if let Some(before) = octets.strip_suffix(b"\r") {
        return before
            .ends_with(b"\r")
            .then_some(1)
            .or_else(|| before.ends_with(b"\n").then_some(1));
    }
    let before = octets.strip_suffix(b"\n")?;
    let (before, length) = before.strip_suffix(b"\r").map_or((before, 1), |before| (before, 2));
    before.ends_with(b"\n").then_some(length)
}

/// Returns where the last whole line of `octets` ends.
pub(super) fn line_end_before(octets: &[u8]) -> Option<usize> {
    memchr::memrchr(b'\n', octets).map(|at| at + 1)
}

/// Returns the last line of `octets` without its end, if it is whole and lies within the last
/// `most` octets. It begins after any octet that a `From ` line may come after.
pub(super) fn last_line(octets: &[u8], most: usize) -> Option<&[u8]> {
    let ([line @ .., b'\r', b'\n'] | [line @ .., b'\r' | b'\n']) = octets else { return None };
    match memchr::memrchr3(b'\r', b'\n', 0, line) {
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
    fn lines_that_programs_write() {
        for line in
            ["From joe Thu Nov 19 10:00:00 2026", "From a@example.org  Thu Nov  9 9:00 CET 2026"]
        {
            assert!(is_postmark(line.as_bytes()), "{line}");
        }
        for line in [
            "From Thu Nov 19 10:00:00 2026 on",
            "From that Thu Nov 19 10:00:00 2026 on we met",
            "From joe Thu Nov 19 2026",
            "From here on 10:00 2026",
            "From ",
        ] {
            assert!(!is_postmark(line.as_bytes()), "{line}");
        }
        let hash = "0123456789abcdef0123456789abcdef01234567";
        assert!(is_patch(format!("From {hash} Mon Sep 17 00:00:00 2001").as_bytes()));
        assert!(!is_patch(format!("From {hash} Tue Sep 18 00:00:00 2001").as_bytes()));
        assert!(
            is_bare(b"From ") && is_bare(b"From  ") && !is_bare(b"From") && !is_bare(b"From x")
        );
    }

    #[test]
    fn empty_lines_at_both_ends() {
        assert_eq!(
            (blank(b"\r\nx"), blank(b"\nx"), blank(b"x\n"), blank(b"")),
            (Some(2), Some(1), None, None)
        );
        for (octets, length) in [
            ("a\n\n", Some(1)),
            ("a\r\n\r\n", Some(2)),
            ("a\r\r", Some(1)),
            ("a\n\r", Some(1)),
            ("a\n", None),
            ("a\r", None),
            ("a\r\r\n", None),
            ("\n", None),
            ("\r", None),
        ] {
            assert_eq!(blank_at_end(octets.as_bytes()), length, "{octets:?}");
        }
    }

    #[test]
    fn fields_have_a_name_and_a_colon() {
        assert!(is_field(b"Subject: x") && is_field(b"X:") && is_field(b"Subject \t: x"));
        assert!(
            !is_field(b"the chairman: x")
                && !is_field(b": x")
                && !is_field(b" X: x")
                && !is_field(b"")
        );
        assert!(!is_field(b"https://example.org"));
    }
}
