//! Content-Type and Content-Disposition (rule H7).

use std::borrow::Cow;

use super::canonical_parameter::is_canonical;
use super::comment::write_comment;
use super::draft::{Draft, Purpose};
use super::line_room::fits;
use super::parameter_edits::ParameterEdits;
use super::raw_field::RawField;
use super::rules::FieldRules;
use super::simple_parameters;
use super::table::Mime;
use super::verdict::Verdict;
use crate::ascii::{are_printable_or_fws, is_fws};
use crate::codec::percent::is_attribute_char;
use crate::decode::{Parameter, Parameters, of_list};
use crate::encode::{self, Item, Level, Space};
use crate::issue::Tally;
use crate::message::content::is_media_type;
use crate::syntax::lexical::{unfold, unfolded};
use crate::syntax::media_type::is_a_token;
use crate::syntax::parameter::{ParameterList, ParameterToken, Section, SimpleParameters, list};
use crate::{Code, Span};

/// The longest name that a parameter is written under.
const MAX_NAME: usize = 60;

/// The longest language tag that is written; those that anyone uses are shorter (RFC 5646, 4.4.1).
const MAX_LANGUAGE: usize = 35;

/// The longest media type or disposition that is written anew: as long as either half of a type may be (RFC 4288, 4.2).
const MAX_VALUE: usize = 127;

/// What becomes of a parameter's token.
#[derive(Debug, PartialEq, Eq)]
enum TokenVerdict {
    Keep,
    Write(Vec<Vec<u8>>),
    /// It goes, as part of another token's parameter or by an edit.
    Gone,
    /// It goes because the name was given before.
    Duplicate,
    /// It goes because its name cannot be written.
    Nameless,
}

/// What becomes of a clean field whose parameters are simple; nothing for one whose are not.
pub(super) fn judge_simple(field: &RawField<'_>, edits: &ParameterEdits<'_>) -> Option<Verdict> {
    match field.read {
        Some(read) if !read.is_plain() => None,
        Some(read) if edits.are_none() => {
            (is_type(field) == read.value().contains('/')).then_some(Verdict::Keep)
        }
        _ => SimpleParameters::read(field.value())
            .filter(|simple| is_type(field) == simple.is_type())
            .map(|simple| simple_parameters::edited(field, &simple, edits)),
    }
}

/// Whether the value is a media type.
fn is_type(field: &RawField<'_>) -> bool {
    field.row.mime == Some(Mime::Type)
}

/// A value and its parameters.
pub(super) fn draft<'a>(field: &RawField<'a>, rules: &FieldRules, edits: &ParameterEdits<'_>) -> Draft<'a> {
    let list = list(field.value());
    let mut writer = Writer::new(rules, field, &list, edits);
    if !field.is_unfit() {
        // Only simple parameters are kept without parsing, and nothing of those is long.
        let mut probe = Draft::to_probe(field, rules);
        probe.cuts_long = true;
        writer.write(&mut probe);
        if !probe.changed {
            return probe;
        }
    }
    let mut draft = Draft::to_write(field, rules);
    writer.write(&mut draft);
    draft.tally.absorb(writer.tally);
    draft
}

/// A parameterised value on its way out.
struct Writer<'w, 'a> {
    rules: &'w FieldRules,
    /// Whether the field is Content-Type, whose value is a media type.
    is_type: bool,
    value: &'a [u8],
    start: usize,
    list: &'w ParameterList,
    tokens: Vec<&'w ParameterToken>,
    read: Parameters,
    /// What was found when it was read.
    tally: Tally,
    edits: &'w ParameterEdits<'w>,
}

impl<'w, 'a> Writer<'w, 'a> {
    fn new(
        rules: &'w FieldRules,
        field: &RawField<'a>,
        list: &'w ParameterList,
        edits: &'w ParameterEdits<'w>,
    ) -> Self {
        let mut tally = Tally::default();
        let read = of_list(field.value(), list, rules.raw_text(), &mut tally);
        let tokens = list.parameters().collect();
        Self {
            rules,
            is_type: is_type(field),
            value: field.value(),
            start: field.value.start,
            list,
            tokens,
            read,
            tally,
            edits,
        }
    }

    /// Whether it is written so that every reader takes it alike.
    fn is_plain(&self) -> bool {
        self.rules.is_archive() || self.edits.plain
    }

    /// The new boundary, where that is to come before all other parameters.
    fn first(&self) -> Option<&'w (&'w str, &'w str)> {
        self.edits.set.iter().find(|(name, _)| self.edits.plain && *name == "boundary")
    }

    /// Whether this is a disposition that is no token, which some readers take for the whole field: the rest of it they do
    /// not see.
    fn is_odd_disposition(&self) -> bool {
        let value = &self.read.value;
        let has_none = value.is_empty() && !self.read.list.is_empty();
        !self.is_type && (has_none || !value.is_empty() && !is_a_token(value.as_bytes()))
    }

    fn write(&mut self, draft: &mut Draft<'a>) {
        self.media_value(draft);
        if let Some((name, text)) = self.first() {
            draft.changed = true;
            sections(encode::sections(name, text), draft);
        }
        let mut verdicts = self.verdicts(draft).into_iter();
        let (mut end, mut semicolon) = (self.list.value.end, false);
        for section in &self.list.sections {
            let span = section.span();
            semicolon |= self.value.get(end..span.start).unwrap_or_default().contains(&b';');
            end = span.end.max(end);
            if let Section::Comment(span) = *section {
                // Where many readers do not look for one.
                if self.is_inside_type(span) || self.edits.plain {
                    self.dropped(span, draft)
                } else {
                    self.comment(span, draft)
                }
                continue;
            }
            if self.is_plain() && !semicolon {
                // Half of all readers take what stands before it for a part of it.
                draft.repair(Code::ParameterRepaired, span);
            }
            semicolon = false;
            match section {
                Section::Parameter(token) => {
                    let verdict = verdicts.next().unwrap_or(TokenVerdict::Gone);
                    self.parameter(token, verdict, draft);
                }
                _ => self.junk(span, draft),
            }
        }
        for (name, text) in self.edits.set {
            let is_given = self.read.list.iter().any(|p| p.name.eq_ignore_ascii_case(name));
            if !is_given && self.first().is_none_or(|(first, _)| first != name) {
                draft.changed = true;
                sections(encode::sections(name, text), draft);
            }
        }
    }

    fn media_value(&self, draft: &mut Draft<'a>) {
        let span = self.list.value;
        let octets = &self.value[span.start..span.end];
        let odd = |o: &u8| matches!(o, b'"' | b'(' | b')' | b'\\') && draft.is_to_write();
        let unreadable = self.is_type && !is_media_type(&self.read.value);
        let written: Cow<'a, [u8]> = match self.edits.value {
            Some(other) if !other.eq_ignore_ascii_case(&self.read.value) => {
                draft.changed = true;
                other.as_bytes().to_vec().into()
            }
            _ if unreadable && self.is_plain() => self.repaired_value().into(),
            _ if self.is_odd_disposition() => {
                draft.repair(Code::DispositionRepaired, span);
                b"attachment".as_slice().into()
            }
            _ if octets.iter().all(|o| o.is_ascii_graphic() && !odd(o)) && fits(octets) => octets.into(),
            _ => {
                draft.repair(Code::ParameterRepaired, span);
                self.repaired_value().into()
            }
        };
        if unreadable && *written != *octets {
            draft.changed = true;
            let old = || String::from_utf8_lossy(octets).into_owned();
            draft.report(Code::MediaTypeRepaired, span.shifted(self.start), old);
        }
        let space = &self.value[..span.start];
        let space = if space.iter().all(|&o| is_fws(o)) { unfolded(space) } else { b" ".into() };
        if !written.is_empty() {
            draft.items.push(Item::plain(space, written));
        }
    }

    /// A value without what no token may hold, and not too long. What was no media type is read as text and never
    /// becomes a type that somebody hid in it.
    fn repaired_value(&self) -> Vec<u8> {
        if self.is_type && !is_media_type(&self.read.value) {
            return b"text/plain".to_vec();
        }
        let may_stay = |o: &u8| o.is_ascii_graphic() && !matches!(o, b'"' | b'(' | b')' | b'\\' | b'?');
        let kept: Vec<u8> = self.read.value.bytes().filter(may_stay).take(MAX_VALUE).collect();
        if self.is_type && !kept.contains(&b'/') { b"application/octet-stream".to_vec() } else { kept }
    }

    /// What becomes of each token: a parameter that changes is written at its first one.
    fn verdicts(&self, draft: &mut Draft<'a>) -> Vec<TokenVerdict> {
        let mut verdicts: Vec<TokenVerdict> = self.tokens.iter().map(|_| TokenVerdict::Duplicate).collect();
        for parameter in &self.read.list {
            let verdict = self.verdict(parameter, draft.purpose);
            let first = parameter.tokens.iter().min().copied();
            let keep = verdict == TokenVerdict::Keep;
            parameter
                .tokens
                .iter()
                .for_each(|&n| verdicts[n] = if keep { TokenVerdict::Keep } else { TokenVerdict::Gone });
            if let Some(first) = first
                && !keep
            {
                draft.changed = true;
                verdicts[first] = verdict;
            }
        }
        verdicts
    }

    fn verdict(&self, parameter: &Parameter, purpose: Purpose) -> TokenVerdict {
        let named = |name: &str| name.eq_ignore_ascii_case(&parameter.name);
        let is_first = self.first().is_some_and(|(name, _)| named(name));
        if is_first || self.edits.remove.iter().any(|name| named(name)) {
            return TokenVerdict::Gone;
        }
        if let Some((name, text)) = self.edits.set.iter().find(|(name, _)| named(name))
            && *text != parameter.text
        {
            return TokenVerdict::Write(encode::sections(name, text));
        }
        let parts: Vec<&ParameterToken> = parameter.tokens.iter().map(|&n| self.tokens[n]).collect();
        let safe = parts.iter().all(|part| is_safe(&self.value[part.span.start..part.span.end]));
        // A boundary in sections or percent-encoded would give readers different trees (rule G6).
        let is_regular = || parts.iter().all(|part| part.section.is_none() && !part.extended);
        let canonical = match (self.is_plain(), purpose) {
            _ if named("boundary") && !is_regular() && encode::is_regular("boundary", &parameter.text) => {
                false
            }
            (false, Purpose::Probe) => true,
            (false, Purpose::Write) => parts.iter().all(|part| part.strict),
            (true, _) => is_canonical(self.value, &parts, parameter),
        };
        if safe && canonical { TokenVerdict::Keep } else { self.anew(parts[0], parameter) }
    }

    /// A parameter written anew, in UTF-8; octets that are no text keep their label.
    fn anew(&self, first: &ParameterToken, parameter: &Parameter) -> TokenVerdict {
        let name = &self.value[first.name.start..first.name.end];
        let fine = (1..=MAX_NAME).contains(&name.len()) && name.iter().all(|&o| is_attribute_char(o));
        let Ok(name) = std::str::from_utf8(name) else { return TokenVerdict::Nameless };
        if !fine {
            return TokenVerdict::Nameless;
        }
        let language = parameter.language.as_deref().unwrap_or("");
        let tag = |o: u8| o.is_ascii_alphanumeric() || o == b'-';
        let language =
            if language.bytes().all(tag) && language.len() <= MAX_LANGUAGE { language } else { "" };
        // A label that is no token cannot be written: what was read stands in for the octets.
        let undecoded =
            parameter.undecoded.as_ref().filter(|(label, _)| label.bytes().all(is_attribute_char));
        TokenVerdict::Write(match undecoded {
            Some((label, octets)) => encode::extended_sections(name, label, language, octets),
            None if language.is_empty() => encode::sections(name, &parameter.text),
            None => encode::extended_sections(name, "utf-8", language, parameter.text.as_bytes()),
        })
    }

    /// Writes what becomes of a token.
    fn parameter(&self, token: &ParameterToken, verdict: TokenVerdict, draft: &mut Draft<'a>) {
        let octets = &self.value[token.span.start..token.span.end];
        match verdict {
            TokenVerdict::Keep => sections(vec![unfold(octets).into_owned()], draft),
            TokenVerdict::Write(written) => {
                let edited = self.edits.set.iter().any(|(name, _)| {
                    name.as_bytes().eq_ignore_ascii_case(&self.value[token.name.start..token.name.end])
                });
                if !edited {
                    draft.tally.note(Code::ParameterRepaired, token.span);
                }
                sections(written, draft);
            }
            TokenVerdict::Gone => {}
            TokenVerdict::Duplicate => {
                draft.changed = true;
                let at = token.span.shifted(self.start);
                draft.report(Code::DuplicateParameter, at, || dropped(octets));
            }
            TokenVerdict::Nameless => self.dropped(token.span, draft),
        }
    }

    fn is_inside_type(&self, comment: Span) -> bool {
        let value = self.list.value;
        value.start < comment.start && comment.end < value.end
    }

    fn comment(&self, span: Span, draft: &mut Draft<'a>) {
        let first = draft.items.len();
        write_comment(draft, span, Span::default());
        if let Some(item) = draft.items.get_mut(first) {
            item.space = Space::ONE;
        }
    }

    /// What is no parameter stays if it can, else it goes; an archive has none of it, since some readers give up the whole
    /// value for it.
    fn junk(&self, span: Span, draft: &mut Draft<'a>) {
        let octets = &self.value[span.start..span.end];
        let odd = |o: &u8| matches!(o, b'"' | b'(' | b')' | b'\\' | b'=');
        if self.is_plain() || !is_safe(octets) || draft.is_to_write() && octets.iter().any(odd) {
            return self.dropped(span, draft);
        }
        sections(vec![unfold(octets).into_owned()], draft);
    }

    fn dropped(&self, span: Span, draft: &mut Draft<'a>) {
        draft.changed = true;
        let octets = &self.value[span.start..span.end];
        draft.report(Code::ParameterRepaired, span.shifted(self.start), || dropped(octets));
    }
}

fn dropped(octets: &[u8]) -> String {
    format!("dropped: {}", String::from_utf8_lossy(octets))
}

/// Adds what follows semicolons, which stick to what is before them.
fn sections(sections: Vec<Vec<u8>>, draft: &mut Draft<'_>) {
    for section in sections {
        draft.items.push(Item::plain(Space::default(), b";".as_slice()));
        let mut item = Item::plain(Space::ONE, section);
        item.level = Level::Unit;
        draft.items.push(item);
    }
}

/// Whether octets may stand in the field as they are.
fn is_safe(octets: &[u8]) -> bool {
    are_printable_or_fws(octets) && fits(octets)
}
