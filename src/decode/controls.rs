//! Controls in decoded text (rule H5): nothing that is decoded can start a new line or field.

use std::borrow::Cow;

use crate::codec::scan;
use crate::issue::Tally;
use crate::{Code, Span};

/// `text` with CR and LF as one space, TAB as a space, and other C0 and C1 controls as U+FFFD.
pub(crate) fn without_controls<'a>(text: Cow<'a, str>, span: Span, tally: &mut Tally) -> Cow<'a, str> {
    if !has_control(&text, |octet| octet < b' ') {
        return text;
    }
    if has_control_but_tab(&text) {
        tally.note(Code::ControlReplaced, span);
    }
    let mut out = String::with_capacity(text.len());
    let mut line_end = false;
    for c in text.chars() {
        let ends_line = matches!(c, '\r' | '\n');
        match c {
            _ if ends_line && line_end => {}
            '\r' | '\n' | '\t' => out.push(' '),
            _ if c.is_control() => out.push(char::REPLACEMENT_CHARACTER),
            _ => out.push(c),
        }
        line_end = ends_line;
    }
    Cow::Owned(out)
}

/// Whether there is a control other than TAB.
pub(crate) fn has_control_but_tab(text: &str) -> bool {
    has_control(text, |octet| (octet < b' ') & (octet != b'\t'))
}

/// Whether there is a control: one of C0 for which `c0` holds, DEL, or one of C1, which are C2 80 to C2 9F in UTF-8.
#[inline]
fn has_control(text: &str, c0: impl Fn(u8) -> bool) -> bool {
    let octets = text.as_bytes();
    scan::any(octets, |octet| c0(octet) | matches!(octet, 0x7F | 0xC2))
        && (scan::any(octets, |octet| c0(octet) | (octet == 0x7F))
            || scan::any_pair(octets, |octet, next| (octet == 0xC2) & (next < 0xA0)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn controls_are_those_of_unicode() {
        for c in '\0'..'\u{3000}' {
            for text in [format!("{c}"), format!("ab{c}"), format!("\u{bf}{c}x")] {
                assert_eq!(has_control(&text, |octet| octet < b' '), c.is_control(), "{c:?}");
                assert_eq!(has_control_but_tab(&text), c.is_control() && c != '\t', "{c:?}");
            }
        }
    }
}
