//! Parameters as text (rule H7): RFC 2045 values, and the continued, charset-labelled ones of RFC 2231.

mod value;

use std::borrow::Cow;

use self::value::{Joined, written};
use super::{RawText, Wanted};
use crate::issue::Tally;
use crate::syntax::parameter::{ParameterList, ParameterToken};
use crate::{Few, Span};

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
    /// Whether readers could decode a word in it: one that is written, or one that decoding made.
    pub(crate) holds_word: bool,
    /// The indexes of the list's sections that it is made of, in their order.
    pub(crate) sections: Few<usize>,
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
/// and an extended form takes precedence over a plain one. `raw` says how raw octets are read: by them alone, so
/// that what becomes of others does not matter (rule G7).
pub(crate) fn of_list(
    field: &[u8],
    list: &ParameterList,
    wanted: Wanted,
    raw: impl Fn(&[u8]) -> RawText,
    tally: &mut Tally,
) -> Parameters {
    let tokens: Vec<(usize, &ParameterToken)> = list.parameters().collect();
    let names = tokens.iter().map(|(_, token)| name_of(field, token)).zip(0..);
    let mut order: Vec<(Cow<'_, str>, usize)> = names.filter(|(name, _)| wanted.includes(name)).collect();
    order.sort();
    let mut found: Vec<Parameter> = order
        .chunk_by(|a, b| a.0 == b.0)
        .map(|group| one(field, &tokens, group, wanted, &raw, tally))
        .collect();
    // A parameter is large: this moves each once or twice, not at every step.
    found.sort_by_cached_key(|p| p.span.start);
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
    tokens: &[(usize, &ParameterToken)],
    group: &[(Cow<'_, str>, usize)],
    wanted: Wanted,
    raw: impl Fn(&[u8]) -> RawText,
    tally: &mut Tally,
) -> Parameter {
    let name = &*group[0].0;
    let chosen = chosen(tokens, group);
    let parts = || chosen.iter().map(|&n| tokens[n].1);
    let raw = match chosen[..] {
        // Octets that no charset decodes must not become a label by a guess.
        _ if name == "charset" => RawText::Unknown,
        [part] => raw(written(field, tokens[part].1)),
        _ => raw(&parts().map(|part| written(field, part)).collect::<Vec<_>>().concat()),
    };
    let joined = Joined::of(field, parts(), name, raw, wanted.under_kept_label(name, raw));
    let value = joined.read(tally);
    Parameter {
        name: name.to_owned(),
        text: value.text,
        language: value.language,
        span: group.iter().map(|(_, n)| tokens[*n].1.span).min_by_key(|span| span.start).unwrap_or_default(),
        undecoded: value.undecoded,
        is_ill_formed: value.is_ill_formed,
        held_controls: value.held_controls,
        holds_word: value.holds_word,
        sections: chosen.into_iter().map(|n| tokens[n].0).collect(),
    }
}

/// Chooses the tokens of a name that count: the first `name*=`, its sections in order, or the first `name=`.
fn chosen(tokens: &[(usize, &ParameterToken)], group: &[(Cow<'_, str>, usize)]) -> Few<usize> {
    if let [(_, only)] = group {
        return Few::One(*only);
    }
    let all = || group.iter().map(|(_, n)| *n);
    let section = |n: usize| tokens[n].1.section;
    let whole = |extended: bool| all().find(|&n| section(n).is_none() && tokens[n].1.extended == extended);
    let mut sections: Vec<usize> = all().filter(|&n| section(n).is_some()).collect();
    sections.sort_by_key(|&n| (section(n), n));
    sections.dedup_by_key(|n| section(*n));
    match whole(true) {
        Some(extended) => Few::One(extended),
        None if !sections.is_empty() => Few::Many(sections),
        None => whole(false).into_iter().collect(),
    }
}

#[cfg(test)]
mod tests;
