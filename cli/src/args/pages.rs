//! `sevenbit pages`: the man page and completions, for packagers.

use clap::{Args, Subcommand};
use clap_complete::Shell;

/// Make the man page and completions
#[derive(Args, Debug)]
pub struct Pages {
    /// Which.
    #[command(subcommand)]
    pub command: PagesCommand,
}

/// The pages.
#[derive(Debug, Subcommand)]
pub enum PagesCommand {
    /// The man page of the command or of one of its commands, in roff
    Man {
        /// The command, if not the whole
        #[arg(value_name = "COMMAND")]
        command: Option<String>,
    },
    /// Completions for a shell
    Completions {
        /// The shell
        shell: Shell,
    },
}
