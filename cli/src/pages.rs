//! `sevenbit pages`: the man page and completions.

use clap::CommandFactory as _;
use clap_mangen::Man;

use crate::args::{Cli, Pages, PagesCommand};
use crate::exit::{Exit, Failure};
use crate::output::print;

/// Runs the command.
///
/// # Errors
/// Standard output cannot be written, or no such command is known.
pub fn run(args: &Pages) -> Result<Exit, Failure> {
    let mut cli = Cli::command();
    let mut page = Vec::new();
    match &args.command {
        PagesCommand::Completions { shell } => {
            clap_complete::generate(*shell, &mut cli, "sevenbit", &mut page)
        }
        PagesCommand::Man { command: None } => render(Man::new(cli), &mut page)?,
        PagesCommand::Man { command: Some(name) } => {
            cli.build();
            let found = cli.find_subcommand(name).cloned();
            let found = found.ok_or_else(|| Failure::usage(format!("no command is called {name}")))?;
            render(Man::new(found.display_name(format!("sevenbit-{name}"))), &mut page)?;
        }
    }
    print(|out| out.write_all(&page))?;
    Ok(Exit::Done)
}

fn render(man: Man, page: &mut Vec<u8>) -> Result<(), Failure> {
    man.render(page).map_err(|error| Failure::printing(&error))
}
