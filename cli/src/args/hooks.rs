//! `sevenbit hooks`.

use std::path::PathBuf;

use clap::{Args, ValueEnum};

use super::Endpoint;
use super::filters::{FilterArgs, ServiceArgs};

/// Make mail 7-bit safe as an MTA hook, which a mail server asks over HTTP
///
/// At the DATA stage Stalwart, or a server that speaks draft-degennaro-mta-hooks, is told what
/// changes in a message. `sevenbit pages config hooks` prints a commented configuration file;
/// docs/mta.md has the set-up, and says when a milter serves better.
#[derive(Args, Debug)]
#[command(args_override_self = true, after_help = HOOKS_EXAMPLES)]
pub struct Hooks {
    /// Where to listen: HOST:PORT, unix:PATH, or systemd for the socket that it hands over;
    /// repeatable
    #[arg(long, value_name = "SOCKET", required_unless_present = "config")]
    pub listen: Vec<Endpoint>,

    /// Answer only who sends a line of this file as a token (Bearer) or as USER:PASSWORD (Basic);
    /// SIGHUP reads it again
    #[arg(long, value_name = "FILE")]
    pub token_file: Option<PathBuf>,

    /// How a server that speaks the draft is told what changes
    #[arg(long, value_name = "FORM", default_value = "operations")]
    pub patch: PatchChoice,

    /// What is done to messages.
    #[command(flatten)]
    pub filter: FilterArgs,

    /// How it runs.
    #[command(flatten)]
    pub service: ServiceArgs,
}

/// `--patch`.
#[derive(Clone, Copy, Debug, ValueEnum)]
pub enum PatchChoice {
    /// In operations of the draft's own, as its -01 has them
    Operations,
    /// As a JSON Patch (RFC 6902), which the abstract of its -02 names
    JsonPatch,
}

const HOOKS_EXAMPLES: &str = "\
Examples:
  For Stalwart on this machine (the hook's URL is http://127.0.0.1:8896/):
    sevenbit hooks --listen 127.0.0.1:8896
  Looking only, with a line for each message:
    sevenbit hooks --listen 127.0.0.1:8896 --dry-run --report week.jsonl";
