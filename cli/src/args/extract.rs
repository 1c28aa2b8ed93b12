//! `sevenbit extract`.

use std::path::PathBuf;

use clap::Args;
use glob::Pattern;

use super::{BodyChoice, NulChoice, Selection};

/// Take attachments, text and HTML out of messages
///
/// Attachments are files that are parts, that were uuencoded or in yEnc in the text, and those in a
/// `winmail.dat`; attached messages are files. They get names that are safe on any system; no file
/// that exists is ever written over, and no link below the directory is followed.
#[derive(Args, Debug)]
#[command(after_help = EXAMPLES)]
pub struct Extract {
    /// Messages, mailboxes, archives, .msg, .pst: files, directories, patterns; `-` is standard input
    #[arg(value_name = "INPUT")]
    pub inputs: Vec<PathBuf>,

    /// What the inputs are, and which of them.
    #[command(flatten)]
    pub selection: Selection,

    /// Where the files go: a directory, created if it is missing
    ///
    /// If a message is the only INPUT, its files go there; those of any other go into a directory
    /// below it, called after the message's file, and after its number in a mailbox. What is there
    /// is listed in `manifest.jsonl`, an object a message, with when it was `sent`. Where a name is
    /// taken, `name (2)` is used; a run that is repeated writes nothing twice.
    #[arg(long, value_name = "DIR", help_heading = "Output")]
    pub to: Option<PathBuf>,

    /// All files into that directory itself, of whatever message they are
    #[arg(long, requires = "to", help_heading = "Output")]
    pub flat: bool,

    /// Write files of the same octets once, of whatever messages they are
    ///
    /// The manifest has the place of the first for each of them. Pictures stay beside the HTML that
    /// shows them.
    #[arg(long, requires = "to", help_heading = "Output")]
    pub unique: bool,

    /// Write no files, only say what there is
    #[arg(long, conflicts_with = "to", help_heading = "Output")]
    pub list: bool,

    /// With --list: one JSON object a message and line, as in the manifest
    #[arg(long, requires = "list", help_heading = "Output")]
    pub json: bool,

    /// The body, as body.txt, unquoted.txt or body.html; repeatable. Without --to, to standard
    /// output
    #[arg(long, value_name = "KIND", help_heading = "What is taken")]
    pub body: Vec<BodyChoice>,

    /// Attachments whose name matches, those in attached messages too; repeatable
    ///
    /// Without this, --type and --body: all attachments. An attached message is one of them; only
    /// one that is not asked for itself is opened.
    #[arg(long, value_name = "PATTERN", value_parser = Pattern::new, help_heading = "What is taken")]
    pub attachments: Vec<Pattern>,

    /// Attachments of a media type, as application/pdf or image/*, those in attached messages too;
    /// repeatable
    ///
    /// The type that is labelled, that of the name, or that by which the octets begin. With
    /// --attachments: those for which both are true.
    #[arg(long = "type", value_name = "PATTERN", value_parser = media_type, help_heading = "What is taken")]
    pub types: Vec<Pattern>,

    /// What becomes of U+0000 in text
    #[arg(long, value_name = "CHOICE", default_value = "keep", help_heading = "What is taken")]
    pub nul: NulChoice,
}

impl Extract {
    /// Whether only some attachments are asked for.
    pub fn names_attachments(&self) -> bool {
        !self.attachments.is_empty() || !self.types.is_empty()
    }
}

fn media_type(text: &str) -> Result<Pattern, String> {
    if !text.contains('/') {
        return Err("not a media type, as application/pdf or image/*".to_owned());
    }
    Pattern::new(text).map_err(|error| error.to_string())
}

const EXAMPLES: &str = "\
Examples:
  sevenbit extract --list message.eml
  sevenbit extract --to files/ message.eml
  sevenbit extract --to files/ --attachments '*.pdf' mail/
  sevenbit extract --to files/ --flat --unique --type application/pdf --since 2019-01-01 --until 2019-12-31 --undated leave mail/
  sevenbit extract --body text message.eml
  sevenbit extract --body unquoted reply.eml
  sevenbit extract --to pages/ --body html --attachments '*' archive.mbox.gz";
