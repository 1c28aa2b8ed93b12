//! Message ids (RFC 5322, 3.6.4) in the fields that contain them.

use std::borrow::Cow;

use nom::IResult;

use super::comment::comment;
use super::lexical::quoted_string;
use super::value;
use crate::ascii::is_fws;

/// ```text
/// msg-id     = [CFWS] "<" id-left "@" id-right ">" [CFWS]
/// references = 1*msg-id
/// references =/ *(phrase / msg-id)       ; obs-references, RFC 5322, 4.5.4
/// ```
///
/// Returns the ids without their angle brackets. Deviations:
/// 1. Anything between the brackets is an id, with or without `@`: readers compare ids as octets.
/// 2. White space in an id is dropped: long ids were folded.
/// 3. An id whose bracket is not closed ends at the next opening one, or with the value.
/// 4. In a value without brackets, each word with an `@` is an id: several mailers forget them. So
///    is each between two ids, if nothing else is there.
/// 5. Blanks [of any kind](super::value) around an id are no part of it, inside the brackets
///    either.
/// 6. After `from` in a phrase comes the author of a message, whose address is no id: `Message from
///    Ada <ada@example.org>`.
pub fn list(value: &[u8]) -> Vec<Cow<'_, [u8]>> {
    let (mut ids, mut is_author) = (Vec::new(), false);
    let mut rest = value;
    // Once one is not closed, no other is looked for: each search would go to the end of the value.
    let (mut comments, mut quotes) = (true, true);
    while let Some(at) = rest.iter().position(|octet| b"<(\"".contains(octet)) {
        let (phrase, opened) = rest.split_at(at);
        let phrase = phrase.strip_prefix(b">").unwrap_or(phrase);
        is_author |= words(phrase).any(is_from);
        let is_bare =
            !ids.is_empty() && words(phrase).all(|word| word.contains(&b'@') || word.is_empty());
        ids.extend(words(phrase).filter(|word| is_bare && !word.is_empty()).map(Cow::Borrowed));
        rest = match opened[0] {
            b'<' => {
                let (id, after) = opened[1..].split_at(id_end(&opened[1..]));
                ids.extend(
                    Some(without_fws(value::trim(id))).filter(|id| !id.is_empty() && !is_author),
                );
                is_author = false;
                after
            }
            b'(' if comments => skipped(comment(opened)).unwrap_or_else(|| {
                comments = false;
                &opened[1..]
            }),
            b'"' if quotes => skipped(quoted_string(opened)).unwrap_or_else(|| {
                quotes = false;
                &opened[1..]
            }),
            _ => &opened[1..],
        };
    }
    if ids.is_empty() {
        let is_id = |word: &&[u8]| word.contains(&b'@') && !word.contains(&b'<');
        // Once a phrase names an author, his address may be anywhere after that.
        ids.extend(words(value).take_while(|word| !is_from(word)).filter(is_id).map(Cow::Borrowed));
    }
    ids
}

fn words(text: &[u8]) -> impl Iterator<Item = &[u8]> {
    let visible = value::pieces(text).filter(|(_, is_blank)| !is_blank);
    visible.flat_map(|(piece, _)| piece.split(|&octet| octet == b','))
}

fn is_from(word: &[u8]) -> bool {
    word.eq_ignore_ascii_case(b"from")
}

/// Returns what follows a token that was read.
fn skipped<'v>(read: IResult<&'v [u8], &'v [u8]>) -> Option<&'v [u8]> {
    read.ok().map(|(rest, _)| rest)
}

/// Returns the end of the id that `octets` begin with: a quoted-string in its left side may contain
/// brackets (`obs-id-left`).
fn id_end(octets: &[u8]) -> usize {
    let ends = |octet: &u8| matches!(octet, b'<' | b'>');
    let end = octets.iter().position(ends).unwrap_or(octets.len());
    if octets.first() != Some(&b'"') {
        return end;
    }
    let Ok((after, quoted)) = quoted_string(octets) else { return end };
    quoted.len() + after.iter().position(ends).unwrap_or(after.len())
}

fn without_fws(id: &[u8]) -> Cow<'_, [u8]> {
    if id.iter().any(|&octet| is_fws(octet)) {
        return id.iter().copied().filter(|&octet| !is_fws(octet)).collect();
    }
    Cow::Borrowed(id)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_are_found_in_what_mail_holds() {
        for (value, ids) in [
            (" <a@b>\r\n", &["a@b"][..]),
            (" <a@b>\r\n\t<c@d> <e>", &["a@b", "c@d", "e"]),
            ("(<no@id>) \"<no@id>\" Your message of today <a@b> (x)", &["a@b"]),
            ("<\"a>b\"@c>", &["\"a>b\"@c"]),
            ("Message from Ada <ada@c> of \"x\" <a@b>", &["a@b"]),
            ("<a@b> from \"Ada\" at Mar 3", &["a@b"]),
            ("Your message from \"Ada\" (x) <ada@c>", &[]),
            ("Message from ada@c of 3 Mar", &[]),
            ("<from@a> <b@c>", &["from@a", "b@c"]),
            ("<a@\r\n b> <c@d", &["a@b", "c@d"]),
            ("<a@b<c@d>", &["a@b", "c@d"]),
            ("a@b, c@d", &["a@b", "c@d"]),
            ("(a@b", &["(a@b"]),
            ("((( \" <a@b> (x <c@d>", &["a@b", "c@d"]),
            ("<a@b> c@d <e@f>", &["a@b", "c@d", "e@f"]),
            ("<a@b> by ada@c <e@f>", &["a@b", "e@f"]),
            ("<a@b>\u{a0}<c@d>\u{feff}", &["a@b", "c@d"]),
            ("\u{200b}a@b\0", &["a@b"]),
            ("<\u{a0}a@b\x0b>", &["a@b"]),
            ("<> <", &[]),
            ("none", &[]),
            ("", &[]),
        ] {
            let found = list(value.as_bytes());
            let found: Vec<_> = found.iter().map(|id| String::from_utf8_lossy(id)).collect();
            assert_eq!(found, ids, "{value}");
        }
    }
}
