//! `sevenbit charset`: the charsets themselves.

use std::path::PathBuf;

use clap::{Args, Subcommand, ValueEnum};
use sevenbit::Charset as Known;

/// List charsets, convert text between them
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
    #[command(
        after_help = "Example:\n  sevenbit charset list --json | jq -r '.[] | select(.decodable) | .name'"
    )]
    List(List),
    /// Convert text from one charset to another, of any size, in constant memory
    #[command(after_help = "Example:\n  sevenbit charset convert --from koi8-r < old.txt > new.txt")]
    Convert(Convert),
}

/// `charset list`.
#[derive(Args, Debug)]
pub struct List {
    /// As a JSON list of objects
    #[arg(long)]
    pub json: bool,
}

/// `charset convert`.
#[derive(Args, Debug)]
pub struct Convert {
    /// Texts, one after the other: files, or `-` for standard input
    #[arg(value_name = "INPUT")]
    pub inputs: Vec<PathBuf>,

    /// The charset of the text, by any of its labels
    #[arg(short, long, value_name = "LABEL", default_value = "utf-8", value_parser = decodable)]
    pub from: Known,

    /// The charset to write
    #[arg(short, long, value_name = "LABEL", default_value = "utf-8", value_parser = encodable)]
    pub to: Known,

    /// What to do about octets that are no text, and characters that the target does not have
    #[arg(long, value_name = "POLICY", default_value = "strict")]
    pub on_error: OnError,

    /// Where to, instead of standard output
    #[arg(short, long, value_name = "FILE")]
    pub output: Option<PathBuf>,
}

/// `--on-error`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum OnError {
    /// Stop, and say what was wrong and where
    Strict,
    /// Write U+FFFD for what is no text, `?` for what the target does not have
    Replace,
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
    let found = Known::for_label_lenient(label).map(|(charset, _)| charset);
    found.ok_or_else(|| "no charset of this name is known; `sevenbit charset list` has all names".to_owned())
}
