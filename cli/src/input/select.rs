//! Which messages are selected: by name, by date.

use std::path::{Path, PathBuf};

use glob::{MatchOptions, Pattern};

use super::parse_date;
use crate::place::is_pattern;
use sevenbit::Message;

/// The longest message that is held in memory by default.
pub const MAX_MESSAGE: usize = 1 << 30;

/// Which messages are selected.
#[derive(Clone, Debug)]
pub struct Select {
    /// If there are any, a name has to match one of them.
    pub include: Vec<Pattern>,
    /// A name must match none of them.
    pub exclude: Vec<Pattern>,
    /// The earliest date of a message, in seconds since 1970.
    pub since: Option<i64>,
    /// The longest message that is held in memory, in octets.
    pub max_message: usize,
}

impl Default for Select {
    fn default() -> Self {
        Self { include: Vec::new(), exclude: Vec::new(), since: None, max_message: MAX_MESSAGE }
    }
}

impl Select {
    /// Whether files in directories with this name are selected.
    pub fn admits(&self, relative: &Path) -> bool {
        let any = |patterns: &[Pattern]| patterns.iter().any(|pattern| fits(pattern, relative));
        (self.include.is_empty() || any(&self.include)) && !any(&self.exclude)
    }

    /// Whether a message is too old to be selected. One without a readable date is not.
    pub fn is_too_old(&self, message: &[u8]) -> bool {
        let Some(since) = self.since else { return false };
        let date = Message::parse(message).header("date").and_then(|date| parse_date(&date));
        date.is_some_and(|date| date < since)
    }
}

/// Matches a pattern: one without a slash against the last part of a name, any other against the whole.
fn fits(pattern: &Pattern, relative: &Path) -> bool {
    let options = MatchOptions { require_literal_separator: true, ..MatchOptions::new() };
    let last = || relative.file_name().map(Path::new).unwrap_or(relative);
    let name = if pattern.as_str().contains('/') { relative } else { last() };
    pattern.matches_path_with(name, options)
}

/// Returns the files that an INPUT stands for: itself, unless it is a pattern that a shell has left as it was.
pub fn expanded(path: &Path) -> Vec<PathBuf> {
    let as_it_is = || vec![path.to_owned()];
    let Some(pattern) = path.to_str().filter(|_| is_pattern(path) && !path.exists()) else {
        return as_it_is();
    };
    let found: Vec<PathBuf> = glob::glob(pattern).map(|found| found.flatten().collect()).unwrap_or_default();
    if found.is_empty() { as_it_is() } else { found }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn patterns(patterns: &[&str]) -> Vec<Pattern> {
        patterns.iter().map(|pattern| Pattern::new(pattern).expect("a pattern")).collect()
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
        let select = Select { since: parse_date("2020-01-01"), ..Select::default() };
        assert!(select.is_too_old(b"Date: Tue, 31 Dec 2019 23:59:59 +0000\r\n\r\n"));
        assert!(!select.is_too_old(b"Date: Wed, 1 Jan 2020 00:00:00 +0000\r\n\r\n"));
        assert!(!select.is_too_old(b"Date: some day\r\n\r\n") && !select.is_too_old(b""));
    }
}
