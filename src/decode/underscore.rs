//! A mistake of writers of Q: `_` stands for itself where it is the second octet of a character.

use crate::Charset;
use crate::codec::{quoted_printable, utf8};
use crate::issue::Tally;

/// The octets of the text of a word in Q if each `_` that comes second in a character of two octets is one, and not a blank: where
/// it is no text otherwise, and is text so. A blank comes second in no character.
pub(super) fn as_second_octets(text: &[u8], charset: Charset, octets: &[u8]) -> Option<Vec<u8>> {
    let is_escaped = |pair: &[u8]| pair[0].is_ascii_hexdigit() && pair[1] == b'_';
    let single = match charset.name() {
        "Big5" | "Big5-HKSCS" | "GBK" | "GB2312" | "GB18030" => 0..=0,
        // Half-width katakana.
        "Shift_JIS" | "Windows-31J" => 0xA1..=0xDF,
        _ => return None,
    };
    let is_text = utf8::validate(octets).is_some() || charset.decode_lossless(octets).is_some();
    if is_text || !text.windows(2).any(is_escaped) {
        return None;
    }
    let mut mended = Vec::with_capacity(octets.len());
    let mut is_second = false;
    for piece in pieces(text) {
        let from = mended.len();
        match piece {
            b"_" if is_second => mended.push(b'_'),
            _ => quoted_printable::decode_word(piece, &mut mended, &mut Tally::default()),
        }
        for octet in &mended[from..] {
            is_second = !is_second && *octet >= 0x81 && !single.contains(octet);
        }
    }
    charset.decode_lossless(&mended).is_some().then_some(mended)
}

/// The octets and escapes of a text, one by one.
fn pieces(text: &[u8]) -> impl Iterator<Item = &[u8]> {
    let mut rest = text;
    std::iter::from_fn(move || {
        let len = if rest.len() > 2 && rest[0] == b'=' { 3 } else { 1 };
        let (piece, after) = rest.split_at_checked(len)?;
        rest = after;
        Some(piece)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn underscores_are_second_octets_where_nothing_else_reads() {
        for (label, text, expected) in [
            ("big5", "=A4@=B0_=A8=D3=A7a!", Some("一起來吧!")),
            ("big5", "=A4@=B0_=A8=D3_=A7a!", Some("一起來 吧!")),
            ("big5", "=A4@_=A8=D3", None),
            ("big5", "=A4@_=B0", None),
            ("shift_jis", "=83_=B1_=83_", Some("ダｱ ダ")),
            ("iso-8859-1", "=B0_x", None),
            ("euc-kr", "=B0_x", None),
        ] {
            let charset = Charset::for_label(label).expect("known");
            let mut octets = Vec::new();
            quoted_printable::decode_word(text.as_bytes(), &mut octets, &mut Tally::default());
            let mended = as_second_octets(text.as_bytes(), charset, &octets);
            let read = mended.map(|octets| charset.decode(&octets).into_text().into_owned());
            assert_eq!(read.as_deref(), expected, "{text}");
        }
    }
}
