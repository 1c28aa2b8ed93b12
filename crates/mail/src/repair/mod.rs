//! Text that was read in the wrong charset by somebody else, put right: from the characters alone,
//! since the octets are gone.
//!
//! Each line is written back into the octets that it was misread from, and read again. That is
//! believed only where hardly anything else explains the line ([`misread`], [`legacy`],
//! [`escapes`]); in doubt a line stays as it is.

mod doubt;
mod escapes;
mod legacy;
mod misread;
mod page;
mod plausible;
mod readings;

use std::borrow::Cow;
use std::fmt;
use std::ops::Range;

pub use self::doubt::{doubtful, doubtful_text};
pub use self::escapes::holds_shift;
pub use self::readings::plausible_readings;
pub use self::readings::{Reading, ReadingOrigin, readings};
use crate::Charset;
use crate::codec::utf8::first_high;

/// A text with what was undone to mend it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Repaired<'t> {
    text: Cow<'t, str>,
    steps: Vec<RepairStep>,
}

impl<'t> Repaired<'t> {
    /// Returns the text, borrowed if nothing was undone.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Returns the text.
    pub fn into_text(self) -> Cow<'t, str> {
        self.text
    }

    /// Returns what was undone, in words, for sevenbit.
    #[doc(hidden)]
    pub fn detail(&self) -> String {
        let steps: Vec<String> = self.steps.iter().map(RepairStep::to_string).collect();
        steps.join("; ")
    }

    /// Returns whether anything was undone.
    pub fn is_changed(&self) -> bool {
        !self.steps.is_empty()
    }

    /// Returns what was undone in some line, each kind once, in the order in which it was first
    /// undone.
    pub fn steps(&self) -> &[RepairStep] {
        &self.steps
    }
}

/// A mistake of another program that [`repair_text`] undoes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum RepairStep {
    /// Text in `written_in` had been read as if it were in `read_as`.
    Misread {
        /// The charset of the octets.
        written_in: Charset,
        /// The charset that they were taken for.
        read_as: Charset,
    },
    /// No-break spaces, which stood for an octet of UTF-8, had become spaces.
    BlanksRestored,
    /// ISO-2022-JP had lost its escape characters: `$B$3$s(B`.
    EscapesRestored,
    /// Octets still stood as in quoted-printable: `=FC`.
    QuotedPrintable {
        /// The charset of the octets.
        written_in: Charset,
    },
    /// Letters still stood as the character references of HTML: `&#252;`.
    CharacterReferences,
}

impl fmt::Display for RepairStep {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Misread { written_in, read_as } => {
                write!(f, "{written_in} that was read as {read_as}")
            }
            Self::BlanksRestored => f.write_str("no-break spaces that had become spaces"),
            Self::EscapesRestored => f.write_str("ISO-2022-JP without its escapes"),
            Self::QuotedPrintable { written_in } => write!(f, "quoted-printable in {written_in}"),
            Self::CharacterReferences => f.write_str("character references"),
        }
    }
}

/// Mends text that was read in the wrong charset (`schÃ¶n`), once or several times over, or still
/// holds an encoding (`sch&#246;n`). Lines are judged by themselves; one that could have been meant
/// as it is stays.
///
/// ```
/// let repaired = sevenbit::repair_text("schÃ¶ne GrÃ¼ÃŸe");
/// assert_eq!(repaired.text(), "schöne Grüße");
/// assert_eq!(repaired.steps()[0].to_string(), "UTF-8 that was read as windows-1252");
///
/// assert!(!sevenbit::repair_text("MAÇÃ… ÉTÉ »").is_changed());
/// ```
pub fn repair_text(text: &str) -> Repaired<'_> {
    let mut steps = Vec::new();
    let mut mended = Cow::Borrowed(text);
    let by_letters =
        |text: &str, steps: &mut Vec<RepairStep>| legacy::mend(text, legacy::FEW, steps);
    for mend in [escapes::mend, by_lines, by_letters] {
        if let Some(better) = mend(&mended, &mut steps) {
            mended = Cow::Owned(better);
        }
    }
    Repaired { text: mended, steps: distinct(steps) }
}

/// Returns each kind of step once.
fn distinct(steps: Vec<RepairStep>) -> Vec<RepairStep> {
    let mut distinct: Vec<RepairStep> = Vec::new();
    for step in steps {
        if !distinct.contains(&step) {
            distinct.push(step);
        }
    }
    distinct
}

/// Mends the lines that are UTF-8 misread.
fn by_lines(text: &str, steps: &mut Vec<RepairStep>) -> Option<String> {
    with_lines(text, |line| misread::mend(line, steps))
}

/// Returns a text whose lines are what `mend` makes of them; `None` if all of them stay. Lines of
/// US-ASCII stay.
fn with_lines(text: &str, mut mend: impl FnMut(&str) -> Option<String>) -> Option<String> {
    let mut mended = String::new();
    // Where what is not in `mended` yet begins.
    let mut rest = 0;
    for line in lines_beyond_ascii(text) {
        if let Some(better) = mend(&text[line.clone()]) {
            mended.push_str(&text[rest..line.start]);
            mended.push_str(&better);
            rest = line.end;
        }
    }

    if rest == 0 {
        return None;
    }
    mended.push_str(&text[rest..]);
    Some(mended)
}

/// Returns the lines of a text that are not all US-ASCII, with their line ends.
fn lines_beyond_ascii(text: &str) -> impl Iterator<Item = Range<usize>> + '_ {
    let octets = text.as_bytes();
    let mut at = 0;
    std::iter::from_fn(move || {
        let high = at + first_high(&octets[at..]);
        if high == octets.len() {
            return None;
        }
        let start = memchr::memrchr(b'\n', &octets[at..high]).map_or(at, |end| at + end + 1);
        at = memchr::memchr(b'\n', &octets[high..]).map_or(octets.len(), |end| high + end + 1);
        Some(start..at)
    })
}

#[cfg(test)]
mod tests;
