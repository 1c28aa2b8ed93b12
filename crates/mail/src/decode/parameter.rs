//! Parameters as text (rule H7): RFC 2045 values, and the continued, charset-labelled ones of RFC
//! 2231.

mod value;

use std::borrow::Cow;

use self::value::Joined;
use super::{RawText, Wanted, decides, text};
use crate::report::Tally;
use crate::syntax::parameter::{
    ParameterList, ParameterToken, completes, list, names_file, section_numbers,
};
use crate::syntax::value::blanked;
use crate::{Few, Span};

/// A parameter: all sections of it together.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Parameter<'f> {
    /// In lower case.
    pub name: Cow<'f, str>,
    pub text: String,
    /// The language tag of an extended value.
    pub language: Option<String>,
    /// The span of its first section.
    pub span: Span,
    /// The charset label and the octets of a value that cannot be decoded: its charset is unknown,
    /// or it is ill-formed and raw octets stay as they are; encoded-words too, as text.
    pub undecoded: Option<(String, Vec<u8>)>,
    /// Whether the octets are ill-formed in the charset they are labelled with.
    pub is_ill_formed: bool,
    /// Whether controls were decoded, of which the text holds none (rule H5).
    pub held_controls: bool,
    /// Whether readers could decode a word in it: one that is written, or one that decoding made.
    pub holds_word: bool,
    /// The indexes of the list's sections that it is made of, in their order.
    pub sections: Few<usize>,
}

/// A parameterised value as text.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Parameters<'f> {
    /// The media type or disposition, in lower case.
    pub value: String,
    /// In order, one of each name.
    pub list: Vec<Parameter<'f>>,
}

/// Reads the parsed value of Content-Type, Content-Disposition and the like. Of duplicates the
/// first counts that most readers find, and an extended form takes precedence over a plain one,
/// unless that is a file name and the extended one cannot be read. `raw` says how raw octets are
/// read: by them alone, so that what becomes of others does not matter (rule G7). `of_file` is the
/// parameter that names a file in this field.
pub fn of_list<'f>(
    field: &'f [u8],
    list: &ParameterList,
    of_file: &'static str,
    wanted: Wanted,
    raw: &dyn Fn(&[u8]) -> RawText,
    tally: &mut Tally,
) -> Parameters<'f> {
    let mut tokens: Vec<(usize, &ParameterToken)> = Vec::with_capacity(list.sections.len());
    tokens.extend(list.parameters());
    let is_named = tokens.iter().any(|(_, token)| names_file(name_of(field, token).as_bytes()));
    let names = tokens.iter().map(|(_, token)| name_of(field, token)).zip(0..);
    // What has no name is that of the file, if no parameter is, and it is no other parameter.
    let may_be_name = |n: usize| {
        let words = tokens[n].1.value;
        !is_named && !names_other_parameter(&field[words.start..words.end], raw)
    };
    let names = names.filter(|(name, n)| !name.is_empty() || may_be_name(*n));
    let names =
        names.map(|(name, n)| (if name.is_empty() { Cow::Borrowed(of_file) } else { name }, n));
    let names = names.filter(|(name, _)| wanted.includes(name));
    let mut order = Vec::with_capacity(tokens.len());
    order.extend(names.map(|(name, token)| Named::new(name, token)));
    order.sort();
    keep_found(&mut order, field, list, &tokens);
    let mut found: Vec<Parameter<'f>> = order
        .chunk_by_mut(|a, b| a.name == b.name)
        .map(|group| one(field, &tokens, group, wanted, raw, tally))
        .collect();
    // A parameter is large: this moves each once or twice, not at every step.
    found.sort_by_cached_key(|p| p.span.start);
    Parameters { value: media_value(field, list), list: found }
}

/// The parameters that programs write whole into an encoded-word, which no reader takes for one.
const IN_WORDS: [&str; 4] = ["charset", "format", "delsp", "boundary"];

/// Returns whether encoded-words without a name hold a parameter with its name: `charset=utf-8`.
fn names_other_parameter(words: &[u8], raw: &dyn Fn(&[u8]) -> RawText) -> bool {
    let text = text(words, &raw(words)).into_text();
    let name = text.split_once('=').map_or("", |(name, _)| name.trim_ascii());
    IN_WORDS.iter().any(|known| known.eq_ignore_ascii_case(name))
}

/// Returns whether controls were decoded in the parameter of this name (in lower case), which names
/// a file.
pub fn held_controls(field: &[u8], name: &'static str) -> bool {
    let raw = &RawText::in_value;
    let read = of_list(field, &list(field), name, Wanted::Deciding, raw, &mut Tally::default());
    read.list.iter().any(|parameter| parameter.name == name && parameter.held_controls)
}

/// The name of a parameter, and the index of a token that has it; in the order of names.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
struct Named<'f> {
    /// The first octets of the name, by which most are told apart.
    start: u64,
    name: Cow<'f, str>,
    token: usize,
}

impl<'f> Named<'f> {
    fn new(name: Cow<'f, str>, token: usize) -> Self {
        let mut start = [0; 8];
        start.iter_mut().zip(name.bytes()).for_each(|(to, octet)| *to = octet);
        Self { start: u64::from_be_bytes(start), name, token }
    }
}

/// Removes the tokens that few readers find, where they find another one of the same name. `order`
/// is sorted.
fn keep_found(
    order: &mut Vec<Named<'_>>,
    field: &[u8],
    list: &ParameterList,
    tokens: &[(usize, &ParameterToken)],
) {
    let is_repeated = order.windows(2).any(|pair| pair[0].name == pair[1].name);
    if !is_repeated {
        return;
    }

    let token = |named: &Named<'_>| tokens[named.token].1;
    let mut kept = Vec::with_capacity(order.len());
    for group in order.chunk_by(|a, b| a.name == b.name) {
        let is_alone = |named: &Named<'_>| list.is_found(field, token(named));
        let found = section_numbers(group.iter().filter(|named| is_alone(named)).map(token));
        let is_kept = |named: &Named<'_>| {
            let name = named.name.as_bytes();
            is_alone(named)
                || token(named).section.is_some_and(|number| completes(name, &found, number))
        };
        let any_is_kept = group.iter().any(is_kept);
        kept.extend(group.iter().map(|named| !any_is_kept || is_kept(named)));
    }
    let mut kept = kept.into_iter();
    order.retain(|_| kept.next().unwrap_or(true));
}

/// Returns a name, in which nothing is decoded: it is not text, and decoding could turn it into
/// another name.
fn name_of<'f>(field: &'f [u8], token: &ParameterToken) -> Cow<'f, str> {
    let name = String::from_utf8_lossy(&field[token.name.start..token.name.end]);
    if name.bytes().any(|octet| octet.is_ascii_uppercase()) {
        name.to_ascii_lowercase().into()
    } else {
        name
    }
}

/// Returns the media type or disposition, without the comments and blanks inside it. It is not
/// text: no charset is guessed, which could turn it into another one.
fn media_value(field: &[u8], list: &ParameterList) -> String {
    let mut octets = Vec::new();
    let mut from = list.value.start;
    for comment in list.comments().filter(|comment| comment.end <= list.value.end) {
        octets.extend_from_slice(&field[from..comment.start.max(from)]);
        from = comment.end.max(from);
    }
    octets.extend_from_slice(&field[from..list.value.end.max(from)]);
    String::from_utf8_lossy(&blanked(&octets))
        .chars()
        .filter(|c| !c.is_whitespace())
        .collect::<String>()
        .to_ascii_lowercase()
}

/// Returns one parameter from all the tokens of its name, which it takes.
fn one<'f>(
    field: &'f [u8],
    tokens: &[(usize, &ParameterToken)],
    group: &mut [Named<'f>],
    wanted: Wanted,
    raw: &dyn Fn(&[u8]) -> RawText,
    tally: &mut Tally,
) -> Parameter<'f> {
    let name = std::mem::take(&mut group[0].name);
    let read = |chosen: &[usize], raw: &dyn Fn(&[u8]) -> RawText, tally: &mut Tally| {
        let parts = || chosen.iter().map(|&n| tokens[n].1);
        let raw = |octets: &[u8]| match &*name {
            // Octets that no charset decodes must not become a label by a guess.
            "charset" => RawText::Unknown,
            // What decides how a message is read is no text, and read by itself.
            name if decides(name) && !names_file(name.as_bytes()) => RawText::in_value(octets),
            _ => raw(octets),
        };
        Joined::of(field, parts(), &name, raw, wanted).read(tally)
    };

    let candidates = candidates(field, tokens, group);
    // A file name that can be read is better than one that cannot, whichever precedes: read as it
    // is shown, even where it is written as it stands.
    let is_better = |chosen: &&Few<usize>| {
        read(chosen, &RawText::in_value, &mut Tally::default()).is_readable()
    };
    let readable = if candidates.len() > 1 && names_file(name.as_bytes()) {
        candidates.iter().find(is_better)
    } else {
        None
    };
    let chosen = readable.or(candidates.first()).cloned().unwrap_or_default();
    let value = read(&chosen, raw, tally);
    Parameter {
        name,
        text: value.text,
        language: value.language,
        span: group
            .iter()
            .map(|named| tokens[named.token].1.span)
            .min_by_key(|span| span.start)
            .unwrap_or_default(),
        undecoded: value.undecoded,
        is_ill_formed: value.is_ill_formed,
        held_controls: value.held_controls,
        holds_word: value.holds_word,
        sections: chosen.into_iter().map(|n| tokens[n].0).collect(),
    }
}

/// The number of values of one form that may count at most. Hostile mail has very many.
const MOST_OF_A_FORM: usize = 4;

/// Returns the tokens of a name that may count, in order of precedence: the first few `name*=`, its
/// sections in order, or the first few `name=`, which precede sections of which the first is
/// missing. `name*=` without `charset'language'` has the rank of `name=`.
fn candidates(
    field: &[u8],
    tokens: &[(usize, &ParameterToken)],
    group: &[Named<'_>],
) -> Few<Few<usize>> {
    if let [only] = group {
        return Few::One(Few::One(only.token));
    }
    let all = || group.iter().map(|named| named.token);
    let section = |n: usize| tokens[n].1.section;
    let is_labelled = |token: &ParameterToken| {
        let value = &field[token.value.start..token.value.end];
        token.extended && memchr::memchr_iter(b'\'', value).nth(1).is_some()
    };
    let whole = |labelled: bool| {
        all()
            .filter(move |&n| section(n).is_none() && is_labelled(tokens[n].1) == labelled)
            .take(MOST_OF_A_FORM)
            .map(Few::One)
    };
    let mut sections: Vec<usize> = all().filter(|&n| section(n).is_some()).collect();
    sections.sort_by_key(|&n| (section(n), n));
    sections.dedup_by_key(|n| section(*n));

    let begins = sections.first().is_some_and(|&first| section(first) == Some(0));
    let sections = Some(sections).filter(|sections| !sections.is_empty()).map(Few::Many);
    if begins {
        whole(true).chain(sections).chain(whole(false)).collect()
    } else {
        whole(true).chain(whole(false)).chain(sections).collect()
    }
}

#[cfg(test)]
mod tests;
