//! `sevenbit pages`: man pages and completions, for packagers; the codes of issues.

use std::path::PathBuf;

use clap::{Args, Subcommand};
use clap_complete::Shell;

/// Make man pages and completions, list the codes of issues
#[derive(Args, Debug)]
pub struct Pages {
    /// Which.
    #[command(subcommand)]
    pub command: PagesCommand,
}

/// The pages.
#[derive(Debug, Subcommand)]
pub enum PagesCommand {
    /// A man page in roff: of the whole, of a command (`charset convert`), of a file of options
    /// (`milter.conf`)
    Man {
        /// The command or file, if not the whole
        #[arg(value_name = "NAME")]
        name: Vec<String>,

        /// Write all man pages below this directory, in `man1` and `man5`, which are created
        #[arg(long, value_name = "DIR", conflicts_with = "name")]
        all: Option<PathBuf>,
    },
    /// The codes of issues, a line each: how bad it is, the rule of the normal form, what it says
    Codes,
    /// Completions for a shell
    Completions {
        /// The shell
        shell: Shell,
    },
}
