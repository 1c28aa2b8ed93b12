//! The characters of texts whose code page is not certain: the one place that knows charsets.

use std::cell::{Ref, RefCell};
use std::collections::BTreeSet;
use std::fmt;

use memchr::memmem;
use sevenbit_charset::Charset;

use crate::code_pages;
use crate::model::{Message, Properties, Value};
use crate::tags;

/// A guess that is less sure is not taken before windows-1252.
const SURE: f32 = 0.65;

/// How many octets of text a guess is made from.
const MAX_EVIDENCE: usize = 64 << 10;

/// The charset that texts were read in, and what named it.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Choice {
    /// The name of the charset.
    pub charset: &'static str,
    /// What named the charset.
    pub basis: Basis,
}

/// What names the charset of a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[non_exhaustive]
pub enum Basis {
    /// `PidTagMessageCodepage`.
    MessageCodePage,
    /// The ANSI code page of the locale in `PidTagMessageLocaleId`.
    Locale,
    /// `PidTagInternetCodepage`, as it is for HTML, or the ANSI code page of its family.
    InternetCodePage,
    /// The code page of the store, or of the message around.
    Store,
    /// A font, or `\ansicpg`, of the RTF.
    Rtf,
    /// The text itself: a byte order mark, or UTF-8 without a fault.
    Text,
    /// The HTML's own declaration.
    Markup,
    /// A guess by the letters.
    Guess,
    /// Nothing: windows-1252.
    Assumed,
}

impl fmt::Display for Basis {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(match self {
            Self::MessageCodePage => "the message's code page",
            Self::Locale => "the code page of the message's locale",
            Self::InternetCodePage => "the code page for the internet",
            Self::Store => "the code page of the store",
            Self::Rtf => "the RTF",
            Self::Text => "the text itself",
            Self::Markup => "the HTML's declaration",
            Self::Guess => "a guess",
            Self::Assumed => "nothing else",
        })
    }
}

impl fmt::Display for Choice {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{} by {}", self.charset, self.basis)
    }
}

/// The charsets that texts of octets in a message may be in, the most trusted first.
#[derive(Debug, Default)]
pub(crate) struct Characters {
    candidates: Vec<(Charset, Basis)>,
    choices: RefCell<BTreeSet<Choice>>,
}

impl Characters {
    /// Collects what is known about a message, `around` which others may be.
    pub(crate) fn of(message: &Message, around: Option<&Self>, rtf: Option<&[u8]>) -> Self {
        let properties = &message.properties;
        let number = |id| properties.integer(id).and_then(|number| u32::try_from(number).ok());
        let mut known = Self::default();

        known.add(number(tags::MESSAGE_CODE_PAGE), Basis::MessageCodePage);
        known.add(number(tags::MESSAGE_LOCALE).and_then(code_pages::of_locale), Basis::Locale);
        known.add(number(tags::INTERNET_CODE_PAGE).map(code_pages::ansi), Basis::InternetCodePage);
        known.add(message.code_page, Basis::Store);
        for (charset, _) in around.iter().flat_map(|around| &around.candidates) {
            known.push(*charset, Basis::Store);
        }
        known.add(rtf.and_then(crate::rtf::code_page), Basis::Rtf);

        let evidence = evidence(message);
        if !evidence.is_ascii() {
            let guess = Charset::guess(&evidence);
            if guess.sureness() >= SURE {
                known.push(guess.charset(), Basis::Guess);
            }
        }
        known.push(Charset::WINDOWS_1252, Basis::Assumed);
        known
    }

    fn add(&mut self, code_page: Option<u32>, basis: Basis) {
        if let Some(charset) = code_page.and_then(Charset::of_code_page) {
            self.push(charset, basis);
        }
    }

    fn push(&mut self, charset: Charset, basis: Basis) {
        if !self.candidates.iter().any(|(known, _)| *known == charset) {
            self.candidates.push((charset, basis));
        }
    }

    /// Returns what texts above ASCII were read in so far.
    pub(crate) fn choices(&self) -> Ref<'_, BTreeSet<Choice>> {
        self.choices.borrow()
    }

    /// Returns what texts above ASCII were read in.
    pub(crate) fn into_choices(self) -> BTreeSet<Choice> {
        self.choices.into_inner()
    }

    fn note(&self, charset: Charset, basis: Basis) {
        self.choices.borrow_mut().insert(Choice { charset: charset.name(), basis });
    }

    /// Returns the text that octets of an unnamed code page are: in the first charset in which they
    /// decode.
    pub(crate) fn text(&self, octets: &[u8]) -> String {
        self.text_in(&[], octets)
    }

    /// Returns the text of octets for which other charsets come first.
    pub(crate) fn text_in(&self, first: &[(Charset, Basis)], octets: &[u8]) -> String {
        if let Some(text) = plain_ascii(octets) {
            return text.to_owned();
        }

        for (charset, basis) in first.iter().chain(&self.candidates) {
            if let Some((text, charset, basis)) = reading(*charset, *basis, octets) {
                self.note(charset, basis);
                return text;
            }
        }

        let (charset, basis) = *first.first().or(self.candidates.first()).unwrap_or(&ASSUMED);
        self.note(charset, basis);
        charset.decode(octets).text().to_owned()
    }

    /// Returns the text of a value.
    pub(crate) fn text_of(&self, value: &Value) -> Option<String> {
        match value {
            Value::Text(text) => Some(text.clone()),
            Value::Octets8(octets) => Some(self.text(octets)),
            _ => None,
        }
    }

    /// Returns the property `id` as a text that is not empty.
    pub(crate) fn get(&self, properties: &Properties, id: u16) -> Option<String> {
        properties
            .get(id)
            .and_then(|value| self.text_of(value))
            .filter(|text| !text.trim().is_empty())
    }

    /// Returns the charset in which HTML in octets is written.
    pub(crate) fn charset_of_html(&self, html: &[u8], properties: &Properties) -> &'static str {
        let code_page =
            properties.integer(tags::INTERNET_CODE_PAGE).and_then(|page| u32::try_from(page).ok());
        let internet = code_page.and_then(Charset::of_code_page);
        let declared = declared_charset(html);

        let (charset, basis) = if html.starts_with(b"\xef\xbb\xbf")
            || std::str::from_utf8(html).is_ok()
        {
            // ISO-2022 and its like are well-formed UTF-8, too.
            match internet.filter(|charset| charset.is_stateful() && html.contains(&0x1b)) {
                Some(charset) => (charset, Basis::InternetCodePage),
                None => (Charset::UTF_8, Basis::Text),
            }
        } else if html.starts_with(b"\xff\xfe") || html.starts_with(b"\xfe\xff") {
            (Charset::for_label("utf-16").unwrap_or(Charset::UTF_8), Basis::Text)
        } else {
            let named = [(internet, Basis::InternetCodePage), (declared, Basis::Markup)];
            let named = named.into_iter().filter_map(|(charset, basis)| Some((charset?, basis)));
            named
                .chain(self.candidates.iter().copied())
                .find(|(charset, _)| decodes(*charset, html))
                .or(internet.map(|charset| (charset, Basis::InternetCodePage)))
                .unwrap_or(ASSUMED)
        };
        self.note(charset, basis);
        charset.name()
    }
}

const ASSUMED: (Charset, Basis) = (Charset::WINDOWS_1252, Basis::Assumed);

/// Returns octets as text if they are ASCII that no charset reads otherwise.
fn plain_ascii(octets: &[u8]) -> Option<&str> {
    let is_plain = octets.is_ascii() && !octets.contains(&0x1b);
    is_plain.then(|| std::str::from_utf8(octets).ok()).flatten()
}

/// Returns the text of octets in a charset, if they are text in it. What is UTF-8 is so by chance
/// in no Western charset, though it often is in charsets of two octets.
fn reading(charset: Charset, basis: Basis, octets: &[u8]) -> Option<(String, Charset, Basis)> {
    if matches!(charset, Charset::WINDOWS_1252 | Charset::ISO_8859_1)
        && let Ok(text) = std::str::from_utf8(octets)
        && !text.is_ascii()
    {
        return Some((text.to_owned(), Charset::UTF_8, Basis::Text));
    }
    let text = charset.decode_strict(octets).ok()?;
    is_text(&text).then(|| (text.into_owned(), charset, basis))
}

fn decodes(charset: Charset, octets: &[u8]) -> bool {
    charset.decode_strict(octets).is_ok_and(|text| is_text(&text))
}

/// Returns whether there is no control of the upper half in it, which octets become that a code
/// page leaves free.
fn is_text(text: &str) -> bool {
    !text.chars().any(|char| matches!(char, '\u{80}'..='\u{9f}'))
}

/// Returns the octets above ASCII of a message's texts, with what is around them.
fn evidence(message: &Message) -> Vec<u8> {
    let lists = [&message.properties].into_iter().chain(&message.recipients);
    let files = message.attachments.iter().map(|attachment| &attachment.properties);
    let mut evidence = Vec::new();
    for (_, value) in lists.chain(files).flat_map(Properties::iter) {
        let Value::Octets8(octets) = value else { continue };
        let room = MAX_EVIDENCE.saturating_sub(evidence.len());
        if !octets.is_ascii() && room > 0 {
            evidence.extend(&octets[..octets.len().min(room)]);
            evidence.push(b'\n');
        }
    }
    evidence
}

/// Returns the charset that HTML declares in its beginning.
fn declared_charset(html: &[u8]) -> Option<Charset> {
    const HEAD: usize = 4096;
    const NAME: &[u8] = b"charset=";
    let head = html[..html.len().min(HEAD)].to_ascii_lowercase();
    let place = memmem::find(&head, NAME)?;
    let label = head[place + NAME.len()..].trim_ascii_start();
    let label = label.strip_prefix(b"\"").or(label.strip_prefix(b"'")).unwrap_or(label);
    let is_in_label = |octet: &&u8| octet.is_ascii_alphanumeric() || b"-_.:".contains(octet);
    let length = label.iter().take_while(is_in_label).count();
    let (charset, _) = Charset::for_label_lenient(std::str::from_utf8(&label[..length]).ok()?)?;
    (charset.is_decodable() && charset.decode_strict(b"a").is_ok()).then_some(charset)
}

pub(crate) use sevenbit_charset::Charset as Encoding;
