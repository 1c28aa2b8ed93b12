//! `sevenbit pages`: man pages and completions, for packagers; configuration files; the codes of
//! issues.

use std::path::PathBuf;

#[cfg(all(feature = "mta", unix))]
use clap::ValueEnum;
use clap::{Args, Subcommand};
use clap_complete::Shell;

/// Make man pages, completions and configuration files, list the codes of issues
#[derive(Args, Debug)]
pub struct Pages {
    /// Which.
    #[command(subcommand)]
    pub command: PagesCommand,
}

/// The pages.
#[derive(Debug, Subcommand)]
pub enum PagesCommand {
    /// Print a man page in roff: of sevenbit, of a command (`charset convert`), or of a configuration
    /// file (`milter.conf`). `sevenbit pages man milter.conf | man -l -` shows it
    Man {
        /// The command or file [default: sevenbit]
        #[arg(value_name = "NAME")]
        name: Vec<String>,

        /// Write all man pages below this directory, in `man1` and `man5`, which are created
        #[arg(long, value_name = "DIR", conflicts_with = "name")]
        all: Option<PathBuf>,
    },
    /// Print a configuration file of a filter, for its --config, with every option commented
    #[cfg(all(feature = "mta", unix))]
    Config {
        /// The filter
        filter: FilterChoice,
    },
    /// List the codes of issues, one a line, with severity, rule of the normal form, and meaning
    Codes,
    /// Print completions for a shell
    Completions {
        /// The shell
        shell: Shell,
    },
}

/// A filter that has a configuration file.
#[cfg(all(feature = "mta", unix))]
#[derive(Clone, Copy, Debug, ValueEnum)]
pub enum FilterChoice {
    /// `sevenbit milter`
    Milter,
    /// `sevenbit gateway`
    Gateway,
    /// `sevenbit hooks`
    #[cfg(feature = "hooks")]
    Hooks,
}
