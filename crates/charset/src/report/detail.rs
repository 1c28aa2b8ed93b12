//! What an issue says beyond its code: facts for programs, and words for people.

use std::borrow::Cow;
use std::fmt;

use crate::{Charset, Code, Guess, Issue};

/// The detail of an [`Issue`]: what was done, or to what. It is written in words for people; what a
/// program may want to know is a value.
///
/// ```
/// use sevenbit_charset::{Charset, Detail};
///
/// let detail = Detail::Charset(Charset::WINDOWS_1252);
/// assert_eq!(detail.to_string(), "windows-1252");
/// let thrice = Detail::Repeated { times: 3, first: Box::new(detail) };
/// assert_eq!(thrice.to_string(), "3 times, first windows-1252");
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum Detail {
    /// Nothing: the code says it all.
    #[default]
    None,
    /// What stood in the message, or what became of it, in words for people.
    Text(Cow<'static, str>),
    /// The charset that the issue is about.
    Charset(Charset),
    /// The charset that was guessed, and how sure that is.
    Guess(Guess),
    /// Other codes that the issue stands for, each once.
    Codes(Vec<Code>),
    /// What is found several times, at least twice: how often, and the detail of the first.
    Repeated {
        /// How often it was found.
        times: usize,
        /// The detail of the first.
        first: Box<Detail>,
    },
    /// How many issues of the same code follow that are not listed one by one.
    More(usize),
}

impl Detail {
    /// Returns whether there is nothing to say.
    pub fn is_none(&self) -> bool {
        *self == Self::None
    }

    /// Returns the detail of the first, of what was found several times; of others the detail
    /// itself.
    fn of_one(&self) -> &Self {
        match self {
            Self::Repeated { first, .. } => first.of_one(),
            one => one,
        }
    }
}

impl From<&'static str> for Detail {
    /// Words; of empty ones nothing.
    fn from(words: &'static str) -> Self {
        Cow::Borrowed(words).into()
    }
}

impl From<String> for Detail {
    /// Words; of empty ones nothing.
    fn from(words: String) -> Self {
        Cow::<'static, str>::Owned(words).into()
    }
}

impl From<Cow<'static, str>> for Detail {
    /// Words; of empty ones nothing.
    fn from(words: Cow<'static, str>) -> Self {
        if words.is_empty() { Self::None } else { Self::Text(words) }
    }
}

impl From<Charset> for Detail {
    fn from(charset: Charset) -> Self {
        Self::Charset(charset)
    }
}

impl From<Guess> for Detail {
    fn from(guess: Guess) -> Self {
        Self::Guess(guess)
    }
}

impl fmt::Display for Detail {
    /// Words on one line: what stands in a message is shown to people, in reports of a line for
    /// each issue and on terminals, so controls and line ends of any kind are written as Rust
    /// writes them, `\u{b}`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::None => Ok(()),
            Self::Text(text) => write_on_one_line(text, f),
            Self::Charset(charset) => f.write_str(charset.name()),
            Self::Guess(guess) => write!(f, "{guess}"),
            Self::Codes(codes) => {
                for (place, code) in codes.iter().enumerate() {
                    f.write_str(if place == 0 { "" } else { ", " })?;
                    f.write_str(code.as_str())?;
                }
                Ok(())
            }
            Self::Repeated { times, first } if first.is_none() => write!(f, "{times} times"),
            Self::Repeated { times, first } => write!(f, "{times} times, first {first}"),
            Self::More(times) => write!(f, "{times} more times"),
        }
    }
}

fn write_on_one_line(text: &str, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    let is_bad = |c: char| c.is_control() || matches!(c, '\u{2028}' | '\u{2029}');
    let mut rest = text;
    while let Some(at) = rest.find(is_bad) {
        let (before, from) = rest.split_at(at);
        f.write_str(before)?;
        let mut characters = from.chars();
        if let Some(bad) = characters.next() {
            write!(f, "{}", bad.escape_default())?;
        }
        rest = characters.as_str();
    }
    f.write_str(rest)
}

impl Issue {
    /// Returns the charset that was guessed, of a [`Code::CharsetGuessed`]; `None` of others, and
    /// of text whose charset nobody knows.
    ///
    /// ```
    /// let done = sevenbit::normalize("Subject: Привет, как дела?\r\n\r\n".as_bytes());
    /// assert!(done.report().issues().iter().all(|issue| issue.charset().is_none()));
    /// let koi8 = sevenbit::Charset::for_label("koi8-r").unwrap();
    /// let raw = [b"Subject: ", &*koi8.encode("Привет, как дела?").unwrap(), b"\r\n\r\n"].concat();
    /// let done = sevenbit::normalize(&raw);
    /// assert_eq!(done.report().issues().iter().find_map(|issue| issue.charset()), Some(koi8));
    /// ```
    pub fn charset(&self) -> Option<Charset> {
        match self.detail().of_one() {
            _ if self.code() != Code::CharsetGuessed => None,
            Detail::Charset(charset) => Some(*charset),
            Detail::Guess(guess) => Some(guess.charset()),
            _ => None,
        }
    }

    /// Returns what readers interpret in different ways in signed content that stays as it is, of a
    /// [`Code::AmbiguousSignedContent`]; of others none.
    pub fn related(&self) -> impl Iterator<Item = Code> + '_ {
        let codes = match self.detail().of_one() {
            Detail::Codes(codes) => codes.as_slice(),
            _ => &[],
        };
        codes.iter().copied()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Span;

    fn issue(code: Code, detail: impl Into<Detail>) -> Issue {
        Issue::from_parts(code, Span::new(0, 1), "1", detail)
    }

    #[test]
    fn charsets_and_codes_are_values() {
        let codes = vec![Code::HeaderNotEnded, Code::BoundaryMissing];
        let signed = issue(Code::AmbiguousSignedContent, Detail::Codes(codes.clone()));
        assert_eq!(signed.related().collect::<Vec<_>>(), codes);
        assert_eq!(signed.detail().to_string(), "header-not-ended, boundary-missing");

        let first = Box::new(Detail::Guess(Guess::WITHOUT_EVIDENCE));
        let guessed = issue(Code::CharsetGuessed, Detail::Repeated { times: 2, first });
        assert_eq!(guessed.charset(), Some(Charset::WINDOWS_1252));
        assert_eq!(guessed.related().count(), 0);
        assert_eq!(issue(Code::Transcoded, Charset::UTF_8).charset(), None);
        // Words are for people, whatever they say.
        assert_eq!(issue(Code::CharsetGuessed, "windows-1252 (0.93)").charset(), None);
    }

    #[test]
    fn words_are_on_one_line() {
        let shown = |words: &'static str| Detail::from(words).to_string();
        assert_eq!(shown("a\r\nb\u{2028}c\u{7}"), r"a\r\nb\u{2028}c\u{7}");
        assert_eq!(shown("é"), "é");
        assert_eq!(shown(""), "");
        assert!(Detail::from("").is_none());
    }
}
