//! The parameter writer (RFC 2045, 5.1; RFC 2231; rule H7).

use super::MOST_PLAIN;
use crate::syntax::lexical::is_token;

/// The longest `name*=...` that stays in one piece, so that it stands on a line of 78 with `;`.
const MOST_SECTION: usize = 76;

/// Whether a value is written as a token or quoted-string.
pub(crate) fn is_plain(text: &str) -> bool {
    text.bytes().all(|o| matches!(o, b' '..=b'~')) && !text.contains("=?") && text.len() <= MOST_PLAIN / 2
}

/// A parameter as it is written: one section, or several where it is long.
pub(crate) fn sections(name: &str, text: &str, label: &str, octets: &[u8], language: &str) -> Vec<Vec<u8>> {
    if language.is_empty() && label == "utf-8" && is_plain(text) {
        return vec![plain(name, text)];
    }
    let label = if octets.is_ascii() { "us-ascii" } else { label };
    extended(name, label, language, octets)
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
    match std::str::from_utf8(octets) {
        Ok(text) => text.chars().map(|c| percent(c.encode_utf8(&mut [0; 4]).as_bytes())).collect(),
        Err(_) => octets.iter().map(|o| percent(&[*o])).collect(),
    }
}

fn percent(octets: &[u8]) -> Vec<u8> {
    const DIGITS: &[u8; 16] = b"0123456789ABCDEF";
    let mut out = Vec::with_capacity(octets.len() * 3);
    for &octet in octets {
        if octet.is_ascii_alphanumeric() || matches!(octet, b'-' | b'.' | b'_' | b'~') {
            out.push(octet);
        } else {
            out.extend([b'%', DIGITS[usize::from(octet >> 4)], DIGITS[usize::from(octet & 15)]]);
        }
    }
    out
}
