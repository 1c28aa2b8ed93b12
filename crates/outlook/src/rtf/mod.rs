//! RTF: decompressed, as text, and the HTML or the plain text that it was made of (MS-OXRTFCP,
//! MS-OXRTFEX).
//!
//! ```text
//! group   = "{" *(group / control / text) "}"
//! control = "\" (1*ALPHA [["-"] 1*DIGIT] [SP] / "'" 2HEXDIG / symbol)
//! ```
//! Only what is text is understood: characters, paragraphs, charsets. Destinations that hold
//! something else (fonts, colours, pictures) are left out.

mod fonts;

use memchr::memmem;

use self::fonts::{Fonts, Page};
use crate::characters::Characters;

/// The contents of a document.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Rtf {
    /// The HTML that it was made of.
    pub(crate) html: Option<String>,
    /// Its text, if it was not made of HTML.
    pub(crate) text: Option<String>,
    /// Whether it was made of plain text, so that it adds nothing to that.
    pub(crate) is_of_text: bool,
}

impl Rtf {
    pub(crate) fn read(rtf: &[u8], characters: &Characters) -> Self {
        let mut reader = Reader::new(characters);
        reader.read(rtf);
        reader.flush();
        match reader.origin {
            Origin::Html => Self {
                html: Some(reader.out).filter(|html| !html.trim().is_empty()),
                ..Self::default()
            },
            origin => Self {
                html: None,
                text: Some(reader.out).filter(|text| !text.trim().is_empty()),
                is_of_text: origin == Origin::Text,
            },
        }
    }
}

/// Returns the code page that the beginning of a document names.
pub(crate) fn code_page(rtf: &[u8]) -> Option<u32> {
    const HEAD: usize = 512;
    const WORD: &[u8] = b"\\ansicpg";
    let head = &rtf[..rtf.len().min(HEAD)];
    let place = memmem::find(head, WORD)? + WORD.len();
    let digits = head[place..].iter().take_while(|octet| octet.is_ascii_digit()).count();
    std::str::from_utf8(&head[place..place + digits]).ok()?.parse().ok()
}

/// What a document was made of.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Origin {
    #[default]
    Rtf,
    Html,
    Text,
}

/// The state inside a group.
#[derive(Clone, Copy, Debug)]
struct Group {
    /// The group holds no text.
    is_skipped: bool,
    /// Its text is only for readers of RTF (`\htmlrtf`).
    is_rtf: bool,
    is_fonts: bool,
    font: Option<i32>,
    /// How many characters follow one in Unicode, for readers that do not know that.
    substitutes: usize,
}

impl Default for Group {
    fn default() -> Self {
        Self { is_skipped: false, is_rtf: false, is_fonts: false, font: None, substitutes: 1 }
    }
}

struct Reader<'c> {
    characters: &'c Characters,
    out: String,
    /// Octets of text that are not decoded yet.
    octets: Vec<u8>,
    groups: Vec<Group>,
    group: Group,
    fonts: Fonts,
    /// The font that the table of fonts describes now.
    described_font: i32,
    origin: Origin,
    /// Whether an unknown destination that begins here is to be left out (`\*`).
    is_optional: bool,
    /// How many characters are left out: substitutes of one in Unicode.
    left_out: usize,
    /// The first half of a character in two units.
    high: Option<u16>,
}

impl<'c> Reader<'c> {
    fn new(characters: &'c Characters) -> Self {
        Self {
            characters,
            out: String::new(),
            octets: Vec::new(),
            groups: Vec::new(),
            group: Group::default(),
            fonts: Fonts::default(),
            described_font: 0,
            origin: Origin::default(),
            is_optional: false,
            left_out: 0,
            high: None,
        }
    }

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
                octet if octet >= 0x80 && self.page().is_lead(octet) => {
                    // The second octet of a character that was not escaped may be any of `\`, `{`
                    // and `}`.
                    self.octet(octet);
                    if let Some((&second, after)) = rest.split_first()
                        && matches!(second, b'\\' | b'{' | b'}')
                        && after.first() != Some(&b'\'')
                    {
                        self.octet(second);
                        rest = after;
                    }
                }
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

        if word == b"bin" {
            // Octets of a picture, whatever they look like.
            let length = usize::try_from(value.unwrap_or(0)).unwrap_or(0);
            let after = after.strip_prefix(b" ").unwrap_or(after);
            return after.get(length..).unwrap_or_default();
        }
        self.word(word, value);
        after.strip_prefix(b" ").unwrap_or(after)
    }

    fn symbol<'r>(&mut self, rest: &'r [u8]) -> &'r [u8] {
        let Some((&symbol, after)) = rest.split_first() else { return rest };
        match symbol {
            b'\'' => {
                let digits = after.get(..2).and_then(|digits| std::str::from_utf8(digits).ok());
                let octet =
                    digits.filter(|digits| digits.bytes().all(|digit| digit.is_ascii_hexdigit()));
                if let Some(octet) = octet.and_then(|digits| u8::from_str_radix(digits, 16).ok()) {
                    self.octet(octet);
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
            b"fromhtml" if value != Some(0) => self.origin = Origin::Html,
            b"fromtext" if self.origin == Origin::Rtf => self.origin = Origin::Text,
            b"ansicpg" => self.fonts.set_default_page(value),
            b"deff" => self.fonts.set_default_font(value),
            b"htmlrtf" => {
                self.flush();
                self.group.is_rtf = value != Some(0);
            }
            b"htmltag" => {}
            b"fonttbl" => (self.group.is_skipped, self.group.is_fonts) = (true, true),
            b"f" if self.group.is_fonts => self.described_font = value.unwrap_or(0),
            b"fcharset" => self.fonts.add(self.described_font, value),
            b"f" => {
                self.flush();
                self.group.font = value;
            }
            b"plain" => {
                self.flush();
                self.group.font = None;
            }
            b"uc" => {
                self.group.substitutes = usize::try_from(value.unwrap_or(1)).unwrap_or(1).min(16)
            }
            b"u" => self.unit(value.unwrap_or(0)),
            b"colortbl" | b"stylesheet" | b"info" | b"pict" | b"object" | b"header" | b"footer" => {
                self.group.is_skipped = true;
            }
            _ => match char_of(word) {
                Some(char) => self.char(char),
                None => self.group.is_skipped |= is_optional,
            },
        }
    }

    fn is_text(&self) -> bool {
        !self.group.is_skipped && !self.group.is_rtf
    }

    fn page(&self) -> Page {
        self.fonts.page(self.group.font)
    }

    fn octet(&mut self, octet: u8) {
        if self.left_out > 0 {
            self.left_out -= 1;
        } else if self.is_text() {
            self.octets.push(octet);
        }
    }

    fn char(&mut self, char: char) {
        self.flush();
        if self.is_text() {
            self.out.push(char);
        }
    }

    /// Takes a unit of UTF-16, which is written as a signed number.
    fn unit(&mut self, value: i32) {
        let unit = (value & 0xffff) as u16;
        let units: Vec<u16> = self.high.take().into_iter().chain([unit]).collect();
        if (0xd800..0xdc00).contains(&unit) {
            self.high = Some(unit);
        } else {
            for char in char::decode_utf16(units) {
                self.char(char.unwrap_or(char::REPLACEMENT_CHARACTER));
            }
        }
        self.left_out = self.group.substitutes;
    }

    /// Decodes the octets that were met.
    fn flush(&mut self) {
        self.left_out = 0;
        if self.octets.is_empty() {
            return;
        }
        let octets = std::mem::take(&mut self.octets);
        match std::str::from_utf8(&octets).ok().filter(|text| text.is_ascii()) {
            Some(text) => self.out.push_str(text),
            None => self.out.push_str(&self.fonts.text(self.page(), &octets, self.characters)),
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

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn read(rtf: &[u8]) -> Rtf {
        Rtf::read(rtf, &Characters::default())
    }

    #[test]
    fn text_is_read() {
        for (rtf, expected) in [
            (&br"{\rtf1\ansi\ansicpg1252{\fonttbl{\f0 Arial;}}\f0 caf\'e9\par b\tab c}"[..], "café\nb\tc"),
            (br"{\rtf1\ansicpg1251 \'cf\'f0\'e8}", "При"),
            (br"{\rtf1{\fonttbl{\f0\fcharset0 A;}{\f1\fcharset204 B;}}\f1\'cf\f0 x{\f1\'f0}y}", "Пxрy"),
            (br"{\rtf1\deff1{\fonttbl{\f0\fcharset0 A;}{\f1\fcharset204 B;}}\'cf\f0\'e9\plain\'f0}", "Пéр"),
            (br"{\rtf1 \u233?\u-10179?\u-8704? \uc0\u8364 x}", "é😀 €x"),
            (br"{\rtf1 a{\*\unknown b}{\colortbl;\red0;}\{c\}\\\~d}", "a{c}\\\u{a0}d"),
            (br"{\rtf1\ansicpg932 \'93\'fa\'96\'7b}", "日本"),
            (br"{\rtf1 a{\pict\bin3 }}}}b}", "ab"),
            // A font whose charset is the default one, and one that says Western over Chinese.
            (
                br"{\rtf1\ansicpg936{\fonttbl{\f0\fcharset1 A;}{\f1\fcharset0 B;}}\f0\'b2\'e2\f1\'b2\'e2}",
                "测测",
            ),
            (br"{\rtf1\ansicpg932{\fonttbl{\f0\fcharset2 Symbol;}}\f0\'b7\'b7}", "··"),
            // A second octet that is a backslash, escaped by its number, by itself, or not at all.
            (br"{\rtf1\ansicpg932 \'83\'5c\'83\\}", "ソソ"),
            (b"{\\rtf1\\ansicpg932 \x83\\\x83\x5e}", "ソタ"),
            (br"{\rtf1\ansicpg1252 Gr\'c3\'bc\'c3\'9fe}", "Grüße"),
        ] {
            assert_eq!(read(rtf).text.as_deref(), Some(expected), "{}", String::from_utf8_lossy(rtf));
        }
        assert_eq!(read(b"{\\rtf1 }").text, None);
    }

    /// In the manner of MS-OXRTFEX, 4.1.
    #[test]
    fn html_is_found() {
        let rtf = br"{\rtf1\ansi\ansicpg1251\fromhtml1 \deff0{\fonttbl{\f0\fswiss\fcharset0 Arial;}{\f1\fcharset128 A;}}
{\*\htmltag64 <p>}\htmlrtf \par \f2 \htmlrtf0 \'cf\'f0\'e8{\*\htmltag84 <b>}\htmlrtf {\b\htmlrtf0 bold{\*\htmltag92 </b>}\htmlrtf }\htmlrtf0
{\*\htmltag84 &lt;}\htmlrtf <\f1 \htmlrtf0 \'93\'fa{\*\mhtmltag84 no}{\*\htmltag72 </p>}}";
        assert_eq!(read(rtf).html.as_deref(), Some("<p>При<b>bold</b>&lt;日</p>"));
    }

    proptest! {
        #[test]
        fn any_rtf_is_read(rtf in r"(\{|\}|\\\*|\\u-?[0-9]{0,6}|\\'[0-9a-f]{0,2}|\\htmlrtf0?|\\fromhtml1|\\bin[0-9]|\\f[0-9]|\\fcharset128|\\uc9|[a-z ]{1,3}|\\){0,60}") {
            let _ = read(rtf.as_bytes());
        }
    }
}
