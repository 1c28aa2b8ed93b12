//! The command line. Each command has its own file; the words that options take are in [`choices`].

mod charset;
mod choices;
#[cfg(all(feature = "mta", unix))]
mod config;
#[cfg(all(feature = "mta", unix))]
mod endpoint;
mod explain;
mod extract;
#[cfg(all(feature = "mta", unix))]
mod filters;
mod form;
#[cfg(all(feature = "mta", unix))]
mod gateway;
#[cfg(all(feature = "hooks", unix))]
mod hooks;
mod inspect;
mod normalize;
mod pages;
#[cfg(all(feature = "mta", unix))]
mod rules;
mod selection;
mod text;

pub use charset::{Charset, CharsetCommand, Convert, Detect, List, OnError};
pub use choices::{
    BodyChoice, Color, LineEnds, NulChoice, Others, Summary, TnefChoice, To, Undated,
};
#[cfg(all(feature = "mta", unix))]
pub use config::is_of_messages;
#[cfg(all(feature = "mta", unix))]
pub use config::{LISTS, TESTS_OF_RULES, is_of_rules};
#[cfg(all(feature = "mta", unix))]
pub use endpoint::Endpoint;
pub use explain::Explain;
pub use extract::Extract;
#[cfg(all(feature = "mta", unix))]
pub use filters::{
    AddressChoice, ExtensionChoice, FailureChoice, FilterArgs, FilterCommand, LogFormat, Milter,
    OnlyChoice, RuleArgs, ServiceArgs,
};
pub use form::ArchiveForm;
#[cfg(all(feature = "mta", unix))]
pub use form::TransportForm;
#[cfg(all(feature = "mta", unix))]
pub use gateway::Gateway;
#[cfg(all(feature = "mta", feature = "tls", unix))]
pub use gateway::{NextTls, TlsArgs};
#[cfg(all(feature = "hooks", unix))]
pub use hooks::{Hooks, PatchChoice};
pub use inspect::Inspect;
#[cfg(all(feature = "mta", unix))]
pub use normalize::LimitArgs;
pub use normalize::Normalize;
#[cfg(all(feature = "mta", unix))]
pub use pages::FilterChoice;
pub use pages::{Pages, PagesCommand};
#[cfg(all(feature = "mta", unix))]
pub use rules::{ActionChoice, Checked, Direction, Pattern, Signature, When};
pub use selection::Selection;
pub use text::{Header, HeaderCommand, Lines, MailboxName, MailboxNameCommand, Repair};

use std::ffi::OsString;
use std::io::Write as _;

use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{Parser, Subcommand};

use crate::exit::Exit;
use crate::term::{safe_text, style};

/// Mail in any charset in, normalised 7-bit-safe mail out, meaning kept
#[derive(Debug, Parser)]
#[command(name = "sevenbit", version, propagate_version = true, max_term_width = 100, after_help = after_help(), arg_required_else_help = true)]
pub struct Cli {
    /// What to do.
    #[command(subcommand)]
    pub command: Command,

    /// Print no summary and no progress; errors are still printed
    #[arg(short, long, global = true, help_heading = "Output on the terminal")]
    pub quiet: bool,

    /// When to use colour
    #[arg(
        long,
        global = true,
        value_name = "WHEN",
        default_value = "auto",
        help_heading = "Output on the terminal"
    )]
    pub color: Color,
}

/// The commands. Each is described with its arguments; a comment here would hide that.
#[derive(Debug, Subcommand)]
pub enum Command {
    Normalize(Normalize),
    Inspect(Inspect),
    Explain(Explain),
    Extract(Extract),
    Charset(Charset),
    Header(Header),
    MailboxName(MailboxName),
    Repair(Repair),
    #[cfg(all(feature = "mta", unix))]
    Milter(Box<Milter>),
    #[cfg(all(feature = "mta", unix))]
    Gateway(Box<Gateway>),
    #[cfg(all(feature = "hooks", unix))]
    Hooks(Box<Hooks>),
    Pages(Pages),
}

#[cfg(all(feature = "mta", unix))]
impl Command {
    /// The options of a filter, if it is one.
    fn filter_and_service(&mut self) -> Option<(&mut FilterArgs, &mut ServiceArgs)> {
        match self {
            Self::Milter(args) => Some((&mut args.filter, &mut args.service)),
            Self::Gateway(args) => Some((&mut args.filter, &mut args.service)),
            #[cfg(feature = "hooks")]
            Self::Hooks(args) => Some((&mut args.filter, &mut args.service)),
            _ => None,
        }
    }
}

/// Whether the command line gives an option.
#[cfg(all(feature = "mta", unix))]
fn is_given(words: &[OsString], name: &str) -> bool {
    let is = |word: &OsString| {
        let rest = word.to_str().and_then(|word| word.strip_prefix("--")?.strip_prefix(name));
        rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('='))
    };
    words.iter().any(is)
}

const EXAMPLES: &str = "\
Examples:
  sevenbit normalize < in.eml > out.eml
  sevenbit normalize --report report.jsonl mail/ -o normalized/
  sevenbit normalize --check mail/
  sevenbit normalize archive.mbox.gz -o normalized.mbox
  sevenbit inspect message.eml
  sevenbit extract --to files/ message.eml
  sevenbit explain message.eml -o message.html";

/// The exit statuses of every command, each with what it means in one line or more.
pub const STATUSES: [(&str, &str); 7] = [
    ("0", "Done."),
    ("1", "--check found something to change, or charset list found nothing."),
    ("64", "The command was used wrongly."),
    (
        "65",
        "A message was refused or left as it was, an INPUT is no mail that is read,\n\
         or text was ill-formed, or its charset not found, where that is an error.",
    ),
    ("66", "An input cannot be read, or is truncated."),
    ("73, 74", "An output cannot be created, or written."),
    ("75", "A temporary failure: run it again."),
];

/// Returns the end of the help on the whole command: examples, and what the exit status means.
fn after_help() -> String {
    let mut help = format!("{EXAMPLES}\n\nExit status:\n");
    for (status, meaning) in STATUSES {
        help += &format!("  {status:<6}  {}\n", meaning.replace('\n', "\n          "));
    }
    help + "Over many inputs, the highest counts."
}

impl Cli {
    /// Reads the command line, with the file of options that it names.
    ///
    /// # Errors
    /// It is invalid, or asks for help.
    pub fn read() -> Result<Self, clap::Error> {
        Self::read_words(std::env::args_os().collect()).map_err(with_tip)
    }

    /// A build without filters has no file of options.
    #[cfg(not(all(feature = "mta", unix)))]
    fn read_words(words: Vec<OsString>) -> Result<Self, clap::Error> {
        Self::parse_words(&words)
    }

    /// Reads the command line alone. Explains why this build lacks a filter, if that is asked for.
    fn parse_words(words: &[OsString]) -> Result<Self, clap::Error> {
        Self::try_parse_from(words).map_err(|error| {
            let feature = match words.get(1).and_then(|word| word.to_str()) {
                Some("milter" | "gateway") if !cfg!(all(feature = "mta", unix)) => "mta",
                Some("hooks") if !cfg!(all(feature = "hooks", unix)) => "hooks",
                _ => return error,
            };
            let name = words[1].display();
            let reason = format!(
                "this build has no `{name}`: build it with the feature `{feature}`, on Linux or another Unix\n"
            );
            clap::Error::raw(ErrorKind::InvalidSubcommand, reason)
        })
    }

    /// The options from the file come first, so that those of the command line override them.
    #[cfg(all(feature = "mta", unix))]
    fn read_words(mut words: Vec<OsString>) -> Result<Self, clap::Error> {
        let mut cli = Self::parse_words(&words)?;
        let filter = match cli.command {
            Command::Milter(_) => "milter",
            Command::Gateway(_) => "gateway",
            _ => "hooks",
        };
        let Some((_, service)) = cli.command.filter_and_service() else { return Ok(cli) };
        let Some(path) = service.config.clone() else { return Ok(cli) };
        let wrong = |(line, reason): config::Wrong| {
            let place = line.map_or(String::new(), |line| format!(", line {line}"));
            clap::Error::raw(ErrorKind::Io, format!("{}{place}: {reason}\n", path.display()))
        };
        let config = config::read(&path, filter).map_err(wrong)?;
        let is_command =
            |word: &OsString| ["milter", "gateway", "hooks"].iter().any(|name| word == name);
        let mut after = words.iter().position(is_command).map_or(words.len(), |at| at + 1);
        let given = words[after..].to_vec();
        let (mut overruled, mut settings) = (Vec::new(), Vec::new());
        for option in config.options {
            if is_given(&given, &option.name) {
                overruled.push(format!(
                    "{}, line {}: {}",
                    path.display(),
                    option.line,
                    option.name
                ));
                continue;
            }
            settings.push((option.name.clone(), option.word.to_string_lossy().into_owned()));
            words.insert(after, option.word);
            Self::try_parse_from(&words)
                .map_err(|error| wrong((Some(option.line), reason_of(&error))))?;
            after += 1;
        }
        cli = Self::try_parse_from(&words)?;
        let mut rules = Vec::new();
        for rule in config.rules {
            settings.push(("rule".to_owned(), rule.described()));
            let mut ruled = words.clone();
            ruled.splice(after..after, rule.options.iter().map(|option| option.word.clone()));
            let line = rule.options.first().map_or(rule.line, |option| option.line);
            let mut parsed = Self::try_parse_from(&ruled)
                .map_err(|error| wrong((Some(line), reason_of(&error))))?;
            let Some((filter, _)) = parsed.command.filter_and_service() else { continue };
            let (filter, when) = (filter.clone(), When::of(&rule).map_err(wrong)?);
            rules.push(RuleArgs { name: rule.name, when, filter });
        }
        if let Some((filter, service)) = cli.command.filter_and_service() {
            filter.rules = rules;
            service.overruled = overruled;
            service.settings = settings;
        }
        Ok(cli)
    }

    /// Reads again what a filter is to do to messages, and the settings of its file.
    ///
    /// # Errors
    /// The options are no longer valid.
    #[cfg(all(feature = "mta", unix))]
    pub fn filter_again() -> Result<(FilterArgs, Vec<(String, String)>), String> {
        let mut cli = Self::read().map_err(|error| reason_of(&error))?;
        cli.command
            .filter_and_service()
            .map(|(filter, service)| (filter.clone(), service.settings.clone()))
            .ok_or_else(|| "no filter".to_owned())
    }
}

/// Adds the tip that an error about the command line needs and clap does not know.
fn with_tip(mut error: clap::Error) -> clap::Error {
    let option = context(&error, ContextKind::InvalidArg);
    let other = context(&error, ContextKind::PriorArg);
    if let ("--in-place", "--resume") | ("--resume", "--in-place") = (option, other) {
        let tip = "the same command with '--in-place' alone goes on after an interruption";
        error.insert(ContextKind::Suggested, ContextValue::StyledStrs(vec![tip.into()]));
    }
    error
}

/// Returns a word that an error is about; nothing if there is none, or there are several.
fn context(error: &clap::Error, kind: ContextKind) -> &str {
    match error.get(kind) {
        Some(ContextValue::String(word)) => word,
        _ => "",
    }
}

/// The reason of an error about the command line, in one line: what is wrong, the values that are
/// possible, and the tip.
#[cfg(all(feature = "mta", unix))]
fn reason_of(error: &clap::Error) -> String {
    let said = error.to_string();
    let is_reason = |line: &&str| !line.starts_with("Usage:") && !line.starts_with("For more");
    let lines = said.lines().map(str::trim).take_while(is_reason).filter(|line| !line.is_empty());

    let mut reason = String::new();
    for line in lines {
        if let Some(what) = line.strip_prefix("error: ") {
            reason.push_str(what);
        } else if let Some(tip) = line.strip_prefix("tip: ") {
            reason.push_str("; ");
            reason.push_str(tip);
        } else {
            reason.push_str(if reason.is_empty() { "" } else { " " });
            reason.push_str(line);
        }
    }
    reason
}

/// Prints what the command line asks for (`--help`, `--version`), or what is wrong with it.
pub fn answer(answer: &clap::Error) -> Exit {
    // A reader that has gone away, say `sevenbit --help | head -1`, is not our problem.
    match answer.kind() {
        ErrorKind::DisplayHelp | ErrorKind::DisplayVersion => {
            let _ = answer.print();
            Exit::Done
        }
        ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand => {
            let _ = answer.print();
            Exit::Usage
        }
        _ => {
            let said = answer.to_string();
            let said = said.strip_prefix("error: ").unwrap_or(&said).trim_end();
            let bad = style::BAD;
            let _ =
                writeln!(anstream::stderr().lock(), "{bad}sevenbit{bad:#}: {}", safe_text(said));
            Exit::Usage
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory;

    #[test]
    fn the_command_line_is_consistent() {
        Cli::command().debug_assert();
    }

    #[test]
    fn the_long_help_is_not_hidden() {
        let mut command = Cli::command();
        let normalize = command.find_subcommand_mut("normalize").expect("a command");
        let help = normalize.render_long_help().to_string();
        let words: Vec<&str> = help.split_whitespace().collect();
        assert!(words.join(" ").contains("hidden files and links are skipped"), "{help}");
    }
}
