//! Octets of a stateful charset that cannot be read, in words of their own (rule H3).
//!
//! Readers read each word of such a charset by itself, from its initial state. So a word that is too long
//! must not be cut just anywhere: each piece ends in the initial state, and the next one begins with the
//! escapes that lead back.

use crate::Charset;
use crate::codec::base64;
use crate::encode::TextWords;
use crate::syntax::encoded_word::MAX_WORD;

const ESCAPE: u8 = 0x1B;
const SHIFT_OUT: u8 = 0x0E;
const SHIFT_IN: u8 = 0x0F;

/// Returns the encoded-words that hold these octets. `None` if some reading of the pieces would yield text
/// after all, so that they would not say what the octets say.
pub(super) fn stateful_words(label: &str, octets: &[u8]) -> Option<Vec<Vec<u8>>> {
    let room = (MAX_WORD - b"=??B??=".len()).checked_sub(label.len())? / 4 * 3;
    let pieces = pieces(octets, room);
    let charset = Charset::for_label(label)?;
    let fit = pieces.iter().all(|piece| piece.len() <= room);
    (fit && !are_readable(charset, &pieces)).then(|| pieces.iter().map(|piece| word(label, piece)).collect())
}

/// Adds words as they are, with white space between them.
pub(super) fn append_words(words: &[Vec<u8>], out: &mut TextWords<'_>) {
    for (number, word) in words.iter().enumerate() {
        if number > 0 {
            out.space(b" ");
        }
        out.word(word.clone());
    }
}

/// Returns octets without NUL and line ends, which must not be found in a word (rule H5).
pub(super) fn without_structure(octets: &[u8]) -> Vec<u8> {
    octets.iter().map(|&octet| if matches!(octet, 0 | b'\r' | b'\n') { b' ' } else { octet }).collect()
}

/// Returns whether words are all text, each by itself or with the next one, as words are read; or whether one
/// of them lacks a signature for its byte order, so that it may be read in a different order than the octets
/// before it.
fn are_readable(charset: Charset, pieces: &[Vec<u8>]) -> bool {
    if pieces.len() > 1 && pieces.iter().any(|piece| charset.order_guessed(piece).is_some()) {
        return true;
    }
    let is_text = |octets: &[u8]| charset.decode_lossless(octets).is_some();
    let mut rest = pieces;
    while let [first, after @ ..] = rest {
        rest = after;
        if is_text(first) {
            continue;
        }
        match after {
            [second, after @ ..] if is_text(&[&first[..], second].concat()) => rest = after,
            _ => return false,
        }
    }
    true
}

fn word(label: &str, octets: &[u8]) -> Vec<u8> {
    let mut out = format!("=?{label}?B?").into_bytes();
    base64::encode(octets, &mut out);
    out.extend_from_slice(b"?=");
    out
}

/// What leads from the initial state to the one that the text is in.
#[derive(Default)]
struct State {
    /// Escapes that designate what a shift invokes.
    designated: Vec<u8>,
    /// The escape that designates the set in use, unless that is US-ASCII.
    in_use: Vec<u8>,
    shifted: bool,
}

impl State {
    fn take_escape(&mut self, escape: &[u8]) {
        match escape {
            [_, b'(', b'B'] => self.in_use.clear(),
            [_, b'$', b')' | b'*' | b'+', _] => {
                if !self.designated.ends_with(escape) {
                    self.designated.extend_from_slice(escape);
                }
            }
            _ => self.in_use = escape.to_vec(),
        }
    }

    fn begin(&self) -> Vec<u8> {
        let shift: &[u8] = if self.shifted { &[SHIFT_OUT] } else { b"" };
        [&self.designated, &self.in_use, shift].concat()
    }

    fn end(&self) -> Vec<u8> {
        let shift: &[u8] = if self.shifted { &[SHIFT_IN] } else { b"" };
        let escape: &[u8] = if self.in_use.is_empty() { b"" } else { b"\x1B(B" };
        [shift, escape].concat()
    }

    /// Returns how many octets a character takes.
    fn width(&self) -> usize {
        if self.shifted || self.in_use.get(1) == Some(&b'$') { 2 } else { 1 }
    }
}

/// Returns the pieces of at most `room` octets, each from initial state to initial state; the last one ends
/// as the octets do.
fn pieces(octets: &[u8], room: usize) -> Vec<Vec<u8>> {
    let mut state = State::default();
    let (mut done, mut piece, mut at) = (Vec::new(), Vec::new(), 0);
    while at < octets.len() {
        let unit = unit(&octets[at..], &state);
        if piece.len() + unit.len() + b"\x0F\x1B(B".len() > room && piece.len() > state.begin().len() {
            piece.extend(state.end());
            done.push(std::mem::replace(&mut piece, state.begin()));
        }
        match unit {
            [ESCAPE, ..] if unit.len() > 1 => state.take_escape(unit),
            [SHIFT_OUT] => state.shifted = true,
            [SHIFT_IN] => state.shifted = false,
            _ => {}
        }
        piece.extend_from_slice(unit);
        at += unit.len();
    }
    done.push(piece);
    done
}

/// Returns the escape, shift or character at the start of `octets`.
fn unit<'o>(octets: &'o [u8], state: &State) -> &'o [u8] {
    let length = match octets {
        [ESCAPE, b'$', b'(' | b')' | b'*' | b'+', _, ..] => 4,
        [ESCAPE, b'$' | b'(', _, ..] => 3,
        [ESCAPE | SHIFT_OUT | SHIFT_IN, ..] => 1,
        [_, next, ..] if !matches!(*next, ESCAPE | SHIFT_OUT | SHIFT_IN) => state.width(),
        _ => 1,
    };
    &octets[..length]
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Each piece by itself says what it says in the whole.
    #[test]
    fn pieces_begin_and_end_in_the_first_state() {
        let text = "日本語の長い文".repeat(9);
        let octets =
            Charset::for_label("iso-2022-jp").expect("known").encode(&text).expect("Japanese").into_owned();
        let pieces = pieces(&octets, 42);
        assert!(pieces.iter().all(|piece| piece.len() <= 42), "{pieces:?}");
        let charset = Charset::for_label("iso-2022-jp").expect("known");
        let read: String =
            pieces.iter().map(|piece| charset.decode_strict(piece).expect("well-formed")).collect();
        assert_eq!(read, text);
        assert_eq!(stateful_words("iso-2022-jp", &octets), None);
    }

    #[test]
    fn what_cannot_be_read_stays_in_words() {
        let octets = [b"\x1B$B".to_vec(), b"F|/!".repeat(30)].concat();
        let words = stateful_words("iso-2022-jp", &octets).expect("no text");
        assert!(words.len() > 2 && words.iter().all(|word| word.len() <= MAX_WORD), "{words:?}");
    }
}
