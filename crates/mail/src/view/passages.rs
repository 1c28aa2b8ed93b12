//! Who wrote which lines of a text: the sender, somebody quoted, the signature.

use super::flowed::SIGNATURE;

/// Lines of a text that belong together.
///
/// Words that introduce a quotation (`On Monday, Ada wrote:`) are language, and count as the
/// sender's own.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Passage<'t> {
    text: &'t str,
    quote_depth: usize,
    is_signature: bool,
}

impl<'t> Passage<'t> {
    /// Returns the lines as they are, with their quote marks and line ends.
    pub fn text(&self) -> &'t str {
        self.text
    }

    /// Returns how many quote marks (`>`) each of its lines begins with; 0 for the sender's own.
    pub fn quote_depth(&self) -> usize {
        self.quote_depth
    }

    /// Returns whether it is the signature: from a line `-- ` to the end (RFC 3676, 4.3).
    pub fn is_signature(&self) -> bool {
        self.is_signature
    }
}

/// Cuts a text into passages: lines that are quoted equally deep, and the signature. Joined, their
/// texts are the whole text. A line `--` counts as `-- `, since gateways remove the space.
///
/// ```
/// let text = "> Shall we meet?\nYes.\n-- \nAda\n";
/// let own: String = sevenbit::passages(text)
///     .filter(|passage| passage.quote_depth() == 0 && !passage.is_signature())
///     .map(|passage| passage.text())
///     .collect();
/// assert_eq!(own, "Yes.\n");
/// ```
pub fn passages(text: &str) -> impl Iterator<Item = Passage<'_>> {
    let mut rest = text;
    std::iter::from_fn(move || {
        let first = rest.split_inclusive('\n').next()?;
        let (quote_depth, is_signature) = (quote_depth(first), begins_signature(first));
        let belongs =
            |line: &&str| self::quote_depth(line) == quote_depth && !begins_signature(line);
        let length = if is_signature {
            rest.len()
        } else {
            rest.split_inclusive('\n').take_while(belongs).map(str::len).sum()
        };
        let (text, after) = rest.split_at(length);
        rest = after;
        Some(Passage { text, quote_depth, is_signature })
    })
}

fn begins_signature(line: &str) -> bool {
    let line = line.trim_end_matches(['\r', '\n']);
    line == SIGNATURE || line == SIGNATURE.trim_end()
}

/// Returns how deep a line is quoted: `>> `, `> > `.
fn quote_depth(line: &str) -> usize {
    let (mut depth, mut rest) = (0, line);
    while let Some(after) = rest.strip_prefix('>') {
        depth += 1;
        rest = if after.starts_with(" >") { &after[1..] } else { after };
    }
    depth
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn quotes_and_signatures_are_found() {
        let text = "Hi,\n> > two\n>> two\n> one\nme\n> -- \n> not mine\n-- \nAda\n> x\n";
        let found: Vec<_> =
            passages(text).map(|one| (one.quote_depth(), one.is_signature(), one.text())).collect();
        assert_eq!(
            found,
            [
                (0, false, "Hi,\n"),
                (2, false, "> > two\n>> two\n"),
                (1, false, "> one\n"),
                (0, false, "me\n"),
                (1, false, "> -- \n> not mine\n"),
                (0, true, "-- \nAda\n> x\n"),
            ]
        );
        assert_eq!(passages("").count(), 0);
    }

    proptest! {
        #[test]
        fn passages_are_the_whole(text in "(>| |-- |--|[a-z]|\r\n|\n){0,40}") {
            let whole: String = passages(&text).map(|one| one.text()).collect();
            prop_assert_eq!(whole, text);
        }
    }
}
