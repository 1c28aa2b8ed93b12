//! The arguments of `sevenbit header`, `mailbox-name` and `repair`, which work on lines of text.

use std::ffi::OsString;
use std::path::PathBuf;

use clap::{Args, Subcommand};
use sevenbit::Charset;

/// The lines to work on.
#[derive(Args, Debug)]
pub struct Lines {
    /// Work on these instead of the lines of standard input
    #[arg(value_name = "TEXT")]
    pub texts: Vec<OsString>,
}

/// Decode or encode the text of header fields, a line each
#[derive(Args, Debug)]
pub struct Header {
    /// The direction.
    #[command(subcommand)]
    pub command: HeaderCommand,
}

/// The two directions: from encoded-words to text, and back.
#[derive(Debug, Subcommand)]
pub enum HeaderCommand {
    /// Encoded-words to UTF-8 text; what is odd about them goes to standard error
    ///
    /// A line that begins with a blank continues the line before, as in a header. Any octets have a
    /// text: the exit status is 0 also where something was lost, which is said.
    #[command(after_help = "Example:\n  sevenbit header decode '=?iso-8859-1?Q?Gr=FC=DFe?='")]
    Decode(Lines),
    /// UTF-8 text to encoded-words, where they are needed
    #[command(after_help = "Example:\n  echo 'Grüße' | sevenbit header encode")]
    Encode(Lines),
}

/// Decode or encode IMAP mailbox names (modified UTF-7), a line each
#[derive(Args, Debug)]
pub struct MailboxName {
    /// The direction.
    #[command(subcommand)]
    pub command: MailboxNameCommand,
}

/// The two directions: from modified UTF-7 to text, and back.
#[derive(Debug, Subcommand)]
pub enum MailboxNameCommand {
    /// Modified UTF-7 to UTF-8
    #[command(after_help = "Example:\n  sevenbit mailbox-name decode '&U,BTFw-'")]
    Decode(MailboxNameDecode),
    /// UTF-8 to modified UTF-7
    #[command(after_help = "Example:\n  sevenbit mailbox-name encode 台北")]
    Encode(Lines),
}

/// The arguments of `mailbox-name decode`.
#[derive(Args, Debug)]
pub struct MailboxNameDecode {
    /// The names to decode.
    #[command(flatten)]
    pub lines: Lines,

    /// Read ill-formed names as well as they can be read
    #[arg(long)]
    pub lenient: bool,
}

/// Mend messages and text that were read in a wrong charset: `schÃ¶n`, `Ïðèâåò`
///
/// A message is written as an archive writes it, with text that reads as mojibake as it was meant.
/// Of a text, which is UTF-8, each line is judged by itself, and one that could have been meant as
/// it is stays.
#[derive(Args, Debug)]
#[command(after_help = REPAIR_EXAMPLES)]
pub struct Repair {
    /// A message, or a text in UTF-8; `-` is standard input
    #[arg(value_name = "FILE")]
    pub input: Option<PathBuf>,

    /// Read the text of the message in this charset, whatever its label, where it is text in it
    #[arg(long = "as", value_name = "LABEL", conflicts_with = "json")]
    pub read_as: Option<Charset>,

    /// List what each text may read as, and write no message: JSON Lines
    ///
    /// Keys: of a message the `part` and its `label`; `readings`, the most probable first, each
    /// with the `charset` of the octets, what it is `by` (label, guess, repair), what was `undone`,
    /// its `sureness` from 0 to 1, and 300 characters of its `text`, from where the readings
    /// differ.
    #[arg(long, conflicts_with_all = ["json", "read_as"])]
    pub candidates: bool,

    /// Each line is a JSON string, and is written as one
    #[arg(long)]
    pub json: bool,
}

const REPAIR_EXAMPLES: &str = "\
Examples:
  sevenbit repair < mangled.txt > mended.txt
  echo '\"schÃ¶n\"' | sevenbit repair --json
  sevenbit repair --candidates mangled.eml
  sevenbit repair --as koi8-r mangled.eml > mended.eml

What was undone goes to standard error. Exit status: 0 done, also if nothing was mended; 65 if a text is no UTF-8.";
