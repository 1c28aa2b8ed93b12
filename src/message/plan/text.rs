//! Inline text (rules B5 and B7): what it is labelled with, what it really is, and how it is written.

use std::borrow::Cow;
use std::cell::LazyCell;

use super::Planner;
use super::zones::Zone;
use crate::charset::says_nothing;
use crate::codec::{base64, quoted, utf8};
use crate::issue::Tally;
use crate::message::markup;
use crate::message::recode::{
    Content, Target, decode, holds_yenc, is_cleartext_signed, lines, stored_lines, tears_line_ends, utf7,
};
use crate::transfer::{LineEnds, Survey, TransferEncoding};
use crate::{Charset, Code, Markup, Spelling, TextEncoding, Undecodable};

/// What a text's label is worth.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Label {
    /// None, or one that says nothing.
    None,
    /// One that cannot be true.
    Belied,
    Known(Charset),
    /// Known, but written in a way that no registry has.
    Repaired(Charset),
    Unknown,
}

/// What an archive's text says.
struct Reading<'c> {
    text: Cow<'c, str>,
    charset: Charset,
    /// Whether U+FFFD may stand in it.
    lossy: bool,
}

impl Label {
    fn read(label: &str, content: &[u8]) -> Self {
        if label.is_empty() || says_nothing(label) {
            return Self::None;
        }
        match Charset::for_label_lenient(label) {
            None => Self::Unknown,
            Some((charset, _)) if charset.is_belied_by(content) => Self::Belied,
            Some((charset, Spelling::Repaired)) => Self::Repaired(charset),
            Some((charset, _)) => Self::Known(charset),
        }
    }
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
        let strays = self.tree.sources[entity.source].has_strays();
        let torn = strays && encoding == TransferEncoding::QuotedPrintable && tears_line_ends(raw);
        let safe_lines = if survey.bare_lf { self.has_safe_lines(index) } else { survey.has_safe_lines() };
        let safe = safe_lines && !torn && (plain || encoding != TransferEncoding::Uuencode);
        if safe
            && (!self.archive()
                || self.decided[index].zone == Zone::Signed
                || self.stays_in_archive(index, survey))
        {
            return;
        }
        let mut tally = Tally::default();
        let content =
            if strays { decode(encoding, raw, &mut tally) } else { encoding.decode(raw, &mut tally) };
        // Under an encoding that nobody knows octets stay; what is not safe has to be taken for what it looks like.
        let octets_stay = !self.archive()
            || self.decided[index].zone == Zone::Signed
            || encoding == TransferEncoding::Unknown && safe
            || is_cleartext_signed(&content)
            || holds_yenc(&content);
        if octets_stay && safe {
            return;
        }
        // Asked of hardly any text that becomes another one.
        let clean = LazyCell::new(|| plain || encoding.is_clean(raw));
        if !tally.is_empty() && !*clean {
            self.report_all(index, tally);
        }
        if octets_stay {
            if self.has_no_lines(index) {
                self.recode(index, Content::Data, Target::Base64);
            } else {
                self.relabel_for_transport(index, &content);
                let content = if plain && !strays { content } else { lines(content) };
                self.write_text(index, Content::Lines, content);
            }
            return;
        }
        self.plan_archived_text(index, content, || safe && *clean);
    }

    /// Whether the text is labelled with a charset in which CR LF is no line end, such as UTF-16.
    pub(super) fn has_no_lines(&self, index: usize) -> bool {
        let label = self.entity(index).content.charset_label();
        label.and_then(Charset::for_label_lenient).is_some_and(|(charset, _)| !charset.has_line_ends())
    }

    /// Such a text that is not encoded: no octet of it is a line end, so none is touched.
    fn plan_octets_of_text(&mut self, index: usize, raw: &[u8]) {
        let free = self.decided[index].zone == Zone::Free;
        if self.archive() && free {
            self.plan_archived_text(index, Cow::Borrowed(raw), || false);
        } else if !raw.is_empty() && (free || !self.has_safe_lines(index)) {
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
    fn plan_archived_text(&mut self, index: usize, content: Cow<'_, [u8]>, octets_fit: impl Fn() -> bool) {
        let Some(Reading { text, charset, lossy }) = self.read(index, &content) else {
            if octets_fit() {
                return;
            }
            if self.has_no_lines(index) {
                self.recode(index, Content::Data, Target::Base64);
            } else {
                self.write_text(index, Content::Lines, lines(content));
            }
            return;
        };
        let ascii = text.is_ascii();
        let body = self.entity(index).body.clone();
        // A declaration in pure US-ASCII agrees with every charset it may name.
        let markup = self.markup(index).filter(|_| !ascii);
        let relabelled = self.relabel_for_archive(index, ascii);
        // What is borrowed is what it was.
        let borrowed = matches!(text, Cow::Borrowed(_));
        let done = borrowed && markup.is_none() && octets_fit();
        let in_lines = if done { Cow::default() } else { text_lines(&text) };
        let same = borrowed || *in_lines == *lines(Cow::Borrowed(&content));
        if !same {
            self.report(index, Code::Transcoded, body.clone(), charset.name());
        } else if let Some(label) = relabelled {
            self.report(index, Code::CharsetRelabelled, body.clone(), label);
        }
        let markup = markup.filter(|&kind| markup::declares_another(&in_lines, kind));
        if same && markup.is_none() && octets_fit() {
            return;
        }
        let declared = markup.and_then(|kind| markup::declare_utf8(&text, kind));
        if markup.is_some() {
            self.report(index, Code::MarkupCharset, body, "utf-8");
        }
        let in_lines = declared.as_deref().map_or(in_lines, text_lines);
        self.write_text(index, Content::Text { charset, markup, lossy }, in_lines);
    }

    /// The kind of markup in which declarations are to follow.
    fn markup(&self, index: usize) -> Option<markup::Kind> {
        match self.options.markup {
            Markup::Rewrite => markup::Kind::of(self.entity(index).content.media_type()),
            Markup::Keep => None,
        }
    }

    /// Reads an archive's text; nothing if octets and label stay. Reports what was wrong.
    fn read<'c>(&mut self, index: usize, content: &'c [u8]) -> Option<Reading<'c>> {
        let body = self.entity(index).body.clone();
        let label = self.label(index, content);
        let (charset, lossy) = match label {
            Label::Unknown => {
                let label = self.entity(index).content.charset_label().unwrap_or_default().to_owned();
                self.report(index, Code::CharsetUnknown, body, label);
                return None;
            }
            Label::None | Label::Belied if content.is_ascii() => (Charset::US_ASCII, false),
            Label::None | Label::Belied => {
                let charset = markup::guess(content, self.entity(index).content.media_type());
                self.report(index, Code::CharsetGuessed, body, charset.name());
                (charset, true)
            }
            Label::Known(charset) | Label::Repaired(charset) => {
                if let Some(text) = charset.decode_lossless(content) {
                    return Some(Reading { text, charset, lossy: false });
                }
                self.report(index, Code::UndecodableText, body, charset.name());
                if self.options.undecodable != Undecodable::Replace {
                    return None;
                }
                (charset, true)
            }
        };
        Some(Reading { text: charset.decode(content).into_text(), charset, lossy })
    }

    /// Reads the label of a text, and whether it can be true (rule B7). Reports one that cannot.
    fn label(&mut self, index: usize, content: &[u8]) -> Label {
        let read = Label::read(self.entity(index).content.charset_label().unwrap_or_default(), content);
        self.report_label(index, read);
        read
    }

    fn report_label(&mut self, index: usize, read: Label) {
        let entity = self.entity(index);
        let label = entity.content.charset_label().unwrap_or_default();
        let body = entity.body.clone();
        match read {
            Label::Repaired(charset) => {
                self.report(index, Code::CharsetLabelRepaired, body, format!("{label}: {}", charset.name()));
            }
            Label::Belied => self.report(index, Code::CharsetLabelLies, body, label.to_owned()),
            Label::None | Label::Known(_) | Label::Unknown => {}
        }
    }

    /// Rule B6, archive: text in a file that is no markup has nothing but its label to say what its octets mean. Where that
    /// is missing or cannot be true, it comes to say what they seem to be; of text that is not plain only UTF-8 is told
    /// for sure. The octets stay.
    pub(super) fn label_text_file(&mut self, index: usize) {
        let entity = self.entity(index);
        let label = entity.content.charset_label().unwrap_or_default();
        let media_type = self.written_type(index);
        let labelled = media_type.starts_with("text/") && markup::Kind::of(media_type).is_none();
        if !self.archive() || self.decided[index].zone != Zone::Free || !labelled {
            return;
        }
        let plain = media_type == "text/plain";
        let mut content = decode(entity.content.encoding, self.body(index), &mut Tally::default());
        let has_lines =
            entity.content.has_identity_encoding() && entity.content.encoding != TransferEncoding::Binary;
        if has_lines && self.line_ends_of(index) != LineEnds::Crlf {
            // What the octets seem to be must not depend on how their lines were stored.
            content = stored_lines(content);
        }
        if is_no_text(&content) {
            return;
        }
        let read = Label::read(label, &content);
        if !matches!(read, Label::None | Label::Belied) {
            return;
        }
        if !plain && !is_utf8(&content) {
            return;
        }
        let charset = markup::guess(&content, self.written_type(index));
        if charset.has_line_ends() {
            self.report_label(index, read);
            self.decided[index].edits.charset = Some(charset.name());
            self.report(index, Code::CharsetGuessed, entity.body.clone(), charset.name());
        }
    }

    /// Transport: 8-bit text without a label is called utf-8 if it is that, else unknown-8bit.
    fn relabel_for_transport(&mut self, index: usize, content: &[u8]) {
        let signed = self.decided[index].zone == Zone::Signed;
        if signed || content.is_ascii() || !matches!(self.label(index, content), Label::None | Label::Belied)
        {
            return;
        }
        let name = if is_utf8(content) { "utf-8" } else { "unknown-8bit" };
        if self.entity(index).content.charset_label() != Some(name) {
            self.decided[index].edits.charset = Some(name);
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
            self.decided[index].edits.charset = Some(if ascii && !utf8 { "us-ascii" } else { "utf-8" });
        }
        self.decided[index].edits.charset
    }

    /// Writes text whose content, decoded and with CR LF, is `text`.
    fn write_text(&mut self, index: usize, content: Content, text: Cow<'_, [u8]>) {
        let to = self.target_for_text(index, &text);
        self.recode_known(index, content, &text, to);
    }

    /// Rule B3 for text: 7bit if the content allows, else what is shorter.
    fn target_for_text(&self, index: usize, text: &[u8]) -> Target {
        if self.fits_seven_bit(index, text) {
            return Target::SevenBit;
        }
        let shorter = self.shorter_for_lines(index, text);
        if self.options.text_encoding == TextEncoding::Utf7 && !text.is_ascii() {
            let encoded = utf7(text);
            let boundaries = self.boundaries_around(index);
            let fits = || {
                Survey::of(&encoded, LineEnds::Crlf).is_seven_bit() && self.fits_seven_bit(index, &encoded)
            };
            if encoded.len() <= encoded_len(shorter, text, &boundaries) && fits() {
                return Target::Utf7;
            }
        }
        shorter
    }

    /// Whether text may be written in 7bit: rule B4 speaks of what came out of an encoding, too.
    fn fits_seven_bit(&self, index: usize, text: &[u8]) -> bool {
        text.is_ascii()
            && Survey::of(text, LineEnds::Crlf).is_seven_bit()
            && !quoted::has_risky_line(text, &self.boundaries_around(index))
    }
}

/// How many octets `text` takes in quoted-printable or base64.
fn encoded_len(target: Target, text: &[u8], boundaries: &[&[u8]]) -> usize {
    match target {
        Target::Base64 => base64::lines_len(text.len()),
        _ => quoted::text_fits(text, boundaries, usize::MAX).unwrap_or(usize::MAX),
    }
}

/// Whether a charset label could say nothing about `content`: it is US-ASCII, or holds octets of no text.
fn is_no_text(content: &[u8]) -> bool {
    let control = |octet: &u8| *octet < b' ' && !matches!(octet, b'\t' | b'\n' | 0x0c | b'\r' | 0x1b);
    content.is_ascii() || content.iter().any(control)
}

/// Text in UTF-8 with CR LF.
fn text_lines(text: &str) -> Cow<'_, [u8]> {
    lines(Cow::Borrowed(text.as_bytes()))
}

fn is_utf8(content: &[u8]) -> bool {
    utf8::validate(content).is_some()
}
