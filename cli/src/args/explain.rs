//! The arguments of `sevenbit explain`.

use std::path::PathBuf;

use clap::builder::UnknownArgumentValueParser;
use clap::{Arg, ArgAction, Args};

use super::{ArchiveForm, Selection};

/// Show a message as a page: what is odd about it, and what would become of it
///
/// The page is one HTML file, which loads nothing else. It shows parts, headers and texts with the
/// octets behind them, every issue with its rule, the message before and after, and what readers are
/// known to make of it. It contains the message, and needs a browser with scripts. `sevenbit inspect`
/// prints most of it as text.
#[derive(Args, Debug)]
#[command(arg = text(), after_help = EXAMPLES)]
pub struct Explain {
    /// A message; `-` is standard input. Of a mailbox, an archive or a directory the messages are
    /// listed, and --message chooses one
    #[arg(value_name = "INPUT")]
    pub input: Option<PathBuf>,

    /// What the input is.
    #[command(flatten)]
    pub selection: Selection,

    /// How the message would be written.
    #[command(flatten)]
    pub form: ArchiveForm,

    /// The file of the page [default: standard output, if that is no terminal]
    #[arg(short, long, value_name = "FILE", help_heading = "Output")]
    pub output: Option<PathBuf>,

    /// Show the page in the browser; without --output it is a temporary file, which stays
    #[arg(long, help_heading = "Output")]
    pub open: bool,

    /// Leave attachments out of the page, but for the first octets of each; the default for messages
    /// of more than 1 MB
    #[arg(long, overrides_with = "with_attachments", help_heading = "Output")]
    pub without_attachments: bool,

    /// Keep attachments in the page, however large it becomes
    #[arg(long, help_heading = "Output")]
    pub with_attachments: bool,
}

/// The option `--text`, which another command has: an error with a tip.
fn text() -> Arg {
    let tip = "`sevenbit inspect --text` prints the text of a message";
    Arg::new("text")
        .long("text")
        .action(ArgAction::SetTrue)
        .value_parser(UnknownArgumentValueParser::suggest(tip))
        .hide(true)
}

/// The length in octets above which attachments are left out by default.
const LARGE_MESSAGE: usize = 1_000_000;

impl Explain {
    /// Returns whether attachments are left out of the page of a message of so many octets.
    pub fn leaves_out_attachments(&self, octets: usize) -> bool {
        self.without_attachments || octets > LARGE_MESSAGE && !self.with_attachments
    }
}

const EXAMPLES: &str = "\
Examples:
  sevenbit explain message.eml -o message.html
  sevenbit explain --message 2 archive.mbox.gz -o ticket.html
  sevenbit explain --profile transport < message.eml > message.html";
