//! Controls in decoded text (rule H5): decoded text can never start a new line or field.

use std::borrow::Cow;

use crate::codec::controls::{has_control, has_control_but_tab};
use crate::report::Tally;
use crate::{Code, Span};

/// The treatment of NUL.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Nul {
    /// NUL is dropped, as readers show it: in text.
    Dropped,
    /// NUL becomes a space: in a value that has parts, nothing may be joined together.
    Space,
}

/// Returns `text` with each run of CR and LF as one space, each other C0 and C1 control as a space,
/// and NUL as `nul` says.
pub fn without_controls<'a>(
    text: Cow<'a, str>,
    nul: Nul,
    span: Span,
    tally: &mut Tally,
) -> Cow<'a, str> {
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
            '\0' if nul == Nul::Dropped => {}
            _ if c.is_control() => out.push(' '),
            _ => out.push(c),
        }
        line_end = ends_line;
    }
    Cow::Owned(out)
}
