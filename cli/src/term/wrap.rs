//! Text in rows that fit a terminal of 80 columns.

/// How many columns there are: as many as every terminal has, and as fit beside something else.
pub const COLUMNS: usize = 80;

/// Breaks `text` into rows of at most `width` columns: at spaces, which are dropped there, or
/// within words that are longer. Line ends break rows, too.
pub fn rows(text: &str, width: usize) -> Vec<&str> {
    let width = width.max(20);
    text.split('\n').flat_map(|line| rows_of_line(line, width)).collect()
}

fn rows_of_line(mut line: &str, width: usize) -> Vec<&str> {
    let mut rows = Vec::new();
    while let Some(end) = end_of_row(line, width) {
        // Blanks at the beginning are an indentation.
        let (at, skipped) = match line[..end].rfind(' ') {
            Some(at) if !line[..at].trim_start().is_empty() => (at, 1),
            _ if line[end..].starts_with(' ') => (end, 1),
            _ => (end, 0),
        };
        rows.push(line[..at].trim_end());
        line = &line[at + skipped..];
    }
    rows.push(line);
    rows
}

/// Returns where the first row must end, if the line is longer than that.
fn end_of_row(line: &str, width: usize) -> Option<usize> {
    let mut columns = 0;
    line.char_indices().find_map(|(at, c)| {
        columns += columns_of(c);
        (columns > width).then_some(at)
    })
}

/// How many columns text takes.
pub fn columns(text: &str) -> usize {
    text.chars().map(columns_of).sum()
}

/// East Asian letters and pictures are as wide as two others. As good as needed: a row too short
/// does no harm.
fn columns_of(c: char) -> usize {
    if matches!(c, '\u{1100}'..='\u{115F}' | '\u{2E80}'..='\u{A4CF}' | '\u{AC00}'..='\u{D7A3}' | '\u{F900}'..='\u{FAFF}'
        | '\u{FE30}'..='\u{FE4F}' | '\u{FF00}'..='\u{FF60}' | '\u{1F300}'..='\u{3FFFD}')
    {
        2
    } else {
        1
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_end_at_spaces_or_where_they_must() {
        assert_eq!(rows("one two three four five six", 20), ["one two three four", "five six"]);
        assert_eq!(rows(&"x".repeat(45), 20), ["x".repeat(20), "x".repeat(20), "x".repeat(5)]);
        assert_eq!(
            rows("  indented a little more than fits", 20),
            ["  indented a little", "more than fits"]
        );
        assert_eq!(rows("a\n\nb", 20), ["a", "", "b"]);
        assert_eq!(
            rows(&"\u{65E5}".repeat(11), 20),
            ["\u{65E5}".repeat(10), "\u{65E5}".to_owned()]
        );
    }
}
