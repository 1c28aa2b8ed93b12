//! Which line delimits which multipart (rule B8), and which one a careless reader would take for a
//! delimiter (rule G6).

use std::ops::Range;
use std::sync::LazyLock;

use memchr::memmem::{self, Finder};

use super::line_ends::line_end;

/// The beginning of a delimiter line.
pub const DASHES: &[u8] = b"--";

/// The two hyphens, with the line end before them.
static DELIMITER: LazyLock<Finder<'static>> = LazyLock::new(|| Finder::new(b"\n--"));

/// Returns the lines that begin with two hyphens in `range`, which begins with a line.
pub(super) fn dashed_lines(
    octets: &[u8],
    range: Range<usize>,
) -> impl Iterator<Item = Range<usize>> {
    let first = octets[range.clone()].starts_with(DASHES).then_some(range.start);
    let others = DELIMITER.find_iter(&octets[range.clone()]).map(move |at| range.start + at + 1);
    first.into_iter().chain(others).map(|start| start..line_end(octets, start))
}

/// Returns the beginning of a line that is a delimiter of `boundary`, or that a reader that
/// compares prefixes takes for one.
pub fn delimiter_start(boundary: &[u8]) -> Vec<u8> {
    [DASHES, boundary].concat()
}

/// Returns whether any line of `content` [begins like a delimiter](delimiter_start), whatever its
/// line ends are.
pub fn holds_delimiter_like_line(content: &[u8], boundary: &[u8]) -> bool {
    let begins_line = |at: usize| at == 0 || matches!(content[at - 1], b'\r' | b'\n');
    memmem::find_iter(content, &delimiter_start(boundary)).any(begins_line)
}

/// Which multipart a delimiter line belongs to, and which kind it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Delimiter {
    /// Index of the multipart's entity.
    pub entity: usize,
    /// Whether it is the close delimiter.
    pub close: bool,
}

/// The boundaries of the multiparts around the current position, outermost first.
#[derive(Clone, Debug, Default)]
pub struct OpenBoundaries {
    open: Vec<Boundary>,
    /// The message inside which those around it come first.
    enclosed: Option<Enclosed>,
}

/// A message whose boundaries delimit only what those around it do not, and how many these are.
#[derive(Clone, Copy, Debug)]
struct Enclosed {
    entity: usize,
    around: usize,
}

#[derive(Clone, Debug)]
struct Boundary {
    text: Vec<u8>,
    /// The last octet of the text: where many are open, that is where most lines differ.
    last: u8,
    entity: usize,
    state: State,
}

/// Whether lines with a boundary still delimit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum State {
    /// Before the first delimiter.
    Open,
    /// After the first delimiter.
    Begun,
    /// After the close delimiter, or around decoded content: such a line no longer delimits
    /// anything, but some reader may take it for a delimiter.
    Watched,
}

impl OpenBoundaries {
    /// Returns whether no line can be a delimiter or be mistaken for one.
    pub fn is_empty(&self) -> bool {
        self.open.is_empty()
    }

    /// Opens the boundary of multipart `entity`.
    pub fn push(&mut self, text: Vec<u8>, entity: usize) {
        // No multipart has an empty one.
        let last = text.last().copied().unwrap_or(0);
        self.open.push(Boundary { text, last, entity, state: State::Open });
    }

    /// Notes that a delimiter of `entity` was read.
    pub(super) fn set(&mut self, entity: usize, state: State) {
        // Usually the innermost one.
        if let Some(boundary) =
            self.open.iter_mut().rev().find(|boundary| boundary.entity == entity)
        {
            boundary.state = state;
        }
    }

    /// Enters the message `entity`, which some readers do not look into: inside it, a line that
    /// also delimits a multipart around it is left to that one.
    pub fn enclose(&mut self, entity: usize) {
        self.enclosed.get_or_insert(Enclosed { entity, around: self.open.len() });
    }

    /// Leaves the multipart or message `entity`.
    pub fn pop(&mut self, entity: usize) {
        self.enclosed = self.enclosed.filter(|enclosed| enclosed.entity != entity);
        if let Some(at) = self.open.iter().rposition(|boundary| boundary.entity == entity) {
            self.open.remove(at);
        }
    }

    /// Returns these boundaries around content that was decoded: watched, so that none delimits.
    pub fn watched(&self) -> Self {
        let watch = |boundary: &Boundary| Boundary { state: State::Watched, ..boundary.clone() };
        Self { open: self.open.iter().map(watch).collect(), enclosed: None }
    }

    /// Returns the delimiter that `line` is (without its line end, beginning with `--`), if it is
    /// one:
    ///
    /// ```text
    /// delimiter       := CRLF "--" boundary       ; RFC 2046, 5.1.1
    /// close-delimiter := delimiter "--"
    /// transport-padding := *LWSP-char
    /// ```
    ///
    /// Deviation:
    /// 1. A close delimiter before any other delimiter of its multipart closes nothing: half of all
    ///    readers skip it, and show the parts that the others do not see.
    pub fn find(&self, line: &[u8]) -> Option<Delimiter> {
        let mark = trim_end(&line[DASHES.len()..]);
        let delimiter = |boundary: &Boundary| match &mark[boundary.text.len()..] {
            _ if boundary.state == State::Watched => None,
            b"" => Some(Delimiter { entity: boundary.entity, close: false }),
            DASHES if boundary.state == State::Begun => {
                Some(Delimiter { entity: boundary.entity, close: true })
            }
            _ => None,
        };
        let (around, all) = (self.enclosed.map_or(0, |enclosed| enclosed.around), self.open.len());
        let innermost = |among| self.prefixes(among, mark).rev().find_map(delimiter);
        innermost(0..around).or_else(|| innermost(around..all))
    }

    /// Returns whether `line` is a delimiter of one of them.
    #[inline]
    pub fn delimits(&self, line: &[u8]) -> bool {
        line.starts_with(DASHES) && self.find(line).is_some()
    }

    /// Returns the multiparts other than `own` for whose delimiter a reader that compares prefixes
    /// takes `line`.
    pub fn taken_for<'d>(
        &'d self,
        line: &'d [u8],
        own: Option<usize>,
    ) -> impl Iterator<Item = usize> + 'd {
        self.prefixes(0..self.open.len(), &line[DASHES.len()..])
            .map(|boundary| boundary.entity)
            .filter(move |&entity| Some(entity) != own)
    }

    /// Returns those boundaries that `mark` begins with: such a line begins like [their
    /// delimiter](delimiter_start).
    fn prefixes<'d>(
        &'d self,
        among: Range<usize>,
        mark: &'d [u8],
    ) -> impl DoubleEndedIterator<Item = &'d Boundary> {
        self.open[among].iter().filter(|boundary| {
            mark.get(boundary.text.len() - 1) == Some(&boundary.last)
                && mark.starts_with(&boundary.text)
        })
    }
}

/// Returns `octets` without trailing spaces, TABs and CRs.
fn trim_end(octets: &[u8]) -> &[u8] {
    let end = octets
        .iter()
        .rposition(|&octet| !matches!(octet, b' ' | b'\t' | b'\r'))
        .map_or(0, |at| at + 1);
    &octets[..end]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_delimiter_is_a_whole_line() {
        let mut open = OpenBoundaries::default();
        open.push(b"b".to_vec(), 1);
        open.push(b"b2".to_vec(), 2);
        assert_eq!(open.find(b"--b2--"), None);
        (1..=2).for_each(|entity| open.set(entity, State::Begun));
        let found =
            |line: &[u8]| open.find(line).map(|delimiter| (delimiter.entity, delimiter.close));
        assert_eq!(found(b"--b"), Some((1, false)));
        assert_eq!(found(b"--b2-- \t"), Some((2, true)));
        assert_eq!(found(b"--bogus"), None);
        assert_eq!(found(b"--b-- x"), None);
        assert_eq!(open.taken_for(b"--b2", Some(2)).collect::<Vec<_>>(), [1]);
        assert_eq!(open.taken_for(b"--bogus", None).collect::<Vec<_>>(), [1]);
    }

    #[test]
    fn boundaries_around_an_enclosed_message_come_first() {
        let mut open = OpenBoundaries::default();
        open.push(b"b".to_vec(), 1);
        open.set(1, State::Begun);
        open.enclose(2);
        for (entity, text) in [(3, "b"), (4, "c")] {
            open.push(text.as_bytes().to_vec(), entity);
            open.set(entity, State::Begun);
        }
        let found =
            |open: &OpenBoundaries, line: &[u8]| open.find(line).map(|delimiter| delimiter.entity);
        assert_eq!(
            (found(&open, b"--b"), found(&open, b"--b--"), found(&open, b"--c")),
            (Some(1), Some(1), Some(4))
        );
        open.pop(2);
        assert_eq!(found(&open, b"--b"), Some(3));
    }

    #[test]
    fn all_that_a_line_begins_with_are_found() {
        let texts = ["b", "ba", "ba", "bab", "bb", "c", "ca", "b--", "--"];
        for (first, last) in [(0, 2), (0, 9), (3, 8)] {
            let mut open = OpenBoundaries::default();
            (first..last).for_each(|at| open.push(texts[at].as_bytes().to_vec(), at));
            (first..last).for_each(|at| open.set(at, State::Begun));
            for text in [
                "", "b", "ba", "bac", "bab", "baba", "bb--", "b--", "----", "d", "a", "c", "ca-",
                "ba--",
            ] {
                let line = format!("--{text}");
                let mut found: Vec<_> = open.taken_for(line.as_bytes(), None).collect();
                found.sort_unstable();
                let alike = |&at: &usize| {
                    line.as_bytes().starts_with(&delimiter_start(texts[at].as_bytes()))
                };
                let begin: Vec<_> = (first..last).filter(alike).collect();
                let held = |&at: &usize| {
                    holds_delimiter_like_line(format!("a\r{line}").as_bytes(), texts[at].as_bytes())
                };
                assert!(begin.iter().all(held), "{text}");
                assert_eq!(found, begin, "{text}");
                let close = |at: usize| text.strip_prefix(texts[at]) == Some("--");
                let delimiter = (first..last).rev().find(|&at| text == texts[at] || close(at));
                let found = open.find(line.as_bytes());
                assert_eq!(
                    found,
                    delimiter.map(|entity| Delimiter { entity, close: close(entity) }),
                    "{text}"
                );
            }
        }
    }
}
