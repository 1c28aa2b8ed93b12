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
    /// A man page in roff: of the whole, of a command (`charset convert`), of a file of options
    /// (`milter.conf`); `sevenbit pages man milter.conf | man -l -` shows it
    Man {
        /// The command or file, if not the whole
        #[arg(value_name = "NAME")]
        name: Vec<String>,

        /// Write all man pages below this directory, in `man1` and `man5`, which are created
        #[arg(long, value_name = "DIR", conflicts_with = "name")]
        all: Option<PathBuf>,
    },
    /// A configuration file of a filter, for --config: every option, commented
    #[cfg(all(feature = "mta", unix))]
    Config {
        /// The filter
        filter: FilterChoice,
    },
    /// The codes of issues, a line each: how bad it is, the rule of the normal form, what it says
    Codes,
    /// Completions for a shell
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
