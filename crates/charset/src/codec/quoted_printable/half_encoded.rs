//! Line ends in quoted-printable of which one half is encoded.

use memchr::memmem;

/// Returns whether quoted-printable has line ends of which one half is encoded and the other is
/// not, perhaps with soft line breaks between the two: readers see one line end or two.
pub fn has_half_encoded_line_ends(raw: &[u8]) -> bool {
    let is = |at: usize, escape: &[u8]| {
        raw.get(at..at + 3).is_some_and(|it| it.eq_ignore_ascii_case(escape))
    };
    let is_line_end = |at: usize| matches!(raw.get(at), Some(b'\r' | b'\n'));
    memmem::find_iter(raw, b"=0").any(|at| is(at, b"=0D") && is_line_end(at + 3))
        || memmem::find_iter(raw, b"\r=").any(|cr| {
            let mut at = cr + 1;
            while let Some(end) = soft_break_end(raw, at) {
                at = end;
            }
            is(at, b"=0A")
        })
}

/// Returns where a soft line break at `at` ends, with any white space in it; nothing is searched
/// for past that, since a hostile body has many that never end.
fn soft_break_end(raw: &[u8], at: usize) -> Option<usize> {
    let after = raw[at..].strip_prefix(b"=")?;
    match after.iter().position(|octet| *octet == b'\n' || !octet.is_ascii_whitespace()) {
        Some(blank) => (after[blank] == b'\n').then_some(at + blank + 2),
        None => Some(raw.len()),
    }
}

/// Returns octets with CR LF for every CR CR LF.
pub fn without_cr_before_crlf(octets: &[u8]) -> Vec<u8> {
    let is_kept = |at: &usize| !octets[*at..].starts_with(b"\r\r\n");
    (0..octets.len()).filter(is_kept).map(|at| octets[at]).collect()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::ascii::{line_end, without_line_end};

    /// Looks at the whole line, however long.
    fn naive_end(raw: &[u8], at: usize) -> Option<usize> {
        let end = line_end(raw, at);
        let after = raw[at..].strip_prefix(b"=").map(|_| without_line_end(&raw[at + 1..end]));
        after.filter(|line| line.trim_ascii().is_empty()).map(|_| end)
    }

    proptest! {
        #[test]
        fn soft_breaks_end_with_their_lines(raw in "(=|[ \t\x0B\x0C]|\r|\n|a){0,10}") {
            for at in 0..=raw.len() {
                prop_assert_eq!(soft_break_end(raw.as_bytes(), at), naive_end(raw.as_bytes(), at), "{}", at);
            }
        }
    }
}
