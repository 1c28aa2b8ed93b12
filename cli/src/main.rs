//! The command `sevenbit`: mail in any charset in, normalised 7-bit-safe mail out.
//!
//! The command uses only the public interface of the library. [`args`] defines the command line,
//! [`input`] finds and reads messages, [`output`] writes them safely, [`term`] is everything that a
//! person sees, [`issue`] describes what was found; the other modules are the commands.

#![forbid(unsafe_code)]

mod args;
mod charset;
mod exit;
mod explain;
mod extract;
mod header;
mod heading;
mod identity;
mod input;
mod inspect;
mod issue;
mod json;
mod line_numbers;
mod lines;
mod mailbox_name;
#[cfg(all(feature = "mta", unix))]
mod mta;
mod normalize;
mod output;
mod pages;
mod place;
mod repair;
mod term;

use std::process::ExitCode;

use args::{Cli, Command};
use term::Console;

fn main() -> ExitCode {
    let cli = match Cli::read() {
        Ok(cli) => cli,
        Err(answer) => return args::answer(&answer).into(),
    };
    cli.color.apply();
    let console = Console::new(cli.quiet);
    let done = match &cli.command {
        Command::Normalize(args) => normalize::run(args, &console),
        Command::Inspect(args) => inspect::run(args, &console),
        Command::Explain(args) => explain::run(args, &console),
        Command::Extract(args) => extract::run(args, &console),
        Command::Charset(args) => charset::run(args),
        Command::Header(args) => header::run(args, &console),
        Command::MailboxName(args) => mailbox_name::run(args, &console),
        Command::Repair(args) => repair::run(args, &console),
        #[cfg(all(feature = "mta", unix))]
        Command::Milter(args) => mta::run_milter::run(args, &console),
        #[cfg(all(feature = "mta", unix))]
        Command::Gateway(args) => mta::run_gateway::run(args, &console),
        #[cfg(all(feature = "hooks", unix))]
        Command::Hooks(args) => mta::run_hooks::run(args, &console),
        Command::Pages(args) => pages::run(args),
    };
    done.unwrap_or_else(|failure| console.complain(&failure)).into()
}
