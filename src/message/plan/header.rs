//! Header sections: each field by its rules, the Content- fields as bodies and boundaries require.

use std::borrow::Cow;
use std::ops::Range;

use super::Planner;
use super::dkim::Change;
use super::opaque::OLD_TYPE;
use super::repeated::{Seen, may_repeat};
use super::zones::Zone;
use crate::ascii::trim_fws;
use crate::decode::{Fallback, ParameterTexts};
use crate::message::fallback::fallback;
use crate::message::fields::{Field, Shape, with_folds};
use crate::message::header::{Fate, FieldRules, ParameterEdits};
use crate::message::line_ends::{ended, to_crlf, without_line_end};
use crate::message::tag::Tag;
use crate::syntax::plain::PlainMailbox;
use crate::{Code, Issue, Profile, Rule};

impl Planner<'_, '_> {
    /// Plans one header section.
    pub(super) fn plan_header(&mut self, index: usize) {
        let entity = self.entity(index);
        let regular = self.has_regular_lines(index);
        let rules = self.field_rules(index);
        let mut seen = may_repeat(self.tree.fields_of(entity), Tag::is_single).then(Seen::default);
        let mut joined = self.joined(index, &rules);
        self.plan_mime_version(index);
        self.splices[entity.source].expect(entity.fields.len());
        let most = entity.start.saturating_add(self.options.limits.header_octets);
        for (at, field) in entity.fields.clone().zip(self.tree.fields_of(entity)) {
            let source = self.source(index);
            // Rule H10.
            let again = seen.as_mut().and_then(|seen| seen.again(field, source));
            let renamed = again.is_some() && (field.tag.is_content() || self.archive());
            if let Some(name) = again {
                self.report_header(index, Code::DuplicateField, field.span.clone(), name);
            }
            if field.span.start > most {
                self.plan_past_limit(index, field, &rules);
                continue;
            }
            match joined.pop_if(|(next, _)| *next == at) {
                _ if renamed => self.rename_repeated(index, field, &rules),
                Some((_, joined)) => self.plan_joined(index, field, joined, &rules),
                None => self.plan_field(index, at, field, regular, &rules),
            }
        }
        self.add_content_fields(index, &rules);
        self.plan_header_end(index);
    }

    /// Plans one field by itself; whether the lines of its section are `regular` is known.
    fn plan_field(&mut self, index: usize, at: usize, field: &Field, regular: bool, rules: &FieldRules) {
        let content = &self.entity(index).content;
        match field.shape {
            Shape::FromLine => self.drop_from_line(index, field),
            Shape::Mark => self.drop_mark(index, field),
            Shape::Unparsed => {
                self.report_header(index, Code::UnparsedLine, field.span.clone(), "X-Unparsed");
                let line = without_line_end(&self.source(index)[field.span.clone()]);
                let raw = [b"X-Unparsed: ", line, b"\r\n"].concat();
                self.write_field(index, field, raw, rules, Rule::H1);
            }
            Shape::LostFold => {
                self.report_header(index, Code::FoldRestored, field.span.clone(), "");
                self.plan_lost_fold(index, at, field, rules);
            }
            Shape::Field if regular && self.needs_no_look(index, at, field) => {}
            Shape::Field if Some(at) == content.type_field => self.plan_type(index, field, rules),
            Shape::Field if Some(at) == content.encoding_field => self.plan_encoding(index, field, rules),
            Shape::Field if field.tag == Tag::MimeVersion => {
                self.plan_written_mime_version(index, field, rules)
            }
            Shape::Field => self.apply(index, field, rules),
        }
    }

    /// Rule G6, archive: an entity without any field gets its type, since readers differ about what comes
    /// before an empty line at the very beginning.
    pub(super) fn plan_empty_header(&mut self, index: usize) {
        let entity = self.entity(index);
        let fields = self.tree.fields_of(entity);
        let empty = fields.iter().all(|field| matches!(field.shape, Shape::FromLine | Shape::Mark));
        let hollow = trim_fws(self.body(index)).is_empty();
        if empty
            && !hollow
            && self.archive()
            && self.decided[index].zone == Zone::Free
            && !self.decided[index].edits.change_type()
        {
            self.decided[index].edits.media_type =
                Some(if entity.content.is_message() { "message/rfc822" } else { "text/plain" });
            let at = entity.section.fields_end;
            self.report_header(index, Code::TypeMadeExplicit, at..at, entity.content.media_type().to_owned());
        }
    }

    /// Whether no line of the section has to be mended.
    fn has_regular_lines(&self, index: usize) -> bool {
        let entity = self.entity(index);
        let header = entity.start..entity.section.fields_end;
        entity.section.is_regular
            && self.source(index)[header.clone()].ends_with(b"\n")
            && self.survey(index, header).is_eight_bit_safe()
    }

    /// Whether a field with regular lines stays as it is: nothing in it is encoded or has to be, and only parameters have
    /// more to be judged, and for an archive addresses.
    fn needs_no_look(&self, index: usize, at: usize, field: &Field) -> bool {
        if field.tells {
            return false;
        }
        let (content, edits) = (&self.entity(index).content, &self.decided[index].edits);
        let is_plain = |texts: Option<&ParameterTexts>| texts.is_some_and(ParameterTexts::is_plain);
        match Some(at) {
            at if at == content.type_field => {
                !edits.change_type() && content.parameters.is_plain() && !content.is_unreadable()
            }
            at if at == content.encoding_field => edits.encoding.is_none(),
            at if at == content.disposition_field => is_plain(content.disposition.as_ref()),
            _ if self.archive() && field.tag.has_addresses() => {
                PlainMailbox::are_list(field.value_of(self.source(index)))
            }
            _ => !field.tag.has_parameters(),
        }
    }

    fn field_rules(&self, index: usize) -> FieldRules {
        let entity = self.entity(index);
        let header = entity.start..entity.section.fields_end;
        // Signed content that is not safe is touched only where it must be.
        let profile =
            if self.decided[index].zone == Zone::Signed { Profile::Transport } else { self.options.profile };
        let fallback = if self.is_ascii(index, header) { Fallback::NONE } else { fallback(self.tree, index) };
        FieldRules { profile, fallback }
    }

    fn drop_mark(&mut self, index: usize, field: &Field) {
        let span = field.span.clone();
        self.report_header(index, Code::MarkDropped, span.clone(), "");
        self.splice(index, span, b"".as_slice(), Rule::H1, "signature of UTF-8 dropped");
    }

    fn drop_from_line(&mut self, index: usize, field: &Field) {
        let raw = &self.source(index)[field.span.clone()];
        let text = String::from_utf8_lossy(without_line_end(raw)).into_owned();
        self.report_header(index, Code::FromLineDropped, field.span.clone(), text);
        self.splice(index, field.span.clone(), b"".as_slice(), Rule::H1, "mbox From line dropped");
    }

    fn rename_repeated(&mut self, index: usize, field: &Field, rules: &FieldRules) {
        let source = self.source(index);
        let raw = [b"X-Duplicate-", field.name(source), b":", field.value_of(source)].concat();
        let raw = if field.shape == Shape::LostFold { with_folds(&raw) } else { raw };
        self.write_field(index, field, raw, rules, Rule::H10);
    }

    /// The ordinary case: the field's own rules decide.
    fn apply(&mut self, index: usize, field: &Field, rules: &FieldRules) {
        let mut issues = std::mem::take(&mut self.found);
        let fate = rules.apply(&self.source(index)[field.span.clone()], &mut issues);
        self.settle(index, field, fate, issues, Rule::H4);
    }

    /// A field that is written anew in any case: `raw`, by its rules.
    pub(super) fn write_field(
        &mut self,
        index: usize,
        field: &Field,
        raw: Vec<u8>,
        rules: &FieldRules,
        rule: Rule,
    ) {
        let mut issues = std::mem::take(&mut self.found);
        let fate = rules.apply(&raw, &mut issues);
        self.settle_made(index, field, raw, fate, issues, rule);
    }

    /// What became of `raw`, which was made of `field`.
    fn settle_made(
        &mut self,
        index: usize,
        field: &Field,
        raw: Vec<u8>,
        fate: Fate,
        mut issues: Vec<Issue>,
        rule: Rule,
    ) {
        let fate = if fate == Fate::Keep { Fate::Write(ended(to_crlf(&raw))) } else { fate };
        // Spans in the made-up field say nothing about the input.
        let whole = crate::Span::new(0, field.span.len());
        issues.iter_mut().for_each(|issue| issue.set_span(whole));
        self.settle(index, field, fate, issues, rule);
    }

    pub(super) fn settle(
        &mut self,
        index: usize,
        field: &Field,
        fate: Fate,
        mut issues: Vec<Issue>,
        rule: Rule,
    ) {
        let rule = issues.first().map_or(rule, Issue::rule);
        let reason = issues.first().map_or("header field written anew", |issue| issue.code().summary());
        self.take_header_issues(index, field.span.start, issues.drain(..));
        self.found = issues;
        let raw = &self.source(index)[field.span.clone()];
        let with: Cow<'static, [u8]> = match fate {
            Fate::Keep if raw.ends_with(b"\n") => return,
            Fate::Keep => ended(to_crlf(raw)).into(),
            Fate::Write(with) => with.into(),
        };
        self.note_change(index, field, &with);
        self.splice(index, field.span.clone(), with, rule, reason);
    }

    pub(super) fn note_change(&mut self, index: usize, field: &Field, with: &[u8]) {
        if self.may_break_seals(index) {
            let source = self.source(index);
            let name = String::from_utf8_lossy(field.name(source)).to_ascii_lowercase();
            let (old, new) = (source[field.span.clone()].to_vec(), with.to_vec());
            let stray = field.shape != Shape::Field;
            let spaced = field.value > field.span.start + field.name_len + 1;
            self.changes.push(Change { name, start: Some(field.span.start), old, new, stray, spaced });
        }
    }

    /// A field whose folds were lost, as if they had never been.
    fn plan_lost_fold(&mut self, index: usize, at: usize, field: &Field, rules: &FieldRules) {
        let raw = with_folds(&self.source(index)[field.span.clone()]);
        let content = &self.entity(index).content;
        let edits = &self.decided[index].edits;
        if Some(at) == content.encoding_field && edits.encoding.is_some() {
            return self.plan_encoding(index, field, rules);
        }
        if Some(at) != content.type_field || !edits.change_type() {
            return self.write_field(index, field, raw, rules, Rule::H1);
        }
        let mut issues = Vec::new();
        let fate = self.edited_type(index, field, &raw, rules, &mut issues);
        self.settle_made(index, field, raw, fate, issues, Rule::H1);
    }

    /// The Content-Type field, with what the body became.
    fn plan_type(&mut self, index: usize, field: &Field, rules: &FieldRules) {
        if !self.decided[index].edits.change_type() {
            return self.apply(index, field, rules);
        }
        let raw = &self.source(index)[field.span.clone()];
        let mut issues = Vec::new();
        let fate = self.edited_type(index, field, raw, rules, &mut issues);
        self.settle(index, field, fate, issues, Rule::B7);
    }

    /// `raw`, made of the Content-Type field, with what the body became.
    fn edited_type(
        &self,
        index: usize,
        field: &Field,
        raw: &[u8],
        rules: &FieldRules,
        issues: &mut Vec<Issue>,
    ) -> Fate {
        if self.decided[index].edits.opaque {
            return Fate::Write(self.opaque_type(index, field, rules));
        }
        self.edit_parameters(index, raw, rules, issues)
    }

    /// Content-Type with the parameters that the body and its boundary came to have.
    fn edit_parameters(&self, index: usize, raw: &[u8], rules: &FieldRules, issues: &mut Vec<Issue>) -> Fate {
        let edits = &self.decided[index].edits;
        let content = &self.entity(index).content;
        let unreadable = content.is_unreadable();
        let mut set = Vec::new();
        set.extend(edits.charset.map(|charset| ("charset", charset)));
        set.extend(edits.boundary.as_deref().map(|boundary| ("boundary", boundary)));
        let value = edits.media_type.or(unreadable.then_some("text/plain"));
        let remove: &[&str] = if edits.no_boundary { &["boundary"] } else { &[] };
        rules.apply_parameters(raw, &ParameterEdits { value, set: &set, remove }, issues)
    }

    /// A Content-Type field for an opaque body, the old value in a parameter.
    fn opaque_type(&self, index: usize, field: &Field, rules: &FieldRules) -> Vec<u8> {
        let value = field.value_of(self.source(index));
        let text = crate::decode::text(value, &crate::decode::RawText::in_value(value)).into_text();
        let old: String = text.split_whitespace().collect::<Vec<_>>().join(" ");
        self.made_type("application/octet-stream", &[(OLD_TYPE, &old)], rules)
    }

    fn made_type(&self, media_type: &str, set: &[(&str, &str)], rules: &FieldRules) -> Vec<u8> {
        let raw = format!("Content-Type: {media_type}\r\n").into_bytes();
        let edits = ParameterEdits { value: None, set, remove: &[] };
        match rules.apply_parameters(&raw, &edits, &mut Vec::new()) {
            Fate::Write(made) => made,
            Fate::Keep => raw,
        }
    }

    fn plan_encoding(&mut self, index: usize, field: &Field, rules: &FieldRules) {
        let Some(encoding) = self.decided[index].edits.encoding else {
            return self.apply(index, field, rules);
        };
        let name = field.name(self.source(index));
        let made = [name, b": ", encoding.name().as_bytes(), b"\r\n"].concat();
        self.settle(index, field, Fate::Write(made), Vec::new(), Rule::B1);
    }

    /// Content- fields that were not there and are needed now.
    fn add_content_fields(&mut self, index: usize, rules: &FieldRules) {
        let edits = self.decided[index].edits.clone();
        let entity = self.entity(index);
        let mut made = Vec::new();
        if edits.change_type() && entity.content.type_field.is_none() {
            let old = entity.content.media_type().to_owned();
            made.extend(match (edits.opaque, edits.media_type.unwrap_or(&old)) {
                (true, _) => self.made_type("application/octet-stream", &[(OLD_TYPE, &old)], rules),
                (false, media_type) => {
                    let set: Vec<_> = edits.charset.map(|charset| ("charset", charset)).into_iter().collect();
                    self.made_type(media_type, &set, rules)
                }
            });
        }
        if let Some(encoding) = edits.encoding.filter(|_| entity.content.encoding_field.is_none()) {
            made.extend_from_slice(format!("Content-Transfer-Encoding: {}\r\n", encoding.name()).as_bytes());
        }
        if !made.is_empty() {
            self.add_fields(index, made);
        }
    }

    /// Puts fields in at the end of the header section.
    pub(super) fn add_fields(&mut self, index: usize, made: Vec<u8>) {
        let entity = self.entity(index);
        let at: Range<usize> = entity.section.fields_end..entity.section.fields_end;
        if self.may_break_seals(index) {
            let name = |line: &[u8]| {
                String::from_utf8_lossy(line).split(':').next().unwrap_or_default().to_lowercase()
            };
            for line in made.split_inclusive(|&octet| octet == b'\n').filter(|line| line.len() > 2) {
                self.changes.push(Change { name: name(line), new: line.to_vec(), ..Change::default() });
            }
        }
        self.splice(index, at, made, Rule::B3, "fields added");
    }

    /// Rule G13: a field behind the limit is made safe without being parsed.
    fn plan_past_limit(&mut self, index: usize, field: &Field, rules: &FieldRules) {
        let raw = &self.source(index)[field.span.clone()];
        let mut issues = Vec::new();
        let fate = rules.apply_unparsed(raw, &mut issues);
        if fate != Fate::Keep {
            issues.push(Issue::new(Code::HeaderTooLarge, crate::Span::new(0, raw.len())));
        }
        self.settle(index, field, fate, issues, Rule::G13);
    }
}
