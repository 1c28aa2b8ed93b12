//! How a line of a message that begins with `From ` is kept from separating messages: by a `>`
//! before it.

use std::borrow::Cow;
use std::sync::LazyLock;

use memchr::memmem::Finder;

use super::Dialect;
use super::postmark::POSTMARK;

static FROM: LazyLock<Finder<'static>> = LazyLock::new(|| Finder::new(POSTMARK));

/// Which lines are read as quoted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Quoting {
    /// None (mboxcl2).
    None,
    /// `>From ` only (mboxo, mboxcl): `>>From ` is a line of the message.
    One,
    /// `From ` after any number of `>`, one of which is removed (mboxrd).
    Any,
}

impl Quoting {
    /// Returns the quoting of a dialect.
    pub(super) fn of(dialect: Dialect) -> Self {
        match dialect {
            Dialect::Auto | Dialect::Mboxrd => Self::Any,
            Dialect::Mboxo | Dialect::Mboxcl => Self::One,
            Dialect::Mboxcl2 => Self::None,
        }
    }
}

/// Undoes the quoting that a dialect writes messages with; for [`Dialect::Auto`], that of mboxrd.
/// Borrowed if nothing is quoted.
///
/// ```
/// use sevenbit::mbox::{Dialect, quote, unquote};
///
/// let text = b"From here\n>From there\n";
/// assert_eq!(*quote(text), *b">From here\n>>From there\n");
/// assert_eq!(*unquote(&quote(text), Dialect::Mboxrd), *text);
/// assert_eq!(*unquote(b">From here\n>>From there\n", Dialect::Mboxo), *b"From here\n>>From there\n");
/// ```
#[must_use]
pub fn unquote(message: &[u8], dialect: Dialect) -> Cow<'_, [u8]> {
    without_quoting(message, Quoting::of(dialect))
}

/// Removes quoting from whole lines.
pub(super) fn without_quoting(message: &[u8], quoting: Quoting) -> Cow<'_, [u8]> {
    let is_quoted = |marks: usize| match quoting {
        Quoting::None => false,
        Quoting::One => marks == 1,
        Quoting::Any => marks > 0,
    };
    let lines = lines(message).filter(|(_, marks)| is_quoted(*marks));
    let mut out = Vec::new();
    let mut copied = 0;
    for (start, _) in lines {
        out.extend_from_slice(&message[copied..start]);
        copied = start + 1;
    }
    finish(message, out, copied)
}

/// Quotes a message as mboxrd does: one more `>` before `From ` after any number of them. Borrowed
/// if there is no such line.
#[must_use]
pub fn quote(message: &[u8]) -> Cow<'_, [u8]> {
    let mut out = Vec::new();
    let mut copied = 0;
    for (start, _) in lines(message) {
        out.extend_from_slice(&message[copied..start]);
        out.push(b'>');
        copied = start;
    }
    finish(message, out, copied)
}

fn finish(message: &[u8], mut out: Vec<u8>, copied: usize) -> Cow<'_, [u8]> {
    if copied == 0 && out.is_empty() {
        return Cow::Borrowed(message);
    }
    out.extend_from_slice(&message[copied..]);
    Cow::Owned(out)
}

/// Returns every line with `From ` after any number of `>`: where it begins, and that number.
fn lines(message: &[u8]) -> impl Iterator<Item = (usize, usize)> {
    FROM.find_iter(message).filter_map(|at| {
        let marks = message[..at].iter().rev().take_while(|octet| **octet == b'>').count();
        let start = at - marks;
        (start == 0 || matches!(message[start - 1], b'\n' | b'\r')).then_some((start, marks))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    const LINES: &[u8] = b"From a\n>From b\n>>From c\n From d\nFrom\n>>>From e\n>x From f\n";

    #[test]
    fn what_is_quoted_comes_back() {
        for message in [LINES, b"From ", b">From x", b"", b"\n>From \n", b"none"] {
            assert_eq!(*without_quoting(&quote(message), Quoting::Any), *message);
        }
        assert_eq!(
            *quote(LINES),
            *b">From a\n>>From b\n>>>From c\n From d\nFrom\n>>>>From e\n>x From f\n"
        );
        assert!(matches!(quote(b"none"), Cow::Borrowed(_)));
    }

    #[test]
    fn each_dialect_reads_its_own() {
        assert_eq!(*without_quoting(LINES, Quoting::None), *LINES);
        assert_eq!(
            *without_quoting(LINES, Quoting::One),
            *b"From a\nFrom b\n>>From c\n From d\nFrom\n>>>From e\n>x From f\n"
        );
        assert_eq!(
            *without_quoting(LINES, Quoting::Any),
            *b"From a\nFrom b\n>From c\n From d\nFrom\n>>From e\n>x From f\n"
        );
    }
}
