//! Content-Type and Content-Disposition (rule H7).

use std::borrow::Cow;

use super::FieldRules;
use super::field::{Draft, Field};
use super::phrase::holds_long_word;
use crate::ascii::is_fws;
use crate::decode::{Parameter, Parameters, of_list};
use crate::encode::{self, Item, MOST_PLAIN};
use crate::issue::Tally;
use crate::message::Profile;
use crate::syntax::lexical::{is_token, unfolded};
use crate::syntax::parameter::{ParameterList, ParameterToken, Quoting, Section, list};
use crate::{Code, Issue, Span};

/// What is to be said otherwise.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct ParameterEdits<'e> {
    /// The media type or disposition.
    pub(crate) value: Option<&'e str>,
    /// Parameters that get another value, where they stand; at the end, where there were none.
    pub(crate) set: &'e [(&'e str, &'e str)],
    /// Parameters that go.
    pub(crate) remove: &'e [&'e str],
}

/// What becomes of a parameter.
#[derive(Debug, PartialEq, Eq)]
enum Verdict {
    Keep,
    Write(Vec<Vec<u8>>),
    Remove,
}

impl FieldRules {
    pub(super) fn parameterised<'a>(
        &self,
        field: &Field<'a>,
        edits: &ParameterEdits<'_>,
        draft: &mut Draft<'a>,
    ) {
        let value = field.value();
        let list = list(value);
        let mut tally = Tally::default();
        let read = of_list(value, &list, self.raw_text(), &mut tally);
        let tokens: Vec<&ParameterToken> = list.parameters().collect();
        self.media_value(value, &list, &read, edits, draft);
        let verdicts = self.verdicts(field, &tokens, &read, edits, draft);
        if verdicts.iter().any(|v| matches!(v, Some(Verdict::Write(_)))) {
            draft.tally.absorb(tally);
        }
        self.sections(field, &list, &verdicts, draft);
        for (name, text) in edits.set {
            if !read.list.iter().any(|p| p.name.eq_ignore_ascii_case(name)) {
                draft.changed = true;
                parameter(encode::sections(name, text, "utf-8", text.as_bytes(), ""), draft);
            }
        }
    }

    fn media_value<'a>(
        &self,
        value: &'a [u8],
        list: &ParameterList,
        read: &Parameters,
        edits: &ParameterEdits<'_>,
        draft: &mut Draft<'a>,
    ) {
        let octets = &value[list.value.start..list.value.end];
        let written: Cow<'a, [u8]> = match edits.value {
            Some(other) if !other.eq_ignore_ascii_case(&read.value) => {
                draft.changed = true;
                other.as_bytes().to_vec().into()
            }
            _ if octets.iter().all(u8::is_ascii_graphic)
                && octets.len() <= MOST_PLAIN
                && !holds_long_word(octets) =>
            {
                octets.into()
            }
            _ => {
                draft.repair(Code::ParameterRepaired, list.value);
                let kept = read.value.bytes().filter(|&o| is_token(o) || o == b'/').take(127);
                kept.filter(|&o| o != b'?').collect::<Vec<u8>>().into()
            }
        };
        let space = if list.value.start == 0 { b" " } else { &value[..list.value.start] };
        let space = if space.iter().all(|&o| is_fws(o)) { unfolded(space) } else { b" ".into() };
        if !written.is_empty() {
            draft.items.push(Item::plain(space, written));
        }
    }

    /// What becomes of each token: a parameter is written at its first one, the others go.
    fn verdicts(
        &self,
        field: &Field<'_>,
        tokens: &[&ParameterToken],
        read: &Parameters,
        edits: &ParameterEdits<'_>,
        draft: &mut Draft<'_>,
    ) -> Vec<Option<Verdict>> {
        let value = field.value();
        let mut verdicts: Vec<Option<Verdict>> = tokens.iter().map(|_| None).collect();
        for parameter in &read.list {
            let set = edits.set.iter().find(|(name, _)| name.eq_ignore_ascii_case(&parameter.name));
            let removed = edits.remove.iter().any(|name| name.eq_ignore_ascii_case(&parameter.name));
            let verdict = match set {
                _ if removed => Verdict::Remove,
                Some((name, text)) if *text != parameter.text => {
                    Verdict::Write(encode::sections(name, text, "utf-8", text.as_bytes(), ""))
                }
                _ => self.verdict(value, tokens, parameter),
            };
            let Some(&first) = parameter.tokens.iter().min() else { continue };
            match verdict {
                Verdict::Keep => parameter.tokens.iter().for_each(|&n| verdicts[n] = Some(Verdict::Keep)),
                written => {
                    draft.changed = true;
                    if set.is_none() && !removed {
                        draft.tally.note(Code::ParameterRepaired, parameter.span);
                    }
                    verdicts[first] = Some(written);
                }
            }
        }
        self.duplicates(field, tokens, read, &verdicts, draft);
        verdicts
    }

    /// Reports tokens that no parameter is made of: those of a name that was given twice.
    fn duplicates(
        &self,
        field: &Field<'_>,
        tokens: &[&ParameterToken],
        read: &Parameters,
        verdicts: &[Option<Verdict>],
        draft: &mut Draft<'_>,
    ) {
        let mut counted = vec![false; tokens.len()];
        read.list.iter().flat_map(|p| &p.tokens).for_each(|&n| counted[n] = true);
        let _ = verdicts;
        for (token, _) in tokens.iter().zip(&counted).filter(|(_, counted)| !**counted) {
            draft.changed = true;
            draft.tally.note(Code::DuplicateParameter, token.span);
        }
        let _ = field;
    }

    /// Whether a parameter may stay as it stands.
    fn verdict(&self, value: &[u8], tokens: &[&ParameterToken], parameter: &Parameter) -> Verdict {
        let parts: Vec<&ParameterToken> = parameter.tokens.iter().map(|&n| tokens[n]).collect();
        let safe = parts.iter().all(|part| is_safe(&value[part.span.start..part.span.end]));
        let canonical = match self.profile {
            Profile::Transport => true,
            Profile::Archive => is_canonical(value, &parts, parameter),
        };
        if safe && canonical {
            return Verdict::Keep;
        }
        Verdict::Write(self.written(value, &parts, parameter))
    }

    /// A parameter written anew: octets of an unknown charset keep them.
    fn written(&self, value: &[u8], parts: &[&ParameterToken], parameter: &Parameter) -> Vec<Vec<u8>> {
        let name: String = parameter
            .name
            .bytes()
            .filter(|&o| is_token(o) && !matches!(o, b'*' | b'\'' | b'%'))
            .map(char::from)
            .take(60)
            .collect();
        let language = parameter.language.as_deref().unwrap_or("");
        let language =
            if language.bytes().all(|o| o.is_ascii_alphanumeric() || o == b'-') { language } else { "" };
        let _ = (value, parts);
        encode::sections(&name, &parameter.text, "utf-8", parameter.text.as_bytes(), language)
    }

    /// Writes what follows the media type.
    fn sections<'a>(
        &self,
        field: &Field<'a>,
        list: &ParameterList,
        verdicts: &[Option<Verdict>],
        draft: &mut Draft<'a>,
    ) {
        let value = field.value();
        let mut verdicts = verdicts.iter();
        for section in &list.sections {
            match section {
                Section::Comment(span) => {
                    let first = draft.items.len();
                    let space = Span::default();
                    draft.changed |= self.comment(value, *span, space, &mut draft.items, &mut draft.tally);
                    if let Some(item) = draft.items.get_mut(first) {
                        item.space = b" ".into();
                    }
                }
                Section::Junk(span) => junk(value, *span, draft),
                Section::Parameter(token) => match verdicts.next() {
                    Some(Some(Verdict::Keep)) => {
                        let octets = &value[token.span.start..token.span.end];
                        let kept: Vec<u8> =
                            octets.iter().copied().filter(|o| !matches!(o, b'\r' | b'\n')).collect();
                        parameter(vec![kept], draft);
                    }
                    Some(Some(Verdict::Write(sections))) => parameter(sections.clone(), draft),
                    _ => {}
                },
            }
        }
    }
}

/// Adds a parameter behind a semicolon, which sticks to what stands before.
fn parameter(sections: Vec<Vec<u8>>, draft: &mut Draft<'_>) {
    for section in sections {
        draft.items.push(Item::plain(b"".as_slice(), b";".as_slice()));
        let mut item = Item::plain(b" ".as_slice(), section);
        item.unit = true;
        draft.items.push(item);
    }
}

/// What is no parameter stays if it can, else it goes.
fn junk<'a>(value: &'a [u8], span: Span, draft: &mut Draft<'a>) {
    let octets = &value[span.start..span.end];
    if is_safe(octets) {
        draft.plain(b"".as_slice(), b";");
        draft.plain(b" ".as_slice(), octets);
        return;
    }
    draft.changed = true;
    let detail = format!("dropped: {}", String::from_utf8_lossy(octets));
    draft.issues.push(Issue::new(Code::ParameterRepaired, span).with_detail(detail));
}

/// Whether octets may stand in the field as they are.
fn is_safe(octets: &[u8]) -> bool {
    octets.iter().all(|&o| is_fws(o) || matches!(o, b' '..=b'~'))
        && octets.len() <= MOST_PLAIN
        && !holds_long_word(octets)
}

/// Whether every reader reads a parameter alike: written as the RFCs say, in UTF-8 or US-ASCII, its sections
/// in order.
fn is_canonical(value: &[u8], parts: &[&ParameterToken], parameter: &Parameter) -> bool {
    let in_order = parts.iter().enumerate().all(|(n, part)| match part.section {
        Some(section) => usize::try_from(section) == Ok(n),
        None => parts.len() == 1,
    }) && parts.is_sorted_by_key(|part| part.span.start);
    let text = |span: Span| &value[span.start..span.end];
    let word = parts
        .iter()
        .any(|part| part.quoting == Quoting::Quoted && text(part.value).windows(2).any(|w| w == b"=?"));
    let strict = parts.iter().all(|part| part.strict && (part.extended || !text(part.value).is_empty()));
    let extended = parts.iter().any(|part| part.extended);
    in_order && strict && !word && (!extended || is_utf8(text(parts[0].value), parts, &parameter.text, value))
}

/// Whether the extended sections are well-formed UTF-8 (US-ASCII) with the label on the first.
fn is_utf8(first: &[u8], parts: &[&ParameterToken], text: &str, value: &[u8]) -> bool {
    let label = first.split(|&o| o == b'\'').next().unwrap_or_default();
    let ours = [&b"utf-8"[..], b"us-ascii"].iter().any(|name| label.eq_ignore_ascii_case(name));
    let marks = first.iter().filter(|&&o| o == b'\'').count() == 2;
    let hex =
        |part: &&ParameterToken| !part.extended || percents_fine(&value[part.value.start..part.value.end]);
    let clean = !text.contains('\u{fffd}') && !text.chars().any(char::is_control);
    parts[0].extended && ours && marks && parts.iter().all(hex) && clean
}

fn percents_fine(octets: &[u8]) -> bool {
    let mut octets = octets.iter();
    while let Some(&octet) = octets.next() {
        let hex = || [octets.next(), octets.next()].iter().all(|o| o.is_some_and(u8::is_ascii_hexdigit));
        let mut hex = hex;
        if octet == b'%' && !hex() {
            return false;
        }
    }
    true
}
