//! Parameters as text (rule H7): RFC 2045 values, and the continued, charset-labelled ones of RFC 2231.

use std::borrow::Cow;

use super::text::text_in;
use super::{Nul, RawCharset, RawText, Wanted, lossless_text, raw_text, without_controls};
use crate::codec::controls::has_control_but_tab;
use crate::codec::percent;
use crate::codec::text::lossy;
use crate::issue::Tally;
use crate::lengths::MAX_CHARSET_NAME;
use crate::syntax::lexical::{unfold, unquote};
use crate::syntax::parameter::{ParameterList, ParameterToken, Quoting};
use crate::{Charset, Code, Span, charset};

/// A parameter: all sections of it together.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Parameter {
    /// In lower case.
    pub(crate) name: String,
    pub(crate) text: String,
    /// The language tag of an extended value.
    pub(crate) language: Option<String>,
    /// The span of its first section.
    pub(crate) span: Span,
    /// The charset label and the octets of a value that cannot be decoded: its charset is unknown, or it is
    /// ill-formed and raw octets stay as they are; encoded-words too, as text.
    pub(crate) undecoded: Option<(String, Vec<u8>)>,
    /// Whether the octets are ill-formed in the charset they are labelled with.
    pub(crate) is_ill_formed: bool,
    /// Whether controls were decoded, of which the text holds none (rule H5).
    pub(crate) held_controls: bool,
    /// The indexes of the list's parameters that it is made of, in order of section.
    pub(crate) tokens: Vec<usize>,
}

/// A parameterised value as text.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Parameters {
    /// The media type or disposition, in lower case.
    pub(crate) value: String,
    /// In order, one of each name.
    pub(crate) list: Vec<Parameter>,
}

/// Reads the parsed value of Content-Type, Content-Disposition and the like. Of duplicates the first counts,
/// and an extended form takes precedence over a plain one. `raw` says how the raw octets of a parameter are read
/// that is made of these of the list's parameters, with these octets: by them alone, so that what becomes of others
/// does not matter (rule G7).
pub(crate) fn of_list(
    field: &[u8],
    list: &ParameterList,
    wanted: Wanted,
    raw: impl Fn(&[usize], &[u8]) -> RawText,
    tally: &mut Tally,
) -> Parameters {
    let tokens: Vec<&ParameterToken> = list.parameters().collect();
    let names = tokens.iter().map(|token| name_of(field, token)).zip(0..);
    let mut order: Vec<(Cow<'_, str>, usize)> = names.filter(|(name, _)| wanted.includes(name)).collect();
    order.sort();
    let mut found: Vec<Parameter> = order
        .chunk_by(|a, b| a.0 == b.0)
        .map(|group| one(field, &tokens, group, wanted, &raw, tally))
        .collect();
    found.sort_by_key(|p| p.span.start);
    Parameters { value: media_value(field, list), list: found }
}

/// Returns a name, in which nothing is decoded: it is not text, and decoding could turn it into another name.
fn name_of<'f>(field: &'f [u8], token: &ParameterToken) -> Cow<'f, str> {
    let name = String::from_utf8_lossy(&field[token.name.start..token.name.end]);
    if name.bytes().any(|octet| octet.is_ascii_uppercase()) { name.to_ascii_lowercase().into() } else { name }
}

/// Returns the media type or disposition, without the comments and white space inside it. It is not text: no
/// charset is guessed, which could turn it into another one.
fn media_value(field: &[u8], list: &ParameterList) -> String {
    let mut octets = Vec::new();
    let mut from = list.value.start;
    for comment in list.comments().filter(|comment| comment.end <= list.value.end) {
        octets.extend_from_slice(&field[from..comment.start.max(from)]);
        from = comment.end.max(from);
    }
    octets.extend_from_slice(&field[from..list.value.end.max(from)]);
    String::from_utf8_lossy(&octets)
        .chars()
        .filter(|c| !c.is_whitespace())
        .collect::<String>()
        .to_ascii_lowercase()
}

/// Returns one parameter from all the tokens of its name.
fn one(
    field: &[u8],
    tokens: &[&ParameterToken],
    group: &[(Cow<'_, str>, usize)],
    wanted: Wanted,
    raw: impl Fn(&[usize], &[u8]) -> RawText,
    tally: &mut Tally,
) -> Parameter {
    let name = group[0].0.clone().into_owned();
    let chosen = chosen(tokens, group);
    let parts: Vec<&ParameterToken> = chosen.iter().map(|&n| tokens[n]).collect();
    let raw = match &parts[..] {
        // Octets that no charset decodes must not become a label by a guess.
        _ if name == "charset" => RawText::Unknown,
        [part] => raw(&chosen, written(field, part)),
        parts => raw(&chosen, &parts.iter().map(|part| written(field, part)).collect::<Vec<_>>().concat()),
    };
    let under_kept_label = wanted.under_kept_label(&name, raw);
    let mut value = Value { under_kept_label, ..Value::default() };
    if parts.iter().any(|p| p.extended) {
        parts.iter().for_each(|part| value.push(field, part, raw, tally));
        value.flush(raw, tally);
    } else {
        value.plain(field, &name, &parts, raw, tally);
    }
    if name == "charset" && value.unknown {
        value.text = value.without_charset(&mut Tally::default());
    }
    let language = value.language.filter(|l| !l.is_empty());
    let first = group.iter().map(|(_, n)| tokens[*n].span).min_by_key(|span| span.start);
    let undecoded = value.unknown.then_some((value.label, value.octets));
    Parameter {
        name,
        text: value.text,
        language,
        span: first.unwrap_or_default(),
        undecoded,
        is_ill_formed: value.is_ill_formed,
        held_controls: value.held_controls,
        tokens: chosen,
    }
}

/// Returns the octets of a value as they are written.
fn written<'f>(field: &'f [u8], part: &ParameterToken) -> &'f [u8] {
    &field[part.value.start..part.value.end]
}

/// Chooses the tokens of a name that count: the first `name*=`, its sections in order, or the first `name=`.
fn chosen(tokens: &[&ParameterToken], group: &[(Cow<'_, str>, usize)]) -> Vec<usize> {
    let all = || group.iter().map(|(_, n)| *n);
    let whole =
        |extended: bool| all().find(|&n| tokens[n].section.is_none() && tokens[n].extended == extended);
    let mut sections: Vec<usize> = all().filter(|&n| tokens[n].section.is_some()).collect();
    sections.sort_by_key(|&n| (tokens[n].section, n));
    sections.dedup_by_key(|n| tokens[*n].section);
    match whole(true) {
        Some(extended) => vec![extended],
        None if !sections.is_empty() => sections,
        None => whole(false).into_iter().collect(),
    }
}

/// A value, assembled section by section.
#[derive(Default)]
struct Value {
    /// How octets are read that keep their unknown label, if they do.
    under_kept_label: Option<RawText>,
    text: String,
    language: Option<String>,
    charset: Option<Option<Charset>>,
    label: String,
    /// All octets, unescaped.
    octets: Vec<u8>,
    /// How many octets of extended sections are still undecoded: a character may go on in the next section.
    pending: usize,
    span: Span,
    unknown: bool,
    is_ill_formed: bool,
    held_controls: bool,
}

impl Value {
    fn push(&mut self, field: &[u8], part: &ParameterToken, raw: RawText, tally: &mut Tally) {
        let octets = octets(field, part);
        self.span = part.value;
        let word = self.charset.is_none() && part.quoting == Quoting::Quoted && octets.starts_with(b"=?");
        if !part.extended || word {
            self.flush(raw, tally);
            let decoded = if word {
                text_in(&octets, &raw, Nul::Space).into_text()
            } else {
                raw_text(&octets, part.value, raw, tally)
            };
            self.text.push_str(&without_controls(decoded, Nul::Space, part.value, tally));
            self.octets.extend_from_slice(&octets);
            return;
        }
        let encoded = if self.charset.is_none() { self.label(&octets, tally) } else { &octets[..] };
        let before = self.octets.len();
        percent::decode(encoded, &mut self.octets, &mut Tally::default());
        self.pending += self.octets.len() - before;
    }

    /// Splits `charset'language'` off the first extended section.
    fn label<'o>(&mut self, octets: &'o [u8], tally: &mut Tally) -> &'o [u8] {
        let is_charset =
            |label: &[u8]| std::str::from_utf8(label).is_ok_and(|it| Charset::for_label(it).is_some());
        let mut parts = octets.splitn(3, |&o| o == b'\'');
        let (label, language, rest): (_, &[u8], _) = match (parts.next(), parts.next(), parts.next()) {
            (Some(label), Some(language), Some(rest)) => (label, language, rest),
            // One apostrophe counts for both.
            (Some(label), Some(rest), None) if is_charset(label) => (label, b"", rest),
            _ => return octets,
        };
        self.label = String::from_utf8_lossy(label).into_owned();
        self.language = Some(String::from_utf8_lossy(language).into_owned());
        let known = Charset::for_label_lenient(&self.label).map(|(charset, _)| charset);
        let known = known.filter(|charset| charset.is_decodable());
        let silent = charset::says_nothing(&self.label);
        if known.is_none() && !silent {
            self.unknown = self.label_fine();
            tally.note(Code::CharsetUnknown, self.span);
        }
        self.charset = Some(known.filter(|_| !silent));
        rest
    }

    /// Returns whether the label can be written as it is.
    fn label_fine(&self) -> bool {
        (1..=MAX_CHARSET_NAME).contains(&self.label.len())
            && self.label.bytes().all(percent::is_attribute_char)
    }

    fn flush(&mut self, raw: RawText, tally: &mut Tally) {
        let octets = &self.octets[self.octets.len() - std::mem::take(&mut self.pending)..];
        let is_wide = self.charset.flatten().is_some_and(Charset::is_wide);
        let held_nul = !is_wide && octets.contains(&0);
        // What is guessed must not depend on a NUL, for which a space is written (rule H5).
        let octets = if held_nul { &without_nul(octets.to_vec()) } else { octets };
        let mut unread = None;
        let text = match self.charset.flatten() {
            Some(charset) => match lossless_text(charset, octets) {
                Some(text) => text,
                None => {
                    // As `ill_formed` reads them.
                    let found = charset.is_belied_by(octets).then(|| raw.alone().charset(octets));
                    let lies = found.is_some_and(|found| found.reads(octets));
                    self.is_ill_formed = true;
                    self.unknown |= !lies && self.label_fine();
                    ill_formed(charset, octets, self.span, found.filter(|_| raw != RawText::Unknown), tally)
                }
            },
            None => {
                let kept = self.under_kept_label.filter(|_| self.unknown);
                let found = kept.unwrap_or(raw).charset(octets);
                unread = (!found.reads(octets)).then_some(found);
                // Nothing happens to what keeps its label.
                let tally = if kept.is_some() { &mut Tally::default() } else { &mut *tally };
                found.decode(octets, self.span, tally)
            }
        };
        let holds_control = has_control_but_tab(&text);
        if held_nul && !holds_control {
            tally.note(Code::ControlReplaced, self.span);
        }
        self.held_controls |= held_nul
            || match unread.is_some() || self.unknown {
                true => memchr::memchr3(0, b'\r', b'\n', octets).is_some(),
                false => holds_control,
            };
        let text = without_controls(text, Nul::Space, self.span, tally);
        self.text.push_str(&text);
        if let Some(found) = unread {
            self.keep_as_found(found);
        }
    }

    /// Keeps octets that are not text in the charset that they are taken for, labelled with it, or with the
    /// label that they have if that can be written.
    fn keep_as_found(&mut self, found: RawCharset) {
        if !self.label_fine() {
            found.charset().map_or(charset::UNKNOWN_8BIT, Charset::name).clone_into(&mut self.label);
        }
        self.unknown = true;
    }

    /// Reads a value without extended sections: as raw text, with encoded-words decoded except where they
    /// would change structure.
    fn plain(
        &mut self,
        field: &[u8],
        name: &str,
        parts: &[&ParameterToken],
        raw: RawText,
        tally: &mut Tally,
    ) {
        let mut span = parts.first().map_or(Span::default(), |p| p.value);
        for part in parts {
            self.octets.extend(octets(field, part));
            span.end = span.end.max(part.value.end);
        }
        let mut octets = &self.octets[..];
        while let [b'\'', inner @ .., b'\''] = octets
            && name == "charset"
            && !inner.is_empty()
        {
            octets = inner;
        }
        let found = raw.charset(octets);
        let is_unread = !found.reads(octets);
        if is_unread && matches!(found, RawCharset::Escapes(_)) {
            return self.torn_escapes(span, tally);
        }
        let (decoded, issues) = match name {
            "boundary" => (raw_text(octets, span, raw, tally), Vec::new()),
            _ => text_in(octets, &raw, Nul::Space).into_parts(),
        };
        issues.iter().for_each(|issue| tally.note(issue.code(), span));
        let found_any = |code: Code| issues.iter().any(|issue| issue.code() == code);
        let is_lost = !is_unread && found_any(Code::UndecodableText);
        // A word whose label lies must not stay: it is read by a guess, which may be another one next time.
        self.is_ill_formed = is_lost && !found_any(Code::CharsetLabelLies);
        self.held_controls = found_any(Code::ControlReplaced);
        self.text = without_controls(decoded, Nul::Space, span, tally).into_owned();
        if is_lost {
            // Where it is rewritten, a word that cannot be read stays as it is.
            let unread = &mut Tally::default();
            let literal = without_controls(raw_text(octets, span, raw, unread), Nul::Space, span, unread);
            (self.label, self.unknown) = ("utf-8".to_owned(), true);
            self.octets = literal.into_owned().into_bytes();
        } else if is_unread {
            if issues.iter().all(|issue| issue.code() != Code::RawHeaderText) {
                tally.note(Code::RawHeaderText, span);
            }
            self.keep_as_found(found);
        }
    }

    /// Treats escapes without text between them as controls (rule H5): what follows them is read literally by
    /// readers that do not know the charset.
    fn torn_escapes(&mut self, span: Span, tally: &mut Tally) {
        tally.note(Code::RawHeaderText, span);
        self.held_controls = true;
        self.span = span;
        self.text = self.without_charset(tally);
    }

    /// Returns all octets read as UTF-8, with U+FFFD for anything that is not.
    fn without_charset(&self, tally: &mut Tally) -> String {
        without_controls(lossy(&self.octets), Nul::Space, self.span, tally).into_owned()
    }
}

/// Returns the text of ill-formed octets: read `instead` of in their charset if their label cannot be true.
fn ill_formed<'o>(
    charset: Charset,
    octets: &'o [u8],
    span: Span,
    instead: Option<RawCharset>,
    tally: &mut Tally,
) -> Cow<'o, str> {
    if let Some(found) = instead {
        tally.note(Code::CharsetLabelLies, span);
        return found.decode(octets, span, tally);
    }
    tally.note(Code::UndecodableText, span);
    charset.decode(octets).into_text()
}

/// Returns the octets of one section's value, without quotes.
fn octets(field: &[u8], part: &ParameterToken) -> Vec<u8> {
    let value = &field[part.value.start..part.value.end];
    match part.quoting {
        Quoting::Quoted => without_nul(unquote(value).into_owned()),
        Quoting::Token => value.to_vec(),
        Quoting::Loose => {
            let open = value.strip_prefix(b"\"").unwrap_or(value);
            without_nul(unfold(open).into_owned())
        }
    }
}

/// Replaces NUL, so that nothing is joined together where one was (rule H5).
fn without_nul(mut octets: Vec<u8>) -> Vec<u8> {
    octets.iter_mut().filter(|octet| **octet == 0).for_each(|octet| *octet = b' ');
    octets
}

#[cfg(test)]
mod tests;
