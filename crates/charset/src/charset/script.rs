//! The script of a character, as far as it takes to tell prose in another charset from Latin
//! letters.

use super::{Charset, Guess};
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

/// Returns the guess for prose in a charset of East Asia beyond doubt, even under a label of which
/// any octets are text: most octets above 7F are beside others, as letters with accents are not,
/// all octets are text in that charset, at least twelve different characters of East Asia are in
/// it, and hardly another charset explains it.
pub fn prose_in_pairs(octets: &[u8]) -> Option<Guess> {
    const ENOUGH: usize = 12;
    const CERTAIN: f32 = 0.99;
    if !are_in_pairs(octets, 2 * ENOUGH) {
        return None;
    }

    let guess = Charset::guess(octets);
    if guess.charset() == Charset::UTF_8 || guess.sureness() < CERTAIN {
        return None;
    }
    let text = guess.charset().decode_lossless(octets)?;
    let mut letters: Vec<char> = Vec::with_capacity(ENOUGH);
    for c in text.chars().filter(|c| !c.is_ascii()) {
        let is_letter = Script::of(c)? == Script::EastAsian;
        if is_letter && letters.len() < ENOUGH && !letters.contains(&c) {
            letters.push(c);
        }
    }
    (letters.len() == ENOUGH).then_some(guess)
}

/// Returns whether there are so many octets above 7F, and two of three are beside another one.
fn are_in_pairs(octets: &[u8], enough: usize) -> bool {
    let (mut count, mut beside) = (0, 0);
    for run in octets.chunk_by(|a, b| a.is_ascii() == b.is_ascii()) {
        if !run[0].is_ascii() {
            count += run.len();
            beside += if run.len() > 1 { run.len() } else { 0 };
        }
    }
    count >= enough && 3 * beside >= 2 * count
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
    fn prose_in_pairs_belies_western_labels() {
        for (charset, text, is) in [
            ("gb2312", "您好，我们公司有多余的发票可以代开，欢迎来电咨询。", true),
            ("big5", "您好，我們公司有多餘的發票可以代開，歡迎來電洽詢。", true),
            ("euc-kr", "안녕하세요. 다음 주 회의에 대하여 알려 드립니다. 감사합니다.", true),
            ("shift_jis", "こんにちは。来週の会議についてお知らせします。", true),
            ("euc-jp", "こんにちは。来週の会議についてお知らせします。", true),
            // Too short to be sure.
            ("gb2312", "您好", false),
            ("koi8-r", "Здравствуйте, это письмо о нашей встрече. До свидания.", false),
            ("windows-1251", "Здравствуйте, это письмо о нашей встрече. До свидания.", false),
            ("windows-1253", "Καλημέρα, σας γράφω για τη συνάντησή μας.", false),
            ("windows-1255", "שלום, אני כותב לך על הפגישה שלנו מחר בבוקר", false),
            ("windows-1256", "مرحبا، أكتب إليك بخصوص اجتماعنا غدا صباحا", false),
            ("windows-874", "สวัสดีครับ ผมเขียนถึงคุณเรื่องการประชุมพรุ่งนี้", false),
            ("iso-8859-1", "ÄÄÄÄÄÄÄÄÄÄÄÄÄÄÄÄ ÜÜÜÜÜÜÜÜÜÜÜÜ °°°°°°°°°°°° ßßßßßßßß", false),
            ("iso-8859-1", "ÀÉÈÙ ÇÀ ÉTÉ «À L'ÉCOLE», ÔÉÈÊ ÂÎÔÛ, ÇÀÉÈ, DÉÇÛ, ÉÉÉ", false),
        ] {
            let encoding = encoding_rs::Encoding::for_label(charset.as_bytes()).expect("known");
            let (octets, _, is_lossy) = encoding.encode(text);
            assert!(!is_lossy, "{text}");
            assert_eq!(Charset::ISO_8859_1.is_belied_by_text(&octets), is, "{charset}: {text}");
        }
    }

    #[test]
    fn an_escape_sequence_proves_iso_2022() {
        let japanese = Charset::for_label("iso-2022-jp").expect("known");
        assert!(!japanese.is_belied_by_text(b"\x1B$B%F%9%H\x1B(B \xA5"));
        assert!(japanese.is_belied_by_text(b"caf\xE9"));
    }
}
