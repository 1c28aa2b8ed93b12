//! Patterns for names, as shells have them: `*`, `?`, `[a-z]`, and words in braces, `{a,b}.eml`.

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

use glob::MatchOptions;

/// The maximum number of patterns that a pattern with braces stands for.
const MAX_EXPANDED: usize = 1000;

/// A pattern, which knows whether a name has matched it.
#[derive(Clone, Debug)]
pub struct NamePattern {
    /// The pattern as it was given.
    text: String,
    /// The patterns without braces that it stands for.
    expanded: Vec<glob::Pattern>,
    /// Whether a name has matched it, in any of its clones.
    has_matched: Arc<AtomicBool>,
}

impl NamePattern {
    /// Reads a pattern.
    ///
    /// # Errors
    /// It is not valid, or stands for too many patterns.
    pub fn new(text: &str) -> Result<Self, String> {
        let texts = without_braces(text)
            .ok_or_else(|| format!("its braces stand for more than {MAX_EXPANDED} words"))?;
        let patterns = texts.iter().map(|text| glob::Pattern::new(text));
        let expanded = patterns.collect::<Result<_, _>>().map_err(|error| error.to_string())?;
        Ok(Self { text: text.to_owned(), expanded, has_matched: Arc::default() })
    }

    /// Returns whether a name matches, and remembers it if it does. A pattern without a slash has to
    /// match the last part of the name, any other the whole.
    pub fn fits(&self, relative: &Path) -> bool {
        let name = if self.text.contains('/') {
            relative
        } else {
            relative.file_name().map_or(relative, Path::new)
        };

        let options = MatchOptions { require_literal_separator: true, ..MatchOptions::new() };
        let fits = self.expanded.iter().any(|pattern| pattern.matches_path_with(name, options));
        if fits {
            self.has_matched.store(true, Relaxed);
        }
        fits
    }

    /// Returns whether the pattern has matched a name.
    pub fn has_matched(&self) -> bool {
        self.has_matched.load(Relaxed)
    }

    /// Returns the pattern as it was given.
    pub fn text(&self) -> &str {
        &self.text
    }
}

/// Returns the patterns that one with braces stands for, in their order: `a{b,c{d,e}}` stands for
/// `ab`, `acd` and `ace`. Braces without a comma, or without an end, stand for themselves. `None` if
/// there are too many.
pub fn without_braces(pattern: &str) -> Option<Vec<String>> {
    let (mut finished, mut pending) = (Vec::new(), vec![pattern.to_owned()]);
    while let Some(next) = pending.pop() {
        match first_braces(&next) {
            None => finished.push(next),
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
                pending.extend(choices.into_iter().rev());
            }
        }
        if finished.len() + pending.len() > MAX_EXPANDED {
            return None;
        }
    }
    Some(finished)
}

/// Returns where the first braces with a comma begin, their own commas, and where they end.
fn first_braces(pattern: &str) -> Option<(usize, Vec<usize>, usize)> {
    let starts = pattern.match_indices('{').map(|(at, _)| at);
    starts.take(MAX_EXPANDED).find_map(|start| {
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
            assert_eq!(without_braces(pattern).expect("few"), expected, "{pattern}");
        }
        assert_eq!(without_braces(&"{a,b}".repeat(30)), None);
    }

    #[test]
    fn a_pattern_knows_whether_it_has_matched() {
        let pattern = NamePattern::new("{x,y}*.eml").expect("a pattern");
        assert!(!pattern.fits(Path::new("d/a.eml")) && !pattern.has_matched());
        assert!(pattern.fits(Path::new("d/yes.eml")) && pattern.clone().has_matched());
        assert!(NamePattern::new("[").is_err());
    }
}
