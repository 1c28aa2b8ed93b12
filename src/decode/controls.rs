//! Controls in decoded text (rule H5): decoded text can never start a new line or field.

use std::borrow::Cow;

use crate::codec::controls::{has_control, has_control_but_tab};
use crate::issue::Tally;
use crate::{Code, Span};

/// `text` with each run of CR and LF as one space, each TAB as a space, and other C0 and C1 controls as U+FFFD.
pub(crate) fn without_controls<'a>(text: Cow<'a, str>, span: Span, tally: &mut Tally) -> Cow<'a, str> {
    if !has_control(&text) {
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
