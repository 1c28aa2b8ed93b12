//! `--fields`: every header field of every part, and where it is.

use std::borrow::Cow;

use sevenbit::{Message, Part, Span};

use crate::explain::facts::octets::Offsets;

/// A header field.
pub struct PlacedField<'m> {
    pub name: &'m str,
    pub value: Cow<'m, str>,
    /// None in a message that is encoded.
    pub span: Option<Span>,
}

/// Returns the fields of a part of the message `octets`.
pub fn fields<'m>(part: &Part<'m>, octets: &'m [u8]) -> impl Iterator<Item = PlacedField<'m>> {
    let places = Offsets::new(octets);
    part.headers().zip(part.raw_headers()).map(move |((name, value), (raw_name, raw_value))| {
        let (start, end) = (places.span(raw_name), places.span(raw_value));
        let span = start.zip(end).map(|([start, _], [_, end])| Span { start, end });
        PlacedField { name, value, span }
    })
}

/// Returns the section of a part's header as issues name it: `0` for the message, `1.2`, `1.2.0`
/// for a message in it.
pub fn section(part: &Part<'_>) -> String {
    match part.parent() {
        None => String::from("0"),
        Some(parent) if !parent.is_multipart() => format!("{}.0", parent.path()),
        Some(_) => part.path(),
    }
}

/// Returns the fields of all parts, each with its section.
pub fn all<'m>(
    message: &'m Message<'_>,
    octets: &'m [u8],
) -> impl Iterator<Item = (String, PlacedField<'m>)> {
    message.parts().flat_map(move |part| {
        let section = section(&part);
        fields(&part, octets).map(move |field| (section.clone(), field)).collect::<Vec<_>>()
    })
}
