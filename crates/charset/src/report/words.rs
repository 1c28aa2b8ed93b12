//! Words for values: what a value is called on the command line, in a configuration file and in
//! every language.

use std::fmt;

/// Why text is no value of the type that it was to be parsed as.
///
/// ```
/// use sevenbit::Profile;
///
/// assert_eq!("archive".parse(), Ok(Profile::Archive));
/// let error = "archiv".parse::<Profile>().unwrap_err();
/// assert_eq!(error.to_string(), "\"archiv\" is no profile: transport or archive");
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ParseError {
    text: String,
    kind: &'static str,
    known: &'static [&'static str],
}

impl ParseError {
    /// `known` are the words that there are, if they are few.
    #[doc(hidden)]
    pub fn new(text: &str, kind: &'static str, known: &'static [&'static str]) -> Self {
        Self { text: text.to_owned(), kind, known }
    }
}

impl fmt::Display for ParseError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?} is no {}", self.text, self.kind)?;
        match self.known {
            [] => Ok(()),
            [all @ .., last] => write!(f, ": {} or {last}", all.join(", ")),
        }
    }
}

impl std::error::Error for ParseError {}

/// `words!(Type, "kind": Value "word" | "alias", ...)` gives each value of an option its word:
/// `ALL`, `as_str`, `Display` and `FromStr`. An alias is a word of earlier versions, which is only
/// read.
#[doc(hidden)]
#[macro_export]
macro_rules! words {
    ($name:ident, $kind:literal: $($value:ident $word:literal $(| $alias:literal)?),+) => {
        impl $name {
            /// Every value, in the order of the documentation.
            pub const ALL: &'static [$name] = &[$($name::$value,)+];

            /// Returns the word for it, which [`str::parse`] reads.
            pub const fn as_str(self) -> &'static str {
                match self { $($name::$value => $word,)+ }
            }
        }

        impl std::fmt::Display for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.pad(self.as_str())
            }
        }

        impl std::str::FromStr for $name {
            type Err = $crate::ParseError;

            fn from_str(word: &str) -> Result<Self, $crate::ParseError> {
                match word {
                    $($word $(| $alias)? => Ok($name::$value),)+
                    _ => Err($crate::ParseError::new(word, $kind, &[$($word),+])),
                }
            }
        }
    };
}
