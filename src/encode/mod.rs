//! Text in, header octets out.

mod atoms;
mod item;
mod layout;
mod parameter;
mod word;

use std::borrow::Cow;

pub(crate) use atoms::Atoms;
pub(crate) use item::{Item, Level, Place, Run, Token, settle};
pub(crate) use layout::{MOST_PLAIN, MOST_UNFOLDED, field, value};
pub(crate) use parameter::{extended_sections, is_plain, sections};
pub(crate) use word::single;

/// Writes text as the value of an unstructured header field: plain where that is possible, else encoded-words.
///
/// What is folded is folded with CRLF, for a field name of at most 20 octets. Controls cannot be carried: line
/// ends and TAB become a space, others U+FFFD. Of many spaces in a row one is written.
///
/// ```
/// assert_eq!(sevenbit::encode_header("plain text"), "plain text");
/// assert_eq!(sevenbit::encode_header("un caf\u{e9} noir"), "un =?utf-8?B?Y2Fmw6k=?= noir");
/// ```
pub fn encode_header(text: &str) -> Cow<'_, str> {
    let plain = |o: u8| matches!(o, b' '..=b'~');
    let edges = text.starts_with(' ') || text.ends_with(' ');
    if text.len() <= MOST_UNFOLDED && text.bytes().all(plain) && !text.contains("=?") && !edges {
        return Cow::Borrowed(text);
    }
    let mut atoms = Atoms::default();
    atoms.whole_text(text);
    let octets = value(&settle(atoms.into_items(Place::Unstructured)));
    Cow::Owned(String::from_utf8_lossy(&octets).into_owned())
}
