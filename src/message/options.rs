//! The options of a caller: one table of named values, each with a safe default, and the limits.

use crate::{Charset, Limits, ParseError};

/// An option as front ends ask for it: its name, its meaning, and the words of its values.
/// [`Normalizer::OPTIONS`] has all of them, and [`Normalizer::set`] takes name and word.
///
/// [`Normalizer::OPTIONS`]: crate::Normalizer::OPTIONS
/// [`Normalizer::set`]: crate::Normalizer::set
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct OptionSchema {
    /// The name: words with dashes between, `text-encoding`.
    pub name: &'static str,
    /// The meaning, in a sentence or two.
    pub summary: &'static str,
    /// The values, in the order of the documentation.
    pub values: &'static [ValueSchema],
    /// The word of the default.
    pub default: &'static str,
}

/// A value of an option: its word, and its meaning.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct ValueSchema {
    /// The word.
    pub word: &'static str,
    /// Another word that is taken for it, of earlier versions.
    pub alias: Option<&'static str>,
    /// The meaning, in a sentence or two.
    pub summary: &'static str,
}

/// `options!` makes everything that is said of options out of one table: the types with their
/// words, the options of a normaliser with their defaults, its setters by type and by name, and the
/// schema for front ends.
///
/// A new option is a row here; what follows from it is decided in `policy.rs`.
macro_rules! options {
    ($(
        $(#[doc = $summary:literal])+
        $option:literal $field:ident: $name:ident, $kind:literal, default $default:ident {
            $(
                $(#[doc = $meaning:literal])+
                $word:literal $(| $alias:literal)? $value:ident,
            )+
        }
    )+) => {
        /// The types of the options, which the library re-exports as a whole.
        pub(crate) mod choices {
            use sevenbit_charset::words;

            $(
                $(#[doc = $summary])+
                #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
                #[non_exhaustive]
                pub enum $name {
                    $($(#[doc = $meaning])+ $value,)+
                }

                impl Default for $name {
                    fn default() -> Self {
                        Self::$default
                    }
                }

                words!($name, $kind: $($value $word $(| $alias)?),+);
            )+
        }
        pub use choices::*;

        /// All options.
        #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
        pub(crate) struct Options {
            $(pub(crate) $field: $name,)+
            pub(crate) limits: Limits,
            pub(crate) read_as: Option<Charset>,
        }

        impl crate::Normalizer {
            /// Every option but the limits: what there is to [`set`](Self::set), for front ends.
            pub const OPTIONS: &'static [OptionSchema] = &[$(
                OptionSchema {
                    name: $option,
                    summary: concat!($($summary),+).trim_ascii_start(),
                    values: &[$(
                        ValueSchema {
                            word: $word,
                            alias: [$(Some($alias),)? None][0],
                            summary: concat!($($meaning),+).trim_ascii_start(),
                        },
                    )+],
                    default: $name::$default.as_str(),
                },
            )+];

            $(
                $(#[doc = $summary])+
                pub fn $field(mut self, $field: $name) -> Self {
                    self.options.$field = $field;
                    self
                }
            )+

            /// Sets the option of that name to the value of that word: for options that come as
            /// text.
            ///
            /// # Errors
            /// There is no such option, or it has no such word; both errors list those that there
            /// are.
            ///
            /// ```
            /// let mut transport = sevenbit::Normalizer::new();
            /// transport.set("profile", "transport")?;
            /// assert_eq!(transport.option("profile"), Some("transport"));
            ///
            /// let error = transport.set("profile", "transpot").unwrap_err();
            /// assert_eq!(error.to_string(), "\"transpot\" is no profile: transport or archive");
            /// assert!(transport.set("profil", "archive").is_err());
            /// # Ok::<(), sevenbit::ParseError>(())
            /// ```
            pub fn set(&mut self, name: &str, word: &str) -> Result<(), ParseError> {
                match name {
                    $($option => self.options.$field = word.parse()?,)+
                    _ => return Err(ParseError::new(name, "option", &[$($option),+])),
                }
                Ok(())
            }

            /// Returns the word to which the option of that name is set; `None` if there is no such
            /// option.
            pub fn option(&self, name: &str) -> Option<&'static str> {
                match name {
                    $($option => Some(self.options.$field.as_str()),)+
                    _ => None,
                }
            }
        }
    };
}

options! {
    /// How much is rewritten.
    "profile" profile: Profile, "profile", default Archive {
        /// Only what is not 7-bit safe or is ambiguous: for MTAs and filters.
        "transport" Transport,
        /// Also every header and inline text body, to UTF-8: for archives, webmail stores and
        /// indexing.
        "archive" Archive,
    }

    /// The treatment of signed or encrypted content that is not 7-bit safe (rule G12).
    "signed" signed: Signed, "policy for signed content", default Break {
        /// The content is made safe by changing only its transfer encoding, and `signature-broken`
        /// is reported.
        "break" Break,
        /// The whole message is returned as it was, and `refused` is reported.
        "refuse" Refuse,
    }

    /// Which encodings a text body may be written in (rule B3).
    "text-encoding" text_encoding: TextEncoding, "text encoding", default Mime {
        /// 7bit, quoted-printable or base64, whichever is right and shortest.
        "mime" Mime,
        /// UTF-7 in 7bit as well, if that is shorter.
        "utf-7" | "utf7" Utf7,
    }

    /// The treatment of text that does not decode under its label (rule B7).
    "undecodable" undecodable: Undecodable, "policy for undecodable text", default Keep {
        /// Octets and label stay; only the transfer encoding changes.
        "keep" Keep,
        /// U+FFFD is written for each ill-formed sequence, reported as loss.
        "replace" Replace,
    }

    /// The treatment of text that reads as mojibake, which its label, or who wrote it, is to blame
    /// for (rule B7, archive).
    "doubtful" doubtful: Doubtful, "policy for doubtful text", default Note {
        /// It stays, and nothing is said of it.
        "keep" Keep,
        /// It stays, and `label-doubtful` is reported.
        "note" Note,
        /// What it was before it was misread is written, and `text-repaired` is reported.
        "repair" Repair,
    }

    /// How 8-bit text without a charset label is labelled in transport (rules H3 and B7). An
    /// archive always reads what it can.
    "unlabelled" unlabelled: Unlabelled, "policy for unlabelled text", default Guess {
        /// `unknown-8bit`, as its charset was not stated. Programs show such text undecoded.
        "keep" Keep,
        /// The charset that it is guessed to be in if that is sure, otherwise `unknown-8bit`. The
        /// octets are the same.
        "guess" Guess,
    }

    /// Whether charset declarations inside HTML and XML are adjusted to the new charset (rule B5,
    /// archive).
    "markup" markup: Markup, "policy for markup", default Rewrite {
        /// The declarations are rewritten to agree.
        "rewrite" Rewrite,
        /// The declarations stay as they are.
        "keep" Keep,
    }

    /// The place of a name that a comment after an address gives, `ada@example.org (Ada)` (rule H6,
    /// archive).
    "comment-names" comment_names: CommentNames, "policy for names in comments", default Keep {
        /// The name stays in the comment, which half of all readers show as a name.
        "keep" Keep,
        /// The name is written before the address, where all readers show it: `Ada <ada@example.org>`.
        "rewrite" Rewrite,
    }
}

#[cfg(test)]
mod tests {
    use crate::Normalizer;

    #[test]
    fn every_word_of_every_option_is_set_and_told() {
        for option in Normalizer::OPTIONS {
            assert_eq!(
                Normalizer::new().option(option.name),
                Some(option.default),
                "{}",
                option.name
            );
            assert!(
                !option.summary.starts_with(' ') && !option.summary.is_empty(),
                "{}",
                option.name
            );
            for value in option.values {
                for word in [Some(value.word), value.alias].into_iter().flatten() {
                    let mut normalizer = Normalizer::new();
                    normalizer.set(option.name, word).expect("a word of the option");
                    assert_eq!(
                        normalizer.option(option.name),
                        Some(value.word),
                        "{} {word}",
                        option.name
                    );
                }
            }
        }
    }

    #[test]
    fn unknown_names_and_words_change_nothing() {
        let mut normalizer = Normalizer::new();
        for (name, word) in
            [("profil", "archive"), ("profile", "Archive"), ("profile", ""), ("limits", "1")]
        {
            assert!(normalizer.set(name, word).is_err(), "{name} {word}");
        }
        assert_eq!(normalizer.options, Normalizer::new().options);
        assert_eq!(normalizer.option("profil"), None);
    }
}
