//! `sevenbit inspect`.

use std::path::PathBuf;

use clap::Args;
use sevenbit::Message;

use super::{NulChoice, Selection};

/// Show what a message is made of
///
/// It shows types, charsets, encodings, sizes, file names, decoded headers, and what is odd about
/// the message. Control characters from mail never reach the terminal as they are.
#[derive(Args, Debug)]
#[command(after_help = EXAMPLES)]
pub struct Inspect {
    /// Messages, mailboxes, archives, .msg, .pst: files, directories, patterns; `-` is standard input
    #[arg(value_name = "INPUT")]
    pub inputs: Vec<PathBuf>,

    /// What the inputs are, and which of them.
    #[command(flatten)]
    pub selection: Selection,

    /// Print a JSON object for each message, one a line
    #[arg(long, long_help = json_keys(), help_heading = "Output")]
    pub json: bool,

    /// Print only the header fields of this name, decoded, one a line; repeatable
    ///
    /// With several names, each line begins with the name of its field. With --json, `headers` has
    /// only these fields.
    #[arg(long, value_name = "NAME", help_heading = "Output")]
    pub header: Vec<String>,

    /// Print the text of text parts as well
    #[arg(long, help_heading = "Output")]
    pub text: bool,

    /// Print every header field, not only the usual ones
    #[arg(long, help_heading = "Output")]
    pub headers: bool,

    /// Print every header field of every part, and the octets where it is
    ///
    /// With --json: `fields`, each with its `part` (`0` is the header of the message, `1.2.0` that
    /// of a message in it), `name`, `value` and `octets` (from, to), which are null in a message
    /// that is encoded.
    #[arg(long, help_heading = "Output")]
    pub fields: bool,

    /// Say where something is by its lines, counted from 1, instead of its octets
    ///
    /// With --json, issues and `fields` have `lines` (first, last) beside their octets.
    #[arg(long, help_heading = "Output")]
    pub line_numbers: bool,

    /// What becomes of the character U+0000 in text
    #[arg(long, value_name = "CHOICE", default_value = "keep", help_heading = "Output")]
    pub nul: NulChoice,
}

/// Returns the help of `--json`, with the answers that are one word as the library has them.
fn json_keys() -> String {
    let words: Vec<_> = Message::WORDS.iter().map(|word| format!("`{}`", word.name)).collect();
    format!(
        "Print a JSON object for each message, one a line\n\n\
        Keys: `input` and `mailbox` as in the reports of `normalize`; `subject`, `base_subject`, \
        `from`, `to`, `cc`, `bcc`, `sender`, `reply_to`, `groups`, `date` as it is and as `sent` in \
        RFC 3339, `message_id`, `in_reply_to`, `references`, `thread`, `list`, {}, \
        `hops`, `authentication_results`, `report`, `attachments`, which docs/cli.md \
        describes; `parts`, the leaves, each with `path` (its IMAP section), `type`, `charset` as \
        labelled, `charset_guess`, `encoding`, `disposition`, `filename`, `calendar_method`, \
        `octets` and `sha256` of what it decodes to, and with --text its `text`; `messages`, those \
        in the message; with --headers `headers`, each with `name` and `value`; `issues` as in the \
        reports, for an archive.",
        words.join(", ")
    )
}

const EXAMPLES: &str = "\
Examples:
  sevenbit inspect message.eml
  sevenbit inspect --text < message.eml
  sevenbit inspect --header Received message.eml
  sevenbit inspect --fields --line-numbers message.eml
  sevenbit inspect --json mail/ | jq -r .subject";
