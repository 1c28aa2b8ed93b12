//! Which script a character is of, as far as it takes to tell UTF-8 from Latin letters in a row.

use crate::codec::utf8;

/// Returns whether octets are UTF-8 beyond doubt, even under a label of which any octets are text:
/// at least three sequences of more than one octet, which are letters of a single script,
/// punctuation and signs. In ISO-8859-1 each would be a letter with an accent before a sign or a
/// control. A quotation mark, a dash or an ellipsis counts for three, since nobody writes `â€™`,
/// and a no-break space for two.
pub fn is_prose_in_utf_8(octets: &[u8]) -> bool {
    const ENOUGH: usize = 3;
    let Some(text) = utf8::validate(octets) else { return false };
    let (mut count, mut script) = (0, None);
    // A byte order mark never overrides a label.
    for c in text.chars().filter(|&c| !c.is_ascii() && c != '\u{FEFF}') {
        match Script::of(c) {
            None => return false,
            Some(Script::Common) => {}
            Some(of) if *script.get_or_insert(of) != of => return false,
            Some(_) => {}
        }
        count += match c {
            '\u{2010}'..='\u{2026}' => ENOUGH,
            '\u{A0}' => 2,
            _ => 1,
        };
    }
    count >= ENOUGH
}

/// Scripts of mail; those of one region count as one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Script {
    /// Punctuation, signs, pictures.
    Common,
    /// Latin letters.
    Latin,
    /// Greek and Coptic.
    Greek,
    /// Cyrillic.
    Cyrillic,
    /// Armenian and Georgian.
    Caucasian,
    /// Hebrew.
    Hebrew,
    /// Arabic and its relatives.
    Arabic,
    /// The scripts of India and Sri Lanka.
    Indian,
    /// Thai, Lao and their neighbours.
    SouthEastAsian,
    /// Chinese, Japanese and Korean.
    EastAsian,
}

impl Script {
    /// Returns the script of a character by its block; `None` for controls, private use, and
    /// scripts that are not written in mail.
    fn of(c: char) -> Option<Self> {
        Some(match c {
            '\u{A0}'..='\u{BF}' | '×' | '÷' => Self::Common,
            '\u{C0}'..='\u{24F}' | '\u{300}'..='\u{36F}' | '\u{1E00}'..='\u{1EFF}' => Self::Latin,
            '\u{370}'..='\u{3FF}' | '\u{1F00}'..='\u{1FFF}' => Self::Greek,
            '\u{400}'..='\u{52F}' => Self::Cyrillic,
            '\u{530}'..='\u{58F}' | '\u{10A0}'..='\u{10FF}' => Self::Caucasian,
            '\u{590}'..='\u{5FF}' => Self::Hebrew,
            '\u{600}'..='\u{6FF}' => Self::Arabic,
            '\u{900}'..='\u{DFF}' => Self::Indian,
            '\u{E00}'..='\u{109F}' | '\u{1780}'..='\u{17FF}' => Self::SouthEastAsian,
            '\u{2000}'..='\u{2BFF}' | '\u{3000}'..='\u{303F}' | '\u{FE0F}' => Self::Common,
            '\u{1100}'..='\u{11FF}' | '\u{3040}'..='\u{9FFF}' | '\u{AC00}'..='\u{D7AF}' => {
                Self::EastAsian
            }
            '\u{F900}'..='\u{FAFF}' | '\u{FF00}'..='\u{FFEF}' | '\u{20000}'..='\u{3FFFF}' => {
                Self::EastAsian
            }
            '\u{1F000}'..='\u{1FAFF}' => Self::Common,
            _ => return None,
        })
    }
}

#[cfg(test)]
mod tests {
    use crate::Charset;

    #[test]
    fn prose_in_utf_8_belies_western_labels() {
        for (text, is) in [
            ("Don’t “worry”", true),
            ("é é é", true),
            ("Привет, мир", true),
            ("こんにちは、世界！", true),
            ("é é", false),
            ("It’s", true),
            ("two\u{A0}blanks\u{A0}", true),
            ("one\u{A0}blank", false),
            ("’ Ж é", false),
            ("\u{FEFF}é é", false),
            ("é Ж é", false),
            ("\u{FFFD}\u{FFFD}\u{FFFD}", false),
            ("\u{81}\u{82}\u{83}", false),
        ] {
            for charset in [Charset::ISO_8859_1, Charset::WINDOWS_1252] {
                assert_eq!(charset.is_belied_by_text(text.as_bytes()), is, "{text}");
            }
        }
        assert!(
            !Charset::ISO_8859_1.is_belied_by_text(b"NON \xC3\xA9 \xC3\xA9 \xC3\xA9 \xE9t\xE9")
        );
    }

    #[test]
    fn an_escape_sequence_proves_iso_2022() {
        let japanese = Charset::for_label("iso-2022-jp").expect("known");
        assert!(!japanese.is_belied_by_text(b"\x1B$B%F%9%H\x1B(B \xA5"));
        assert!(japanese.is_belied_by_text(b"caf\xE9"));
    }
}
