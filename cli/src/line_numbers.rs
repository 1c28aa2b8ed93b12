//! Which lines of a message octets are on, as an editor counts them (`--line-numbers`).

use sevenbit::Span;

use crate::explain::facts::lines::line_ends;

/// The lines of a message.
pub struct LineNumbers {
    /// Where each line begins.
    starts: Vec<usize>,
    length: usize,
}

impl LineNumbers {
    /// Counts the lines of `message`; each ends with CR LF, LF or CR.
    pub fn of(message: &[u8]) -> Self {
        Self {
            starts: std::iter::once(0).chain(line_ends(message)).collect(),
            length: message.len(),
        }
    }

    /// Returns the first and the last line of `span`, from 1; `None` for octets that are not there.
    pub fn at(&self, span: Span) -> Option<[usize; 2]> {
        let line = |octet: usize| self.starts.partition_point(|&start| start <= octet);
        let last = span.end.saturating_sub(1).max(span.start);
        (last <= self.length).then(|| [line(span.start), line(last)])
    }

    /// Returns `line 12`, or `lines 12-14`.
    pub fn said(&self, span: Span) -> Option<String> {
        let [first, last] = self.at(span)?;
        Some(if first == last { format!("line {first}") } else { format!("lines {first}-{last}") })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_counted_from_one() {
        let lines = LineNumbers::of(b"one\r\ntwo\nthree\rfour");
        let said = |start, end| lines.said(Span { start, end });
        assert_eq!(said(0, 3).as_deref(), Some("line 1"));
        assert_eq!(said(0, 5).as_deref(), Some("line 1"));
        assert_eq!(said(3, 6).as_deref(), Some("lines 1-2"));
        assert_eq!(said(5, 5).as_deref(), Some("line 2"));
        assert_eq!(said(16, 19).as_deref(), Some("line 4"));
        assert_eq!(said(19, 19).as_deref(), Some("line 4"));
        assert_eq!(said(19, 30), None);
    }
}
