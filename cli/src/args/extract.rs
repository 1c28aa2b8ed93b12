//! `sevenbit extract`.

use std::path::PathBuf;

use clap::Args;
use glob::Pattern;

use super::{BodyChoice, NulChoice, Selection};

/// Take attachments, text and HTML out of messages
///
/// An attachment is a part that is a file, a file in a `winmail.dat`, or one that is uuencoded or in
/// yEnc in the text. An attached message is a file too. Files get names that are safe on any system.
/// No file that exists is ever written over, and no link below the directory is followed.
#[derive(Args, Debug)]
#[command(after_help = EXAMPLES)]
pub struct Extract {
    /// Messages, mailboxes, archives, .msg, .pst: files, directories, patterns; `-` is standard input
    #[arg(value_name = "INPUT")]
    pub inputs: Vec<PathBuf>,

    /// What the inputs are, and which of them.
    #[command(flatten)]
    pub selection: Selection,

    /// The directory into which files are written; it is created if it is missing
    ///
    /// If a message is the only INPUT, its files go there. Otherwise the files of each message go into
    /// a directory below it, which has the name of the message's file, and in a mailbox the message's
    /// number. `manifest.jsonl` lists the files, an object for each message, with the time when it was
    /// `sent`. Where a name is taken, `name (2)` is used; a run that is repeated writes nothing twice.
    #[arg(long, value_name = "DIR", help_heading = "Output")]
    pub to: Option<PathBuf>,

    /// Put the files of all messages into the directory of --to itself
    #[arg(long, requires = "to", help_heading = "Output")]
    pub flat: bool,

    /// Write files with the same octets once, also if they are of several messages
    ///
    /// The manifest has the place of the first for each of them. Pictures stay beside the HTML that
    /// shows them.
    #[arg(long, requires = "to", help_heading = "Output")]
    pub unique: bool,

    /// Write no files, only list them
    #[arg(long, conflicts_with = "to", help_heading = "Output")]
    pub list: bool,

    /// With --list: print a JSON object for each message, one a line, as in the manifest
    #[arg(long, requires = "list", help_heading = "Output")]
    pub json: bool,

    /// Take the body, as body.txt, unquoted.txt or body.html; repeatable. Without --to it is printed
    #[arg(long, value_name = "KIND", help_heading = "What is taken")]
    pub body: Vec<BodyChoice>,

    /// Take attachments whose names match, those in attached messages too; repeatable
    ///
    /// Without this option, --type and --body, all attachments are taken. An attached message is an
    /// attachment too: taken whole if it is asked for, otherwise the attachments in it are looked at.
    #[arg(long, value_name = "PATTERN", value_parser = Pattern::new, help_heading = "What is taken")]
    pub attachments: Vec<Pattern>,

    /// Take attachments of a media type, as application/pdf or image/*, those in attached messages
    /// too; repeatable
    ///
    /// An attachment has the type of its label, that of its name, and that of its first octets: one of
    /// them has to match. With --attachments the name has to match as well.
    #[arg(long = "type", value_name = "PATTERN", value_parser = media_type, help_heading = "What is taken")]
    pub types: Vec<Pattern>,

    /// What becomes of the character U+0000 in text
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
