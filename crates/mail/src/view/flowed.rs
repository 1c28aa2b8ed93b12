//! `format=flowed` (RFC 3676): lines that were broken to be sent, joined again.

/// The line before a signature (RFC 3676, 4.3), which is never joined to another.
pub(super) const SIGNATURE: &str = "-- ";

/// Joins the lines of each paragraph of flowed text. `deletes` says that the space at the end of a
/// flowed line is no part of the text (`DelSp=yes`, 4.1).
///
/// ```text
/// flowed-line = *quote-mark [space-stuffing] *text-char SP
/// ```
/// A paragraph is its flowed lines and the fixed one after them, all quoted equally deep (4.2).
/// Quote marks are written as `>> `; a line that begins with `>` without being quoted keeps the
/// space that says so.
pub(super) fn unflowed(text: &str, deletes: bool) -> String {
    let mut out = String::with_capacity(text.len());
    // The depth of quotation of the paragraph that goes on; nothing if none does.
    let mut open: Option<usize> = None;
    for line in text.split_inclusive('\n') {
        let (line, is_ended) = line.strip_suffix('\n').map_or((line, false), |line| (line, true));
        let rest = line.trim_start_matches('>');
        let depth = line.len() - rest.len();
        let rest = rest.strip_prefix(' ').unwrap_or(rest);
        let is_signature = rest == SIGNATURE;
        if open != Some(depth) || is_signature {
            if open.is_some() {
                out.truncate(out.trim_end_matches(' ').len());
                out.push('\n');
            }
            begin(&mut out, depth, rest);
        }
        let is_flowed = rest.ends_with(' ') && !is_signature;
        out.push_str(if is_flowed && deletes { &rest[..rest.len() - 1] } else { rest });
        open = (is_flowed && is_ended).then_some(depth);
        if open.is_none() && is_ended {
            out.push('\n');
        }
    }
    if open.is_some() {
        out.push('\n');
    }
    out
}

/// Begins a paragraph with its quote marks, and with the space that they, or a `>` of the text, need.
fn begin(out: &mut String, depth: usize, rest: &str) {
    out.extend(std::iter::repeat_n('>', depth));
    if depth > 0 && !rest.is_empty() || rest.starts_with('>') {
        out.push(' ');
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn paragraphs_are_joined() {
        for (text, deletes, expected) in [
            ("one \ntwo\nthree\n", false, "one two\nthree\n"),
            ("one \ntwo\n", true, "onetwo\n"),
            ("漢字 \n漢字\n", true, "漢字漢字\n"),
            (">> a \n>> b\n> c \nd\n", false, ">> a b\n> c\nd\n"),
            (" From me\n  indented\n >not quoted\n", false, "From me\n indented\n >not quoted\n"),
            ("bye \n-- \nAda \nLovelace\n", false, "bye\n-- \nAda Lovelace\n"),
            ("> text \n> -- \n> sig\n", false, "> text\n> -- \n> sig\n"),
            ("> \n>\n\n", false, ">\n>\n\n"),
            ("no end ", false, "no end "),
            ("no end \n", false, "no end \n"),
            ("", false, ""),
        ] {
            assert_eq!(unflowed(text, deletes), expected, "{text:?}");
        }
    }

    proptest! {
        #[test]
        fn nothing_but_line_ends_marks_and_spaces_changes(text in "([>]{0,2}|-- |[a-z]{1,3}| |\n){0,40}", deletes: bool) {
            let letters = |text: &str| text.chars().filter(|c| c.is_ascii_lowercase() || *c == '-').collect::<String>();
            prop_assert_eq!(letters(&unflowed(&text, deletes)), letters(&text));
        }
    }
}
