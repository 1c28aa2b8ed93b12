//! `sevenbit normalize`.

use std::path::PathBuf;

use clap::Args;
use sevenbit::{Limits, Normalizer};

use super::{MarkupChoice, ProfileChoice, SignedChoice, TextEncodingChoice, UndecodableChoice};

/// Write mail again, normalised and 7-bit safe
///
/// Without INPUT, or with `-`, one message is read from standard input. A directory stands for every regular
/// file in it, at any depth and whatever its name; hidden ones and links are skipped. An input is never
/// overwritten, and no half-written output stays behind.
#[derive(Args, Debug)]
#[command(after_help = EXAMPLES)]
pub struct Normalize {
    /// Messages: files, directories, or `-` for standard input
    #[arg(value_name = "INPUT")]
    pub inputs: Vec<PathBuf>,

    /// How much is rewritten
    #[arg(long, default_value = "archive", help_heading = "Normal form")]
    pub profile: ProfileChoice,

    /// What happens when signed content is not 7-bit safe
    #[arg(long, value_name = "POLICY", default_value = "break", help_heading = "Normal form")]
    pub signed: SignedChoice,

    /// Which encodings a text body may be written in
    #[arg(long, value_name = "KIND", default_value = "mime", help_heading = "Normal form")]
    pub text_encoding: TextEncodingChoice,

    /// What becomes of text that does not decode under its charset label
    #[arg(long, value_name = "POLICY", default_value = "keep", help_heading = "Normal form")]
    pub undecodable: UndecodableChoice,

    /// Whether charset declarations in HTML and XML follow the new charset (archive)
    #[arg(long, value_name = "POLICY", default_value = "rewrite", help_heading = "Normal form")]
    pub markup: MarkupChoice,

    /// Where to: a file, or a directory for a directory or several INPUTs; `-` for standard output
    #[arg(short, long, value_name = "OUT", help_heading = "Output")]
    pub output: Option<PathBuf>,

    /// Write what was found and done as JSON Lines, an object a message; `-` for standard output
    #[arg(long, value_name = "FILE", help_heading = "Output")]
    pub report: Option<PathBuf>,

    /// Write no mail; tell what would change, a line each, and exit with 1 if anything would
    #[arg(long, help_heading = "Output")]
    pub check: bool,

    /// Bounds on what is parsed.
    #[command(flatten)]
    pub limits: LimitArgs,
}

/// Bounds on what is parsed. What lies beyond is carried as an opaque, safe part.
#[derive(Args, Clone, Copy, Debug)]
pub struct LimitArgs {
    /// How deep multiparts and messages may nest
    #[arg(long, value_name = "LEVELS", default_value_t = Limits::default().depth, help_heading = "Limits")]
    pub max_depth: usize,

    /// How many parts a message may have
    #[arg(long, value_name = "PARTS", default_value_t = Limits::default().parts, help_heading = "Limits")]
    pub max_parts: usize,

    /// How many octets of one header section are parsed
    #[arg(long, value_name = "OCTETS", default_value_t = Limits::default().header_octets, help_heading = "Limits")]
    pub max_header: usize,
}

impl Normalize {
    /// The library's normaliser with these options.
    pub fn normalizer(&self) -> Normalizer {
        Normalizer::new()
            .profile(self.profile.into())
            .signed(self.signed.into())
            .text_encoding(self.text_encoding.into())
            .undecodable(self.undecodable.into())
            .markup(self.markup.into())
            .limits(self.limits.into())
    }
}

impl From<LimitArgs> for Limits {
    fn from(args: LimitArgs) -> Self {
        let mut limits = Self::default();
        limits.depth = args.max_depth;
        limits.parts = args.max_parts;
        limits.header_octets = args.max_header;
        limits
    }
}

const EXAMPLES: &str = "\
Examples:
  As a filter, changing only what is not 7-bit safe:
    sevenbit normalize --profile transport < in.eml > out.eml
  A tree of mail, with a report of everything that was repaired:
    sevenbit normalize --report report.jsonl mail/ -o normalized/
  What would change, and why:
    sevenbit normalize --check mail/";
