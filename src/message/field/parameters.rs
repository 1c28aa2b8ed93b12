//! Content-Type and Content-Disposition (rule H7): a field that is not plainly written is written
//! again, whole.

use std::borrow::Cow;

use super::Mime;
use super::canonical_parameter::{is_canonical, without_quotes};
use super::draft::Draft;
use super::file_name::{has_extension_of, is_ambiguous};
use super::parameter_edits::ParameterEdits;
use super::raw_field::RawField;
use super::rules::FieldRules;
use super::verdict::FieldVerdict;
use crate::ascii::{are_printable_or_fws, is_fws};
use crate::charset::{Guess, UNKNOWN_8BIT};
use crate::codec::controls::has_control_but_tab;
use crate::codec::percent::is_attribute_char;
use crate::decode::{
    Parameter, Parameters, RawText, Wanted, encoded_value, is_encoded_value, lossless_text, of_list,
};
use crate::encode::fits;
use crate::encode::{self, Item, Level, Octets, Space};
use crate::facts::content::is_media_type;
use crate::report::Tally;
use crate::syntax::encoded_word::{MAX_WORD_LINE, holds_word};
use crate::syntax::lexical::{unfold, unfolded};
use crate::syntax::media_type::{LONGEST_TYPE, is_a_token, media_type, mended};
use crate::syntax::parameter::{
    FILE_OF_DISPOSITION, FILE_OF_TYPE, ParameterList, ParameterToken, Section, SimpleParameters,
    is_misleading, list, names_file,
};
use crate::{Code, Few, Issue, Span};

/// The longest name that a parameter is written under.
const MAX_NAME: usize = 60;

/// The longest language tag that is written; those that anyone uses are shorter (RFC 5646, 4.4.1).
const MAX_LANGUAGE: usize = 35;

/// The fate of a section of the list.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Fate {
    Keep,
    /// A parameter is repaired: these sections take its place.
    Write(Few<Vec<u8>>),
    /// A parameter is set by an edit: these sections take its place.
    Set(Few<Vec<u8>>),
    /// The section is part of a parameter that is written elsewhere, or removed by an edit.
    Gone,
    /// The section is dropped, and that is reported.
    Dropped(Code),
}

/// The name was given before.
const DUPLICATE: Fate = Fate::Dropped(Code::DuplicateParameter);

/// Readers differ about what it is.
const MISLEADING: Fate = Fate::Dropped(Code::ParameterRepaired);

/// Returns whether a clean field has simple parameters.
pub(super) fn is_normal(field: &RawField<'_>) -> bool {
    let is_right = |value: &[u8]| value.contains(&b'/') == is_type(field);
    match field.read {
        Some(read) => read.is_plain() && is_right(read.value().as_bytes()),
        None => SimpleParameters::read(field.value()).is_some_and(|simple| is_right(simple.value)),
    }
}

/// Returns whether a parameter says how the body is read: each reader looks for it in one place.
fn decides_reading(parameter: &Parameter<'_>) -> bool {
    matches!(&*parameter.name, "boundary" | "charset")
}

/// Returns whether the value is a media type.
fn is_type(field: &RawField<'_>) -> bool {
    field.row.mime == Some(Mime::Type)
}

/// Judges a value and its parameters.
pub(super) fn judge(
    field: &RawField<'_>,
    rules: &FieldRules,
    edits: &ParameterEdits<'_>,
    issues: &mut Vec<Issue>,
) -> FieldVerdict {
    if !is_encoded_value(field.value()) {
        return draft(field, rules, edits).finish(issues);
    }
    let whole = Span::new(0, field.raw.len());
    let old = String::from_utf8_lossy(field.value()).trim().to_owned();
    issues.push(Issue::new(Code::ContentFieldEncoded, whole).with_detail(old));
    let Some(value) = encoded_value(field.value()) else {
        return draft(field, rules, edits).finish(issues);
    };
    let made = [field.name(), b": ", &value, b"\r\n"].concat();
    let mut found = Vec::new();
    let verdict = draft(&RawField::split(&made), rules, edits).finish(&mut found);
    issues.extend(found.into_iter().map(|issue| issue.at(whole)));
    if verdict == FieldVerdict::Keep { FieldVerdict::Write(made) } else { verdict }
}

/// Returns a clean field that only gets another charset, as most edited ones do, written without a
/// [`draft`] as a draft would write it; `None` if it is not that plain.
pub(super) fn with_charset(field: &RawField<'_>, edits: &ParameterEdits<'_>) -> Option<Vec<u8>> {
    let ParameterEdits { value: None, set: [("charset", charset)], remove: [] } = edits else {
        return None;
    };
    let simple = SimpleParameters::read(field.value())?;
    let is_one_more = match simple.list() {
        [] => true,
        [(name, old)] => name.eq_ignore_ascii_case(b"charset") && *old != charset.as_bytes(),
        _ => false,
    };
    let is_word = !charset.is_empty() && charset.bytes().all(is_attribute_char);
    let made =
        [field.name(), b": ", simple.value, b"; charset=", charset.as_bytes(), b"\r\n"].concat();
    let is_short = made.len() <= MAX_WORD_LINE && is_type(field) && simple.value.contains(&b'/');
    (is_one_more && is_word && is_short).then_some(made)
}

/// Returns the draft of a value and its parameters.
fn draft<'a>(field: &RawField<'a>, rules: &FieldRules, edits: &ParameterEdits<'_>) -> Draft<'a> {
    let list = &list(field.value());
    // A parameter that becomes visible by a semicolon is read as an archive reads it.
    let is_shown = rules.policy.rewrites
        || rules.policy.guesses_labels
        || list.semicolons(field.value()).any(|count| count == 0);
    let raw =
        |octets: &[u8]| if is_shown { rules.shown_parameter(octets) } else { RawText::Unknown };
    let wanted = if rules.policy.replaces { Wanted::All } else { Wanted::Written };
    let of_file = if is_type(field) { FILE_OF_TYPE } else { FILE_OF_DISPOSITION };
    let mut tally = Tally::default();
    let read = &of_list(field.value(), list, of_file, wanted, &raw, &mut tally);
    let mut draft = Draft::new(field, rules);
    Writer { rules, field, value: field.value(), list, read, edits }.write(&mut draft);
    // Issues found while reading matter only if anything changes.
    if draft.changed || field.is_unfit() {
        draft.tally.absorb(tally);
    }
    draft
}

/// A parameterised value that is being written.
struct Writer<'w, 'a> {
    rules: &'w FieldRules,
    field: &'w RawField<'a>,
    value: &'a [u8],
    list: &'w ParameterList,
    read: &'w Parameters<'a>,
    edits: &'w ParameterEdits<'w>,
}

impl<'a> Writer<'_, 'a> {
    fn write(&self, draft: &mut Draft<'a>) {
        self.media_value(draft);
        if let Some((name, text)) = self.edits.boundary() {
            draft.changed = true;
            push_sections(&mut draft.items, encode::sections(name, text));
        }
        self.report_blanks(draft);
        let semicolons = self.list.semicolons(self.value);
        for ((section, count), fate) in
            self.list.sections.iter().zip(semicolons).zip(self.fates(draft))
        {
            // Half of all readers take what has no semicolon for a part of what precedes it; some
            // give up at a doubled one.
            if count != 1 {
                draft.repair(Code::ParameterRepaired, section.span());
            }
            self.section(section.span(), fate, draft);
            draft.lay_out_settled();
        }
        let end =
            self.list.sections.last().map_or(self.list.value.end, |section| section.span().end);
        let rest = Span::new(end.max(self.list.value.end), self.value.len());
        if memchr::memchr_iter(b';', self.octets(rest)).nth(1).is_some() {
            draft.repair(Code::ParameterRepaired, rest);
        }
        for (name, text) in self.edits.set {
            if *name != "boundary"
                && !self.read.list.iter().any(|p| p.name.eq_ignore_ascii_case(name))
            {
                draft.changed = true;
                push_sections(&mut draft.items, encode::sections(name, text));
            }
        }
    }

    /// Reports blanks other than white space between the sections, which are not written.
    fn report_blanks(&self, draft: &mut Draft<'a>) {
        let mut from = 0;
        let end = Span::new(self.value.len(), self.value.len());
        let sections = self.list.sections.iter().map(Section::span);
        for span in [self.list.value].into_iter().chain(sections).chain([end]) {
            let between = Span::new(from, span.start.max(from));
            if !are_printable_or_fws(self.octets(between)) {
                draft.repair(Code::ParameterRepaired, between);
            }
            from = span.end.max(from);
        }
    }

    fn octets(&self, span: Span) -> &'a [u8] {
        &self.value[span.start..span.end]
    }

    fn media_value(&self, draft: &mut Draft<'a>) {
        let span = self.list.value;
        let octets = self.octets(span);
        let is_unread = is_type(self.field) && !is_media_type(&self.read.value);
        let is_legal = if is_type(self.field) {
            media_type(octets).is_some()
        } else {
            is_a_token(octets) || self.value.iter().all(|&octet| is_fws(octet))
        };
        let edited = self.edits.value.filter(|other| !other.eq_ignore_ascii_case(&self.read.value));
        let written: Cow<'a, [u8]> = match edited {
            Some(other) => other.as_bytes().to_vec().into(),
            None if is_legal && fits(octets) => octets.into(),
            None if is_unread => mended(&self.read.value)
                .map_or(b"text/plain".into(), |meant| meant.into_bytes().into()),
            None => {
                draft.repair(Code::ParameterRepaired, span);
                self.repaired_value().into()
            }
        };
        draft.changed |= *written != *octets;
        if is_unread && *written != *octets {
            let old = || String::from_utf8_lossy(octets).into_owned();
            draft.report(Code::MediaTypeRepaired, span, old);
        }
        let space = &self.value[..span.start];
        let space = if space.iter().all(|&o| is_fws(o)) { unfolded(space) } else { b" ".into() };
        if !written.is_empty() {
            draft.items.push(Item::plain(space, written));
        }
    }

    /// Returns a value that is legal, and not too long. No media type is what was hidden in another
    /// value.
    fn repaired_value(&self) -> Vec<u8> {
        let read = self.read.value.as_bytes();
        let kept = &read[..read.len().min(LONGEST_TYPE)];
        let is_type = is_type(self.field);
        if is_type && media_type(kept).is_none() {
            // Nothing may be left of a half of the type.
            b"application/octet-stream".to_vec()
        } else if !is_type && !is_a_token(read) {
            // RFC 2183, 2.8: a disposition that is not recognised is treated as an attachment.
            b"attachment".to_vec()
        } else {
            kept.to_vec()
        }
    }

    /// Returns what becomes of each section: a parameter that changes is written at its first one.
    fn fates(&self, draft: &mut Draft<'a>) -> Vec<Fate> {
        let unread = |section: &Section| match section {
            Section::Parameter(_) => DUPLICATE,
            // Some readers look for parameters in a comment, and some give up the value because of
            // either.
            Section::Comment(_) | Section::Junk(_) => MISLEADING,
        };
        let mut fates: Vec<Fate> = self.list.sections.iter().map(unread).collect();
        for parameter in &self.read.list {
            let parts = self.parts(parameter);
            let fate = self.fate(parameter, &parts, draft);
            if fate == Fate::Keep && is_ambiguous(self.value, &parts, parameter) {
                draft.tally.note(Code::AmbiguousFileName, parameter.span);
            }
            let rest = if matches!(fate, Fate::Keep | Fate::Dropped(_)) {
                fate.clone()
            } else {
                Fate::Gone
            };
            parameter.sections.iter().for_each(|&n| fates[n] = rest.clone());
            let Some(&first) = parameter.sections.iter().min() else { continue };
            fates[first] = fate;
            self.judge_plain_twin(parameter, &parts, first, &mut fates);
        }
        fates
    }

    /// Returns the tokens of a parameter, in order of section.
    fn parts(&self, parameter: &Parameter<'_>) -> Few<&ParameterToken> {
        let token = |&n: &usize| match &self.list.sections[n] {
            Section::Parameter(token) => Some(token),
            _ => None,
        };
        parameter.sections.iter().filter_map(token).collect()
    }

    /// Returns the charset that labels octets that had no label. Under it they could be read, and
    /// then so could controls in them (rule H5). A boundary is not text.
    fn label_of(&self, parameter: &Parameter<'_>, octets: &[u8]) -> Option<Guess> {
        let is_text = |guess: &Guess| !has_control_but_tab(guess.charset().decode(octets).text());
        self.rules.label_of(octets).filter(|guess| parameter.name != "boundary" && is_text(guess))
    }

    /// Judges `name=` next to `name*=`, which takes precedence: readers that do not know RFC 2231
    /// have only the plain one. If both say the same, the plain one says it to all.
    fn judge_plain_twin(
        &self,
        parameter: &Parameter<'_>,
        parts: &[&ParameterToken],
        first: usize,
        fates: &mut [Fate],
    ) {
        let name = parameter.name.as_bytes();
        if !names_file(name) || !parts.iter().any(|part| part.extended) {
            return;
        }
        let is_plain =
            |token: &ParameterToken| token.section.is_none() && !token.extended && token.strict;
        let is_twin = |token: &ParameterToken| {
            is_plain(token) && self.octets(token.name).eq_ignore_ascii_case(name)
        };
        let Some((plain, token)) = self.list.parameters().find(|(_, token)| is_twin(token)) else {
            return;
        };
        // One that few readers find would be found by all, and count if the extended one cannot be
        // read.
        let is_found = |token: &ParameterToken| self.list.is_found(self.value, token);
        if !is_found(token) && parts.iter().all(|part| is_found(part)) {
            return;
        }
        let octets = self.octets(token.value);
        let may_stay =
            is_safe(self.octets(token.span)) && !holds_word(octets) && !octets.contains(&b'\\');
        if !may_stay
            || fates[plain] != DUPLICATE
            || !matches!(fates[first], Fate::Keep | Fate::Write(_))
        {
            return;
        }
        let text = without_quotes(octets);
        if text == parameter.text.as_bytes() {
            parameter.sections.iter().for_each(|&n| fates[n] = Fate::Gone);
            fates[plain] = Fate::Keep;
        } else if !parameter.text.is_ascii() && has_extension_of(text, &parameter.text) {
            fates[plain] = Fate::Keep;
        }
    }

    fn fate(
        &self,
        parameter: &Parameter<'_>,
        parts: &[&ParameterToken],
        draft: &mut Draft<'a>,
    ) -> Fate {
        let named = |name: &str| name.eq_ignore_ascii_case(&parameter.name);
        if self.edits.remove.iter().any(|name| named(name))
            || self.edits.boundary().is_some() && named("boundary")
        {
            return Fate::Gone;
        }
        let name = parameter.name.as_bytes();
        // Half of all readers take an empty name for one, and do not look for another.
        if is_misleading(name) || names_file(name) && parameter.text.trim_ascii().is_empty() {
            return MISLEADING;
        }
        if let Some((name, text)) = self.edits.set.iter().find(|(name, _)| named(name))
            && *text != parameter.text
        {
            return Fate::Set(encode::sections(name, text));
        }
        let is_whole = parts.iter().all(|part| part.section.is_none() && !part.extended);
        let stays = if parameter.held_controls {
            false
        } else if parameter.is_ill_formed && is_whole {
            // An encoded-word that cannot be read stays.
            !self.rules.policy.replaces && self.is_closed(parts[0])
        } else if decides_reading(parameter) && !is_whole && self.can_be_plain(parameter) {
            // In sections or percent-encoded it would give readers different trees (rule G6), or
            // different texts.
            false
        } else {
            is_canonical(self.value, parts, parameter)
        };
        match self.writable_name(parts[0], parameter) {
            Some(_) if stays && parts.iter().all(|part| is_safe(self.octets(part.span))) => {
                Fate::Keep
            }
            Some(name) => Fate::Write(self.rewritten(name, parameter, draft)),
            None => MISLEADING,
        }
    }

    /// Returns whether a parameter ends where its octets say, with no comment beside its `=`, which
    /// would go, and no quote that the next one would close.
    fn is_closed(&self, part: &ParameterToken) -> bool {
        part.strict || memchr::memchr2(b'"', b'(', self.octets(part.span)).is_none()
    }

    /// Returns whether a boundary or a charset label could be written as it is read, without
    /// percent-encoding.
    fn can_be_plain(&self, parameter: &Parameter<'_>) -> bool {
        let octets = parameter.text.as_bytes();
        (parameter.undecoded.is_none() || self.rules.policy.replaces)
            && if parameter.name == "charset" {
                is_a_token(octets)
            } else {
                encode::is_regular(octets)
            }
    }

    /// Returns the name of a parameter if it can be written, as it is spelt.
    fn writable_name<'n>(
        &self,
        part: &ParameterToken,
        parameter: &'n Parameter<'_>,
    ) -> Option<&'n str>
    where
        'a: 'n,
    {
        let name = if part.name.is_empty() {
            parameter.name.as_bytes()
        } else {
            &self.value[part.name.start..part.name.end]
        };
        let is_fine =
            (1..=MAX_NAME).contains(&name.len()) && name.iter().all(|&o| is_attribute_char(o));
        if is_fine { std::str::from_utf8(name).ok() } else { None }
    }

    /// Rewrites a parameter in UTF-8; octets that are not text keep their label.
    fn rewritten(
        &self,
        name: &str,
        parameter: &Parameter<'_>,
        draft: &mut Draft<'a>,
    ) -> Few<Vec<u8>> {
        let is_tag = |language: &&str| {
            let is_of_tag = |octet: u8| octet.is_ascii_alphanumeric() || octet == b'-';
            language.len() <= MAX_LANGUAGE && language.bytes().all(is_of_tag)
        };
        // Neither a boundary nor a charset label is text.
        let is_text = !decides_reading(parameter);
        let language = if is_text { parameter.language.as_deref() } else { None };
        let language = language.filter(is_tag).unwrap_or_default();
        // A label that is not a token cannot be written: what was read replaces the octets.
        let may_stay =
            |label: &str| !self.rules.policy.replaces && label.bytes().all(is_attribute_char);
        let Some((label, octets)) =
            parameter.undecoded.as_ref().filter(|(label, _)| may_stay(label))
        else {
            return match language {
                "" => encode::sections(name, &parameter.text),
                _ => encode::extended_sections(name, "utf-8", language, parameter.text.as_bytes()),
            };
        };
        let guess = if label == UNKNOWN_8BIT { self.label_of(parameter, octets) } else { None };
        let Some(guess) = guess else {
            return encode::extended_sections(name, label, language, octets);
        };
        draft.tally.note_value(Code::CharsetGuessed, parameter.span, None, || guess);
        match lossless_text(guess.charset(), octets) {
            Some(text) => encode::sections(name, &text),
            None => encode::extended_sections(name, guess.charset().name(), language, octets),
        }
    }

    /// Writes a section by its fate.
    fn section(&self, span: Span, fate: Fate, draft: &mut Draft<'a>) {
        let octets = self.octets(span);
        let dropped = || format!("dropped: {}", String::from_utf8_lossy(&unfold(octets)));
        draft.changed |= fate != Fate::Keep;
        match fate {
            Fate::Keep => push_sections(&mut draft.items, [unfold(octets)]),
            Fate::Write(written) => {
                draft.tally.note(Code::ParameterRepaired, span);
                push_sections(&mut draft.items, written);
            }
            Fate::Set(written) => push_sections(&mut draft.items, written),
            Fate::Gone => {}
            Fate::Dropped(code) => draft.report(code, span, dropped),
        }
    }
}

/// Returns whether octets may stay in the field as they are.
fn is_safe(octets: &[u8]) -> bool {
    are_printable_or_fws(octets) && fits(&unfold(octets))
}

/// Adds sections, each after a semicolon that is attached to what precedes it.
fn push_sections<'a>(
    items: &mut Vec<Item<'a>>,
    sections: impl IntoIterator<Item: Into<Octets<'a>>>,
) {
    for section in sections {
        items.push(Item::plain(Space::default(), b";"));
        items.push(Item { level: Level::Unit, ..Item::plain(Space::ONE, section) });
    }
}
