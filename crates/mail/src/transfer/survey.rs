//! Which octets a body holds, and whether its lines are too long, at vector speed.

use crate::codec::octet_kinds::OctetKinds;
use crate::codec::scan;
use crate::lengths::MAX_LINE;

/// The line ends of a body (rule B10). CRLF always is one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum LineEnds {
    /// CRLF only; CR or LF alone is bare.
    Crlf,
    /// LF as well, since the message was stored that way; CR alone is bare.
    Lf,
    /// CR as well; LF alone is bare.
    Cr,
}

/// The kinds of octets in a body, and its longest line.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Survey {
    /// An octet above 7F.
    pub eight_bit: bool,
    /// An octet 00.
    pub nul: bool,
    /// A CR that is neither part of CRLF nor a line end of its own.
    pub bare_cr: bool,
    /// A LF that is neither part of CRLF nor a line end of its own.
    pub bare_lf: bool,
    /// The octets of the longest line, its line end not counted, if that is more than [`MAX_LINE`];
    /// otherwise
    /// 0. Lines that fit are not measured, so that most octets need not be examined.
    pub longest_line: usize,
}

impl Survey {
    /// Surveys all of `octets`.
    pub fn of(octets: &[u8], line_ends: LineEnds) -> Self {
        let seen = OctetKinds::of(octets);
        let (bare_cr, bare_lf) =
            if seen.bare_line_end { bare_line_ends(octets) } else { (false, false) };
        let survey = Self {
            eight_bit: seen.eight_bit,
            nul: seen.nul,
            bare_cr: bare_cr && line_ends != LineEnds::Cr,
            bare_lf: bare_lf && line_ends != LineEnds::Lf,
            longest_line: 0,
        };
        let longest_line = match line_ends {
            // Some CR or LF does not end a line here.
            LineEnds::Crlf if survey.bare_lf => longest_line_closely(octets),
            LineEnds::Crlf | LineEnds::Lf => longest_line(octets, b'\n'),
            LineEnds::Cr => longest_line(octets, b'\r'),
        };
        Self { longest_line, ..survey }
    }

    /// Returns whether the octets may travel as 7bit (RFC 2045, 2.7): US-ASCII without NUL, CR and
    /// LF only as line ends, no line too long.
    pub const fn is_seven_bit(&self) -> bool {
        !self.eight_bit && self.is_eight_bit_safe()
    }

    /// Returns whether they are 7-bit safe once every bare line end is repaired, if both LF and CR
    /// LF end a line.
    pub const fn has_safe_lines(&self) -> bool {
        !self.eight_bit && !self.nul && self.longest_line <= MAX_LINE
    }

    /// Returns whether they may travel as 8bit (RFC 2045, 2.8).
    pub const fn is_eight_bit_safe(&self) -> bool {
        !self.nul && !self.bare_cr && !self.bare_lf && self.longest_line <= MAX_LINE
    }
}

/// Returns whether any CR or LF is not part of a CR LF.
pub fn has_bare_line_end(octets: &[u8]) -> bool {
    OctetKinds::of(octets).bare_line_end
}

/// Returns whether there is any bare CR, and whether there is any bare LF.
fn bare_line_ends(octets: &[u8]) -> (bool, bool) {
    let bare_cr = |octet, next| (octet == b'\r') & (next != b'\n');
    let bare_lf = |octet, next| (octet != b'\r') & (next == b'\n');
    (
        octets.last() == Some(&b'\r') || scan::any_pair(octets, bare_cr),
        octets.first() == Some(&b'\n') || scan::any_pair(octets, bare_lf),
    )
}

/// Returns the longest line over the limit, where each `end` ends a line, and the other half of a
/// CRLF with it. Looks back for a line end from as far as a line may reach, and so skips most
/// octets.
fn longest_line(octets: &[u8], end: u8) -> usize {
    let (mut longest, mut start) = (MAX_LINE, 0);
    // A line end anywhere in the window: no line in it is longer than the longest.
    while let Some(window) = octets.get(start..).and_then(|rest| rest.get(..=longest)) {
        let at = match memchr::memrchr(end, window) {
            Some(at) => start + at,
            None => {
                let at =
                    memchr::memchr(end, &octets[start..]).map_or(octets.len(), |at| start + at);
                let cr = end == b'\n' && at < octets.len() && octets[at - 1] == b'\r';
                longest = longest.max(at - start - usize::from(cr));
                at
            }
        };
        let lf = end == b'\r' && octets.get(at + 1) == Some(&b'\n');
        start = at + 1 + usize::from(lf);
    }
    if longest > MAX_LINE { longest } else { 0 }
}

/// Finds the [`longest_line`] if only CRLF ends a line.
fn longest_line_closely(octets: &[u8]) -> usize {
    let ends = memchr::memchr_iter(b'\n', octets).filter(|&at| at > 0 && octets[at - 1] == b'\r');
    let mut start = 0;
    let line = |end| end - 1 - std::mem::replace(&mut start, end + 1);
    let longest = ends.map(line).max().unwrap_or(0).max(octets.len() - start);
    if longest > MAX_LINE { longest } else { 0 }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// The specification: line by line.
    fn naive(octets: &[u8], line_ends: LineEnds) -> Survey {
        let mut survey = Survey::default();
        let (mut at, mut line) = (0, 0);
        while at < octets.len() {
            let crlf = octets[at..].starts_with(b"\r\n");
            let ends = crlf
                || octets[at] == b'\n' && line_ends == LineEnds::Lf
                || octets[at] == b'\r' && line_ends == LineEnds::Cr;
            survey.eight_bit |= octets[at] > 0x7F;
            survey.nul |= octets[at] == 0;
            survey.bare_cr |= octets[at] == b'\r' && !ends;
            survey.bare_lf |= octets[at] == b'\n' && !ends;
            line = if ends { 0 } else { line + 1 };
            survey.longest_line = survey.longest_line.max(line);
            at += if crlf { 2 } else { 1 };
        }
        if survey.longest_line <= MAX_LINE {
            survey.longest_line = 0;
        }
        survey
    }

    #[test]
    fn halves_of_line_ends() {
        for (octets, is_bare) in
            [("", false), ("a\r\n\r\nb", false), ("a\r", true), ("\n", true), ("\r\r\n", true)]
        {
            assert_eq!(has_bare_line_end(octets.as_bytes()), is_bare, "{octets:?}");
            let longer = format!("{0}{octets}{0}", "x".repeat(40));
            assert_eq!(has_bare_line_end(longer.as_bytes()), is_bare, "{octets:?}");
        }
    }

    #[test]
    fn measures_lines_around_the_limit() {
        for end in ["\r\n", "\n", "\r", ""] {
            for length in 995..1003 {
                for line_ends in [LineEnds::Crlf, LineEnds::Lf, LineEnds::Cr] {
                    let text = format!("a{end}{}{end}b{end}", "x".repeat(length));
                    assert_eq!(
                        Survey::of(text.as_bytes(), line_ends),
                        naive(text.as_bytes(), line_ends),
                        "{end:?} {length}"
                    );
                }
            }
        }
    }

    proptest! {
        #[test]
        fn is_the_naive_survey(
            text in "([a-z]{0,99}|(x{300}){0,4}|\r\n|\n|\r|\u{e9}|\0){0,40}",
            line_ends in prop_oneof![Just(LineEnds::Crlf), Just(LineEnds::Lf), Just(LineEnds::Cr)],
        ) {
            prop_assert_eq!(Survey::of(text.as_bytes(), line_ends), naive(text.as_bytes(), line_ends));
        }

        #[test]
        fn of_ordinary_lines_too(text in "(([a-z]{0,99}|(x{300}){0,4}){0,4}\r\n){0,20}") {
            prop_assert_eq!(Survey::of(text.as_bytes(), LineEnds::Crlf), naive(text.as_bytes(), LineEnds::Crlf));
        }
    }
}
