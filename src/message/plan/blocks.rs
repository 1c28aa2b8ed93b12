//! Bodies that are blocks of header fields (rule B6): delivery status, disposition notifications,
//! feedback reports, the header of a returned message. Where unsafe, they are written by the header rules.

use std::borrow::Cow;
use std::ops::Range;

use super::Planner;
use crate::decode::Fallback;
use crate::issue::Tally;
use crate::message::fields::field_name;
use crate::message::header::{Fate, FieldRules};
use crate::message::line_ends::{line_end, to_crlf, without_line_end};
use crate::message::recode::{decode, lines};
use crate::message::splice::Replacement;
use crate::transfer::{LineEnds, Survey, TransferEncoding};
use crate::{Code, Issue, Rule};

impl Planner<'_, '_> {
    /// Decides about a leaf that is blocks of fields.
    pub(super) fn plan_fields(&mut self, index: usize) {
        let entity = self.entity(index);
        self.plan_global_type(index);
        let message = entity.content.top_type() == "message";
        let safe = self.has_safe_lines(index);
        let plain = entity.content.has_identity_encoding();
        if plain && safe {
            if message {
                self.plan_identity_label(index);
            }
            return;
        }
        if !plain && !message && safe {
            return;
        }
        let raw = &self.source(index)[entity.body.clone()];
        let content = lines(decode(entity.content.encoding, raw, &mut Tally::default()));
        let made = if Survey::of(&content, LineEnds::Crlf).is_seven_bit() {
            content.into_owned()
        } else {
            self.write_blocks(index, &content)
        };
        if entity.content.encoding != TransferEncoding::SevenBit {
            self.decided[index].edits.encoding = Some(TransferEncoding::SevenBit);
        }
        if !plain {
            self.report(index, Code::Reencoded, entity.body.clone(), TransferEncoding::SevenBit.name());
        }
        self.expose(index, &made);
        let with = Replacement::Octets(Cow::Owned(made));
        self.replace(
            index,
            entity.source,
            entity.body.clone(),
            with,
            Rule::B6,
            "fields in the body made 7-bit safe",
        );
    }

    /// Rule H8: the internationalised forms become their 7-bit kin, if there is anything international in them.
    fn plan_global_type(&mut self, index: usize) {
        let entity = self.entity(index);
        if self.body(index).is_ascii() && entity.content.has_identity_encoding() {
            return;
        }
        let media_type = match entity.content.media_type() {
            "message/global-delivery-status" => "message/delivery-status",
            "message/global-disposition-notification" => "message/disposition-notification",
            "message/global-headers" => "text/rfc822-headers",
            _ => return,
        };
        self.decided[index].edits.media_type = Some(media_type);
        self.report(index, Code::GlobalDowngraded, entity.body.clone(), media_type);
    }

    /// Every block of `content` (lines end in CR LF) by the header rules.
    fn write_blocks(&mut self, index: usize, content: &[u8]) -> Vec<u8> {
        let values = fields(content).map(|field| &content[field]);
        let rules = FieldRules { profile: self.options.profile, fallback: Fallback::of_values(values) };
        let mut issues: Vec<Issue> = Vec::new();
        let mut out = Vec::with_capacity(content.len() + content.len() / 4);
        for field in fields(content) {
            let raw = &content[field];
            match write_line(raw, &rules, &mut issues) {
                Fate::Keep => out.extend_from_slice(&to_crlf(raw)),
                Fate::Write(made) => out.extend_from_slice(&made),
            }
        }
        issues.sort_by_key(Issue::code);
        issues.dedup_by_key(|issue| issue.code());
        let body = self.entity(index).body.clone();
        for issue in issues {
            self.report(index, issue.code(), body.clone(), issue.detail().to_owned());
        }
        out
    }
}

/// Each field, and each line that is none.
fn fields(content: &[u8]) -> impl Iterator<Item = Range<usize>> {
    let mut at = 0;
    std::iter::from_fn(move || {
        let field = (at < content.len()).then(|| next_field(content, at))?;
        at = field.end;
        Some(field)
    })
}

/// One field with its continuations, or one line that is none.
fn next_field(content: &[u8], start: usize) -> Range<usize> {
    let mut end = line_end(content, start);
    if without_line_end(&content[start..end]).is_empty() {
        return start..end;
    }
    while matches!(content.get(end), Some(b' ' | b'\t')) {
        end = line_end(content, end);
    }
    start..end
}

fn write_line(raw: &[u8], rules: &FieldRules, issues: &mut Vec<Issue>) -> Fate {
    let line = without_line_end(raw);
    if line.is_empty() {
        return Fate::Keep;
    }
    if field_name(line).is_some() {
        return rules.apply(raw, issues);
    }
    issues.push(Issue::new(Code::UnparsedLine, crate::Span::new(0, raw.len())));
    let made = [b"X-Unparsed: ", line, b"\r\n"].concat();
    match rules.apply(&made, issues) {
        Fate::Keep => Fate::Write(made),
        fate => fate,
    }
}
