//! The options for the kind of the inputs and the messages selected.

use std::path::PathBuf;

use clap::Args;
use sevenbit::Date;

use super::Undated;
use crate::exit::Failure;
use crate::input::{Format, Inputs, MAX_MESSAGE, NamePattern, OutlookMail, Select};

/// What the inputs are, and which of their messages are asked for.
#[derive(Args, Debug)]
pub struct Selection {
    /// The kind of the inputs
    #[arg(long, value_name = "KIND", default_value = "auto", help_heading = "Input")]
    pub format: Format,

    /// Take only those files in directories whose names match, as `*.eml` or `{a,b}*`; repeatable
    #[arg(long, value_name = "PATTERN", value_parser = NamePattern::new, help_heading = "Input")]
    pub include: Vec<NamePattern>,

    /// Leave out files in directories whose names match; repeatable
    #[arg(long, value_name = "PATTERN", value_parser = NamePattern::new, help_heading = "Input")]
    pub exclude: Vec<NamePattern>,

    /// Take only messages whose Date is this day or later (UTC); --undated says what becomes of those
    /// without a Date. For an attached message, the Date of the message around it counts
    #[arg(long, value_name = "YYYY-MM-DD", value_parser = date, help_heading = "Input")]
    pub since: Option<i64>,

    /// Take only messages whose Date is this day or earlier (UTC); --undated says what becomes of
    /// those without a Date
    #[arg(long, value_name = "YYYY-MM-DD", value_parser = end_of_date, help_heading = "Input")]
    pub until: Option<i64>,

    /// With --since or --until: what becomes of messages without a Date that can be read
    #[arg(long, value_enum, value_name = "CHOICE", default_value = "take", help_heading = "Input")]
    pub undated: Undated,

    /// Take only the message of this number in a mailbox or an archive, the `number` in reports and
    /// error messages; the first is 1. In a directory or several INPUTs, messages are counted on from
    /// one file to the next
    #[arg(long, value_name = "NUMBER", value_parser = clap::value_parser!(u64).range(1..), help_heading = "Input")]
    pub message: Option<u64>,

    /// Attach the properties of a message of Outlook (.msg, .pst) to it
    ///
    /// The attachment is a file of JSON, outlook-properties.json. It has the properties that mail has
    /// no place for, those that users have made too, and the charsets in which the texts were read.
    /// What is signed or encrypted stays as it is.
    #[arg(long, help_heading = "Input")]
    pub outlook_properties: bool,

    /// The longest message that is held in memory, in octets
    ///
    /// `normalize` writes a longer one as well, if attachments in base64 make it long. The body of
    /// any other longer message is carried as it is, as application/octet-stream in base64, and
    /// reported (`part-opaque`); with --in-place the file stays as it is. The other commands leave
    /// longer messages out.
    #[arg(long, value_name = "OCTETS", default_value_t = MAX_MESSAGE, help_heading = "Limits")]
    pub max_message: usize,
}

impl Selection {
    /// Everything in it that the messages asked for depend on.
    pub fn words(&self) -> String {
        let texts = |patterns: &[NamePattern]| -> Vec<String> {
            patterns.iter().map(|pattern| pattern.text().to_owned()).collect()
        };
        let (include, exclude) = (texts(&self.include), texts(&self.exclude));
        format!(
            "{:?} {include:?} {exclude:?} {:?} {:?} {:?} {:?} {} {}",
            self.format,
            self.since,
            self.until,
            self.undated,
            self.message,
            self.max_message,
            self.outlook_properties
        )
    }

    /// The inputs at `paths`.
    ///
    /// # Errors
    /// They are invalid.
    pub fn inputs(&self, paths: &[PathBuf]) -> Result<Inputs, Failure> {
        let (include, exclude) = (self.include.clone(), self.exclude.clone());
        let outlook =
            if self.outlook_properties { OutlookMail::WithProperties } else { OutlookMail::Alone };
        let Self { since, until, message, max_message, .. } = *self;
        if since.zip(until).is_some_and(|(since, until)| since > until) {
            return Err(Failure::usage("`--since` is after `--until`: no day is both"));
        }
        let leaves_undated = self.undated == Undated::Leave;
        let select = Select {
            include,
            exclude,
            since,
            until,
            leaves_undated,
            message,
            max_message,
            outlook,
        };
        Inputs::new(paths, self.format, select)
    }
}

/// Returns the last second of a day.
fn end_of_date(text: &str) -> Result<i64, String> {
    const LAST_SECOND: i64 = 24 * 60 * 60 - 1;
    let is_day = text.len() == "YYYY-MM-DD".len();
    date(text).map(|begin| if is_day { begin + LAST_SECOND } else { begin })
}

/// Returns the moment of a date whose day, month and year are in no doubt.
fn date(text: &str) -> Result<i64, String> {
    let begins_with_year = text.as_bytes().get("YYYY".len()) == Some(&b'-');
    let date = Date::read(text.as_bytes());
    date.filter(|date| begins_with_year || !date.is_guess())
        .map(|date| date.timestamp())
        .ok_or_else(|| "not a day such as 2026-11-19, nor a date as in a Date field".to_owned())
}
