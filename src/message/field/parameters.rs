//! Content-Type and Content-Disposition (rule H7).
//!
//! Over 400 lines: a judge and a writer of one grammar.

use std::borrow::Cow;
use std::ops::Range;

use super::canonical_parameter::{is_canonical, is_grammatical};
use super::comment::write_comment;
use super::draft::Draft;
use super::file_name::{has_extension_of, is_ambiguous};
use super::line_room::fits;
use super::parameter_edits::ParameterEdits;
use super::raw_field::RawField;
use super::rules::FieldRules;
use super::simple_parameters::{self, push_sections};
use super::stateful_words::without_structure;
use super::table::Mime;
use super::verdict::Verdict;
use crate::ascii::{are_printable_or_fws, is_fws};
use crate::charset::{Guess, UNKNOWN_8BIT};
use crate::codec::controls::has_control_but_tab;
use crate::codec::percent::is_attribute_char;
use crate::decode::{Parameter, Parameters, RawText, Wanted, of_list};
use crate::encode::{self, Item, Space};
use crate::issue::Tally;
use crate::message::content::is_media_type;
use crate::syntax::encoded_word::holds_word;
use crate::syntax::lexical::{unfold, unfolded};
use crate::syntax::media_type::is_a_token;
use crate::syntax::parameter::{ParameterList, ParameterToken, Quoting, Section, SimpleParameters, list};
use crate::{Code, Span};

/// The longest name that a parameter is written under.
const MAX_NAME: usize = 60;

/// The longest language tag that is written; those that anyone uses are shorter (RFC 5646, 4.4.1).
const MAX_LANGUAGE: usize = 35;

/// The longest media type or disposition that is rewritten: as long as either half of a type may be (RFC
/// 4288, 4.2).
const MAX_VALUE: usize = 127;

/// The decision about a parameter's token.
#[derive(Debug, PartialEq, Eq)]
enum TokenVerdict {
    Keep,
    Write(Vec<Vec<u8>>),
    /// It is dropped, as part of another token's parameter or by an edit.
    Gone,
    /// It is dropped because the name was given before.
    Duplicate,
    /// It is dropped because its name cannot be written.
    Nameless,
}

/// Returns the verdict about a clean field whose parameters are simple; `None` if they are not.
pub(super) fn judge_simple(field: &RawField<'_>, edits: &ParameterEdits<'_>) -> Option<Verdict> {
    match field.read {
        Some(read) if !read.is_plain() => None,
        Some(read) if edits.are_none() => {
            let is_value =
                if is_type(field) { is_media_type } else { |value: &str| is_a_token(value.as_bytes()) };
            is_value(read.value()).then_some(Verdict::Keep)
        }
        _ => SimpleParameters::read(field.value())
            .filter(|simple| is_type(field) == simple.is_type())
            .map(|simple| simple_parameters::edited(field, &simple, edits)),
    }
}

/// Returns whether the value is a media type.
fn is_type(field: &RawField<'_>) -> bool {
    field.row.mime == Some(Mime::Type)
}

/// Returns the draft of a value and its parameters.
pub(super) fn draft<'a>(field: &RawField<'a>, rules: &FieldRules, edits: &ParameterEdits<'_>) -> Draft<'a> {
    let list = list(field.value());
    let mut writer = Writer::new(rules, field, &list, edits);
    if !field.is_unfit() {
        // Only simple parameters are kept without parsing, and none of those is long.
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

/// A parameterised value that is being written.
struct Writer<'w, 'a> {
    rules: &'w FieldRules,
    /// Whether the field is Content-Type, whose value is a media type.
    is_type: bool,
    value: &'a [u8],
    start: usize,
    list: &'w ParameterList,
    /// For each section of the list, whether the semicolon before it is missing.
    glued: Vec<bool>,
    /// The same for each of the tokens.
    glued_tokens: Vec<bool>,
    tokens: Vec<&'w ParameterToken>,
    read: Parameters,
    /// What was found while reading it.
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
        let glued = list.without_semicolon(field.value());
        let is_parameter = |section: &Section| matches!(section, Section::Parameter(_));
        let sections = list.sections.iter().zip(&glued).filter(|(section, _)| is_parameter(section));
        let glued_tokens: Vec<bool> = sections.map(|(_, &glued)| glued).collect();
        // What becomes visible is read as an archive reads it.
        let raw = |tokens: &[usize], octets: &[u8]| match rules.policy.transcodes_fields
            || tokens.iter().any(|&n| glued_tokens[n])
        {
            true => rules.shown_parameter(octets),
            false => RawText::Unknown,
        };
        let wanted = if rules.replaces() { Wanted::All } else { Wanted::Written };
        let read = of_list(field.value(), list, wanted, raw, &mut tally);
        let tokens = list.parameters().collect();
        Self {
            rules,
            is_type: is_type(field),
            value: field.value(),
            start: field.value_start,
            list,
            glued,
            glued_tokens,
            tokens,
            read,
            tally,
            edits,
        }
    }

    /// Returns the new boundary, if that is to come before all other parameters.
    fn first(&self) -> Option<&'w (&'w str, &'w str)> {
        self.edits.set.iter().find(|(name, _)| self.edits.plain && *name == "boundary")
    }

    fn write(&mut self, draft: &mut Draft<'a>) {
        self.media_value(draft);
        if let Some((name, text)) = self.first() {
            draft.changed = true;
            push_sections(&mut draft.items, encode::sections(name, text));
        }
        let verdicts = self.verdicts(draft);
        let is_written =
            |verdict: &TokenVerdict| matches!(verdict, TokenVerdict::Keep | TokenVerdict::Write(_));
        let mut written = self.tokens.iter().zip(&verdicts).filter(|(_, verdict)| is_written(verdict));
        let first_parameter = written.next().map_or(usize::MAX, |(token, _)| token.span.start);
        let mut verdicts = verdicts.into_iter();
        let mut end = self.list.value.end;
        let parameter_starts = self.starts_of_next_parameters();
        for (at, section) in self.list.sections.iter().enumerate() {
            let span = section.span();
            self.semicolons(end..span.start, draft);
            end = span.end.max(end);
            if let Section::Comment(span) = *section {
                // In or next to the type, or next to `=`, where many readers do not look for one; where
                // structure depends on it, anywhere.
                let is_beside_type =
                    self.is_inside_type(span) || self.is_type && span.start < first_parameter;
                if self.edits.plain || is_beside_type || parameter_starts[at] < span.start {
                    self.dropped(span, draft)
                } else {
                    self.comment(span, draft)
                }
                continue;
            }
            if self.glued[at] {
                // Half of all readers take it for a part of what precedes it.
                draft.repair(Code::ParameterRepaired, span);
            }
            match section {
                Section::Parameter(token) => {
                    let verdict = verdicts.next().unwrap_or(TokenVerdict::Gone);
                    self.parameter(token, verdict, draft);
                }
                // Some readers give up the whole value because of something that is not a parameter.
                _ => self.dropped(span, draft),
            }
        }
        self.semicolons(end..self.value.len(), draft);
        for (name, text) in self.edits.set {
            let is_given = self.read.list.iter().any(|p| p.name.eq_ignore_ascii_case(name));
            if !is_given && self.first().is_none_or(|(first, _)| first != name) {
                draft.changed = true;
                push_sections(&mut draft.items, encode::sections(name, text));
            }
        }
    }

    /// Reports multiple semicolons between two sections.
    fn semicolons(&self, between: Range<usize>, draft: &mut Draft<'a>) {
        let octets = self.value.get(between.clone()).unwrap_or_default();
        let count = octets.iter().filter(|&&octet| octet == b';').count();
        if count > 1 {
            draft.repair(Code::ParameterRepaired, between.into());
        }
    }

    fn media_value(&self, draft: &mut Draft<'a>) {
        let span = self.list.value;
        let octets = &self.value[span.start..span.end];
        let odd = |o: &u8| matches!(o, b'"' | b'(' | b')' | b'\\') && draft.is_to_write();
        let unreadable = self.is_type && !is_media_type(&self.read.value);
        let may_stay = self.is_type || is_a_token(octets) || self.is_bare();
        let written: Cow<'a, [u8]> = match self.edits.value {
            Some(other) if !other.eq_ignore_ascii_case(&self.read.value) => {
                draft.changed = true;
                other.as_bytes().to_vec().into()
            }
            _ if unreadable => self.repaired_value().into(),
            _ if may_stay && octets.iter().all(|o| o.is_ascii_graphic() && !odd(o)) && fits(octets) => {
                octets.into()
            }
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

    /// Returns whether the field contains only white space.
    fn is_bare(&self) -> bool {
        self.value.iter().all(|&octet| is_fws(octet))
    }

    /// Returns a value without octets that cannot be in a token, and not too long. What was not a media type
    /// is read as text and never becomes a type that was hidden in it.
    fn repaired_value(&self) -> Vec<u8> {
        if self.is_type && !is_media_type(&self.read.value) {
            return b"text/plain".to_vec();
        }
        if !self.is_type && !is_a_token(self.read.value.as_bytes()) {
            // RFC 2183, 2.8: a disposition that is not recognised is treated as an attachment.
            return b"attachment".to_vec();
        }
        let may_stay = |o: &u8| o.is_ascii_graphic() && !matches!(o, b'"' | b'(' | b')' | b'\\' | b'?');
        let kept: String = self.read.value.bytes().filter(may_stay).take(MAX_VALUE).map(char::from).collect();
        // Nothing may be left of a half of the type.
        let is_cut = self.is_type && !is_media_type(&kept);
        if is_cut { b"application/octet-stream".to_vec() } else { kept.into_bytes() }
    }

    /// Returns the verdict about each token: a parameter that changes is written at its first one.
    fn verdicts(&self, draft: &mut Draft<'a>) -> Vec<TokenVerdict> {
        let mut verdicts: Vec<TokenVerdict> = self.tokens.iter().map(|_| TokenVerdict::Duplicate).collect();
        for parameter in &self.read.list {
            let is_glued = parameter.tokens.iter().any(|&n| self.glued_tokens[n]);
            let verdict = self.verdict(parameter, is_glued);
            let first = parameter.tokens.iter().min().copied();
            let keep = verdict == TokenVerdict::Keep;
            if keep && is_ambiguous(self.value, &self.tokens, parameter) {
                draft.tally.note(Code::AmbiguousFileName, parameter.span);
            }
            parameter
                .tokens
                .iter()
                .for_each(|&n| verdicts[n] = if keep { TokenVerdict::Keep } else { TokenVerdict::Gone });
            if let Some(first) = first
                && !keep
            {
                draft.changed = true;
                self.report_guess(parameter, &verdict, draft);
                verdicts[first] = verdict;
            }
            self.judge_plain_twin(parameter, &mut verdicts, draft);
        }
        verdicts
    }

    /// Returns the charset that labels octets that had no label. Under it they could be read, and then so
    /// could controls in them (rule H5). A boundary is not text.
    fn label_of(&self, parameter: &Parameter, octets: &[u8]) -> Option<Guess> {
        let is_text = |guess: &Guess| !has_control_but_tab(guess.charset().decode(octets).text());
        self.rules.label_of(octets).filter(|guess| parameter.name != "boundary" && is_text(guess))
    }

    /// Reports the charset that labels octets that had no label.
    fn report_guess(&self, parameter: &Parameter, verdict: &TokenVerdict, draft: &mut Draft<'a>) {
        if let (TokenVerdict::Write(_), Some((UNKNOWN_8BIT, octets))) =
            (verdict, parameter.undecoded.as_ref().map(|(label, octets)| (&**label, octets)))
            && let Some(guess) = self.label_of(parameter, octets)
        {
            draft.tally.note_value(Code::CharsetGuessed, parameter.span, None, || guess.detail());
        }
    }

    /// Judges `name=` next to `name*=`, which takes precedence: readers that do not know RFC 2231 have only
    /// the plain one. If both say the same, the plain one says it to all.
    fn judge_plain_twin(&self, parameter: &Parameter, verdicts: &mut [TokenVerdict], draft: &mut Draft<'a>) {
        let is_extended = parameter.tokens.iter().any(|&n| self.tokens[n].extended);
        let Some(&first) = parameter.tokens.iter().min() else { return };
        if !is_extended || !matches!(&*parameter.name, "name" | "filename") {
            return;
        }
        let is_plain = |token: &ParameterToken| token.section.is_none() && !token.extended && token.strict;
        let is_twin =
            |n: &usize| is_plain(self.tokens[*n]) && self.name_of(*n).eq_ignore_ascii_case(&parameter.name);
        let Some(plain) = (0..self.tokens.len()).find(is_twin) else { return };
        let token = self.tokens[plain];
        let octets = &self.value[token.value.start..token.value.end];
        let is_safe = is_safe(&self.value[token.span.start..token.span.end])
            && !holds_word(octets)
            && !octets.contains(&b'\\')
            && !matches!(verdicts[first], TokenVerdict::Gone | TokenVerdict::Nameless);
        if !is_safe || verdicts[plain] != TokenVerdict::Duplicate {
            return;
        }
        let quoted = octets.strip_prefix(b"\"").and_then(|text| text.strip_suffix(b"\""));
        let text = quoted.unwrap_or(octets);
        if text == parameter.text.as_bytes() {
            draft.changed = true;
            parameter.tokens.iter().for_each(|&n| verdicts[n] = TokenVerdict::Gone);
            verdicts[plain] = TokenVerdict::Keep;
        } else if !parameter.text.is_ascii() && has_extension_of(text, &parameter.text) {
            verdicts[plain] = TokenVerdict::Keep;
        }
    }

    /// Returns the name of a token.
    fn name_of(&self, n: usize) -> &str {
        let name = self.tokens[n].name;
        std::str::from_utf8(&self.value[name.start..name.end]).unwrap_or_default()
    }

    /// Returns the verdict about a parameter. One that becomes visible because a semicolon is inserted before
    /// it is written so that all readers see the same.
    fn verdict(&self, parameter: &Parameter, is_glued: bool) -> TokenVerdict {
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
        // An encoded-word that cannot be read stays, under a name that could be written.
        let is_unread = parameter.is_ill_formed && !self.rules.replaces() && self.is_closed(parts[0]);
        let is_unread = is_unread && self.writable_name(parts[0]).is_some();
        let canonical = match self.rules.policy.transcodes_fields {
            _ if parameter.held_controls => false,
            _ if is_unread && is_regular() => true,
            _ if named("boundary") && !is_regular() && self.can_be_plain(parameter) => false,
            false if !is_glued => is_grammatical(self.value, &parts),
            _ => is_canonical(self.value, &parts, parameter),
        };
        if safe && canonical { TokenVerdict::Keep } else { self.rewritten(parts[0], parameter) }
    }

    /// Returns whether a parameter ends where its octets say, with no comment beside its `=`, which would go, and
    /// no quote that the next one would close.
    fn is_closed(&self, part: &ParameterToken) -> bool {
        let holds = |from: usize, to: usize, octet: u8| {
            self.value.get(from..to).is_some_and(|octets| octets.contains(&octet))
        };
        let is_open = part.quoting == Quoting::Loose && holds(part.value.start, part.value.end, b'"');
        !is_open && !holds(part.name.end, part.value.start, b'(')
    }

    /// Returns whether a boundary could be written as it is read, without percent-encoding.
    fn can_be_plain(&self, boundary: &Parameter) -> bool {
        let is_read = boundary.undecoded.is_none() || self.rules.replaces();
        is_read && encode::is_regular("boundary", &boundary.text)
    }

    /// Returns the name of a parameter if it can be written.
    fn writable_name(&self, part: &ParameterToken) -> Option<&'a str> {
        let name = &self.value[part.name.start..part.name.end];
        let fine = (1..=MAX_NAME).contains(&name.len()) && name.iter().all(|&o| is_attribute_char(o));
        std::str::from_utf8(name).ok().filter(|_| fine)
    }

    /// Rewrites a parameter in UTF-8; octets that are not text keep their label.
    fn rewritten(&self, first: &ParameterToken, parameter: &Parameter) -> TokenVerdict {
        let Some(name) = self.writable_name(first) else { return TokenVerdict::Nameless };
        let language = parameter.language.as_deref().unwrap_or("");
        let tag = |o: u8| o.is_ascii_alphanumeric() || o == b'-';
        // A boundary is not text, and readers look for it in one place (rule G6).
        let is_boundary = parameter.name == "boundary" && encode::is_regular("boundary", &parameter.text);
        let language = if !is_boundary && language.bytes().all(tag) && language.len() <= MAX_LANGUAGE {
            language
        } else {
            ""
        };
        // A label that is not a token cannot be written: what was read replaces the octets.
        let may_stay = |label: &str| !self.rules.replaces() && label.bytes().all(is_attribute_char);
        let undecoded = parameter.undecoded.as_ref().filter(|(label, _)| may_stay(label));
        TokenVerdict::Write(match undecoded {
            Some((label, octets)) => {
                let guess = if label == UNKNOWN_8BIT { self.label_of(parameter, octets) } else { None };
                let label = guess.map_or(&**label, |guess| guess.charset().name());
                encode::extended_sections(name, label, language, &without_structure(octets))
            }
            None if language.is_empty() => encode::sections(name, &parameter.text),
            None => encode::extended_sections(name, "utf-8", language, parameter.text.as_bytes()),
        })
    }

    /// Writes a token by its verdict.
    fn parameter(&self, token: &ParameterToken, verdict: TokenVerdict, draft: &mut Draft<'a>) {
        let octets = &self.value[token.span.start..token.span.end];
        match verdict {
            TokenVerdict::Keep => push_sections(&mut draft.items, vec![unfold(octets).into_owned()]),
            TokenVerdict::Write(written) => {
                let edited = self.edits.set.iter().any(|(name, _)| {
                    name.as_bytes().eq_ignore_ascii_case(&self.value[token.name.start..token.name.end])
                });
                if !edited {
                    draft.tally.note(Code::ParameterRepaired, token.span);
                }
                push_sections(&mut draft.items, written);
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

    /// Returns for each section where the parameter begins that it is or precedes; a comment inside a
    /// parameter comes before it.
    fn starts_of_next_parameters(&self) -> Vec<usize> {
        let mut next = usize::MAX;
        let starts = self.list.sections.iter().rev().map(|section| {
            if let Section::Parameter(token) = section {
                next = token.span.start;
            }
            next
        });
        let mut starts: Vec<usize> = starts.collect();
        starts.reverse();
        starts
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

    fn dropped(&self, span: Span, draft: &mut Draft<'a>) {
        draft.changed = true;
        let octets = &self.value[span.start..span.end];
        draft.report(Code::ParameterRepaired, span.shifted(self.start), || dropped(octets));
    }
}

fn dropped(octets: &[u8]) -> String {
    format!("dropped: {}", String::from_utf8_lossy(octets))
}

/// Returns whether octets may stay in the field as they are.
fn is_safe(octets: &[u8]) -> bool {
    are_printable_or_fws(octets) && fits(&unfold(octets))
}
