//! The selection of messages: by name, by date, by number.

use std::path::{Path, PathBuf};

use sevenbit::Message;

use super::pattern::{NamePattern, without_braces};
use crate::place::is_pattern;
use crate::term::{Console, safe_line};

/// The longest message that is held in memory by default.
pub const MAX_MESSAGE: usize = 1 << 30;

/// Which messages are selected.
#[derive(Clone, Debug)]
pub struct Select {
    /// If there are any, a name has to match one of them.
    pub include: Vec<NamePattern>,
    /// A name must match none of them.
    pub exclude: Vec<NamePattern>,
    /// The earliest date of a message, in seconds since 1970.
    pub since: Option<i64>,
    /// The latest date of a message, in seconds since 1970.
    pub until: Option<i64>,
    /// Whether messages without a readable date are left out, where days are asked for.
    pub leaves_undated: bool,
    /// The number of the only message, from 1, counted over all inputs.
    pub message: Option<u64>,
    /// The longest message that is held in memory, in octets.
    pub max_message: usize,
    /// The form in which a message of Outlook is taken.
    pub outlook: OutlookMail,
}

/// The form in which a message of Outlook is taken.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum OutlookMail {
    /// The message as mail.
    #[default]
    Alone,
    /// The message as mail, with its properties attached.
    WithProperties,
}

/// The day of a message.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Day {
    /// A day that is asked for: any, if none is named.
    Asked,
    /// Another day.
    Other,
    /// No day that can be read, where days are asked for.
    Unknown,
}

impl Default for Select {
    fn default() -> Self {
        Self {
            include: Vec::new(),
            exclude: Vec::new(),
            since: None,
            until: None,
            leaves_undated: false,
            message: None,
            max_message: MAX_MESSAGE,
            outlook: OutlookMail::Alone,
        }
    }
}

impl Select {
    /// Whether files in directories with this name are selected.
    pub fn admits(&self, relative: &Path) -> bool {
        let any = |patterns: &[NamePattern]| patterns.iter().any(|pattern| pattern.fits(relative));
        (self.include.is_empty() || any(&self.include)) && !any(&self.exclude)
    }

    /// The patterns that no name has matched, each with its option.
    fn unmatched(&self) -> impl Iterator<Item = (&'static str, &str)> {
        let include = self.include.iter().map(|pattern| ("--include", pattern));
        let exclude = self.exclude.iter().map(|pattern| ("--exclude", pattern));
        let unmatched = include.chain(exclude).filter(|(_, pattern)| !pattern.has_matched());
        unmatched.map(|(option, pattern)| (option, pattern.text()))
    }

    /// Says which patterns no name has matched, after all names were asked.
    pub fn tell_unmatched(&self, console: &Console) {
        for (option, pattern) in self.unmatched() {
            console.say(format_args!("`{option} {}` matches no file", safe_line(pattern)));
        }
    }

    /// Whether only messages of some days are asked for.
    pub fn asks_for_days(&self) -> bool {
        self.since.is_some() || self.until.is_some()
    }

    /// Returns whether any message may be left out.
    pub fn leaves_out(&self) -> bool {
        let of_names = !self.include.is_empty() || !self.exclude.is_empty();
        of_names || self.asks_for_days() || self.message.is_some()
    }

    /// Returns whether a message was sent before or after the days that are asked for, or has no
    /// readable date and is left out for that.
    pub fn is_of_other_day(&self, message: &[u8]) -> bool {
        match self.day(message) {
            Day::Asked => false,
            Day::Other => true,
            Day::Unknown => self.leaves_undated,
        }
    }

    /// Returns the day of a message, beside those that are asked for.
    pub fn day(&self, message: &[u8]) -> Day {
        if !self.asks_for_days() {
            return Day::Asked;
        }
        let Some(date) = Message::parse(message).date() else { return Day::Unknown };
        let date = date.timestamp();

        let is_before = self.since.is_some_and(|since| date < since);
        let is_after = self.until.is_some_and(|until| date > until);
        if is_before || is_after { Day::Other } else { Day::Asked }
    }
}

/// Returns the files that an INPUT stands for: itself, unless it is a pattern that a shell has left
/// as it was.
pub fn expanded(path: &Path) -> Vec<PathBuf> {
    let as_it_is = || vec![path.to_owned()];
    if !is_pattern(path) || path.exists() {
        return as_it_is();
    }
    let Some(pattern) = path.to_str() else { return as_it_is() };
    let mut found = Vec::new();
    for word in without_braces(pattern).unwrap_or_default() {
        let is_pattern = word.contains(['*', '?', '[']);
        let files: Vec<PathBuf> = match glob::glob(&word) {
            Ok(files) if is_pattern => files.flatten().collect(),
            _ => Vec::new(),
        };
        // A word that nothing is called is told when it is read.
        if files.is_empty() { found.push(PathBuf::from(word)) } else { found.extend(files) }
    }
    if found.is_empty() { as_it_is() } else { found }
}

#[cfg(test)]
mod tests {
    use super::*;

    const BEGIN_OF_2020: i64 = 1_577_836_800;

    fn patterns(patterns: &[&str]) -> Vec<NamePattern> {
        patterns.iter().map(|pattern| NamePattern::new(pattern).expect("a pattern")).collect()
    }

    #[test]
    fn names_are_included_and_excluded() {
        let select = Select {
            include: patterns(&["*.eml", "old/**/*"]),
            exclude: patterns(&["draft*"]),
            ..Select::default()
        };
        for (name, admitted) in [
            ("a.eml", true),
            ("x/a.eml", true),
            ("a.txt", false),
            ("old/x/a.txt", true),
            ("x/draft.eml", false),
        ] {
            assert_eq!(select.admits(Path::new(name)), admitted, "{name}");
        }
    }

    #[test]
    fn a_message_without_a_date_is_not_too_old() {
        let select = Select { since: Some(BEGIN_OF_2020), ..Select::default() };
        assert!(select.is_of_other_day(b"Date: Tue, 31 Dec 2019 23:59:59 +0000\r\n\r\n"));
        assert!(!select.is_of_other_day(b"Date: Wed, 1 Jan 2020 00:00:00 +0000\r\n\r\n"));
        // The zone counts, also by its name.
        assert!(select.is_of_other_day(b"Date: Tue, 31 Dec 2019 18:59:59 EST\r\n\r\n"));
        assert!(!select.is_of_other_day(b"Date: Tue, 31 Dec 2019 19:00:00 EST\r\n\r\n"));
        assert!(!select.is_of_other_day(b"Date: some day\r\n\r\n") && !select.is_of_other_day(b""));
        let select = Select { until: Some(BEGIN_OF_2020), ..select };
        assert!(select.is_of_other_day(b"Date: Wed, 1 Jan 2020 00:00:01 +0000\r\n\r\n"));
        let select = Select { leaves_undated: true, ..select };
        assert!(select.is_of_other_day(b"Date: some day\r\n\r\n"));
        assert!(!select.is_of_other_day(b"Date: Wed, 1 Jan 2020 00:00:00 +0000\r\n\r\n"));
    }
}
