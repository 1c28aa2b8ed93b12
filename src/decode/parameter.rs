//! Parameters as text (rule H7): RFC 2045 values, and the continued, charset-labelled ones of RFC 2231.

use super::{RawText, raw_text, text, without_controls};
use crate::ascii::trim_fws;
use crate::issue::Tally;
use crate::syntax::lexical::unquote;
use crate::syntax::parameter::{ParameterList, ParameterToken, Quoting, list};
use crate::{Charset, Code, Span, charset};

/// A parameter: all sections of it together.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Parameter {
    /// In lower case.
    pub(crate) name: String,
    pub(crate) text: String,
    /// The language tag of an extended value.
    pub(crate) language: Option<String>,
    /// Where the first section of it stands.
    pub(crate) span: Span,
    /// Which of the list's parameters it is made of, by their place among them, in order of section.
    pub(crate) tokens: Vec<usize>,
}

/// A parameterised value as text.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Parameters {
    /// The media type or disposition, in lower case.
    pub(crate) value: String,
    /// In the order they stand, one of each name.
    pub(crate) list: Vec<Parameter>,
}

impl Parameters {
    /// The text of the parameter of that name (in lower case).
    pub(crate) fn get(&self, name: &str) -> Option<&str> {
        self.list.iter().find(|p| p.name == name).map(|p| p.text.as_str())
    }
}

/// Reads the value of Content-Type, Content-Disposition and their like. The first of duplicates counts, an
/// extended form before a plain one.
pub(crate) fn parameters(value: &[u8], raw: &RawText) -> Parameters {
    of_list(value, &list(value), *raw, &mut Tally::default())
}

/// The same of a list that has been read already.
pub(crate) fn of_list(field: &[u8], list: &ParameterList, raw: RawText, tally: &mut Tally) -> Parameters {
    let tokens: Vec<&ParameterToken> = list.parameters().collect();
    let mut order: Vec<(String, usize)> =
        tokens.iter().enumerate().map(|(n, token)| (name_of(field, token, raw), n)).collect();
    order.sort();
    let mut found: Vec<Parameter> =
        order.chunk_by(|a, b| a.0 == b.0).map(|group| one(field, &tokens, group, raw, tally)).collect();
    found.sort_by_key(|p| p.span.start);
    Parameters { value: media_value(field, list.value, raw), list: found }
}

fn name_of(field: &[u8], token: &ParameterToken, raw: RawText) -> String {
    let name = &field[token.name.start..token.name.end];
    raw_text(name, token.name, raw, &mut Tally::default()).to_ascii_lowercase()
}

fn media_value(field: &[u8], span: Span, raw: RawText) -> String {
    let text = raw_text(trim_fws(&field[span.start..span.end]), span, raw, &mut Tally::default());
    text.chars().filter(|c| !c.is_whitespace()).collect::<String>().to_ascii_lowercase()
}

/// One parameter out of the tokens of its name.
fn one(
    field: &[u8],
    tokens: &[&ParameterToken],
    group: &[(String, usize)],
    raw: RawText,
    tally: &mut Tally,
) -> Parameter {
    let name = group[0].0.clone();
    let chosen = chosen(tokens, group);
    let parts: Vec<&ParameterToken> = chosen.iter().map(|&n| tokens[n]).collect();
    let mut value = Value::default();
    if parts.iter().any(|p| p.extended) {
        parts.iter().for_each(|part| value.push(field, part, raw, tally));
        value.flush(raw, tally);
    } else {
        value.text = plain(field, &name, &parts, raw, tally);
    }
    let language = value.language.filter(|l| !l.is_empty());
    let span = group.iter().map(|(_, n)| tokens[*n].span).min().unwrap_or_default();
    Parameter { name, text: value.text, language, span, tokens: chosen }
}

/// Which tokens of a name count: the first `name*=`, else its sections in order, else the first `name=`.
fn chosen(tokens: &[&ParameterToken], group: &[(String, usize)]) -> Vec<usize> {
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

/// A value as it grows section by section.
#[derive(Default)]
struct Value {
    text: String,
    language: Option<String>,
    charset: Option<Option<Charset>>,
    /// Octets of extended sections that are not decoded yet: a character may go over their ends.
    pending: Vec<u8>,
    span: Span,
}

impl Value {
    fn push(&mut self, field: &[u8], part: &ParameterToken, raw: RawText, tally: &mut Tally) {
        let octets = octets(field, part);
        self.span = part.value;
        if !part.extended {
            self.flush(raw, tally);
            let decoded = raw_text(&octets, part.value, raw, tally);
            self.text.push_str(&without_controls(decoded, part.value, tally));
            return;
        }
        let encoded = if self.charset.is_none() { self.label(&octets, tally) } else { &octets[..] };
        percent_decode(encoded, &mut self.pending);
    }

    /// Takes `charset'language'` off the first extended section.
    fn label<'o>(&mut self, octets: &'o [u8], tally: &mut Tally) -> &'o [u8] {
        let mut parts = octets.splitn(3, |&o| o == b'\'');
        let (Some(label), Some(language), Some(rest)) = (parts.next(), parts.next(), parts.next()) else {
            return octets;
        };
        let label = String::from_utf8_lossy(label);
        self.language = Some(String::from_utf8_lossy(language).into_owned());
        let known = if charset::says_nothing(&label) { None } else { Charset::for_label(&label) };
        if known.is_none() && !charset::says_nothing(&label) {
            tally.note(Code::CharsetUnknown, self.span);
        }
        self.charset = Some(known);
        rest
    }

    fn flush(&mut self, raw: RawText, tally: &mut Tally) {
        let octets = std::mem::take(&mut self.pending);
        if octets.is_empty() {
            return;
        }
        let text = match self.charset.flatten() {
            Some(charset) => {
                let decoded = charset.decode(&octets);
                decoded.issues().iter().for_each(|issue| tally.note(issue.code(), self.span));
                decoded.into_text()
            }
            None => raw.decode(&octets, self.span, tally),
        };
        self.text.push_str(&without_controls(text, self.span, tally));
    }
}

/// A value without extended sections: read as raw text, and encoded-words in it too, except where they
/// would change structure.
fn plain(field: &[u8], name: &str, parts: &[&ParameterToken], raw: RawText, tally: &mut Tally) -> String {
    let mut octets = Vec::new();
    let mut span = parts.first().map_or(Span::default(), |p| p.value);
    for part in parts {
        octets.extend(self::octets(field, part));
        span.end = span.end.max(part.value.end);
    }
    if name == "charset" && octets.len() > 2 && octets.starts_with(b"'") && octets.ends_with(b"'") {
        octets = octets[1..octets.len() - 1].to_vec();
    }
    if name == "boundary" {
        let decoded = raw_text(&octets, span, raw, tally);
        return without_controls(decoded, span, tally).into_owned();
    }
    let decoded = text(&octets, &raw);
    decoded.issues().iter().for_each(|issue| tally.note(issue.code(), span));
    decoded.into_text().into_owned()
}

/// The octets of one section's value, quotes taken off.
fn octets(field: &[u8], part: &ParameterToken) -> Vec<u8> {
    let value = &field[part.value.start..part.value.end];
    match part.quoting {
        Quoting::Quoted => unquote(value).into_owned(),
        Quoting::Token => value.to_vec(),
        Quoting::Loose => {
            let open = value.strip_prefix(b"\"").unwrap_or(value);
            open.iter().copied().filter(|o| !matches!(o, b'\r' | b'\n')).collect()
        }
    }
}

fn percent_decode(encoded: &[u8], out: &mut Vec<u8>) {
    let digit =
        |o: Option<&u8>| o.and_then(|&o| char::from(o).to_digit(16)).and_then(|d| u8::try_from(d).ok());
    let mut at = 0;
    while let Some(&octet) = encoded.get(at) {
        match (octet, digit(encoded.get(at + 1)), digit(encoded.get(at + 2))) {
            (b'%', Some(high), Some(low)) => {
                out.push(high << 4 | low);
                at += 2;
            }
            _ => out.push(octet),
        }
        at += 1;
    }
}
