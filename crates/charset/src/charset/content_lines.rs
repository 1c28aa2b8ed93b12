//! Properties of iCalendar and vCard: lines that are folded between any two octets (RFC 5545, 3.1;
//! RFC 6350, 3.2), and that may each name a charset (vCard 2.1, `CHARSET=`), whatever the label of
//! the whole says.

use std::borrow::Cow;
use std::ops::Range;

use super::Charset;
use crate::codec::utf8;

/// The parameter that names the charset of a property.
const CHARSET: &[u8] = b";charset=";

/// Returns the text of properties, those that name no charset in `charset`; `None` if anything is
/// ill-formed. A fold inside a character of UTF-8 is undone.
pub(super) fn read_lossless(octets: &[u8], charset: Charset) -> Option<Cow<'_, str>> {
    if labels(octets).next().is_some()
        && let Some(text) = read_one_by_one(octets, charset)
    {
        return Some(Cow::Owned(text));
    }
    if charset != Charset::UTF_8 || utf8::validate(octets).is_some() {
        return charset.read_lossless(octets);
    }
    let whole = with_whole_characters(octets)?;
    utf8::validate(&whole).map(|text| Cow::Owned(text.to_owned()))
}

/// Returns whether properties are in UTF-8, once the folds inside its characters are undone.
pub fn are_utf8(octets: &[u8]) -> bool {
    with_whole_characters(octets).is_some_and(|whole| utf8::validate(&whole).is_some())
}

/// Returns the charset that the first property names that needs one.
pub(super) fn declared(octets: &[u8]) -> Option<Charset> {
    labels(octets).next().and_then(|label| charset_of(&octets[label]))
}

/// Returns where the labels of properties are whose octets are not US-ASCII, if they name a charset
/// that can be decoded.
pub(super) fn labels(octets: &[u8]) -> impl Iterator<Item = Range<usize>> {
    let mut at = 0;
    properties(octets).filter_map(move |property| {
        let start = at;
        at += property.len();
        label(property).map(|label| start + label.start..start + label.end)
    })
}

fn charset_of(label: &[u8]) -> Option<Charset> {
    Charset::for_octets(label).filter(|charset| charset.is_decodable())
}

/// Reads each property in the charset that it names, or else in `charset`.
fn read_one_by_one(octets: &[u8], charset: Charset) -> Option<String> {
    let mut text = String::with_capacity(octets.len());
    for property in properties(octets) {
        let own = label(property).and_then(|label| charset_of(&property[label]));
        let charset = own.unwrap_or(charset);
        let whole = if charset == Charset::UTF_8 {
            with_whole_characters(property).map_or(Cow::Borrowed(property), Cow::Owned)
        } else {
            Cow::Borrowed(property)
        };
        text.push_str(&charset.read_lossless(&whole)?);
    }
    Some(text)
}

/// Returns the properties, each with its folds and its line end.
fn properties(octets: &[u8]) -> impl Iterator<Item = &[u8]> {
    let mut rest = octets;
    std::iter::from_fn(move || {
        let is_end = |&at: &usize| !matches!(rest.get(at + 1), Some(b' ' | b'\t'));
        let end = memchr::memchr_iter(b'\n', rest).find(is_end).map_or(rest.len(), |at| at + 1);
        let (property, after) = rest.split_at(end);
        rest = after;
        (!property.is_empty()).then_some(property)
    })
}

/// Returns where the label of a property is, if it needs one and has one.
///
/// `property = name *(";" parameter) ":" value`
fn label(property: &[u8]) -> Option<Range<usize>> {
    let colon = memchr::memchr(b':', property)?;
    if property[colon..].is_ascii() {
        return None;
    }
    let head = &property[..colon];
    let found = head.windows(CHARSET.len()).position(|name| name.eq_ignore_ascii_case(CHARSET))?;
    let start = found + CHARSET.len();
    let start = start + usize::from(head.get(start) == Some(&b'"'));
    let end = head[start..]
        .iter()
        .position(|octet| matches!(octet, b';' | b'"'))
        .map_or(colon, |end| start + end);
    charset_of(&head[start..end]).map(|_| start..end)
}

/// Returns octets without the folds that are between two octets above 7F of which the second
/// continues a character; `None` if there is none.
fn with_whole_characters(octets: &[u8]) -> Option<Vec<u8>> {
    let (mut whole, mut kept) = (Vec::new(), 0);
    for line_end in memchr::memchr_iter(b'\n', octets) {
        let before = octets[..line_end].strip_suffix(b"\r").unwrap_or(&octets[..line_end]);
        let is_split = matches!(octets[line_end + 1..], [b' ' | b'\t', 0x80..=0xBF, ..]);
        if is_split && before.last().is_some_and(|octet| !octet.is_ascii()) && before.len() >= kept
        {
            whole.extend_from_slice(&octets[kept..before.len()]);
            kept = line_end + 2;
        }
    }
    (kept > 0).then(|| {
        whole.extend_from_slice(&octets[kept..]);
        whole
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn properties_are_read_in_their_charsets() {
        for (octets, charset, text) in [
            (&b"N:\xc3\xa9\r\n"[..], Charset::UTF_8, Some("N:é\r\n")),
            (b"N:a\xe2\r\n \x82\xacb\r\n\tc", Charset::UTF_8, Some("N:a€b\r\n\tc")),
            (b"N:a\xe2\r\n \x82\n \xacb", Charset::UTF_8, Some("N:a€b")),
            (b"N:a\xc3\r\n b", Charset::UTF_8, None),
            (
                b"N;CHARSET=ISO-8859-1:M\xfcller\r\nF;charset=\"utf-8\":\xc3\xa9\r\n",
                Charset::UTF_8,
                Some("N;CHARSET=ISO-8859-1:Müller\r\nF;charset=\"utf-8\":é\r\n"),
            ),
            (
                b"N;CHARSET=UTF-8:M\xc3\xbcller\nO:M\xfcller\n",
                Charset::ISO_8859_1,
                Some("N;CHARSET=UTF-8:Müller\nO:Müller\n"),
            ),
            // A label that is not true: then that of the whole counts.
            (b"N;CHARSET=UTF-8:M\xfcller\n", Charset::ISO_8859_1, Some("N;CHARSET=UTF-8:Müller\n")),
            (
                b"N;CHARSET=x-none:M\xfcller\n",
                Charset::ISO_8859_1,
                Some("N;CHARSET=x-none:Müller\n"),
            ),
        ] {
            assert_eq!(
                read_lossless(octets, charset).as_deref(),
                text,
                "{}",
                octets.escape_ascii()
            );
        }
    }
}
