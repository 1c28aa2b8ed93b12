//! Parameterised values: RFC 2045, section 5.1, with the parameters of RFC 2231.

mod simple;

use std::borrow::Cow;

use nom::IResult;
use nom::Parser;
use nom::bytes::complete::take_while;
use nom::character::complete::char;

use super::comment::comment;
use super::encoded_word::next_word;
use super::lexical::{opt_fws, quoted_string};
use super::media_type::is_a_token;
use super::value::blanked;
use crate::Span;
use crate::ascii::{are_printable_or_fws, is_fws, is_token, trim_fws};

pub use self::simple::SimpleParameters;

/// How a value is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Quoting {
    /// A token.
    Token,
    /// A quoted-string.
    Quoted,
    /// Neither: a quote without its closing one, or octets that need quotes and have none.
    Loose,
}

/// One parameter as written; for a continued parameter, one section of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ParameterToken {
    /// From the name to the end of the value.
    pub span: Span,
    /// The name without section number and asterisks.
    pub name: Span,
    pub section: Option<u32>,
    /// Whether the value is `charset'language'percent-encoded`.
    pub extended: bool,
    pub value: Span,
    pub quoting: Quoting,
    /// Whether this follows RFC 2045 and RFC 2231 exactly.
    pub strict: bool,
}

/// A parameter, a comment or junk, between two semicolons.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Section {
    Parameter(ParameterToken),
    Comment(Span),
    /// Neither: words without `=`, or text after a value.
    Junk(Span),
}

impl Section {
    /// Returns its place in the field.
    pub fn span(&self) -> Span {
        match self {
            Self::Parameter(token) => token.span,
            Self::Comment(span) | Self::Junk(span) => *span,
        }
    }
}

/// A parameterised value: a media type or disposition, and what follows.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ParameterList {
    /// The media type or disposition.
    pub value: Span,
    pub sections: Vec<Section>,
    /// The place of a quote or of a parenthesis that nothing closes. Most readers take what follows
    /// for its content.
    pub unclosed: Option<usize>,
    /// Where quotes end that begin the value: `"attachment; filename=a"`.
    pub quoted_end: usize,
    /// Where the first line begins that has lost its fold: no reader takes it, or what is below it,
    /// for the field's.
    pub unfolded: Option<usize>,
}

impl ParameterList {
    /// Returns whether most readers find a parameter where it stands in `field`: after a semicolon
    /// or a comment, on a line of the field, with only white space beside its name, and neither in
    /// quotes with the value nor after anything that is left open.
    pub fn is_found(&self, field: &[u8], token: &ParameterToken) -> bool {
        const VERTICAL_TAB: u8 = 0x0b;
        let before = &field[..token.name.start];
        let is_blank = |octet: &u8| is_fws(*octet) || *octet == VERTICAL_TAB;
        let last = before.iter().rposition(|octet| !is_blank(octet));
        let blanks = &before[last.map_or(0, |at| at + 1)..];
        let line = memchr::memrchr2(b'\r', b'\n', blanks).map(|end| &blanks[end + 1..]);
        let is_unfolded =
            line.is_some_and(|line| !line.first().is_some_and(|&octet| is_fws(octet)));
        matches!(last.map(|at| before[at]), Some(b';' | b')'))
            && !is_unfolded
            && token.name.start >= self.quoted_end
            && self.unfolded.is_none_or(|line| token.name.start < line)
            && are_printable_or_fws(&field[token.name.end..token.value.start])
            && self.unclosed.is_none_or(|unclosed| token.name.start < unclosed)
    }

    /// Returns how many semicolons precede each section in `field`. Those before a comment count
    /// for what follows it.
    pub fn semicolons(&self, field: &[u8]) -> impl Iterator<Item = usize> {
        let (mut end, mut count) = (self.value.end, 0);
        self.sections.iter().map(move |section| {
            let span = section.span();
            count +=
                memchr::memchr_iter(b';', field.get(end..span.start).unwrap_or_default()).count();
            end = span.end.max(end);
            if matches!(section, Section::Comment(_)) { 1 } else { std::mem::take(&mut count) }
        })
    }

    /// Returns the parameters in order, each with its index in the sections.
    pub fn parameters(&self) -> impl Iterator<Item = (usize, &ParameterToken)> {
        self.sections.iter().enumerate().filter_map(|(at, section)| match section {
            Section::Parameter(parameter) => Some((at, parameter)),
            _ => None,
        })
    }

    /// Returns the comments, in order.
    pub fn comments(&self) -> impl Iterator<Item = Span> {
        self.sections.iter().filter_map(|section| match section {
            Section::Comment(span) => Some(*span),
            _ => None,
        })
    }
}

/// ```text
/// value     = type "/" subtype / disposition-type
/// list      = value *(";" parameter)
/// parameter = attribute "=" value-of-it
/// ```
///
/// Deviations, all of them seen in mail:
/// 1. Comments and white space may occur anywhere between tokens.
/// 2. A semicolon may be missing before a name with `=`, or be doubled.
/// 3. A value may be empty, or contain white space and specials without quotes; a quote may be
///    unclosed: then the value reaches to the next semicolon.
/// 4. A charset label may be quoted in part, and ends before what cannot be one: `charset="U"TF-8`,
///    `charset=utf-8 <div style="...">`.
/// 5. Anything else is kept as [`Section::Junk`].
/// 6. A value without a name that begins with an encoded-word is the name of a file: its parameter
///    has an empty name here.
/// 7. What [surrounds a value](super::value) is white space: a no-break space before a name, a NUL
///    after a value. But a boundary may be nothing else: eight of ten readers find `--` and a DEL.
pub fn list(field: &[u8]) -> ParameterList {
    let octets = with_boundary_of_blanks(blanked(field), field);
    let mut scan = Scan {
        field: &octets,
        at: 0,
        sections: Vec::new(),
        comments: true,
        quotes: true,
        semicolon: 0,
        unclosed: None,
    };
    scan.skip();
    let quoted_end = scan.quoted_end();
    let value = scan.media_value(field);
    while scan.at < field.len() {
        scan.section();
    }
    let (sections, unclosed) = (scan.sections, scan.unclosed);
    ParameterList { value, sections, unclosed, quoted_end, unfolded: unfolded_line(field) }
}

/// Returns where the first line of a field begins that does not begin with white space.
fn unfolded_line(field: &[u8]) -> Option<usize> {
    let mut lines = memchr::memchr_iter(b'\n', field).map(|end| end + 1);
    lines.find(|&line| field.get(line).is_some_and(|octet| !is_fws(*octet)))
}

/// Returns the octets in which blanks are spaces, but those of a boundary that is made of them alone
/// as they stand in `field`.
fn with_boundary_of_blanks<'f>(mut octets: Cow<'f, [u8]>, field: &[u8]) -> Cow<'f, [u8]> {
    const NAME: &[u8] = b"boundary";
    if matches!(octets, Cow::Borrowed(_)) {
        return octets;
    }
    for equals in memchr::memchr_iter(b'=', field) {
        let is_named = equals.checked_sub(NAME.len()).is_some_and(|start| {
            field[start..equals].eq_ignore_ascii_case(NAME)
                && field[..start].last().is_none_or(|before| is_fws(*before) || *before == b';')
        });
        if !is_named {
            // To look for the end of each value would take quadratic time.
            continue;
        }

        let is_end = |octet: &u8| is_fws(*octet) || *octet == b';';
        let start = equals + 1;
        let end = field[start..].iter().position(is_end).map_or(field.len(), |end| start + end);
        if octets[start..end].iter().all(|octet| *octet == b' ') {
            octets.to_mut()[start..end].copy_from_slice(&field[start..end]);
        }
    }
    octets
}

/// Returns whether `field` has a parameter of this name, but none that most readers
/// [find](ParameterList::is_found), or only some sections of it.
pub fn is_hidden(field: &[u8], name: &[u8]) -> bool {
    let list = list(field);
    let is_named =
        |token: &ParameterToken| field[token.name.start..token.name.end].eq_ignore_ascii_case(name);
    let named: Vec<_> =
        list.parameters().map(|(_, token)| token).filter(|token| is_named(token)).collect();
    let (found, hidden): (Vec<&ParameterToken>, Vec<_>) =
        named.into_iter().partition(|token| list.is_found(field, token));
    let is_whole = found.iter().any(|token| token.section.is_none());
    let numbers = section_numbers(found.iter().copied());
    hidden.iter().any(|token| match token.section {
        None => found.is_empty(),
        Some(_) if numbers.is_empty() => !is_whole,
        Some(number) => !is_whole && completes(name, &numbers, number),
    })
}

/// Returns whether a section that few readers find is read with those of these numbers that most of
/// them find: they are one value, of which a reader may find a part. But each number counts once,
/// and the parts of a multipart are those that most readers find.
pub fn completes(name: &[u8], found: &[u32], number: u32) -> bool {
    let is_boundary = name.eq_ignore_ascii_case(b"boundary");
    !is_boundary && !found.is_empty() && found.binary_search(&number).is_err()
}

/// Returns the section numbers of tokens, in order.
pub fn section_numbers<'t>(tokens: impl Iterator<Item = &'t ParameterToken>) -> Vec<u32> {
    let mut numbers: Vec<u32> = tokens.filter_map(|token| token.section).collect();
    numbers.sort_unstable();
    numbers
}

/// Returns whether a control stands at the end of the value of a parameter of this name in `field`:
/// after it, or within its quotes.
pub fn ends_with_control(field: &[u8], name: &[u8]) -> bool {
    let is_control = |octet: &u8| octet.is_ascii_control() && !is_fws(*octet);
    let list = list(field);
    list.parameters().any(|(_, token)| {
        let value = &field[token.value.start..token.value.end];
        let quoted = value.strip_suffix(b"\"").unwrap_or_default();
        field[token.name.start..token.name.end].eq_ignore_ascii_case(name)
            && (field.get(token.value.end).is_some_and(is_control)
                || quoted.last().is_some_and(is_control))
    })
}

/// Splits the name of a parameter as written: the length of the name proper, the section number,
/// and whether the value is extended.
///
/// ```text
/// parameter          := regular-parameter / extended-parameter
/// regular-parameter-name := attribute [section]
/// extended-initial-name  := attribute [initial-section] "*"
/// extended-other-names   := attribute other-sections "*"
/// section            := "*" ("0" / other-section)
/// ```
///
/// Deviations:
/// 1. Leading zeros in a section number are read, and numbers up to nine digits.
pub fn parameter_name(name: &[u8]) -> (usize, Option<u32>, bool) {
    let (base, extended) = match name.split_last() {
        Some((b'*', rest)) if !rest.is_empty() => (rest, true),
        _ => (name, false),
    };
    let number = base.iter().rposition(|&o| o == b'*').and_then(|star| {
        let digits = &base[star + 1..];
        let fine =
            star > 0 && (1..=9).contains(&digits.len()) && digits.iter().all(u8::is_ascii_digit);
        let section = fine.then(|| digits.iter().fold(0, |n, d| n * 10 + u32::from(d - b'0')))?;
        Some((star, section))
    });
    match number {
        Some((star, section)) => (star, Some(section), extended),
        None => (base.len(), None, extended),
    }
}

/// Returns whether a name merely begins like that of a file or contains `boundary`, so that readers
/// that match parts of names take the parameter for another: `filename**=`, `name*a=`.
pub fn is_misleading(name: &[u8]) -> bool {
    const BOUNDARY: &[u8] = b"boundary";
    let begins =
        |known: &[u8]| name.len() > known.len() && name[..known.len()].eq_ignore_ascii_case(known);
    let holds = || name.windows(BOUNDARY.len()).any(|part| part.eq_ignore_ascii_case(BOUNDARY));
    begins(b"name") || begins(b"filename") || name.len() > BOUNDARY.len() && holds()
}

/// The parameter of Content-Type that names a file.
pub const FILE_OF_TYPE: &str = "name";
/// The parameter of Content-Disposition that names a file (RFC 2183, 2.3).
pub const FILE_OF_DISPOSITION: &str = "filename";

/// Returns whether a name is that of a parameter that names a file.
pub fn names_file(name: &[u8]) -> bool {
    [FILE_OF_TYPE, FILE_OF_DISPOSITION]
        .iter()
        .any(|known| name.eq_ignore_ascii_case(known.as_bytes()))
}

/// Returns whether some readers take a value without quotes for an extended one.
pub fn seems_extended(token: &[u8]) -> bool {
    token.iter().any(|octet| matches!(octet, b'\'' | b'*' | b'%'))
}

/// Returns whether a backslash precedes an octet that does not need one: many readers show it.
pub fn is_needlessly_quoted(quoted: &[u8]) -> bool {
    let mut octets = quoted.iter();
    // The octet after each backslash, if there is one.
    let mut escaped =
        std::iter::from_fn(|| octets.find(|&&octet| octet == b'\\').map(|_| octets.next()));
    escaped.any(|next| next.is_some_and(|next| !matches!(next, b'"' | b'\\')))
}

/// Returns a charset label without the blanks, `;`, `=` and apostrophes around it, if it is a
/// token then: half of all readers know no label with them.
pub fn bare_label(label: &[u8]) -> &[u8] {
    let is_junk = |octet: &u8| matches!(octet, b';' | b'=' | b'\'') || is_fws(*octet);
    let start = label.iter().take_while(|octet| is_junk(octet)).count();
    let end = label[start..].iter().rev().take_while(|octet| is_junk(octet)).count();
    let bare = &label[start..label.len() - end];
    if is_a_token(bare) { bare } else { label }
}

fn is_of_label(octet: &u8) -> bool {
    octet.is_ascii_alphanumeric() || b"-_.:+".contains(octet)
}

/// Returns whether a section number is not written as in RFC 2231: `*00`.
fn has_leading_zeros(section: &[u8]) -> bool {
    matches!(section, [b'*', b'0', next, ..] if next.is_ascii_digit())
}

struct Scan<'a> {
    field: &'a [u8],
    at: usize,
    sections: Vec<Section>,
    /// Whether a comment (a quoted-string) may still be closed: once one is not, none after it is,
    /// and looking again would take quadratic time.
    comments: bool,
    quotes: bool,
    /// A semicolon, or the end, that none precedes from the last value on: looking for it again
    /// from each value would take quadratic time, too.
    semicolon: usize,
    /// The place of the first quote or parenthesis that nothing closes.
    unclosed: Option<usize>,
}

impl<'a> Scan<'a> {
    fn rest(&self) -> &'a [u8] {
        &self.field[self.at..]
    }

    /// Runs a parser here and moves past what it reads.
    fn run<T>(
        &mut self,
        mut parser: impl FnMut(&'a [u8]) -> IResult<&'a [u8], T>,
    ) -> Option<(Span, T)> {
        let (rest, found) = parser(self.rest()).ok()?;
        let span = Span::new(self.at, self.field.len() - rest.len());
        self.at = span.end;
        Some((span, found))
    }

    /// `[CFWS]`; the comments are kept.
    fn skip(&mut self) {
        loop {
            self.run(opt_fws);
            if !self.comments || self.rest().first() != Some(&b'(') {
                return;
            }
            match self.run(comment) {
                Some((span, _)) => self.sections.push(Section::Comment(span)),
                None => self.comments = false,
            }
        }
    }

    /// Returns where quotes end that begin here.
    fn quoted_end(&self) -> usize {
        match self.rest() {
            quoted @ [b'"', ..] => quoted_string(quoted)
                .map_or(self.field.len(), |(rest, _)| self.field.len() - rest.len()),
            _ => self.at,
        }
    }

    /// Reads the media type or disposition: one word, or two around a slash, which may have white
    /// space and comments around it. In a word, only white space of the field as it is `written`
    /// ends it, or any that a parameter follows: else a blank in it is dropped.
    fn media_value(&mut self, written: &[u8]) -> Span {
        let start = self.at;
        let mut end = self.word_of_value(written, |octet| octet == b'/').end;
        let comments = self.sections.len();
        self.skip();
        if self.run(char('/')).is_none() {
            // The text after the word is a section like any other.
            self.at = end;
            self.sections.truncate(comments);
            return Span::new(start, end);
        }
        while self.run(char('/')).is_some() {}
        end = self.at;
        self.skip();
        let subtype = self.word_of_value(written, |_| false);
        if !subtype.is_empty() {
            end = subtype.end;
        }
        Span::new(start, end)
    }

    /// Reads a word of the media type or disposition.
    fn word_of_value(&mut self, written: &[u8], ends: impl Fn(u8) -> bool) -> Span {
        let start = self.at;
        let is_end = |&octet: &u8| is_fws(octet) || matches!(octet, b';' | b'(') || ends(octet);
        let end = written[start..].iter().position(is_end).map_or(written.len(), |end| start + end);
        self.at = self.parameter_start(start, end).unwrap_or(end);
        Span::new(start, self.at)
    }

    /// Returns where a blank begins between `start` and `end` that has the name of a parameter and
    /// its `=` after it.
    fn parameter_start(&self, start: usize, end: usize) -> Option<usize> {
        let word = &self.field[start..end];
        let equals = memchr::memchr(b'=', word)?;
        let blank = word[..equals].iter().rposition(|octet| is_fws(*octet))?;
        let value = trim_fws(&word[..blank]);
        is_a_token(&word[blank + 1..equals]).then_some(start + value.len())
    }

    /// Reads semicolons, comments, and then a parameter or junk.
    fn section(&mut self) {
        let before = self.at;
        self.skip();
        while self.run(char(';')).is_some() {
            self.skip();
        }
        if self.rest().first() == Some(&b'(') {
            self.leave_open(self.at);
        }
        if self.at < self.field.len() && self.parameter().is_none() {
            self.junk();
        }
        debug_assert!(self.at > before);
    }

    /// Notes a quote or a parenthesis that nothing closes.
    fn leave_open(&mut self, at: usize) {
        self.unclosed.get_or_insert(at);
    }

    fn parameter(&mut self) -> Option<()> {
        let start = self.at;
        let comments = self.sections.len();
        let Some((span, strict)) = self.attribute() else {
            self.at = start;
            self.sections.truncate(comments);
            return None;
        };
        let (value, quoting) = self.value(span);
        let raw = &self.field[span.start..span.end];
        let (base, section, extended) = parameter_name(raw);
        let name = Span::new(span.start, span.start + base);
        let token = ParameterToken {
            span: Span::new(start, self.at.max(value.end)),
            name,
            section,
            extended,
            value,
            quoting,
            strict: strict && quoting != Quoting::Loose && !has_leading_zeros(&raw[base..]),
        };
        self.sections.push(Section::Parameter(token));
        Some(())
    }

    /// `attribute "="`: its place, and whether it is a token with no white space around the `=`.
    fn attribute(&mut self) -> Option<(Span, bool)> {
        let word = |input: &'a [u8]| {
            take_while(|o: u8| !is_fws(o) && !matches!(o, b';' | b'=' | b'"' | b'(')).parse(input)
        };
        let (span, name) = self.run(word)?;
        self.skip();
        let tight = self.at == span.end;
        self.run(char('='))?;
        let after = self.at;
        self.skip();
        let strict = tight && self.at == after && name.iter().all(|&o| is_token(o));
        (!span.is_empty()).then_some((span, strict))
    }

    fn value(&mut self, name: Span) -> (Span, Quoting) {
        let start = self.at;
        if self.quotes && self.rest().first() == Some(&b'"') {
            match self.run(quoted_string) {
                Some(_) if self.is_charset(name) && self.label_continues() => self.at = start,
                Some((span, _)) => return (span, Quoting::Quoted),
                None => {
                    self.quotes = false;
                    self.leave_open(start);
                }
            }
        }
        let end = self.semicolon();
        if start < end && self.field[start..end].iter().all(|&o| is_token(o)) {
            self.at = end;
            return (Span::new(start, end), Quoting::Token);
        }
        let span = self.loose_value(name);
        let octets = &self.field[span.start..span.end];
        let token = !octets.is_empty() && octets.iter().all(|&o| is_token(o));
        // Of an odd number of quotes one is open.
        let mut quotes = memchr::memchr_iter(b'"', octets);
        if let Some(first) = quotes.next()
            && quotes.count().is_multiple_of(2)
        {
            self.leave_open(start + first);
        }
        (span, if token { Quoting::Token } else { Quoting::Loose })
    }

    /// Reads a value without quotes: to the next semicolon, but not over a comment or the next
    /// `name=`.
    fn loose_value(&mut self, name: Span) -> Span {
        let start = self.at;
        let mut end = 0;
        for (space, word) in super::lexical::chunks(&self.field[start..self.semicolon()]) {
            let from = end + space.len();
            let another = from > 0 && self.ends_before(name, &word[..word.len().min(80)]);
            if word.is_empty() || another {
                break;
            }
            end = from + word.len();
        }
        self.at = start + end;
        Span::new(start, start + end)
    }

    /// Returns the place of the next semicolon, or the end.
    fn semicolon(&mut self) -> usize {
        if self.semicolon < self.at {
            self.semicolon =
                memchr::memchr(b';', self.rest()).map_or(self.field.len(), |more| self.at + more);
        }
        self.semicolon
    }

    /// Returns whether `word`, which follows white space in a value without quotes, is not part of
    /// it.
    fn ends_before(&self, name: Span, word: &[u8]) -> bool {
        let name = &self.field[name.start..name.end];
        let named = |known: &[u8]| {
            name.len() >= known.len() && name[..known.len()].eq_ignore_ascii_case(known)
        };
        let is_value = named(b"name") || named(b"filename") || !word.contains(&b'=');
        word.first() == Some(&b'(')
            || !is_value
            || named(b"charset") && !word.iter().all(is_of_label)
    }

    fn is_charset(&self, name: Span) -> bool {
        self.field[name.start..name.end].eq_ignore_ascii_case(b"charset")
    }

    /// Returns whether more of a charset label follows its closing quote.
    fn label_continues(&self) -> bool {
        let length = self.rest().iter().take_while(|octet| is_of_label(octet)).count();
        let ends = |&octet: &u8| is_fws(octet) || matches!(octet, b';' | b'(');
        length > 0 && self.rest().get(length).is_none_or(ends)
    }

    /// Returns what has no name: the name of a file, if it begins with an encoded-word, or junk.
    fn without_name(&self, span: Span) -> Section {
        let begins = next_word(&self.field[span.start..span.end], 0)
            .is_some_and(|(word, _)| word.start == 0);
        if !begins {
            return Section::Junk(span);
        }
        let name = Span::new(span.start, span.start);
        let (section, extended, quoting, strict) = (None, false, Quoting::Loose, false);
        Section::Parameter(ParameterToken {
            span,
            name,
            section,
            extended,
            value: span,
            quoting,
            strict,
        })
    }

    /// Reads to the next semicolon outside quoted-strings.
    fn junk(&mut self) {
        let start = self.at;
        while let Some(&octet) = self.field.get(self.at) {
            match octet {
                b';' => break,
                b'(' if self.comments && self.at > start => break,
                b'"' if self.quotes => {
                    if self.run(quoted_string).is_none() {
                        self.quotes = false;
                        self.leave_open(self.at);
                    }
                }
                _ => self.at += 1,
            }
        }
        let kept = trim_fws(&self.field[start..self.at]).len();
        if kept > 0 {
            self.sections.push(self.without_name(Span::new(start, start + kept)));
        }
    }
}
