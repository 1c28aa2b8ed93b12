//! The words that options take, and what they mean to the library.

use clap::ValueEnum;
use serde::Serialize;
use sevenbit::{Markup, Profile, Signed, TextEncoding, Undecodable, Unlabelled};

/// `--profile`.
#[derive(Clone, Copy, Debug, ValueEnum)]
pub enum ProfileChoice {
    /// Only what is not 7-bit safe or is ambiguous: for MTAs and filters
    Transport,
    /// Also every header and inline text body, to UTF-8: for archives and indexing
    Archive,
}

impl From<ProfileChoice> for Profile {
    fn from(choice: ProfileChoice) -> Self {
        match choice {
            ProfileChoice::Transport => Self::Transport,
            ProfileChoice::Archive => Self::Archive,
        }
    }
}

/// `--body`, and `kind` of a body in the manifest.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ValueEnum)]
#[serde(rename_all = "lowercase")]
pub enum BodyChoice {
    /// The plain text, or the HTML as text
    Text,
    /// The same without quotations (`> `) and the signature
    Unquoted,
    /// The HTML, with the text that belongs to it; to be sanitised before it is shown
    Html,
}

/// `--nul`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum NulChoice {
    /// It stays
    Keep,
    /// U+FFFD stands for it, for databases, which refuse it
    Replace,
}

impl NulChoice {
    /// Parses a message, in whose text U+0000 is as this says.
    pub fn parse(self, octets: &[u8]) -> sevenbit::Message<'_> {
        let message = sevenbit::Message::parse(octets);
        match self {
            Self::Keep => message,
            Self::Replace => message.replacing_nul(),
        }
    }
}

/// `--signed`.
#[derive(Clone, Copy, Debug, ValueEnum)]
pub enum SignedChoice {
    /// It is made safe, and that the signature breaks is reported
    Break,
    /// The whole message passes as it is, and exit status 65 says so
    Refuse,
}

impl From<SignedChoice> for Signed {
    fn from(choice: SignedChoice) -> Self {
        match choice {
            SignedChoice::Break => Self::Break,
            SignedChoice::Refuse => Self::Refuse,
        }
    }
}

/// `--text-encoding`.
#[derive(Clone, Copy, Debug, ValueEnum)]
pub enum TextEncodingChoice {
    /// 7bit, quoted-printable or base64, whichever is right and shortest
    Mime,
    /// UTF-7 as well, where that is shorter
    #[value(name = "utf-7", alias = "utf7")]
    Utf7,
}

impl From<TextEncodingChoice> for TextEncoding {
    fn from(choice: TextEncodingChoice) -> Self {
        match choice {
            TextEncodingChoice::Mime => Self::Mime,
            TextEncodingChoice::Utf7 => Self::Utf7,
        }
    }
}

/// `--undecodable`.
#[derive(Clone, Copy, Debug, ValueEnum)]
pub enum UndecodableChoice {
    /// Octets and label stay; only the transfer encoding changes
    Keep,
    /// U+FFFD stands for what cannot be read, reported as a loss
    Replace,
}

impl From<UndecodableChoice> for Undecodable {
    fn from(choice: UndecodableChoice) -> Self {
        match choice {
            UndecodableChoice::Keep => Self::Keep,
            UndecodableChoice::Replace => Self::Replace,
        }
    }
}

/// `--unlabelled`.
#[derive(Clone, Copy, Debug, ValueEnum)]
pub enum UnlabelledChoice {
    /// unknown-8bit, as nobody said what it is
    Keep,
    /// The charset that it seems to be in, where that is sure; the octets are the same
    Guess,
}

impl From<UnlabelledChoice> for Unlabelled {
    fn from(choice: UnlabelledChoice) -> Self {
        match choice {
            UnlabelledChoice::Keep => Self::Keep,
            UnlabelledChoice::Guess => Self::Guess,
        }
    }
}

/// `--markup`.
#[derive(Clone, Copy, Debug, ValueEnum)]
pub enum MarkupChoice {
    /// They are rewritten to agree
    Rewrite,
    /// They stay as they are
    Keep,
}

impl From<MarkupChoice> for Markup {
    fn from(choice: MarkupChoice) -> Self {
        match choice {
            MarkupChoice::Rewrite => Self::Rewrite,
            MarkupChoice::Keep => Self::Keep,
        }
    }
}

/// `--tnef`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum TnefChoice {
    /// It is a file like others
    Keep,
    /// It is written as the parts that are in it, its body and its files
    Unpack,
}

/// `--others`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Others {
    /// They are left where they are, and out of the output
    Leave,
    /// They are copied to `-o DIR`, octet for octet
    Copy,
}

/// `--to`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum To {
    /// A file a message
    Eml,
    /// One mbox (mboxrd)
    Mbox,
    /// A Maildir
    Maildir,
    /// One tar file
    Tar,
}

/// `--line-ends`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum LineEnds {
    /// CRLF
    Crlf,
    /// LF
    Lf,
    /// As each message came
    Keep,
}

/// `--color`.
#[derive(Clone, Copy, Debug, ValueEnum)]
pub enum Color {
    /// On a terminal, unless NO_COLOR is set
    Auto,
    /// Always
    Always,
    /// Never
    Never,
}

impl Color {
    /// From here on, everything printed follows it.
    pub fn apply(self) {
        match self {
            Self::Auto => anstream::ColorChoice::Auto,
            Self::Always => anstream::ColorChoice::Always,
            Self::Never => anstream::ColorChoice::Never,
        }
        .write_global();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the words of an option, each with the library's value.
    fn words<C: ValueEnum + Into<V>, V>() -> Vec<(String, V)> {
        let word = |choice: &C| choice.to_possible_value().expect("shown").get_name().to_owned();
        C::value_variants().iter().map(|choice| (word(choice), choice.clone().into())).collect()
    }

    #[test]
    fn words_are_those_of_the_library() {
        fn agree<C: ValueEnum + Into<V>, V: std::str::FromStr + PartialEq + std::fmt::Debug>() {
            for (word, value) in words::<C, V>() {
                assert_eq!(word.parse::<V>().ok(), Some(value), "{word}");
            }
        }
        agree::<ProfileChoice, Profile>();
        agree::<SignedChoice, Signed>();
        agree::<TextEncodingChoice, TextEncoding>();
        agree::<UndecodableChoice, Undecodable>();
        agree::<UnlabelledChoice, Unlabelled>();
        agree::<MarkupChoice, Markup>();
    }
}
