//! The filters' configuration files: a commented one of each, and its man page with every option that
//! the filter has, and the rules.

use clap::{Arg, CommandFactory as _};
use clap_mangen::roff::{Inline, Roff, bold, italic, roman};

use super::man::Page;
use crate::args::{Cli, FilterChoice, LISTS, TESTS_OF_RULES, is_of_rules};

/// Returns the commented file of a filter, as packages install it.
pub fn commented(filter: FilterChoice) -> &'static str {
    // Links to packaging/etc, which is not part of the crate.
    match filter {
        FilterChoice::Milter => include_str!("milter.conf"),
        FilterChoice::Gateway => include_str!("gateway.conf"),
        #[cfg(feature = "hooks")]
        FilterChoice::Hooks => include_str!("hooks.conf"),
    }
}

/// Returns the page of each file.
pub fn pages() -> Vec<Page> {
    vec![
        page("milter", "options and rules of the milter", commented(FilterChoice::Milter)),
        page("gateway", "options and rules of the SMTP gateway", commented(FilterChoice::Gateway)),
        #[cfg(feature = "hooks")]
        page("hooks", "options and rules of the MTA hooks", commented(FilterChoice::Hooks)),
    ]
}

/// Returns the page of the configuration file of a command.
fn page(command: &str, description: &str, example: &str) -> Page {
    let name = format!("sevenbit-{command}.conf");
    let version = concat!("sevenbit ", env!("CARGO_PKG_VERSION"));
    let path = format!("/etc/sevenbit/{command}.conf");
    let mut roff = Roff::new();

    roff.control("TH", [name.as_str(), "5", "", version, "sevenbit"]);
    roff.control("SH", ["NAME"]);
    roff.text([roman(format!("{name} - {description}"))]);
    roff.control("SH", ["SYNOPSIS"]);
    roff.text([bold(path.as_str())]);

    roff.control("SH", ["DESCRIPTION"]);
    roff.text([roman(format!(
        "The file is TOML. Its keys are the options of sevenbit-{command}(1) without the dashes; an option that takes no value is \
         true or false, one that may be repeated takes an array. What the command line gives goes before the file. \
         `sevenbit {command} --config {path} --check-config` reads the file and says what is wrong, and in which line."
    ))]);

    let mut cli = Cli::command();
    cli.build();
    let options: Vec<&Arg> = cli.find_subcommand(command).map_or_else(Vec::new, |found| {
        found.get_arguments().filter(|arg| !arg.is_hide_set() && may_stand_in_file(arg)).collect()
    });
    roff.control("SH", ["OPTIONS"]);
    options.iter().for_each(|arg| write_option(&mut roff, arg));

    roff.control("SH", ["RULES"]);
    roff.text([roman(
        "A [[rule]] has tests, all of which a message has to pass, and options, which then go before those of the file. \
         The first rule that matches decides.",
    )]);
    for (test, meaning) in TESTS_OF_RULES {
        roff.control("TP", []);
        roff.text([bold(test)]);
        roff.text([roman(meaning)]);
    }
    roff.control("PP", []);
    roff.text([roman(LISTS)]);
    let of_rules = options.iter().filter_map(|arg| arg.get_long()).filter(|name| is_of_rules(name));
    roff.control("PP", []);
    roff.text([roman(format!("Options of a rule: {}.", of_rules.collect::<Vec<_>>().join(", ")))]);

    roff.control("SH", ["EXAMPLE"]);
    roff.text([roman(format!("`sevenbit pages config {command}` prints this file:"))]);
    roff.control("RS", ["4"]);
    roff.control("nf", []);
    for line in example.lines() {
        roff.text([roman(line)]);
    }
    roff.control("fi", []);
    roff.control("RE", []);

    roff.control("SH", ["SEE ALSO"]);
    roff.text([roman(format!("sevenbit-{command}(1)"))]);
    Page { name, section: 5, roff: roff.to_roff().into_bytes() }
}

/// Returns whether an argument of the command may stand in its configuration file.
fn may_stand_in_file(arg: &Arg) -> bool {
    let command_line_only =
        ["config", "check-config", "explain", "print-postfix", "help", "version", "quiet", "color"];
    arg.get_long().is_some_and(|name| !command_line_only.contains(&name))
}

/// Writes an option: its name and value, its help, and the words of its values.
fn write_option(roff: &mut Roff, arg: &Arg) {
    let name = arg.get_long().unwrap_or_default();
    let values = arg.get_value_names().unwrap_or_default();
    let mut head: Vec<Inline> = vec![bold(name), roman(" = ")];
    match values.first() {
        Some(value) if arg.get_action().takes_values() => head.push(italic(value.as_str())),
        _ => head.push(roman("true")),
    }

    let defaults = arg.get_default_values();
    if !defaults.is_empty() && arg.get_action().takes_values() {
        let defaults: Vec<_> = defaults.iter().map(|word| word.to_string_lossy()).collect();
        head.push(roman(format!(" [default: {}]", defaults.join(", "))));
    }
    roff.control("TP", ["7"]);
    roff.text(head);

    let help =
        arg.get_long_help().or_else(|| arg.get_help()).map(ToString::to_string).unwrap_or_default();
    roff.text([roman(help.replace("\n\n", " ").replace('\n', " "))]);

    let words: Vec<_> =
        arg.get_possible_values().into_iter().filter(|word| !word.is_hide_set()).collect();
    // `true` and `false` need no words.
    if words.iter().all(|word| word.get_help().is_none()) {
        return;
    }
    roff.control("RS", ["7"]);
    for word in words {
        let meaning = word.get_help().map(ToString::to_string).unwrap_or_default();
        roff.control("IP", ["\\(bu", "2"]);
        roff.text([bold(word.get_name()), roman(format!(": {meaning}"))]);
    }
    roff.control("RE", []);
}
