//! Patterns for names, as shells have them: `*`, `?`, `[a-z]`, and words in braces, `{a,b}.eml`.

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

use glob::MatchOptions;

/// The maximum number of patterns that one with braces stands for.
const MAX_WORDS: usize = 1000;

/// A pattern, which knows whether a name has matched it.
#[derive(Clone, Debug)]
pub struct NamePattern {
    text: String,
    words: Vec<glob::Pattern>,
    has_matched: Arc<AtomicBool>,
}

impl NamePattern {
    /// Reads a pattern.
    ///
    /// # Errors
    /// It is not valid, or stands for too many patterns.
    pub fn new(text: &str) -> Result<Self, String> {
        let words = words(text)
            .ok_or_else(|| format!("its braces stand for more than {MAX_WORDS} words"))?;
        let words = words.iter().map(|word| glob::Pattern::new(word)).collect::<Result<_, _>>();
        let words = words.map_err(|error| error.to_string())?;
        Ok(Self { text: text.to_owned(), words, has_matched: Arc::default() })
    }

    /// Matches a pattern: one without a slash against the last part of a name, any other against
    /// the whole.
    pub fn fits(&self, relative: &Path) -> bool {
        let options = MatchOptions { require_literal_separator: true, ..MatchOptions::new() };
        let last = || relative.file_name().map(Path::new).unwrap_or(relative);
        let name = if self.text.contains('/') { relative } else { last() };
        let fits = self.words.iter().any(|word| word.matches_path_with(name, options));
        if fits {
            self.has_matched.store(true, Relaxed);
        }
        fits
    }

    /// Returns whether the pattern has matched a name.
    pub fn has_matched(&self) -> bool {
        self.has_matched.load(Relaxed)
    }

    /// The pattern as it was given.
    pub fn text(&self) -> &str {
        &self.text
    }
}

/// Returns the patterns that one with braces stands for, in their order: `a{b,c{d,e}}` for `ab`,
/// `acd` and `ace`. Braces without a comma, or without an end, stand for themselves. Nothing if
/// there are too many.
pub fn words(pattern: &str) -> Option<Vec<String>> {
    let (mut done, mut open) = (Vec::new(), vec![pattern.to_owned()]);
    while let Some(next) = open.pop() {
        match first_braces(&next) {
            None => done.push(next),
            Some((start, commas, end)) => {
                let mut from = start + 1;
                let mut choices = Vec::new();
                for to in commas.into_iter().chain([end]) {
                    choices.push(format!(
                        "{}{}{}",
                        &next[..start],
                        &next[from..to],
                        &next[end + 1..]
                    ));
                    from = to + 1;
                }
                open.extend(choices.into_iter().rev());
            }
        }
        if done.len() + open.len() > MAX_WORDS {
            return None;
        }
    }
    Some(done)
}

/// Returns where the first braces with a comma begin, their own commas, and where they end.
fn first_braces(pattern: &str) -> Option<(usize, Vec<usize>, usize)> {
    let starts = pattern.match_indices('{').map(|(at, _)| at);
    starts.take(MAX_WORDS).find_map(|start| {
        let (mut depth, mut commas) = (0, Vec::new());
        for (at, octet) in pattern.bytes().enumerate().skip(start) {
            match octet {
                b'{' => depth += 1,
                b'}' if depth == 1 => return (!commas.is_empty()).then_some((start, commas, at)),
                b'}' => depth -= 1,
                b',' if depth == 1 => commas.push(at),
                _ => {}
            }
        }
        None
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn braces_stand_for_each_of_their_words() {
        for (pattern, expected) in [
            ("a", &["a"][..]),
            ("{a,b}.eml", &["a.eml", "b.eml"]),
            ("a{b,c{d,e}}", &["ab", "acd", "ace"]),
            ("{a,}x{1,2}", &["ax1", "ax2", "x1", "x2"]),
            ("{a}", &["{a}"]),
            ("{a}{b,c}", &["{a}b", "{a}c"]),
            ("{a,b", &["{a,b"]),
            ("a,b}", &["a,b}"]),
        ] {
            assert_eq!(words(pattern).expect("few"), expected, "{pattern}");
        }
        assert_eq!(words(&"{a,b}".repeat(30)), None);
    }

    #[test]
    fn a_pattern_knows_whether_it_has_matched() {
        let pattern = NamePattern::new("{x,y}*.eml").expect("a pattern");
        assert!(!pattern.fits(Path::new("d/a.eml")) && !pattern.has_matched());
        assert!(pattern.fits(Path::new("d/yes.eml")) && pattern.clone().has_matched());
        assert!(NamePattern::new("[").is_err());
    }
}
