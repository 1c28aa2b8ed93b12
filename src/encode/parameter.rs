//! The parameter writer (RFC 2045, 5.1; RFC 2231; rule H7).

use super::MOST_PLAIN;
use crate::ascii::is_token;
use crate::codec::percent;
use crate::syntax::encoded_word::{longest_word, next_word};

/// The longest `name*=...` that stays in one piece, so that it stands on a line of 78 with `;`.
const MOST_SECTION: usize = 76;

/// A parameter as it is written: one section, or several where it is long.
pub(crate) fn sections(name: &str, text: &str) -> Vec<Vec<u8>> {
    if (1..=MOST_PLAIN / 2).contains(&text.len()) && text.bytes().all(is_token) {
        return vec![[name.as_bytes(), b"=", text.as_bytes()].concat()];
    }
    let text: String =
        text.chars().map(|c| if c.is_control() { char::REPLACEMENT_CHARACTER } else { c }).collect();
    if is_plain(name, &text) {
        return vec![plain(name, &text)];
    }
    extended_sections(name, "utf-8", "", text.as_bytes())
}

/// The same with a charset label and a language, which only the extended form can say.
pub(crate) fn extended_sections(name: &str, label: &str, language: &str, octets: &[u8]) -> Vec<Vec<u8>> {
    let label = if octets.is_ascii() && label == "utf-8" { "us-ascii" } else { label };
    extended(name, label, language, octets)
}

/// Whether a value is written as a token or quoted-string: what a lenient reader would decode is not.
pub(crate) fn is_plain(name: &str, text: &str) -> bool {
    let word = || next_word(text.as_bytes(), 0).is_some();
    let fits = text.len() <= MOST_PLAIN / 2 && longest_word(text.as_bytes()) == 0 || text.len() <= 40;
    text.is_ascii() && fits && (name.eq_ignore_ascii_case("boundary") || !word())
}

fn plain(name: &str, text: &str) -> Vec<u8> {
    let mut out = format!("{name}=").into_bytes();
    if !text.is_empty() && text.bytes().all(is_token) {
        out.extend_from_slice(text.as_bytes());
        return out;
    }
    out.push(b'"');
    for octet in text.bytes() {
        if matches!(octet, b'"' | b'\\') {
            out.push(b'\\');
        }
        out.push(octet);
    }
    out.push(b'"');
    out
}

/// `name*=charset'language'text`, or `name*0*=charset'language'text` and more sections; no character is split.
fn extended(name: &str, label: &str, language: &str, octets: &[u8]) -> Vec<Vec<u8>> {
    let start = format!("{label}'{language}'").into_bytes();
    let units = units(octets);
    let whole: usize = units.iter().map(Vec::len).sum();
    if name.len() + 2 + start.len() + whole <= MOST_SECTION {
        let mut out = format!("{name}*=").into_bytes();
        out.extend(start);
        out.extend(units.concat());
        return vec![out];
    }
    let mut done: Vec<Vec<u8>> = Vec::new();
    let mut section = format!("{name}*0*=").into_bytes();
    section.extend(start);
    let mut filled = false;
    for unit in units {
        if filled && section.len() + unit.len() > MOST_SECTION {
            done.push(std::mem::replace(&mut section, format!("{name}*{}*=", done.len() + 1).into_bytes()));
        }
        section.extend(unit);
        filled = true;
    }
    done.push(section);
    done
}

/// The characters of `octets` (octets, where they are not UTF-8), percent-encoded where they need it.
fn units(octets: &[u8]) -> Vec<Vec<u8>> {
    let unit = |octets: &[u8]| {
        let mut out = Vec::with_capacity(percent::encoded_len(octets));
        percent::encode(octets, &mut out);
        out
    };
    match std::str::from_utf8(octets) {
        Ok(text) => text.chars().map(|c| unit(c.encode_utf8(&mut [0; 4]).as_bytes())).collect(),
        Err(_) => octets.iter().map(|o| unit(&[*o])).collect(),
    }
}
