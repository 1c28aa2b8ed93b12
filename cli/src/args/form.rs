//! The options of the library on the command line, made from the library's table: their names,
//! words, meanings and defaults are said there, and nowhere here.

use clap::builder::{PossibleValue, PossibleValuesParser};
use clap::{Arg, ArgMatches, Command, FromArgMatches};
use sevenbit::{Normalizer, Profile};

/// The form in which messages are written, by default that of an archive.
pub type ArchiveForm = Form<false>;

/// The form in which messages are written, by default that of transport.
#[cfg(all(feature = "mta", unix))]
pub type TransportForm = Form<true>;

/// The options of the library: an argument for each, `--profile` and the others. `TRANSPORT` says
/// which profile is the default.
#[derive(Clone, Debug)]
pub struct Form<const TRANSPORT: bool>(Normalizer);

impl<const TRANSPORT: bool> Form<TRANSPORT> {
    /// The library's normaliser with these options, and default limits.
    pub fn normalizer(&self) -> Normalizer {
        self.0.clone()
    }

    /// How much is rewritten.
    pub fn profile(&self) -> Profile {
        self.0.option("profile").and_then(|word| word.parse().ok()).unwrap_or_default()
    }

    /// These options in words: `profile transport, signed break, ...`.
    pub fn words(&self) -> String {
        let words = Normalizer::OPTIONS
            .iter()
            .filter_map(|option| Some(format!("{} {}", option.name, self.0.option(option.name)?)));
        words.collect::<Vec<_>>().join(", ")
    }

    fn defaults() -> Normalizer {
        let profile = if TRANSPORT { Profile::Transport } else { Profile::Archive };
        Normalizer::new().profile(profile)
    }
}

impl<const TRANSPORT: bool> clap::Args for Form<TRANSPORT> {
    fn augment_args(command: Command) -> Command {
        let defaults = Self::defaults();
        Normalizer::OPTIONS.iter().fold(command, |command, option| {
            let values = option.values.iter().map(|value| {
                let shown = PossibleValue::new(value.word).help(help_of(value.summary));
                value.alias.into_iter().fold(shown, PossibleValue::alias)
            });
            command.arg(
                Arg::new(option.name)
                    .long(option.name)
                    .value_name("WORD")
                    .help(help_of(option.summary))
                    .help_heading("Normal form")
                    .default_value(defaults.option(option.name).unwrap_or(option.default))
                    .value_parser(PossibleValuesParser::new(values)),
            )
        })
    }

    fn augment_args_for_update(command: Command) -> Command {
        Self::augment_args(command)
    }
}

impl<const TRANSPORT: bool> FromArgMatches for Form<TRANSPORT> {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, clap::Error> {
        let mut form = Self(Self::defaults());
        form.update_from_arg_matches(matches)?;
        Ok(form)
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        for option in Normalizer::OPTIONS {
            if let Some(word) = matches.get_one::<String>(option.name) {
                self.0.set(option.name, word).map_err(|error| {
                    clap::Error::raw(clap::error::ErrorKind::InvalidValue, error)
                })?;
            }
        }
        Ok(())
    }
}

/// A sentence of the documentation as `--help` shows it: without the marks of code, without a full
/// stop.
fn help_of(summary: &str) -> String {
    summary.trim_end_matches('.').replace('`', "")
}
