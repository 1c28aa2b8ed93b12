//! Text in, header octets out.

#[cfg(feature = "domains")]
mod domain;
mod folding;
mod item;
mod line_room;
mod mailbox;
mod octets;
mod parameter;
mod place;
mod space;
mod text_words;
mod unbreakable;
mod unstructured;
mod word;

use std::borrow::Cow;

use crate::codec::controls::has_control;
use crate::codec::text::from_utf8;
use crate::codec::text_classes::TextClasses;
use crate::syntax::encoded_word::mark;

pub use crate::lengths::MAX_TOKEN;
#[cfg(feature = "domains")]
pub use domain::domain_to_ascii;
use folding::MAX_UNFOLDED;
pub use folding::{Lines, Rest, value};
pub use item::{Item, Level, Run, Token, settle};
pub use line_room::{MAX_BESIDE_WORD, fits, holds_long_word};
pub use mailbox::{addr_spec_may_stay, mailbox, with_a_labels};
pub use octets::Octets;
pub use parameter::{extended_sections, is_regular, sections};
pub use place::Place;
pub use space::Space;
pub use text_words::{TextWords, quoted_word};
use unstructured::unstructured_value;
pub use word::single;

/// Returns `None`: without ICU's tables nothing is known about a domain, and it is carried as text.
#[cfg(not(feature = "domains"))]
pub fn domain_to_ascii(_: &str) -> Option<String> {
    None
}

/// Writes text as the value of an unstructured field: see [`encode_header`](crate::encode_header).
pub fn header_value(text: &str) -> Cow<'_, str> {
    let mut classes = TextClasses::default();
    classes.mark(text.as_bytes(), Place::Unstructured.literals());
    let edges = text.starts_with(' ') || text.ends_with(' ');
    let suspect =
        || classes.is_suspect() && (has_control(text) || mark(text.as_bytes(), 0).is_some());
    let long = || text.len() > MAX_TOKEN && text.split(' ').any(|word| word.len() > MAX_TOKEN);
    let odd = edges || suspect() || long();
    if !odd && text.len() <= MAX_UNFOLDED && text.is_ascii() {
        return Cow::Borrowed(text);
    }
    Cow::Owned(from_utf8(if odd { value_of_any(text) } else { unstructured_value(text, &classes) }))
}

/// Writes text as a phrase: words, a quoted-string or encoded-words, folded as [`header_value`]
/// folds.
pub fn phrase(text: &str) -> String {
    from_utf8(value_in(text, Place::Phrase))
}

fn value_of_any(text: &str) -> Vec<u8> {
    value_in(text, Place::Unstructured)
}

fn value_in(text: &str, place: Place) -> Vec<u8> {
    let mut atoms = TextWords::default();
    atoms.whole_text(text);
    let mut items = Vec::new();
    atoms.append_to(&mut items, place);
    settle(&mut items, 0);
    value(&items)
}

#[cfg(test)]
mod tests {
    use super::header_value;

    /// Wherever the line is folded.
    #[test]
    fn double_spaces_stay() {
        for (first, second) in
            (1..160).flat_map(|first| [1, 6, 30, 76, 77, 80, 120].map(|second| (first, second)))
        {
            for spaces in ["  ", "   "] {
                let text =
                    format!("{}{spaces}{}{spaces}end", "a".repeat(first), "b".repeat(second));
                // White space after the name of a field is none of its value.
                assert_eq!(
                    header_value(&text).replace("\r\n", "").trim_start(),
                    text,
                    "{first}, {second}"
                );
            }
        }
    }
}
