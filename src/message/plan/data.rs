//! Attachments and every other leaf that is not inline text (rule B6): the octets are kept, only the
//! transfer encoding may change.

use std::borrow::Cow;

use super::Planner;
use super::zones::Zone;
use crate::issue::Tally;
use crate::message::recode::{Content, Target, decode, lines, tears_line_ends};
use crate::transfer::{LineEnds, Survey, TransferEncoding, has_bare_line_end};
use crate::{Code, Issue};

impl Planner<'_, '_> {
    /// Decides about a leaf of data.
    pub(super) fn plan_data(&mut self, index: usize) {
        match self.entity(index).content.encoding {
            TransferEncoding::QuotedPrintable | TransferEncoding::Base64 => self.plan_encoded_data(index),
            TransferEncoding::Uuencode
                if self.archive() || !self.has_safe_lines(index) || self.holds_stray_cr(index) =>
            {
                self.write_data(index);
            }
            TransferEncoding::Uuencode => {}
            _ => self.plan_plain_data(index),
        }
    }

    /// Data under 7bit, 8bit or binary: a stray CR or LF is part of it (rule B10).
    fn plan_plain_data(&mut self, index: usize) {
        let entity = self.entity(index);
        let raw = &self.source(index)[entity.body.clone()];
        let free = self.decided[index].zone == Zone::Free;
        if free
            && self.written_type(index).starts_with("text/")
            && !raw.is_empty()
            && self.has_no_lines(index)
        {
            return self.recode(index, Content::Data, Target::Base64);
        }
        let survey = self.body_survey(index);
        let binary = entity.content.encoding == TransferEncoding::Binary;
        let stored = self.line_ends_of(index) != LineEnds::Crlf;
        if binary && stored && has_bare_line_end(raw) {
            return self.recode(index, Content::Data, Target::Base64);
        }
        if survey.is_seven_bit() {
            return;
        }
        if survey.bare_cr || survey.bare_lf {
            self.report(index, Code::BareLineEnd, entity.body.clone(), "data");
            let content = if stored && !binary { Content::LinesAndStrays } else { Content::Data };
            return self.recode(index, content, Target::Base64);
        }
        let content = lines(Cow::Borrowed(raw));
        let to = self.shorter_for_lines(index, &content);
        self.recode(index, Content::Lines, to);
    }

    /// Data under quoted-printable or base64 stays if its lines are safe; an archive also wants it read
    /// alike by everyone.
    fn plan_encoded_data(&mut self, index: usize) {
        let entity = self.entity(index);
        let raw = &self.source(index)[entity.body.clone()];
        let torn = self.tree.sources[entity.source].has_strays()
            && entity.content.encoding == TransferEncoding::QuotedPrintable
            && (tears_line_ends(raw) || self.holds_stray_cr(index));
        if self.has_safe_lines(index) && !torn && (!self.archive() || entity.content.encoding.is_clean(raw)) {
            return;
        }
        self.write_data(index);
    }

    /// Whether a CR that ends no line stands in the body: where readers take it for an octet of the data, it is one.
    fn holds_stray_cr(&self, index: usize) -> bool {
        self.tree.sources[self.entity(index).source].has_strays() && self.body_survey(index).bare_cr
    }

    /// Decodes data and writes it again.
    fn write_data(&mut self, index: usize) {
        let entity = self.entity(index);
        let raw = &self.source(index)[entity.body.clone()];
        let mut tally = Tally::default();
        let content = decode(entity.content.encoding, raw, &mut tally);
        self.report_all(index, tally);
        let survey = Survey::of(&content, LineEnds::Crlf);
        let to = if survey.is_seven_bit() || survey.bare_cr || survey.bare_lf || survey.nul {
            Target::Base64
        } else {
            self.shorter_for_lines(index, &content)
        };
        self.recode(index, Content::Data, to);
    }

    /// Reports what a decoder of this body met.
    pub(super) fn report_all(&mut self, index: usize, tally: Tally) {
        let body = self.entity(index).body.clone();
        for issue in tally.into_issues() {
            // What was stored with LF was decoded with CR LF, which is longer.
            let span = issue.span().shifted(body.start);
            let range = span.start.min(body.end)..span.end.min(body.end);
            self.report(index, issue.code(), range, issue.detail().to_owned());
        }
    }

    /// Takes over issues whose spans begin at `base` of the entity's source.
    pub(super) fn take_header_issues(
        &mut self,
        index: usize,
        base: usize,
        issues: impl IntoIterator<Item = Issue>,
    ) {
        let part = self.tree.header_section(index);
        let source = self.entity(index).source;
        for issue in issues {
            let span = issue.span().shifted(base);
            self.take_issue(issue, source, part.clone(), span.start..span.end);
        }
    }

    /// Rule B9: messages that are not descended into must not be encoded.
    pub(super) fn plan_message_leaf(&mut self, index: usize) {
        let entity = self.entity(index);
        let raw = &self.source(index)[entity.body.clone()];
        let survey = self.body_survey(index);
        if entity.content.has_identity_encoding() {
            if survey.is_seven_bit() {
                self.plan_identity_label(index);
            } else {
                self.make_opaque(index, Code::PartialMadeOpaque);
            }
            return;
        }
        let content = decode(entity.content.encoding, raw, &mut Tally::default());
        if Survey::of(&content, LineEnds::Lf).is_seven_bit() {
            self.report(index, Code::CompositeEncoded, entity.body.clone(), "");
            self.expose(index, &content);
            self.recode(index, Content::Lines, Target::SevenBit);
        } else {
            self.make_opaque(index, Code::PartialMadeOpaque);
        }
    }

    /// Rule G6: multiparts and messages are 7bit, and say so if they say anything.
    pub(super) fn plan_identity_label(&mut self, index: usize) {
        let content = &self.entity(index).content;
        if let Some(field) = content.encoding_field
            && content.encoding != TransferEncoding::SevenBit
        {
            self.decided[index].edits.encoding = Some(TransferEncoding::SevenBit);
            let span = self.tree.fields[field].span.clone();
            self.report_header(index, Code::EncodingLabelRepaired, span, "7bit");
        }
    }
}
