//! `sevenbit pages`: man pages and completions, from the same descriptions as `--help`; configuration
//! files, as packages install them; the codes of issues, from those of the library.

#[cfg(all(feature = "mta", unix))]
mod config;
mod man;

use std::path::Path;

use clap::CommandFactory as _;
use sevenbit::Code;

use self::man::Page;
use crate::args::{Cli, Pages, PagesCommand};
use crate::exit::{Exit, Failure};
use crate::output::print;

/// Runs the command.
///
/// # Errors
/// The output cannot be written, or nothing of that name is known.
pub fn run(args: &Pages) -> Result<Exit, Failure> {
    match &args.command {
        PagesCommand::Completions { shell } => {
            let mut script = Vec::new();
            clap_complete::generate(*shell, &mut Cli::command(), "sevenbit", &mut script);
            print(|out| out.write_all(&script))?;
        }
        #[cfg(all(feature = "mta", unix))]
        PagesCommand::Config { filter } => {
            print(|out| out.write_all(config::commented(*filter).as_bytes()))?;
        }
        PagesCommand::Codes => print(|out| {
            let length = Code::ALL.iter().map(|code| code.as_str().len()).max().unwrap_or_default();
            Code::ALL.iter().try_for_each(|code| {
                let (severity, rule) = (code.severity().to_string(), code.rule().to_string());
                writeln!(
                    out,
                    "{:length$}  {severity:6}  {rule:3}  {}",
                    code.as_str(),
                    code.summary()
                )
            })
        })?,
        PagesCommand::Man { all: Some(directory), .. } => write_all(directory)?,
        PagesCommand::Man { name, all: None } => {
            let wanted = [&["sevenbit".to_owned()][..], name].concat().join("-");
            let page = pages().into_iter().find(|page| page.name == wanted);
            let page = page.ok_or_else(|| {
                let name = name.join(" ");
                Failure::usage(format!(
                    "there is no page about `{name}`: `sevenbit --help` lists the commands"
                ))
            })?;
            print(|out| out.write_all(&page.roff))?;
        }
    }
    Ok(Exit::Done)
}

/// Returns every man page that there is.
fn pages() -> Vec<Page> {
    let pages = man::of_commands();
    #[cfg(all(feature = "mta", unix))]
    let pages = pages.into_iter().chain(config::pages()).collect();
    pages
}

/// Writes every man page below a directory, as it lies below `/usr/share/man`.
fn write_all(directory: &Path) -> Result<(), Failure> {
    for page in pages() {
        let section = directory.join(format!("man{}", page.section));
        let file = section.join(format!("{}.{}", page.name, page.section));
        std::fs::create_dir_all(&section).map_err(|error| Failure::creating(&section, &error))?;
        std::fs::write(&file, &page.roff).map_err(|error| Failure::creating(&file, &error))?;
    }
    Ok(())
}
