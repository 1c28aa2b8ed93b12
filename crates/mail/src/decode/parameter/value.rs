//! A value of which all sections are joined, and what is read of it.

use std::borrow::Cow;
use std::mem::take;

use super::super::text::text_in;
use super::super::wanted::Wanted;
use super::super::{Nul, RawCharset, RawText, lossless_text, raw_text, without_controls};
use crate::ascii::is_printable;
use crate::charset::{Label, UNKNOWN_8BIT};
use crate::codec::controls::has_control_but_tab;
use crate::codec::percent;
use crate::codec::text::{from_utf8, lossy};
use crate::lengths::MAX_CHARSET_NAME;
use crate::report::Tally;
use crate::syntax::encoded_word::{break_words, next_word};
use crate::syntax::lexical::{unfold, unquote};
use crate::syntax::parameter::{
    ParameterToken, Quoting, bare_label, is_needlessly_quoted, names_file,
};
use crate::{Charset, Code, DecodeFault, Span};

/// The beginning of an extended value: its charset label and its language.
struct Prefix {
    /// The label.
    name: String,
    language: String,
    says: Label,
}

impl Prefix {
    /// Splits `charset'language'` off an extended value. One apostrophe counts for both.
    fn split(octets: &[u8]) -> Option<(Self, &[u8])> {
        let is_charset = |label: &[u8]| {
            std::str::from_utf8(label).is_ok_and(|it| Charset::for_label(it).is_some())
        };
        let mut parts = octets.splitn(3, |&o| o == b'\'');
        let (name, language, rest): (_, &[u8], _) = match (parts.next(), parts.next(), parts.next())
        {
            (Some(name), Some(language), Some(rest)) => (name, language, rest),
            (Some(name), Some(rest), None) if is_charset(name) => (name, b"", rest),
            _ => return None,
        };
        let text = |octets| lossy(octets).into_owned();
        let (name, language) = (text(name), text(language));
        let says = Label::read(&name);
        Some((Self { name, language, says }, rest))
    }

    /// Returns whether it can be written as it is.
    fn is_fine(&self) -> bool {
        (1..=MAX_CHARSET_NAME).contains(&self.name.len())
            && self.name.bytes().all(percent::is_attribute_char)
    }

    /// Returns whether it can be written as it is, and names a charset that nobody knows.
    fn is_fine_and_unknown(&self) -> bool {
        self.says == Label::Unknown && self.is_fine()
    }
}

/// The octets of a value, all sections joined and unescaped: a character, or a word, may go on in
/// the next.
pub(super) struct Joined<'n> {
    name: &'n str,
    octets: Vec<u8>,
    label: Option<Prefix>,
    /// Whether the label says that an octet may be a piece of a character, so that it is no
    /// control.
    is_of_units: bool,
    span: Span,
    raw: RawText,
    /// How octets are read that keep their unknown label, if they do.
    under_kept_label: Option<RawText>,
}

/// The text of a value, and the faults found in it.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Value {
    pub(super) text: String,
    /// The language tag of an extended value.
    pub(super) language: Option<String>,
    pub(super) undecoded: Option<(String, Vec<u8>)>,
    pub(super) is_ill_formed: bool,
    pub(super) held_controls: bool,
    pub(super) holds_word: bool,
    /// Whether its charset is one that no mailer writes names in, so that few readers decode them.
    pub(super) is_in_odd_charset: bool,
}

impl Value {
    /// Returns whether it is a text that all readers may see.
    pub(super) fn is_readable(&self) -> bool {
        self.undecoded.is_none()
            && !self.is_ill_formed
            && !self.is_in_odd_charset
            && !self.text.trim_ascii().is_empty()
    }
}

impl<'n> Joined<'n> {
    pub(super) fn of<'t>(
        field: &[u8],
        parts: impl Iterator<Item = &'t ParameterToken>,
        name: &'n str,
        raw: impl FnOnce(&[u8]) -> RawText,
        wanted: Wanted,
    ) -> Self {
        let mut parts = parts.peekable();
        let mut span = parts.peek().map_or(Span::default(), |part| part.value);
        let (mut joined, mut label) = (Vec::new(), None);
        for (at, part) in parts.enumerate() {
            span.end = span.end.max(part.value.end);
            let octets = octets(field, part);
            if !part.extended {
                joined.extend_from_slice(&octets);
                continue;
            }
            let mut rest = &octets[..];
            // In another section an apostrophe is one (RFC 2231, 4.1), unless a charset comes
            // before it.
            if label.is_none()
                && let Some((found, after)) = Prefix::split(&octets)
                && (at == 0 || found.says.charset().is_some())
            {
                (label, rest) = (Some(found), after);
            }
            percent::decode(rest, &mut joined, &mut Tally::default());
        }
        // What an earlier run left unread under `unknown-8bit` stays: what it was guessed from may
        // be gone.
        if let Some(label) = &mut label
            && label.says == Label::Nothing
            && label.is_fine()
            && wanted.leaves_unread(name)
        {
            label.says = Label::Unknown;
        }
        let charset = label.as_ref().and_then(|label| label.says.charset());
        let is_of_units = charset.is_some_and(|charset| !charset.has_line_ends());
        // A label that is known is believed, or proved wrong, without a guess, and one that is kept
        // needs none.
        let is_kept =
            label.as_ref().is_some_and(Prefix::is_fine_and_unknown) && wanted.leaves_unread(name);
        let raw = if charset.is_some() || is_kept { raw(b"") } else { raw(&as_kept(&joined)) };
        let under_kept_label = wanted.under_kept_label(name, raw);
        Self { name, octets: joined, label, is_of_units, span, raw, under_kept_label }
    }

    pub(super) fn read(mut self, tally: &mut Tally) -> Value {
        let mut value = match self.label.take() {
            Some(label) => self.labelled(label, tally),
            None if is_literal(&self.octets) => self.literal(),
            None => self.plain(tally),
        };
        if self.name == "charset" && value.undecoded.is_some() {
            value.text = self.without_charset(&mut Tally::default());
        }
        if self.name == "charset" {
            value.text = label(&value.text);
        }
        value
    }

    /// Reads octets with a label.
    fn labelled(&mut self, label: Prefix, tally: &mut Tally) -> Value {
        if label.says == Label::Unknown {
            tally.note(Code::CharsetUnknown, self.span);
        }
        let held_nul = !self.is_of_units && self.octets.contains(&0);
        // What is read must not depend on a NUL, for which a space is written (rule H5).
        let octets = if held_nul { &without_nul(self.octets.clone()) } else { &self.octets };
        // Under any label US-ASCII is likely to be itself, as most readers show it. What it is must
        // not depend on octets for which a space is kept.
        let is_unread = label.says == Label::Unknown && !is_literal(&without_structure(octets));
        let mut is_kept = is_unread && label.is_fine();
        let mut other_label = None;
        let mut value = Value::default();
        let text = match label.says.charset() {
            Some(charset) => match lossless_text(charset, octets) {
                Some(text) => text,
                None => {
                    let found = charset
                        .is_belied_by(octets)
                        .then(|| self.raw.alone().charset(&as_kept(octets)));
                    let lies = found.is_some_and(|found| found.reads(octets));
                    value.is_ill_formed = true;
                    is_kept = !lies && label.is_fine();
                    let instead = if self.raw == RawText::Unknown { None } else { found };
                    ill_formed(charset, octets, self.span, instead, tally)
                }
            },
            None => {
                let kept = if is_kept { self.under_kept_label } else { None };
                let found = kept.unwrap_or(self.raw).charset(octets);
                let is_lost = label.says == Label::Nothing || !label.is_fine();
                if is_lost && self.is_unreadable_name(found) {
                    tally.note(Code::Decode(DecodeFault::UndecodableText), self.span);
                    let (text, held_controls) =
                        (self.escaped(tally), has_control_but_tab(&lossy(&self.octets)));
                    return Value { text, held_controls, ..Value::default() };
                }
                if !found.reads(octets) {
                    is_kept = true;
                    other_label = (!label.is_fine()).then(|| name_of_charset(found).to_owned());
                }
                // Nothing happens to what keeps its label.
                if kept.is_some() {
                    found.text(octets)
                } else {
                    found.decode(octets, self.span, tally)
                }
            }
        };
        let holds_control = has_control_but_tab(&text);
        if held_nul && !holds_control {
            tally.note(Code::ControlReplaced, self.span);
        }
        let has_structure =
            !self.is_of_units && memchr::memchr3(0, b'\r', b'\n', &self.octets).is_some();
        value.held_controls = if is_kept { has_structure } else { held_nul || holds_control };
        value.holds_word = self.holds_word(text.as_bytes());
        value.text = self.without_words(without_controls(text, Nul::Space, self.span, tally));
        value.undecoded =
            is_kept.then(|| (other_label.unwrap_or(label.name), self.octets_to_keep()));
        let charset = label.says.charset();
        value.is_in_odd_charset = label.says == Label::Unknown
            || charset.is_some_and(|it| it == Charset::UTF_7 || !it.has_line_ends());
        value.language = Some(label.language).filter(|language| !language.is_empty());
        value
    }

    /// Returns literal octets, as most values are, without a look at what else they could be.
    fn literal(&mut self) -> Value {
        Value { text: from_utf8(take(&mut self.octets)), ..Value::default() }
    }

    /// Reads octets without a label as raw text, with encoded-words decoded except where they would
    /// change structure.
    fn plain(&mut self, tally: &mut Tally) -> Value {
        let (octets, span, raw) = (&self.octets[..], self.span, self.raw);
        let found = raw.charset(octets);
        let is_unread = !found.reads(octets);
        if is_unread && matches!(found, RawCharset::Escapes(_)) {
            return self.torn_escapes(tally);
        }
        let is_boundary = self.name == "boundary";
        let (decoded, issues) = if is_boundary {
            (raw_text(octets, span, raw, tally), Vec::new())
        } else {
            text_in(octets, &raw, Nul::Space).into_parts()
        };
        // A name that nobody can read is escaped, in no charset.
        let is_escaped = is_unread && self.is_unreadable_name(found);
        for issue in &issues {
            if !is_escaped || issue.code() != Code::CharsetGuessed {
                tally.note_issue(issue, span);
            }
        }
        let found_any = |code: Code| issues.iter().any(|issue| issue.code() == code);
        let holds_word = self.holds_word(octets);
        let is_lost = !is_unread
            && (found_any(Code::Decode(DecodeFault::UndecodableText))
                || holds_word && found_any(Code::CharsetUnknown));
        let text = without_controls(decoded, Nul::Space, span, tally).into_owned();
        let mut value = Value {
            // A word whose label lies must not stay: it is read by a guess, which may be another
            // one next time.
            is_ill_formed: is_lost && !found_any(Code::CharsetLabelLies),
            held_controls: found_any(Code::ControlReplaced),
            holds_word,
            ..Value::default()
        };
        if is_lost {
            // Where it is rewritten, a word that cannot be read is text.
            let unread = &mut Tally::default();
            let literal =
                without_controls(raw_text(octets, span, raw, unread), Nul::Space, span, unread);
            value.undecoded = Some(("utf-8".to_owned(), self.without_words(literal).into_bytes()));
        } else if is_unread {
            if !found_any(Code::RawHeaderText) {
                tally.note(Code::RawHeaderText, span);
            }
            if is_escaped {
                tally.note(Code::Decode(DecodeFault::UndecodableText), span);
                value.text = self.escaped(tally);
                return value;
            }
            value.undecoded = Some((name_of_charset(found).to_owned(), self.octets_to_keep()));
        }
        value.text = if is_lost { text } else { self.without_words(text.into()) };
        value
    }

    /// Returns whether octets are a file name that nobody can read. What was damaged of UTF-8 is
    /// read as that.
    fn is_unreadable_name(&self, found: RawCharset) -> bool {
        let is_unreadable = match found {
            RawCharset::Assumed => true,
            RawCharset::Guessed(guess) => {
                guess.charset() != Charset::UTF_8 && !found.reads(&self.octets)
            }
            _ => false,
        };
        is_unreadable && names_file(self.name.as_bytes())
    }

    /// Returns a file name of an unknown charset with its octets above 7F percent-encoded: its
    /// US-ASCII and its extension stay readable. Under the label `unknown-8bit` programs show no
    /// name at all, such as "Part 1.4".
    fn escaped(&self, tally: &mut Tally) -> String {
        let mut escaped = Vec::with_capacity(self.octets.len());
        for &octet in &self.octets {
            if octet.is_ascii() {
                escaped.push(octet);
            } else {
                percent::encode_octet(octet, &mut escaped);
            }
        }

        self.without_words(without_controls(
            from_utf8(escaped).into(),
            Nul::Space,
            self.span,
            tally,
        ))
    }

    /// Treats escapes without text between them as controls (rule H5): what follows them is read
    /// literally by readers that do not know the charset.
    fn torn_escapes(&self, tally: &mut Tally) -> Value {
        tally.note(Code::RawHeaderText, self.span);
        Value { text: self.without_charset(tally), held_controls: true, ..Value::default() }
    }

    /// Returns all octets read as UTF-8, with U+FFFD for anything that is not.
    fn without_charset(&self, tally: &mut Tally) -> String {
        self.without_words(without_controls(lossy(&self.octets), Nul::Space, self.span, tally))
    }

    /// Takes the octets that are written if they cannot be read: without controls (rule H5) and
    /// words, unless an octet may be a piece of a character. Those of a charset are read once more.
    fn octets_to_keep(&mut self) -> Vec<u8> {
        let mut octets =
            if self.name == "charset" { self.octets.clone() } else { take(&mut self.octets) };
        if !self.is_of_units {
            octets = without_structure(&octets);
            self.break_words(&mut octets);
        }
        octets
    }

    /// Returns whether readers could decode a word in octets. A boundary is not text.
    fn holds_word(&self, octets: &[u8]) -> bool {
        self.name != "boundary" && next_word(octets, 0).is_some()
    }

    fn break_words(&self, octets: &mut [u8]) {
        if self.name != "boundary" {
            break_words(octets);
        }
    }

    fn without_words(&self, text: Cow<'_, str>) -> String {
        if !self.holds_word(text.as_bytes()) {
            return text.into_owned();
        }
        let mut octets = text.into_owned().into_bytes();
        self.break_words(&mut octets);
        from_utf8(octets)
    }
}

/// Returns the name of the charset of raw octets, `unknown-8bit` if that is unknown.
fn name_of_charset(found: RawCharset) -> &'static str {
    found.charset().map_or(UNKNOWN_8BIT, Charset::name)
}

/// Returns the text of ill-formed octets: read `instead` of in their charset if their label cannot
/// be true.
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
    tally.note(Code::Decode(DecodeFault::UndecodableText), span);
    charset.read(octets).into_text()
}

/// Returns a charset label without quotes in it, and what is around it but no part of it.
fn label(text: &str) -> String {
    let text = text.replace(['"', '\\'], "");
    from_utf8(bare_label(text.as_bytes()).to_vec())
}

/// Returns the octets of one section's value, without quotes.
fn octets<'f>(field: &'f [u8], part: &ParameterToken) -> Cow<'f, [u8]> {
    let value = written(field, part);
    let is_file = names_file(&field[part.name.start..part.name.end]);
    let octets = match part.quoting {
        Quoting::Token => return value.into(),
        Quoting::Quoted if is_file => name_in_quotes(value),
        Quoting::Loose if is_file => loose_name(value),
        Quoting::Quoted => unquote(value),
        Quoting::Loose => unfold(value.strip_prefix(b"\"").unwrap_or(value)),
    };
    // Under an extended value's label it may be half of a character.
    if !part.extended && octets.contains(&0) {
        without_nul(octets.into_owned()).into()
    } else {
        octets
    }
}

/// Returns the name of a file in quotes. A path of Windows is what it looks like, without
/// quoted-pairs: by the grammar `"C:\TEMP\cat.gif"` would be `C:TEMPcat.gif`, from which the file's
/// name could not be told any more. A TAB after a fold is a space.
fn name_in_quotes(quoted: &[u8]) -> Cow<'_, [u8]> {
    let inner = &quoted[1..quoted.len() - 1];
    let name = if is_path_of_windows(inner) { unfold(inner) } else { unquote(quoted) };
    if memchr::memchr2(b'\r', b'\n', inner).is_none() || !name.contains(&b'\t') {
        return name;
    }
    let mut name = name.into_owned();
    name.iter_mut().filter(|octet| **octet == b'\t').for_each(|octet| *octet = b' ');
    name.into()
}

/// Returns whether octets between quotes begin with a drive or a server, and have a backslash that
/// quotes nothing.
fn is_path_of_windows(inner: &[u8]) -> bool {
    let begins = match inner {
        [drive, b':', b'\\', ..] => drive.is_ascii_alphabetic(),
        _ => inner.starts_with(br"\\"),
    };
    begins && is_needlessly_quoted(inner)
}

/// Returns the name of a file that is neither a token nor a quoted-string, without a quote at
/// either end, and without what comes before its opening quote: `<"one.exe"`.
fn loose_name(value: &[u8]) -> Cow<'_, [u8]> {
    let name = match value.strip_suffix(b"\"") {
        Some(name) => match memchr::memrchr(b'"', name) {
            Some(quote) if quote + 1 < name.len() => &name[quote + 1..],
            _ => name,
        },
        None => value.strip_prefix(b"\"").unwrap_or(value),
    };
    unfold(name)
}

/// Returns whether octets stand for themselves, with or without a charset: printable US-ASCII
/// without encoded-words.
fn is_literal(octets: &[u8]) -> bool {
    octets.iter().all(|&octet| is_printable(octet) && octet != b'?')
}

/// Returns octets by which a charset is guessed: a word that cannot be read is broken where its
/// octets are kept ([`Joined::octets_to_keep`]), and what they are must be the same before.
fn as_kept(octets: &[u8]) -> Cow<'_, [u8]> {
    let mut kept = Cow::Borrowed(octets);
    if !octets.is_ascii() && next_word(octets, 0).is_some() {
        break_words(kept.to_mut());
    }
    kept
}

/// Replaces NUL, so that nothing is joined together where one was (rule H5).
fn without_nul(mut octets: Vec<u8>) -> Vec<u8> {
    octets.iter_mut().filter(|octet| **octet == 0).for_each(|octet| *octet = b' ');
    octets
}

/// Replaces NUL, CR and LF, which no field can hold.
fn without_structure(octets: &[u8]) -> Vec<u8> {
    octets
        .iter()
        .map(|octet| if matches!(octet, 0 | b'\r' | b'\n') { b' ' } else { *octet })
        .collect()
}

/// Returns the octets of a value as they are written.
fn written<'f>(field: &'f [u8], part: &ParameterToken) -> &'f [u8] {
    &field[part.value.start..part.value.end]
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn literal_values_are_read_as_any_are(
            octets in r"[ -~\t]{0,9}|=\?utf-8\?q\?a\?=|[a~{}+\-'*%]{0,6}",
            name in prop::sample::select(vec!["charset", "boundary", "name"]),
            raw in prop::sample::select(vec![RawText::Unknown, RawText::Alone]),
        ) {
            let octets = octets.into_bytes();
            if is_literal(&octets) {
                let joined = || Joined { octets: octets.clone(), ..Joined::of(b"", [].into_iter(), name, |_| raw, Wanted::All) };
                let mut tally = Tally::default();
                prop_assert_eq!(joined().literal(), joined().plain(&mut tally));
                prop_assert!(tally.is_empty());
            }
        }
    }
}
