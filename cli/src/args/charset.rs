//! `sevenbit charset`: the charsets themselves.

use std::path::PathBuf;

use clap::{Args, Subcommand, ValueEnum};
use sevenbit::{Charset as Known, Malformed, Substitution};

/// List charsets, convert text from one to another, guess the charset of text
#[derive(Args, Debug)]
pub struct Charset {
    /// What to do.
    #[command(subcommand)]
    pub command: CharsetCommand,
}

/// What there is to do with charsets.
#[derive(Debug, Subcommand)]
pub enum CharsetCommand {
    /// List every charset that is known, with its labels
    #[command(after_help = LIST_EXAMPLES)]
    List(List),
    /// Convert text from one charset to another, of any size, in constant memory
    #[command(after_help = CONVERT_EXAMPLES)]
    Convert(Convert),
    /// Guess the charset of text that has no label
    #[command(after_help = DETECT_EXAMPLES)]
    Detect(Detect),
}

const LIST_EXAMPLES: &str = "\
Examples:
  sevenbit charset list
  sevenbit charset list 1252
  sevenbit charset list 'iso-8859-*'
  sevenbit charset list --json | jq -r '.[] | select(.decodable) | .name'";

const CONVERT_EXAMPLES: &str = "\
Examples:
  sevenbit charset convert --from koi8-r < old.txt > new.txt
  sevenbit charset convert --from utf-8 --on-error windows-1252 mixed.txt -o clean.txt
  sevenbit charset convert --to iso-2022-jp --on-error code-point < new.txt

Under `strict` all text before the error goes to standard output; a file of `-o` is not made.
Exit status: 0 done, 64 usage, 65 ill-formed or unmappable, 66, 73 and 74 as for all commands.";

const DETECT_EXAMPLES: &str = "\
Examples:
  sevenbit charset detect < old.txt
  sevenbit charset convert --from \"$(sevenbit charset detect old.txt)\" old.txt
  sevenbit charset detect *.txt

The guess is made from the first 4 MiB: by escapes, signatures, zero octets, well-formed UTF-8, then by the frequency of letters. \
UTF-7 is never guessed. If no charset fits, `unknown` is printed, and the exit status is 65. `--json` has the alternatives.";

/// `charset list`.
#[derive(Args, Debug)]
pub struct List {
    /// List only charsets whose name or a label of which contains this; with `*` or `?` in it, all of
    /// the name or label has to match
    #[arg(value_name = "PATTERN")]
    pub pattern: Option<String>,

    /// Print a JSON list of objects
    #[arg(long)]
    pub json: bool,
}

/// `charset convert`.
#[derive(Args, Debug)]
pub struct Convert {
    /// Texts to convert, one after the other: files, or `-` for standard input
    #[arg(value_name = "INPUT")]
    pub inputs: Vec<PathBuf>,

    /// The charset of the text, as any of its labels
    #[arg(short, long, value_name = "LABEL", default_value = "utf-8", value_parser = decodable)]
    pub from: Known,

    /// The charset to write
    #[arg(short, long, value_name = "LABEL", default_value = "utf-8", value_parser = encodable)]
    pub to: Known,

    /// What becomes of octets that are no text, and of characters that the target does not have
    #[arg(long, value_name = "POLICY", default_value = "strict")]
    pub on_error: OnError,

    /// The file to write [default: standard output]
    #[arg(short, long, value_name = "FILE")]
    pub output: Option<PathBuf>,
}

/// `charset detect`.
#[derive(Args, Debug)]
pub struct Detect {
    /// Also print how sure each guess is, from 0 to 1
    #[arg(long)]
    pub sureness: bool,

    /// Print a JSON object for each text, one a line: `input`, `charset` (null if it is unknown),
    /// `sureness`, and `alternatives`, each with a `charset` and its `sureness`
    #[arg(long, conflicts_with = "sureness")]
    pub json: bool,

    /// Texts whose charset is guessed: files, or `-` for standard input. Of several, the name of each is
    /// printed before its charset
    #[arg(value_name = "INPUT")]
    pub inputs: Vec<PathBuf>,
}

/// `--on-error`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum OnError {
    /// Stop, and say what was wrong and where
    Strict,
    /// Write U+FFFD for what is no text, `?` for what the target does not have
    Replace,
    /// As `replace`, but write the code point of what the target does not have: `<U+20AC>`
    CodePoint,
    /// As `replace`, but read octets that are no UTF-8 as ISO-8859-1
    Latin1,
    /// As `replace`, but read octets that are no UTF-8 as windows-1252
    #[value(name = "windows-1252")]
    Windows1252,
}

impl OnError {
    /// What becomes of octets that are not text.
    pub fn malformed(self) -> Malformed {
        match self {
            Self::Strict => Malformed::Strict,
            Self::Replace | Self::CodePoint => Malformed::Replace,
            Self::Latin1 => Malformed::Latin1,
            Self::Windows1252 => Malformed::Windows1252,
        }
    }

    /// What replaces characters that the target does not have.
    pub fn substitution(self) -> Substitution {
        match self {
            Self::Strict => Substitution::Refuse,
            Self::CodePoint => Substitution::CodePoint,
            Self::Replace | Self::Latin1 | Self::Windows1252 => Substitution::QuestionMark,
        }
    }
}

fn decodable(label: &str) -> Result<Known, String> {
    let charset = known(label)?;
    if charset.is_decodable() {
        return Ok(charset);
    }
    let why = charset.why_not_decodable().map(|why| format!(": {why}")).unwrap_or_default();
    Err(format!("{charset} is known but cannot be read{why}"))
}

fn encodable(label: &str) -> Result<Known, String> {
    let charset = known(label)?;
    if charset.is_encodable() {
        Ok(charset)
    } else {
        Err(format!("{charset} is known but cannot be written"))
    }
}

fn known(label: &str) -> Result<Known, String> {
    if let Some((label, suffix)) = label.split_once("//") {
        return Err(format!(
            "{label:?} takes no //{suffix}: `--on-error` says what becomes of what cannot be converted"
        ));
    }
    let found = Known::for_label_lenient(label).map(|(charset, _)| charset);
    found.ok_or_else(|| {
        "no charset of this name is known; `sevenbit charset list` has all names".to_owned()
    })
}
