//! The words that the command's own options take. Those of the library come from its table:
//! [`super::form`].

use clap::ValueEnum;
use serde::Serialize;

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
    /// U+FFFD takes its place: databases refuse U+0000
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

/// `--tnef`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum TnefChoice {
    /// It stays one file
    Keep,
    /// The text and the files in it are written as parts
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

/// `--undated`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Undated {
    /// They are taken
    Take,
    /// They are left out
    Leave,
}

/// `--summary`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Summary {
    /// Totals, what was lost or is in doubt, and the ten codes that most messages have
    Short,
    /// Totals, and every code and charset with the number of messages
    Full,
    /// Nothing
    None,
}

/// `--to`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum To {
    /// A file for each message
    Eml,
    /// An mbox (mboxrd) of all mail; with `-o DIR/`, one for each folder
    Mbox,
    /// A Maildir, in which each mailbox of a directory, an archive or a store is a folder
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
