//! A part: what it declares, its fields and its text as they are read, and where their octets are.

use std::borrow::Cow;

use serde::Serialize;
use sevenbit::{Charset, Part, disguised_type};

use super::lines::lines_behind;
use super::octets::{Octets, Offsets};

/// A part as it is shown. Its children are the deeper parts that follow it.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub struct PartFacts {
    path: String,
    depth: usize,
    media_type: String,
    charset_label: Option<String>,
    charset: Option<&'static str>,
    encoding: &'static str,
    disposition: Option<String>,
    filename: Option<String>,
    /// The media type of its octets, if its name says that it is another kind of file.
    disguised_type: Option<&'static str>,
    format: Option<String>,
    is_leaf: bool,
    header: Octets,
    body: Octets,
    fields: Vec<Field>,
    text: Option<Text>,
    /// How many octets the content of a leaf has.
    length: usize,
}

/// A header field.
#[derive(Serialize)]
struct Field {
    name: String,
    text: String,
    octets: Octets,
}

/// The text of a leaf.
#[derive(Serialize)]
struct Text {
    /// Its beginning.
    shown: String,
    whole: bool,
    /// For each line that is shown, where its octets are in the body; none if that is unknown.
    #[serde(skip_serializing_if = "Option::is_none")]
    lines: Option<Vec<[usize; 2]>>,
}

impl PartFacts {
    /// Collects the facts about a part, with as many fields as there is room for.
    pub fn of(part: &Part<'_>, places: &Offsets<'_>, shown: usize, room: &mut usize) -> Self {
        let fields = part.headers().zip(part.raw_headers()).take(*room);
        let fields: Vec<Field> =
            fields.map(|((_, text), raw)| Field::of(&text, raw, places)).collect();
        *room -= fields.len();
        let content = if part.is_leaf() { part.octets() } else { Cow::default() };
        Self {
            path: part.path(),
            depth: part.depth(),
            media_type: part.media_type().to_owned(),
            charset_label: part.charset_label().map(str::to_owned),
            charset: part.charset().map(Charset::name),
            encoding: part.transfer_encoding(),
            disposition: part.disposition().map(str::to_owned),
            filename: part.filename().map(str::to_owned),
            disguised_type: part.filename().and_then(|name| disguised_type(&content, name)),
            format: part.parameter("format").map(str::to_owned),
            is_leaf: part.is_leaf(),
            header: places.octets(part.header_octets(), shown),
            body: places.octets(part.body_octets(), shown),
            fields,
            text: Text::of(part, shown),
            length: content.len(),
        }
    }
}

impl Field {
    fn of(text: &str, (name, value): (&[u8], &[u8]), places: &Offsets<'_>) -> Self {
        let name_shown = String::from_utf8_lossy(name).into_owned();
        Self { name: name_shown, text: text.to_owned(), octets: places.field(name, value) }
    }
}

impl Text {
    fn of(part: &Part<'_>, limit: usize) -> Option<Self> {
        let text = part.text()?;
        let whole = text.len() <= limit;
        let shown = if whole { &*text } else { beginning(&text, limit) };
        let lines = lines_behind(part, &text, shown);
        Some(Self { shown: shown.to_owned(), whole, lines })
    }
}

/// Returns whole lines of a text up to the limit, or as much of the first as fits.
fn beginning(text: &str, limit: usize) -> &str {
    let mut end = limit;
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    let end = text[..end].rfind('\n').map_or(end, |at| at + 1);
    &text[..end]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_beginning_ends_with_a_line() {
        assert_eq!(beginning("one\ntwo\nthree", 9), "one\ntwo\n");
        assert_eq!(beginning("äöü", 3), "ä");
    }
}
