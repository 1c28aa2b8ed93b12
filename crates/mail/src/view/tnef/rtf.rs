//! RTF as text, and the HTML inside RTF (MS-OXRTFEX).
//!
//! ```text
//! group   = "{" *(group / control / text) "}"
//! control = "\" (1*ALPHA [["-"] 1*DIGIT] [SP] / "'" 2HEXDIG / symbol)
//! ```
//! Only what is text is understood: characters, paragraphs, charsets. Destinations that hold
//! something else (fonts, colours, pictures) are left out.

use super::WESTERN;
use crate::Charset;
use crate::charset::code_pages;
use crate::codec::hex;

/// The contents of a document.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Rtf {
    /// The HTML that it was made of.
    pub(super) html: Option<String>,
    /// Its text, if it was not made of HTML.
    pub(super) text: Option<String>,
}

impl Rtf {
    pub(super) fn read(rtf: &[u8]) -> Self {
        let mut reader = Reader::default();
        reader.read(rtf);
        reader.flush();
        if reader.is_html {
            Self { html: Some(reader.out), text: None }
        } else {
            Self { html: None, text: Some(reader.out).filter(|text| !text.trim().is_empty()) }
        }
    }
}

/// The state inside a group.
#[derive(Clone, Copy, Debug)]
struct Group {
    /// The group holds no text.
    is_skipped: bool,
    /// The group holds HTML as it was.
    is_tag: bool,
    /// Its text is only for readers of RTF (`\htmlrtf`).
    is_rtf: bool,
    is_fonts: bool,
    charset: Option<Charset>,
    /// How many characters follow one in Unicode, for readers that do not know that.
    substitutes: usize,
}

impl Default for Group {
    fn default() -> Self {
        let (is_skipped, is_tag, is_rtf, is_fonts) = (false, false, false, false);
        Self { is_skipped, is_tag, is_rtf, is_fonts, charset: None, substitutes: 1 }
    }
}

struct Reader {
    out: String,
    /// Octets of text that are not decoded yet.
    octets: Vec<u8>,
    groups: Vec<Group>,
    group: Group,
    charset: Charset,
    fonts: Vec<(i32, Charset)>,
    /// The font that the table of fonts describes now.
    font: i32,
    is_html: bool,
    /// Whether an unknown destination that begins here is to be left out (`\*`).
    is_optional: bool,
    /// How many characters are left out: substitutes of one in Unicode.
    left_out: usize,
    /// The first half of a character in two units.
    high: Option<u16>,
}

impl Default for Reader {
    fn default() -> Self {
        Self {
            out: String::new(),
            octets: Vec::new(),
            groups: Vec::new(),
            group: Group::default(),
            charset: WESTERN,
            fonts: Vec::new(),
            font: 0,
            is_html: false,
            is_optional: false,
            left_out: 0,
            high: None,
        }
    }
}

impl Reader {
    fn read(&mut self, rtf: &[u8]) {
        let mut rest = rtf;
        while let Some((&first, after)) = rest.split_first() {
            rest = after;
            match first {
                b'{' => {
                    self.flush();
                    self.groups.push(self.group);
                    self.is_optional = false;
                }
                b'}' => {
                    self.flush();
                    self.group = self.groups.pop().unwrap_or_default();
                }
                b'\\' => rest = self.control(after),
                b'\r' | b'\n' => {}
                octet => self.octet(octet),
            }
        }
    }

    /// Takes a control, and returns what follows.
    fn control<'r>(&mut self, rest: &'r [u8]) -> &'r [u8] {
        let length = rest.iter().take_while(|octet| octet.is_ascii_alphabetic()).count();
        if length == 0 {
            return self.symbol(rest);
        }
        let (word, rest) = rest.split_at(length);
        let sign = usize::from(rest.first() == Some(&b'-'));
        let digits = rest[sign..].iter().take_while(|octet| octet.is_ascii_digit()).count();
        let (number, after) =
            if digits > 0 { rest.split_at(sign + digits) } else { (&b""[..], rest) };
        let value = std::str::from_utf8(number).ok().and_then(|digits| digits.parse().ok());
        self.word(word, value);
        after.strip_prefix(b" ").unwrap_or(after)
    }

    fn symbol<'r>(&mut self, rest: &'r [u8]) -> &'r [u8] {
        let Some((&symbol, after)) = rest.split_first() else { return rest };
        match symbol {
            b'\'' => {
                let mut octet = [0; 1];
                if hex::unescape(b'\'', rest, &mut octet).escapes == 1 {
                    self.octet(octet[0]);
                    return &after[2..];
                }
            }
            b'*' => self.is_optional = true,
            b'~' => self.char('\u{a0}'),
            b'_' => self.char('-'),
            b'{' | b'}' | b'\\' => self.octet(symbol),
            b'\r' | b'\n' => self.char('\n'),
            _ => {}
        }
        after
    }

    fn word(&mut self, word: &[u8], value: Option<i32>) {
        let is_optional = std::mem::take(&mut self.is_optional);
        match word {
            b"fromhtml" => self.is_html = value != Some(0),
            b"ansicpg" => self.charset = codepage(value).unwrap_or(self.charset),
            b"htmlrtf" => {
                self.flush();
                self.group.is_rtf = value != Some(0);
            }
            b"htmltag" => self.group.is_tag = true,
            b"fonttbl" => (self.group.is_skipped, self.group.is_fonts) = (true, true),
            b"f" if self.group.is_fonts => self.font = value.unwrap_or(0),
            b"fcharset" => self.fonts.extend(of_font(value).map(|charset| (self.font, charset))),
            b"f" => {
                self.flush();
                let known = self.fonts.iter().rev().find(|(font, _)| Some(*font) == value);
                self.group.charset = known.map(|(_, charset)| *charset);
            }
            b"uc" => {
                self.group.substitutes = usize::try_from(value.unwrap_or(1)).unwrap_or(1).min(16)
            }
            b"u" => self.unit(value.unwrap_or(0)),
            b"colortbl" | b"stylesheet" | b"info" | b"pict" | b"object" | b"header" | b"footer" => {
                self.group.is_skipped = true;
            }
            _ => match char_of(word) {
                Some(c) => self.char(c),
                None => self.group.is_skipped |= is_optional,
            },
        }
    }

    fn is_text(&self) -> bool {
        !self.group.is_skipped && !self.group.is_rtf
    }

    fn octet(&mut self, octet: u8) {
        if self.left_out > 0 {
            self.left_out -= 1;
        } else if self.is_text() {
            self.octets.push(octet);
        }
    }

    fn char(&mut self, c: char) {
        self.flush();
        if self.is_text() {
            self.out.push(c);
        }
    }

    /// Takes a unit of UTF-16, which is written as a signed number.
    fn unit(&mut self, value: i32) {
        let unit = (value & 0xffff) as u16;
        let units: Vec<u16> = self.high.take().into_iter().chain([unit]).collect();
        if (0xd800..0xdc00).contains(&unit) {
            self.high = Some(unit);
        } else {
            for c in char::decode_utf16(units) {
                self.char(c.unwrap_or(char::REPLACEMENT_CHARACTER));
            }
        }
        self.left_out = self.group.substitutes;
    }

    /// Decodes the octets that were met.
    fn flush(&mut self) {
        self.left_out = 0;
        if !self.octets.is_empty() {
            let charset = self.group.charset.unwrap_or(self.charset);
            self.out.push_str(charset.read(&self.octets).text());
            self.octets.clear();
        }
    }
}

/// Returns the character that a control word stands for.
fn char_of(word: &[u8]) -> Option<char> {
    Some(match word {
        b"par" | b"line" | b"row" | b"sect" | b"page" => '\n',
        b"tab" | b"cell" => '\t',
        b"lquote" => '‘',
        b"rquote" => '’',
        b"ldblquote" => '“',
        b"rdblquote" => '”',
        b"bullet" => '•',
        b"endash" => '–',
        b"emdash" => '—',
        _ => return None,
    })
}

fn codepage(number: Option<i32>) -> Option<Charset> {
    Charset::of_code_page(u32::try_from(number?).ok()?)
}

/// Returns the charset of a font, by the numbers that Windows gives them.
fn of_font(number: Option<i32>) -> Option<Charset> {
    code_pages::of_font(number?).and_then(Charset::of_code_page)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn text(rtf: &str) -> Option<String> {
        Rtf::read(rtf.as_bytes()).text
    }

    #[test]
    fn text_is_read() {
        for (rtf, expected) in [
            (
                r"{\rtf1\ansi\ansicpg1252{\fonttbl{\f0 Arial;}}\f0 caf\'e9\par b\tab c}",
                "café\nb\tc",
            ),
            (r"{\rtf1\ansicpg1251 \'cf\'f0\'e8}", "При"),
            (
                r"{\rtf1{\fonttbl{\f0\fcharset0 A;}{\f1\fcharset204 B;}}\f1\'cf\f0 x{\f1\'f0}y}",
                "Пxрy",
            ),
            (r"{\rtf1 \u233?\u-10179?\u-8704? \uc0\u8364 x}", "é😀 €x"),
            (r"{\rtf1 a{\*\unknown b}{\colortbl;\red0;}\{c\}\\\~d}", "a{c}\\\u{a0}d"),
            (r"{\rtf1\ansicpg932 \'93\'fa\'96\'7b}", "日本"),
        ] {
            assert_eq!(text(rtf).as_deref(), Some(expected), "{rtf}");
        }
        assert_eq!(text("{\\rtf1 }"), None);
    }

    /// In the manner of MS-OXRTFEX, 4.1.
    #[test]
    fn html_is_found() {
        let rtf = r"{\rtf1\ansi\ansicpg1251\fromhtml1 \deff0{\fonttbl{\f0\fswiss\fcharset0 Arial;}}
{\*\htmltag64 <p>}\htmlrtf \par \htmlrtf0 \'cf\'f0\'e8{\*\htmltag84 <b>}\htmlrtf {\b\htmlrtf0 bold{\*\htmltag92 </b>}\htmlrtf }\htmlrtf0
{\*\htmltag84 &lt;}\htmlrtf <\htmlrtf0 {\*\mhtmltag84 no}{\*\htmltag72 </p>}}";
        assert_eq!(Rtf::read(rtf.as_bytes()).html.as_deref(), Some("<p>При<b>bold</b>&lt;</p>"));
    }

    proptest! {
        #[test]
        fn any_rtf_is_read(rtf in r"(\{|\}|\\\*|\\u-?[0-9]{0,6}|\\'[0-9a-f]{0,2}|\\htmlrtf0?|\\fromhtml1|\\f[0-9]|\\fcharset128|\\uc9|[a-z ]{1,3}|\\){0,60}") {
            let _ = Rtf::read(rtf.as_bytes());
        }
    }
}
