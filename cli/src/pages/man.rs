//! The man pages of commands: what clap knows of each, and the sections that readers of man pages
//! look for.

use clap::{Command, CommandFactory as _};
use clap_mangen::Man;
use clap_mangen::roff::{Roff, bold, roman};

use crate::args::{Cli, STATUSES};

/// A man page.
#[derive(Debug)]
pub struct Page {
    /// The name that `man` is asked for.
    pub name: String,
    /// The section of the manual: 1 for commands, 5 for files.
    pub section: u8,
    /// The page.
    pub roff: Vec<u8>,
}

/// Returns a page for each command, in any depth.
pub fn of_commands() -> Vec<Page> {
    let mut cli = Cli::command().disable_help_subcommand(true);
    cli.build();

    let mut pages = Vec::new();
    let mut open = vec![(cli, "sevenbit".to_owned(), None::<String>)];
    while let Some((command, name, parent)) = open.pop() {
        let below: Vec<_> =
            command.get_subcommands().filter(|below| !below.is_hide_set()).cloned().collect();
        let inner: Vec<String> =
            below.iter().map(|below| format!("{name}-{}", below.get_name())).collect();

        let see: Vec<&String> = parent.iter().chain(&inner).collect();
        pages.push(Page { name: name.clone(), section: 1, roff: page(&command, &name, &see) });
        open.extend(
            below.into_iter().zip(inner).map(|(below, inner)| (below, inner, Some(name.clone()))),
        );
    }
    pages
}

/// Returns the page of one command.
fn page(command: &Command, name: &str, see: &[&String]) -> Vec<u8> {
    let examples = command.get_after_help().map(ToString::to_string);
    let man = Man::new(command.clone().display_name(name.to_owned()));
    let man =
        man.title(name).source(concat!("sevenbit ", env!("CARGO_PKG_VERSION"))).manual("sevenbit");

    let mut roff = Vec::new();
    let written = man
        .render_title(&mut roff)
        .and_then(|()| man.render_name_section(&mut roff))
        .and_then(|()| man.render_synopsis_section(&mut roff))
        .and_then(|()| man.render_description_section(&mut roff))
        .and_then(|()| man.render_options_section(&mut roff))
        .and_then(|()| {
            if command.has_subcommands() {
                man.render_subcommands_section(&mut roff)
            } else {
                Ok(())
            }
        });
    written.expect("memory takes every page");

    let mut own = Roff::new();
    if let Some(examples) = examples {
        let examples = examples.split("\n\nExit status:").next().unwrap_or_default();
        section_of_examples(&mut own, examples);
    }
    own.control("SH", ["EXIT STATUS"]);
    for (status, meaning) in STATUSES {
        own.control("TP", []);
        own.text([bold(status)]);
        own.text([roman(meaning.replace('\n', " "))]);
    }
    if let Some(filter) = name
        .strip_prefix("sevenbit-")
        .filter(|name| matches!(*name, "milter" | "gateway" | "hooks"))
    {
        own.control("SH", ["FILES"]);
        own.control("TP", []);
        own.text([bold(format!("/etc/sevenbit/{filter}.conf"))]);
        own.text([roman(format!("The options, as sevenbit-{filter}.conf(5) describes them."))]);
    }
    see_also(&mut own, name, see);
    own.to_writer(&mut roff).expect("memory takes every page");
    roff
}

/// Appends the examples, each line as it is typed.
fn section_of_examples(own: &mut Roff, examples: &str) {
    own.control("SH", ["EXAMPLES"]);
    for line in examples.lines().filter(|line| *line != "Examples:") {
        let text = line.trim_start();
        if text.is_empty() {
            continue;
        }
        if text.starts_with("sevenbit ") {
            own.control("RS", ["4"]);
            own.control("nf", []);
            own.text([bold(text)]);
            own.control("fi", []);
            own.control("RE", []);
        } else {
            own.control("PP", []);
            own.text([roman(text)]);
        }
    }
}

/// Appends the pages that belong to this one.
fn see_also(own: &mut Roff, name: &str, see: &[&String]) {
    let mut pages: Vec<String> = see.iter().map(|name| format!("{name}(1)")).collect();
    if let "sevenbit-milter" | "sevenbit-gateway" | "sevenbit-hooks" = name {
        pages.push(format!("{name}.conf(5)"));
    }
    if pages.is_empty() {
        return;
    }
    own.control("SH", ["SEE ALSO"]);
    own.text([roman(pages.join(", "))]);
}
