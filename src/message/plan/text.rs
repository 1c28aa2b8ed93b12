//! Inline text (rules B5 and B7): what it is labelled with, what it really is, and how it is written.

use std::borrow::Cow;

use super::Planner;
use super::zones::Zone;
use crate::charset::says_nothing;
use crate::codec::quoted;
use crate::issue::Tally;
use crate::message::markup;
use crate::message::recode::{
    Content, Recode, Target, decode, is_cleartext_signed, lines, tears_line_ends, utf7,
};
use crate::transfer::{LineEnds, Survey, TransferEncoding};
use crate::{Charset, Code, Markup, Spelling, TextEncoding, Undecodable};

/// What a text's label is worth.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Label {
    /// None, or one that says nothing, or one that cannot be true.
    None,
    Known(Charset),
    Unknown,
}

impl Planner<'_, '_> {
    /// Decides about a leaf of inline text.
    pub(super) fn plan_text(&mut self, index: usize) {
        let entity = self.entity(index);
        let raw = &self.source(index)[entity.body.clone()];
        let survey = self.body_survey(index);
        let encoding = entity.content.encoding;
        let plain = entity.content.has_identity_encoding();
        if plain && self.has_no_lines(index) {
            return self.plan_octets_of_text(index, raw);
        }
        if survey.bare_cr || survey.bare_lf {
            self.report(index, Code::BareLineEnd, entity.body.clone(), "");
        }
        let torn = encoding == TransferEncoding::QuotedPrintable && tears_line_ends(raw);
        let safe =
            self.are_safe_lines(index, raw) && !torn && (plain || encoding != TransferEncoding::Uuencode);
        if safe
            && (!self.archive() || self.zones[index] == Zone::Signed || self.stays_in_archive(index, survey))
        {
            return;
        }
        let mut tally = Tally::default();
        let content = decode(encoding, raw, &mut tally);
        let clean = plain || encoding.is_clean(raw);
        if !clean {
            self.report_all(index, tally);
        }
        // Under an encoding that nobody knows octets stay; what is not safe has to be taken for what it looks like.
        let opaque = encoding == TransferEncoding::Unknown && safe || is_cleartext_signed(&content);
        let octets_stay = !self.archive() || self.zones[index] == Zone::Signed || opaque;
        if octets_stay {
            if !safe {
                self.relabel_for_transport(index, &content);
                self.write_text(index, Content::Lines, lines(content));
            }
            return;
        }
        self.plan_archived_text(index, content, safe && clean);
    }

    /// Whether the text is labelled with a charset in which CR LF is no line end, such as UTF-16.
    fn has_no_lines(&self, index: usize) -> bool {
        let label = self.entity(index).content.charset_label();
        let charset = label.and_then(Charset::for_label_lenient);
        charset.is_some_and(|(charset, _)| charset.decode_lossless(b"\r\n").is_none_or(|text| text != "\r\n"))
    }

    /// Such a text that is not encoded: no octet of it is a line end, so none is touched.
    fn plan_octets_of_text(&mut self, index: usize, raw: &[u8]) {
        if self.archive() && self.zones[index] == Zone::Free {
            self.plan_archived_text(index, Cow::Borrowed(raw), false);
        } else {
            self.recode(index, Content::Data, Target::Base64);
        }
    }

    /// The fast exit for an archive: plain US-ASCII lines that say nothing else.
    fn stays_in_archive(&self, index: usize, survey: Survey) -> bool {
        let content = &self.entity(index).content;
        let label = content.charset_label();
        content.has_identity_encoding()
            && !survey.eight_bit
            && label.is_none_or(|label| {
                label.eq_ignore_ascii_case("us-ascii") || label.eq_ignore_ascii_case("utf-8")
            })
    }

    /// An archive's text: decoded, and written as US-ASCII or UTF-8, unless it is that already.
    fn plan_archived_text(&mut self, index: usize, content: Cow<'_, [u8]>, octets_fit: bool) {
        let Some((charset, lossy)) = self.charset_of(index, &content) else {
            if !octets_fit && self.has_no_lines(index) {
                self.recode(index, Content::Data, Target::Base64);
            } else if !octets_fit {
                self.write_text(index, Content::Lines, lines(content));
            }
            return;
        };
        let markup = match self.options.markup {
            Markup::Rewrite => markup::Kind::of(&self.entity(index).content.media_type),
            Markup::Keep => None,
        };
        let text = as_utf8(&content, charset, None, lossy);
        let ascii = text.is_ascii();
        // A declaration in pure US-ASCII agrees with every charset it may name.
        let markup = markup.filter(|&kind| !ascii && declares_another(&text, kind));
        let body = self.entity(index).body.clone();
        let same = *text == *lines(Cow::Borrowed(&content));
        let relabelled = self.relabel_for_archive(index, ascii);
        if !same {
            self.report(index, Code::Transcoded, body.clone(), charset.name());
        } else if let Some(label) = relabelled {
            self.report(index, Code::CharsetRelabelled, body.clone(), label);
        }
        if octets_fit && markup.is_none() && same {
            return;
        }
        let text = match markup {
            Some(_) => {
                self.report(index, Code::MarkupCharset, body, "utf-8");
                as_utf8(&content, charset, markup, lossy)
            }
            None => text,
        };
        self.write_text(index, Content::Text { charset, markup, lossy }, text);
    }

    /// The charset to decode an archive's text with, and whether U+FFFD may be written; nothing if octets
    /// and label stay. Reports what was wrong.
    fn charset_of(&mut self, index: usize, content: &[u8]) -> Option<(Charset, bool)> {
        let body = self.entity(index).body.clone();
        match self.label(index, content) {
            Label::Unknown => {
                let label = self.entity(index).content.charset_label().unwrap_or_default().to_owned();
                self.report(index, Code::CharsetUnknown, body, label);
                None
            }
            Label::None if content.is_ascii() => Some((Charset::US_ASCII, false)),
            Label::None => {
                let charset = guess(content);
                self.report(index, Code::CharsetGuessed, body, charset.name());
                Some((charset, true))
            }
            Label::Known(charset) if charset.decode_lossless(content).is_some() => Some((charset, false)),
            Label::Known(charset) => {
                self.report(index, Code::UndecodableText, body, charset.name());
                (self.options.undecodable == Undecodable::Replace).then_some((charset, true))
            }
        }
    }

    /// Reads the label of a text, and whether it can be true (rule B7). Reports one that cannot.
    fn label(&mut self, index: usize, content: &[u8]) -> Label {
        let entity = self.entity(index);
        let Some(label) = entity.content.charset_label() else { return Label::None };
        if says_nothing(label) {
            return Label::None;
        }
        let Some((charset, spelling)) = Charset::for_label_lenient(label) else { return Label::Unknown };
        if spelling == Spelling::Repaired {
            self.report(
                index,
                Code::CharsetLabelRepaired,
                entity.body.clone(),
                format!("{label}: {}", charset.name()),
            );
        }
        if cannot_be(charset, content) {
            self.report(index, Code::CharsetLabelLies, entity.body.clone(), label.to_owned());
            return Label::None;
        }
        Label::Known(charset)
    }

    /// Transport: 8-bit text without a label is called utf-8 if it is that, else unknown-8bit.
    fn relabel_for_transport(&mut self, index: usize, content: &[u8]) {
        let signed = self.zones[index] == Zone::Signed;
        if signed || content.is_ascii() || self.label(index, content) != Label::None {
            return;
        }
        let name = if is_utf8(content) { "utf-8" } else { "unknown-8bit" };
        if self.entity(index).content.charset_label() != Some(name) {
            self.edits[index].charset = Some(name);
            let body = self.entity(index).body.clone();
            self.report(index, Code::CharsetGuessed, body, name);
        }
    }

    /// Archive: the label says what the text now is; one that is right stays as it is spelt. Gives a new one.
    fn relabel_for_archive(&mut self, index: usize, ascii: bool) -> Option<&'static str> {
        let label = self.entity(index).content.charset_label();
        let is = |name: &str| label.is_some_and(|label| label.eq_ignore_ascii_case(name));
        let right = if ascii { label.is_none() || is("us-ascii") || is("utf-8") } else { is("utf-8") };
        if !right {
            let utf8 = label.and_then(Charset::for_label) == Some(Charset::UTF_8);
            self.edits[index].charset = Some(if ascii && !utf8 { "us-ascii" } else { "utf-8" });
        }
        self.edits[index].charset
    }

    /// Writes text whose content, decoded and with CR LF, is `text`.
    fn write_text(&mut self, index: usize, content: Content, text: Cow<'_, [u8]>) {
        let to = self.target_for_text(index, &text);
        self.recode(index, content, to);
    }

    /// Rule B3 for text: 7bit if the content allows, else what is shorter.
    fn target_for_text(&self, index: usize, text: &[u8]) -> Target {
        if self.fits_seven_bit(index, text) {
            return Target::SevenBit;
        }
        let shorter = self.shorter_for_lines(index, text);
        if self.options.text_encoding == TextEncoding::Utf7 && !text.is_ascii() {
            let encoded = utf7(text);
            if Survey::of(&encoded, LineEnds::Crlf).is_seven_bit() && self.fits_seven_bit(index, &encoded) {
                return Target::Utf7;
            }
        }
        shorter
    }

    /// Whether text may be written in 7bit: rule B4 speaks of what came out of an encoding, too.
    fn fits_seven_bit(&self, index: usize, text: &[u8]) -> bool {
        let boundaries = self.boundaries_around(index);
        let boundaries: Vec<&[u8]> = boundaries.iter().map(Vec::as_slice).collect();
        text.is_ascii()
            && Survey::of(text, LineEnds::Crlf).is_seven_bit()
            && !quoted::has_risky_line(text, &boundaries)
    }
}

/// Whether octets cannot be in the charset that they are labelled with, not even damaged.
pub(in crate::message) fn cannot_be(charset: Charset, content: &[u8]) -> bool {
    let never = charset.is_seven_bit() || (charset == Charset::UTF_8 && !holds_multi_octet(content));
    never && !content.is_ascii() && charset.decode_lossless(content).is_none()
}

/// Text in UTF-8 with CR LF, as [`Recode`] will write it.
fn as_utf8(content: &[u8], charset: Charset, markup: Option<markup::Kind>, lossy: bool) -> Cow<'_, [u8]> {
    let content_of = Content::Text { charset, markup, lossy };
    let from = TransferEncoding::Binary;
    Recode { from, content: content_of, to: Target::SevenBit, boundaries: [].into() }.content(content)
}

fn is_utf8(content: &[u8]) -> bool {
    Charset::UTF_8.decode_lossless(content).is_some()
}

/// Whether anywhere in `content` stands a well-formed UTF-8 sequence of more than one octet.
fn holds_multi_octet(content: &[u8]) -> bool {
    content.utf8_chunks().any(|chunk| !chunk.valid().is_ascii())
}

/// The charset of text without a label.
pub(in crate::message) fn guess(content: &[u8]) -> Charset {
    if is_utf8(content) { Charset::UTF_8 } else { Charset::detect(content) }
}

/// Whether markup declares a charset that is not UTF-8.
fn declares_another(text: &[u8], kind: markup::Kind) -> bool {
    std::str::from_utf8(text).is_ok_and(|text| markup::declare_utf8(text, kind).is_some())
}
