//! The fastest existing crates combined in the shortest way: what code can reach that checks
//! nothing, repairs nothing and reports nothing. A bound to aim at, not a product: 7-bit mail is
//! passed on unread, header fields are re-encoded without regard to their grammar, signed parts
//! break.

use mail_parser::{Message, MessageParser, Source};

/// Appends `message` to `out`, 8-bit leaves in quoted-printable or base64, 8-bit header lines in
/// encoded-words.
pub fn rewrite(message: &[u8], out: &mut Vec<u8>) {
    let parsed = if message.is_ascii() { None } else { MessageParser::default().parse(message) };
    match parsed {
        None => out.extend_from_slice(message),
        Some(parsed) => rewrite_parts(message, &parsed, out),
    }
}

fn rewrite_parts(octets: &[u8], message: &Message<'_>, out: &mut Vec<u8>) {
    let mut done = 0;
    for part in message.parts().filter(|part| part.message().source() == Source::Raw) {
        let [start, body, end] =
            [part.offset_header(), part.offset_body(), part.offset_end()].map(|offset| offset as usize);
        if start < done || body < start || end < body {
            continue;
        }
        out.extend_from_slice(&octets[done..start]);
        let is_leaf = !part.is_multipart() && !part.is_message();
        let encoding = if is_leaf { needed(&octets[body..end]) } else { None };
        header(&octets[start..body], encoding, out);
        done = body;
        if is_leaf {
            match encoding {
                None => out.extend_from_slice(&octets[body..end]),
                Some("base64") => _ = encodify::base64::MIME.encode_append(&octets[body..end], out),
                Some(_) => _ = encodify::qp::BODY.encode_append(&octets[body..end], out),
            }
            done = end;
        }
    }
    out.extend_from_slice(&octets[done..]);
}

fn needed(body: &[u8]) -> Option<&'static str> {
    let high = body.iter().filter(|octet| !octet.is_ascii()).count();
    match high {
        0 => None,
        _ if high * 6 > body.len() => Some("base64"),
        _ => Some("quoted-printable"),
    }
}

fn header(section: &[u8], encoding: Option<&'static str>, out: &mut Vec<u8>) {
    const NAME: &[u8] = b"Content-Transfer-Encoding:";
    let mut written = false;
    let write_encoding = |out: &mut Vec<u8>| {
        for piece in [NAME, b" ", encoding.unwrap_or("7bit").as_bytes(), b"\r\n"] {
            out.extend_from_slice(piece);
        }
    };
    for field in fields(section) {
        let named = field.len() > NAME.len() && field[..NAME.len()].eq_ignore_ascii_case(NAME);
        if named {
            write_encoding(out);
            written = true;
        } else if field.len() <= 2 {
            if encoding.is_some() && !written {
                write_encoding(out);
            }
            out.extend_from_slice(field);
        } else if field.is_ascii() {
            out.extend_from_slice(field);
        } else {
            words(field, out);
        }
    }
}

/// Each field with its folds and its line end; the empty line last.
fn fields(section: &[u8]) -> impl Iterator<Item = &[u8]> {
    let mut rest = section;
    std::iter::from_fn(move || {
        let ends = rest.iter().enumerate().filter(|(_, octet)| **octet == b'\n').map(|(at, _)| at + 1);
        let end =
            ends.into_iter().find(|&end| !matches!(rest.get(end), Some(b' ' | b'\t'))).unwrap_or(rest.len());
        let (field, after) = rest.split_at(end);
        rest = after;
        (!field.is_empty()).then_some(field)
    })
}

fn words(field: &[u8], out: &mut Vec<u8>) {
    let colon = field.iter().position(|&octet| octet == b':').map_or(0, |at| at + 1);
    out.extend(field[..colon].iter().filter(|octet| octet.is_ascii()));
    out.push(b' ');
    let text = String::from_utf8_lossy(&field[colon..]);
    let mut column = colon + 1;
    encodify::rfc2047::B.encode_words("utf-8", text.trim(), &mut column, encodify::Fold::HEADER, out);
    out.extend_from_slice(b"\r\n");
}
