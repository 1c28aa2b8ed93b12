//! Text in, header octets out.

mod atoms;
mod chunk;
mod item;
mod layout;
mod octets;
mod parameter;
mod space;
mod text;
mod word;

use std::borrow::Cow;

use crate::codec::marks::Marks;
use crate::codec::text::{from_utf8, has_control};
use crate::syntax::encoded_word::mark;

pub(crate) use crate::codec::quoted::Place;
pub(crate) use atoms::Atoms;
pub(crate) use item::{Item, Level, Run, Token, settle};
use layout::MOST_UNFOLDED;
pub(crate) use layout::{Lines, MOST_PLAIN, Rest, value};
pub(crate) use octets::Octets;
pub(crate) use parameter::{extended_sections, is_plain, sections};
pub(crate) use space::Space;
use text::text_value;
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
    let marks = Marks::of(text.as_bytes(), Place::Unstructured);
    let edges = text.starts_with(' ') || text.ends_with(' ');
    let suspect = || marks.is_suspect() && (has_control(text) || mark(text.as_bytes(), 0).is_some());
    let long = || text.len() > MOST_PLAIN && text.split(' ').any(|word| word.len() > MOST_PLAIN);
    let odd = edges || suspect() || long();
    if !odd && text.len() <= MOST_UNFOLDED && text.is_ascii() {
        return Cow::Borrowed(text);
    }
    Cow::Owned(from_utf8(if odd { value_of_any(text) } else { text_value(text, &marks) }))
}

fn value_of_any(text: &str) -> Vec<u8> {
    let mut atoms = Atoms::default();
    atoms.whole_text(text);
    let mut items = Vec::new();
    atoms.append_to(&mut items, Place::Unstructured);
    settle(&mut items, 0);
    value(&items)
}
