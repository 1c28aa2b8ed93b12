//! The content of an entity: its octets, and its text.

use std::borrow::Cow;

use super::part::Part;
use crate::charset::{Guess, Known, says_nothing};
use crate::codec::crlf_to_lf::with_lf;
use crate::issue::Tally;
use crate::message::fallback::guess_for_text;
use crate::message::markup;
use crate::message::recode::decode as decode_body;
use crate::{Charset, Code, Decoded, Issue, Span};

impl<'m> Part<'m> {
    /// Returns the content, transfer encoding removed. Line ends are as they were stored.
    pub fn octets(&self) -> Cow<'m, [u8]> {
        self.octets_noting(&mut Tally::default())
    }

    /// Returns the content of a text leaf as text, with LF line ends; `None` for other types.
    pub fn text(&self) -> Option<Cow<'m, str>> {
        self.decoded().map(Decoded::into_text)
    }

    /// Returns the content of a text leaf as text, with what was odd about it; spans are octets of the
    /// decoded content.
    pub fn decoded(&self) -> Option<Decoded<'m>> {
        if !self.is_leaf() || !self.media_type().starts_with("text/") {
            return None;
        }
        Some(match self.octets() {
            Cow::Borrowed(octets) => self.text_of(octets),
            Cow::Owned(octets) => owned(self.text_of(&octets)),
        })
    }

    /// Returns the content, transfer encoding removed; anything odd about that is noted, with spans in the
    /// encoded body.
    pub(super) fn octets_noting(&self, tally: &mut Tally) -> Cow<'m, [u8]> {
        decode_body(self.content().encoding, self.body_octets(), tally)
    }

    pub(super) fn text_of<'o>(&self, octets: &'o [u8]) -> Decoded<'o> {
        let known = Known::of(octets);
        let (charset, mut issues) = self.text_charset(octets, known);
        let (text, found) = charset.decode_known(known).into_parts();
        issues.extend(found);
        Decoded::new(with_lf(text), issues)
    }

    /// Returns the charset of the content: as labelled, or guessed if the label says nothing or cannot be
    /// true.
    fn text_charset(&self, octets: &[u8], known: Known<'_>) -> (Charset, Vec<Issue>) {
        let whole = Span::new(0, octets.len());
        let label = self.charset_label().filter(|label| !says_nothing(label));
        let named = label.and_then(Charset::for_label_lenient).map(|(charset, _)| charset);
        let named = named.filter(|charset| charset.is_decodable());
        let ascii = matches!(known, Known::Ascii(_));
        let reads_ascii = |charset: Charset| ascii && charset.has_line_ends();
        let believed = named.filter(|&charset| reads_ascii(charset) || !charset.is_belied_by_text(octets));
        if let Some(charset) = believed {
            let guessed = charset.order_guessed(octets).map(Charset::name);
            let report = |name| Issue::new(Code::CharsetGuessed, whole).with_detail(name);
            return (charset, guessed.map(report).into_iter().collect());
        }
        if ascii {
            return (Charset::US_ASCII, Vec::new());
        }
        let guess = match known {
            Known::Utf8(_) => Guess::certain(Charset::UTF_8),
            // One guess for the whole message, except for files and text with an unknown label.
            _ if (label.is_none() || named.is_some()) && !self.content().is_file() => {
                guess_for_text(self.tree, self.index, octets, self.media_type())
            }
            _ => markup::guess(octets, self.media_type()),
        };
        let mut issues = vec![Issue::new(Code::CharsetGuessed, whole).with_detail(guess.detail())];
        if let (Some(label), None) = (label, named) {
            issues.push(Issue::new(Code::CharsetUnknown, whole).with_detail(label.to_owned()));
        }
        (guess.charset(), issues)
    }
}

fn owned(decoded: Decoded<'_>) -> Decoded<'static> {
    let (text, issues) = decoded.into_parts();
    Decoded::new(Cow::Owned(text.into_owned()), issues)
}
