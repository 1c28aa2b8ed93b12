//! The parameter writer (RFC 2045, 5.1; RFC 2231; rule H7).

use std::io::Write;

use super::MAX_TOKEN;
use crate::Few;
use crate::codec::percent::{self, is_attribute_char};
use crate::syntax::encoded_word::{break_words, longest_word};
use crate::syntax::lexical::escape_into;

/// The longest `name*=...` that stays in one piece, so that it fits on a line of 78 with its `;`.
const MAX_SECTION: usize = 76;

/// The longest value written as a token or quoted-string: with a backslash before each octet it is
/// no longer than a token.
const MAX_REGULAR: usize = MAX_TOKEN / 2;

/// The longest such value that contains what looks like an encoded-word, so that it fits on a line
/// of 76 together with its name.
const MAX_LIKE_WORD: usize = 40;

/// Writes a parameter: one section, or several if it is long. A token has no apostrophe, `%` or
/// `*`, in which some readers see an extended value.
pub fn sections(name: &str, text: &str) -> Few<Vec<u8>> {
    if (1..=MAX_REGULAR).contains(&text.len()) && text.bytes().all(is_attribute_char) {
        return Few::One([name.as_bytes(), b"=", text.as_bytes()].concat());
    }
    let text: String = text.chars().map(|c| if c.is_control() { ' ' } else { c }).collect();
    let mut octets = text.into_bytes();
    if !name.eq_ignore_ascii_case("boundary") {
        break_words(&mut octets);
    }
    if is_regular(&octets) {
        Few::One(plain(name, &octets))
    } else {
        extended_sections(name, "utf-8", "", &octets)
    }
}

/// Writes a parameter with a charset label and a language, which only the extended form can
/// express.
pub fn extended_sections(name: &str, label: &str, language: &str, octets: &[u8]) -> Few<Vec<u8>> {
    let label = if octets.is_ascii() && label == "utf-8" { "us-ascii" } else { label };
    extended(name, label, language, octets)
}

/// Returns whether a value without controls may be written as a token or quoted-string.
pub fn is_regular(octets: &[u8]) -> bool {
    let fits =
        octets.len() <= MAX_REGULAR && longest_word(octets) == 0 || octets.len() <= MAX_LIKE_WORD;
    octets.is_ascii() && fits
}

fn plain(name: &str, octets: &[u8]) -> Vec<u8> {
    let mut out = format!("{name}=\"").into_bytes();
    escape_into(octets, &mut out);
    out.push(b'"');
    out
}

/// Writes `name*=charset'language'text`, or `name*0*=charset'language'text` and more sections; no
/// character is split.
fn extended(name: &str, label: &str, language: &str, octets: &[u8]) -> Few<Vec<u8>> {
    let start = [label, "'", language, "'"];
    let length =
        name.len() + 2 + start.map(str::len).iter().sum::<usize>() + percent::encoded_len(octets);
    if length <= MAX_SECTION {
        let mut out = Vec::with_capacity(length);
        [name, "*="].iter().chain(&start).for_each(|piece| out.extend_from_slice(piece.as_bytes()));
        percent::encode(octets, &mut out);
        return Few::One(out);
    }
    let mut done: Vec<Vec<u8>> = Vec::new();
    let mut section = section(name, 0);
    section.extend(start.concat().bytes());
    let mut filled = false;
    for character in characters(octets) {
        if filled && section.len() + percent::encoded_len(character) > MAX_SECTION {
            let next = self::section(name, done.len() + 1);
            done.push(std::mem::replace(&mut section, next));
        }
        character.iter().for_each(|&octet| percent::encode_octet(octet, &mut section));
        filled = true;
    }
    done.push(section);
    Few::Many(done)
}

/// Returns the beginning of a section.
fn section(name: &str, number: usize) -> Vec<u8> {
    let mut out = Vec::with_capacity(MAX_SECTION);
    write!(out, "{name}*{number}*=").expect("writing to memory does not fail");
    out
}

/// Returns the characters of `octets`; single octets if they are not UTF-8.
fn characters(octets: &[u8]) -> impl Iterator<Item = &[u8]> {
    let is_text = std::str::from_utf8(octets).is_ok();
    octets.chunk_by(move |_, next| is_text && next & 0xC0 == 0x80)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// The specification: one character at a time, into a section as long as there is room.
    fn naive(name: &str, label: &str, octets: &[u8]) -> Vec<String> {
        let characters: Vec<Vec<u8>> = match std::str::from_utf8(octets) {
            Ok(text) => text.chars().map(|c| c.to_string().into_bytes()).collect(),
            Err(_) => octets.iter().map(|&octet| vec![octet]).collect(),
        };
        let escaped = |octet: &u8| {
            if percent::is_attribute_char(*octet) {
                char::from(*octet).to_string()
            } else {
                format!("%{octet:02X}")
            }
        };
        let units: Vec<String> =
            characters.iter().map(|octets| octets.iter().map(escaped).collect()).collect();
        let whole = format!("{name}*={label}''{}", units.concat());
        if whole.len() <= MAX_SECTION {
            return vec![whole];
        }
        let mut sections = vec![format!("{name}*0*={label}''")];
        for (number, unit) in units.iter().enumerate() {
            if number > 0 && sections[sections.len() - 1].len() + unit.len() > MAX_SECTION {
                sections.push(format!("{name}*{}*=", sections.len()));
            }
            sections.last_mut().expect("the first").push_str(unit);
        }
        sections
    }

    proptest! {
        #[test]
        fn sections_are_those_of_the_naive_writer(
            name in "[a-z]{1,60}",
            label in prop::sample::select(vec!["utf-8", "koi8-r", "x"]),
            octets in prop_oneof!["[a-z \u{e9}\u{4e00}\u{1f600}]{0,90}".prop_map(String::into_bytes), prop::collection::vec(any::<u8>(), 0..90)],
        ) {
            let sections: Vec<String> = extended(&name, label, "", &octets)
                .into_iter()
                .map(|section| String::from_utf8(section).expect("US-ASCII"))
                .collect();
            prop_assert_eq!(sections, naive(&name, label, &octets));
        }
    }
}
