//! Lists that a program cut into lines wherever the longest line ended, inside a domain too.

use std::borrow::Cow;
use std::ops::Range;

use crate::ascii::is_wsp;

/// The lengths of a line that a program cut because no line may be longer (RFC 5322, 2.1.1: 998
/// octets, or 1,000 with the line end). On the first line the name of the field is not counted.
const FULL_LINE: std::ops::RangeInclusive<usize> = 960..=1000;

/// The longest domain (RFC 1035, 2.3.4).
const MAX_DOMAIN: usize = 255;

/// Returns a list of addresses without the folds inside domains: `cy@h` CRLF ` otmail.example`, at
/// the end of a line that is as long as any may be. No other line of that length ends with half of
/// an address.
pub fn without_cuts(value: &[u8]) -> Cow<'_, [u8]> {
    let (mut out, mut kept) = (Vec::new(), 0);
    let mut line = 0;
    for end in memchr::memchr_iter(b'\n', value) {
        let start = std::mem::replace(&mut line, end + 1);
        if let Some(fold) = cut_at(value, start, end) {
            out.extend_from_slice(&value[kept..fold.start]);
            kept = fold.end;
        }
    }
    if kept == 0 {
        return Cow::Borrowed(value);
    }
    out.extend_from_slice(&value[kept..]);
    Cow::Owned(out)
}

/// Returns the fold at the end of the line `start..end` if it cuts a domain.
fn cut_at(value: &[u8], start: usize, end: usize) -> Option<Range<usize>> {
    let before = value[start..end].strip_suffix(b"\r").unwrap_or(&value[start..end]);
    if !FULL_LINE.contains(&before.len()) {
        return None;
    }
    let after = value[end + 1..].split_first().filter(|(first, _)| is_wsp(**first))?.1;
    let is_of_domain = |octet: &u8| octet.is_ascii_alphanumeric() || matches!(octet, b'-' | b'.');
    let near = &before[before.len().saturating_sub(MAX_DOMAIN + 1)..];
    let at = near.iter().rposition(|octet| !is_of_domain(octet)).filter(|&at| near[at] == b'@')?;
    let first = &near[at + 1..];
    let length = after.iter().take(MAX_DOMAIN).take_while(|octet| is_of_domain(octet)).count();
    let ends = |octet: &u8| matches!(octet, b',' | b'>' | b';' | b'\r' | b'\n');
    let is_end = after.get(length).is_none_or(ends);
    let is_whole = length > 0 && (first.contains(&b'.') || after[..length].contains(&b'.'));
    (is_end && is_whole).then_some(start + before.len()..end + 2)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_domain_is_whole_again_after_a_line_of_full_length() {
        let list = |length: usize, last: &str, next: &str| {
            let filled = "a".repeat(length - last.len() - "@b.example, ".len());
            format!("{filled}@b.example, {last}\r\n{next}").into_bytes()
        };
        for (length, last, next, is_cut) in [
            (994, "cy@h", " otmail.example, d@e.example", true),
            (996, "Cy <cy@hotmail", "\t.example>\r\n", true),
            (994, "cy@hotmail.ex", " ample", true),
            // A line that ends where it likes, a name after an address, a local part, and what is
            // no domain.
            (900, "cy@h", " otmail.example", false),
            (994, "cy@h", " otmail.example <d@e.example>", false),
            (994, "cy", " cy@hotmail.example", false),
            (994, "cy@h", " otmail", false),
            (994, "cy@h,", " otmail.example", false),
        ] {
            let value = list(length, last, next);
            let whole = without_cuts(&value);
            assert_eq!(matches!(whole, Cow::Owned(_)), is_cut, "{last:?} {next:?}");
            assert_eq!(whole.len() + if is_cut { 3 } else { 0 }, value.len());
        }
    }
}
