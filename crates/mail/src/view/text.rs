//! The content of an entity: its octets, and its text.

use std::borrow::Cow;

use super::part::Part;
use crate::charset::markup::MarkupKind;
use crate::charset::{Guess, Known, Label, markup};
use crate::codec::crlf_to_lf::with_lf;
use crate::facts::evidence::guess_for_text;
use crate::repair::plausible_readings;
use crate::report::Tally;
use crate::transfer::decode as decode_body;
use crate::{Charset, Code, Decoded, Issue, Reading, Span};

impl<'m> Part<'m> {
    /// Returns the content, transfer encoding removed. Line ends are as they were stored.
    pub fn octets(&self) -> Cow<'m, [u8]> {
        self.octets_noting(&mut Tally::default())
    }

    /// Returns whether the part is a leaf of a text type.
    fn is_text_leaf(&self) -> bool {
        self.is_leaf() && self.media_type().starts_with("text/")
    }

    /// Returns the content of a text leaf as text, with LF line ends; `None` for other types.
    pub fn text(&self) -> Option<Cow<'m, str>> {
        self.decoded().map(Decoded::into_text)
    }

    /// Returns the content of a text leaf as text, with what was odd about it; spans are octets of
    /// the decoded content.
    pub fn decoded(&self) -> Option<Decoded<'m>> {
        if !self.is_text_leaf() {
            return None;
        }
        Some(match self.octets() {
            Cow::Borrowed(octets) => self.text_of(octets),
            Cow::Owned(octets) => owned(self.text_of(&octets)),
        })
    }

    /// Returns the content, transfer encoding removed; anything odd about that is noted, with spans
    /// in the encoded body.
    pub(super) fn octets_noting(&self, tally: &mut Tally) -> Cow<'m, [u8]> {
        decode_body(self.content().encoding, self.body_octets(), tally)
    }

    pub(super) fn text_of<'o>(&self, octets: &'o [u8]) -> Decoded<'o> {
        let known = Known::of(octets);
        let (charset, mut issues) = self.text_charset(octets, known);
        let kind =
            MarkupKind::of(self.media_type()).filter(|kind| *kind == MarkupKind::ContentLines);
        let of_lines = kind.and_then(|_| markup::read_lossless(octets, charset, kind));
        let (text, found) = match of_lines {
            Some(text) => (text, Vec::new()),
            None => charset.read_known(known).into_parts(),
        };
        issues.extend(found);
        if self.tree.replaces_nul && text.contains('\0') {
            issues.push(
                Issue::new(Code::ControlReplaced, Span::new(0, octets.len())).with_detail("U+0000"),
            );
            return Decoded::new(with_lf(text.replace('\0', "\u{fffd}").into()), issues);
        }
        Decoded::new(with_lf(text), issues)
    }

    /// Returns the charset in which the text of this leaf is read, if that is a guess: without a
    /// label, or with one that cannot be true. The guess has its sureness, and [`Charset::guesses`]
    /// the alternatives. Nothing is shown by a guess below 0.65: then it is windows-1252, as most
    /// programs show such text, with a sureness of 0.
    ///
    /// ```
    /// let message = sevenbit::Message::parse(b"Content-Type: text/plain\r\n\r\nd\xE9j\xE0 vu\r\n");
    /// assert_eq!(message.root().charset_guess().unwrap().charset().name(), "windows-1252");
    /// ```
    pub fn charset_guess(&self) -> Option<Guess> {
        if !self.is_text_leaf() {
            return None;
        }
        let octets = self.octets();
        let known = Known::of(&octets);
        match self.believed(&octets, known) {
            None if !matches!(known, Known::Ascii(_)) => Some(self.guess(&octets, known)),
            _ => None,
        }
    }

    /// Returns the plausible readings of a text leaf, the most probable first, with LF line ends:
    /// for a person who finds the text unreadable. None for other types.
    ///
    /// ```
    /// let mail = "Content-Type: text/plain; charset=utf-8\r\n\r\nschÃ¶ne GrÃ¼ÃŸe\r\n";
    /// let message = sevenbit::Message::parse(mail.as_bytes());
    /// let readings = message.root().readings();
    /// assert_eq!(readings[0].text(), "schöne Grüße\n");
    /// assert_eq!(readings[0].origin().as_str(), "repair");
    /// assert_eq!(readings[1].text(), "schÃ¶ne GrÃ¼ÃŸe\n");
    /// ```
    pub fn readings(&self) -> Vec<Reading> {
        if !self.is_text_leaf() {
            return Vec::new();
        }
        let octets = self.octets();
        let kind = MarkupKind::of(self.media_type());
        let shown = |text: String| {
            let is_replaced = self.tree.replaces_nul && text.contains('\0');
            let text = if is_replaced { text.replace('\0', "\u{fffd}") } else { text };
            with_lf(Cow::Owned(text)).into_owned()
        };
        plausible_readings(&octets, self.label().charset(), self.charset_guess(), kind)
            .into_iter()
            .map(|reading| reading.map_text(shown))
            .collect()
    }

    /// Returns the charset of the content: as labelled, or guessed if the label says nothing or
    /// cannot be true.
    fn text_charset(&self, octets: &[u8], known: Known<'_>) -> (Charset, Vec<Issue>) {
        let whole = Span::new(0, octets.len());
        if let Some(charset) = self.believed(octets, known) {
            let guessed = charset.order_guessed(octets);
            let report = |charset| Issue::new(Code::CharsetGuessed, whole).with_detail(charset);
            return (charset, guessed.map(report).into_iter().collect());
        }
        if matches!(known, Known::Ascii(_)) {
            return (Charset::US_ASCII, Vec::new());
        }
        let guess = self.guess(octets, known);
        let mut issues = vec![Issue::new(Code::CharsetGuessed, whole).with_detail(guess)];
        if self.label() == Label::Unknown {
            let label = self.charset_label().unwrap_or_default();
            issues.push(Issue::new(Code::CharsetUnknown, whole).with_detail(label.to_owned()));
        }
        (guess.charset(), issues)
    }

    /// Returns the charset of the label, if it can be true.
    fn believed(&self, octets: &[u8], known: Known<'_>) -> Option<Charset> {
        let ascii = matches!(known, Known::Ascii(_));
        let reads_ascii = |charset: Charset| ascii && charset.has_line_ends();
        self.label()
            .charset()
            .filter(|&charset| reads_ascii(charset) || !charset.is_belied_by_text(octets))
    }

    fn guess(&self, octets: &[u8], known: Known<'_>) -> Guess {
        let guess = match known {
            Known::Utf8(_) => return Guess::certain(Charset::UTF_8),
            // One guess for the whole message, except for files and text with an unknown label.
            _ if self.label() != Label::Unknown && !self.content().is_file() => {
                guess_for_text(self.tree, self.index, octets, self.media_type())
            }
            _ => markup::guess(octets, self.media_type()),
        };
        if guess.is_probable() { guess } else { Guess::WITHOUT_EVIDENCE }
    }

    fn label(&self) -> Label {
        Label::read(self.charset_label().unwrap_or_default())
    }
}

fn owned(decoded: Decoded<'_>) -> Decoded<'static> {
    let (text, issues) = decoded.into_parts();
    Decoded::new(Cow::Owned(text.into_owned()), issues)
}
