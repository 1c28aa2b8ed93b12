//! Text of unknown origin, made safe to show.
//!
//! A terminal obeys C0 and C1 controls and DEL: mail could rename the window, hide text or type
//! answers for the user. Bidirectional embeddings, overrides and isolates reorder adjacent text.
//! None of these is printed as it is; each is shown as a picture or by its number.

use std::borrow::Cow;
use std::fmt::Write as _;

/// Whether a terminal might act on it.
pub const fn unsafe_char(c: char) -> bool {
    matches!(c,
        '\0'..='\u{1F}' | '\u{7F}'..='\u{9F}'           // C0, DEL, C1
        | '\u{2028}' | '\u{2029}'                       // line and paragraph separator
        | '\u{202A}'..='\u{202E}' | '\u{2066}'..='\u{2069}' // bidirectional embeddings, overrides, isolates
        | '\u{FFF9}'..='\u{FFFB}'                       // interlinear annotation hides text
        | '\u{E0000}'..='\u{E007F}') // tags are invisible
}

/// `text` on one line: controls, including line ends and tabs, are shown, not sent.
pub fn safe_line(text: &str) -> Cow<'_, str> {
    shown(text, |_| false)
}

/// `text` on as many lines as it has: line feeds and tabs stay.
pub fn safe_text(text: &str) -> Cow<'_, str> {
    shown(text, |c| matches!(c, '\n' | '\t'))
}

fn shown(text: &str, keep: fn(char) -> bool) -> Cow<'_, str> {
    let bad = |c: char| unsafe_char(c) && !keep(c);
    if !text.contains(bad) {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len() + 16);
    for c in text.chars() {
        if bad(c) { show(c, &mut out) } else { out.push(c) }
    }
    Cow::Owned(out)
}

/// C0 and DEL have pictures in Unicode; the others are shown by number.
fn show(c: char, out: &mut String) {
    let picture = match c {
        '\0'..='\u{1F}' => char::from_u32(0x2400 + u32::from(c)),
        '\u{7F}' => Some('\u{2421}'),
        _ => None,
    };
    match picture {
        Some(picture) => out.push(picture),
        // Writing to a string does not fail.
        None => _ = write!(out, "<U+{:04X}>", u32::from(c)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn plain_text_of_any_script_stays() {
        for text in ["Grüße", "שלום\u{200E}", "क्\u{200D}ष", "👩\u{200D}👧", ""] {
            assert!(matches!(safe_line(text), Cow::Borrowed(same) if same == text));
        }
    }

    #[test]
    fn controls_are_shown_not_sent() {
        assert_eq!(safe_line("\x1b]0;x\x07\x7f"), "␛]0;x␇␡");
        assert_eq!(safe_line("a\r\nb\tc"), "a␍␊b␉c");
        assert_eq!(safe_line("\u{9b}31m \u{202e}gpj"), "<U+009B>31m <U+202E>gpj");
    }

    #[test]
    fn text_keeps_its_lines() {
        assert_eq!(safe_text("a\n\tb\r\n"), "a\n\tb␍\n");
    }
}
