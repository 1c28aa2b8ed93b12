//! The arguments of `sevenbit header`, `mailbox-name` and `repair`, which work on lines of text.

use std::ffi::OsString;
use std::path::PathBuf;

use clap::{Args, Subcommand};
use sevenbit::Charset;

/// The lines to work on.
#[derive(Args, Debug)]
pub struct Lines {
    /// The texts to work on, instead of the lines of standard input
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
    /// Decode encoded-words to UTF-8 text; what is odd about them goes to standard error
    ///
    /// A line that begins with a blank continues the line before, as in a header. All octets can be
    /// decoded: if something was lost, that is said, and the exit status is still 0.
    #[command(after_help = "Example:\n  sevenbit header decode '=?iso-8859-1?Q?Gr=FC=DFe?='")]
    Decode(Lines),
    /// Encode UTF-8 text as encoded-words, where they are needed
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
    /// Decode modified UTF-7 to UTF-8
    #[command(after_help = "Example:\n  sevenbit mailbox-name decode '&U,BTFw-'")]
    Decode(MailboxNameDecode),
    /// Encode UTF-8 as modified UTF-7
    #[command(after_help = "Example:\n  sevenbit mailbox-name encode 台北")]
    Encode(Lines),
}

/// The arguments of `mailbox-name decode`.
#[derive(Args, Debug)]
pub struct MailboxNameDecode {
    /// The names to decode.
    #[command(flatten)]
    pub lines: Lines,

    /// Decode ill-formed names as well as possible, instead of refusing them
    #[arg(long)]
    pub lenient: bool,
}

/// Mend messages and text that were read in a wrong charset: `schÃ¶n`, `Ïðèâåò`
///
/// Of a message, text that reads as mojibake is written as it was meant, and everything else as
/// `normalize` writes it. A text has to be UTF-8. Each of its lines is looked at by itself, and stays
/// if it could have been meant as it is.
#[derive(Args, Debug)]
#[command(after_help = REPAIR_EXAMPLES)]
pub struct Repair {
    /// A message, or a text in UTF-8; `-` is standard input
    #[arg(value_name = "FILE")]
    pub input: Option<PathBuf>,

    /// Read the texts of the message in this charset, whatever their labels say, where their octets
    /// are text in it
    #[arg(long = "as", value_name = "LABEL", conflicts_with = "json")]
    pub read_as: Option<Charset>,

    /// Write no message, but list as JSON Lines what each text may read as
    ///
    /// Each object has `readings`, the most probable first; of a message also the `part` and its
    /// `label`. A reading has the `charset` of the octets, what it is `by` (label, guess, repair),
    /// what was `undone`, its `sureness` from 0 to 1, and 300 characters of its `text`, beginning
    /// where the readings differ.
    #[arg(long, conflicts_with_all = ["json", "read_as"])]
    pub candidates: bool,

    /// Read each line as a JSON string, and write it as one
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
