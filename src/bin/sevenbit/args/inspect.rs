//! `sevenbit inspect`.

use std::path::PathBuf;

use clap::Args;

use super::Selection;

/// Show what a message is made of
///
/// Types, charsets, encodings, sizes, file names, decoded headers, and what is odd about it. Control
/// characters from mail never reach the terminal as they are.
#[derive(Args, Debug)]
#[command(after_help = EXAMPLES)]
pub struct Inspect {
    /// Messages, mailboxes: files, directories, patterns, or `-` for standard input
    #[arg(value_name = "INPUT")]
    pub inputs: Vec<PathBuf>,

    /// What the inputs are, and which of them.
    #[command(flatten)]
    pub selection: Selection,

    /// One JSON object a message and line
    ///
    /// Keys: `input` and `mailbox` as in the reports of `normalize`; `subject`, `from`, `to`, `cc`, `date`,
    /// `message_id`; `parts`, the leaves, each with `path` (its IMAP section), `type`, `charset` as labelled, `encoding`,
    /// `disposition`, `filename`, `octets` and `sha256` of what it decodes to, and with --text its `text`; with --headers `headers`, each with `name` and `value`; `issues` as in
    /// the reports, for an archive.
    #[arg(long, help_heading = "Output")]
    pub json: bool,

    /// The text of text parts as well
    #[arg(long, help_heading = "Output")]
    pub text: bool,

    /// Every header field, not only the usual ones
    #[arg(long, alias = "header", help_heading = "Output")]
    pub headers: bool,
}

const EXAMPLES: &str = "\
Examples:
  sevenbit inspect message.eml
  sevenbit inspect --text < message.eml
  sevenbit inspect --json mail/ | jq -r .subject";
