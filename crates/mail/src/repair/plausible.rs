//! Whether characters are such as people write, and whether a few of them could have been meant as
//! they stand.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use crate::charset::script::Script;

/// Returns the script of a character above 7F; `None` if hardly anybody writes it: controls,
/// private use, rare blocks, and letters that no language has any more, which a script has in its
/// blocks.
pub(super) fn script_of(c: char) -> Option<Script> {
    Some(match c {
        '\u{A0}'..='\u{BF}' | '×' | '÷' => Script::Common,
        // Not the letters that no language has any more.
        '\u{13F}' | '\u{140}' | '\u{149}' | '\u{17F}' => return None,
        '\u{C0}'..='\u{17E}' => Script::Latin,
        'Ə' | 'ə' | 'Ơ' | 'ơ' | 'Ư' | 'ư' | 'ƒ' | '\u{1CD}'..='\u{1DC}' | '\u{1E6}' | '\u{1E7}' => {
            Script::Latin
        }
        '\u{218}'..='\u{21B}' | '\u{300}'..='\u{304}' | '\u{306}'..='\u{30C}' | '\u{323}' => {
            Script::Latin
        }
        '\u{1E00}'..='\u{1EFF}' => Script::Latin,
        '\u{384}'..='\u{3CE}' | '\u{1F00}'..='\u{1FFF}' => Script::Greek,
        '\u{400}'..='\u{45F}' | '\u{490}'..='\u{4FF}' => Script::Cyrillic,
        '\u{531}'..='\u{58A}' | '\u{10A0}'..='\u{10FF}' => Script::Caucasian,
        '\u{5B0}'..='\u{5F4}' => Script::Hebrew,
        '،' | '؛' | '؟' | '\u{621}'..='\u{652}' | '\u{660}'..='\u{66C}' => Script::Arabic,
        // Of Persian and Urdu.
        'پ' | 'چ' | 'ژ' | 'ک' | 'گ' | 'ی' | 'ٹ' | 'ڈ' | 'ڑ' | 'ں' | 'ھ' | 'ہ' | 'ۂ' | 'ۃ' | 'ے'
        | 'ۓ' | '۔' => Script::Arabic,
        '\u{6F0}'..='\u{6F9}' => Script::Arabic,
        '\u{900}'..='\u{DFF}' => Script::Indian,
        '\u{E00}'..='\u{109F}' | '\u{1780}'..='\u{17FF}' => Script::SouthEastAsian,
        '\u{200B}'..='\u{200F}' | '\u{2010}'..='\u{2027}' | '\u{202F}'..='\u{205E}' => {
            Script::Common
        }
        '\u{2070}'..='\u{209C}' | '\u{20A0}'..='\u{20BF}' | '\u{2100}'..='\u{214F}' => {
            Script::Common
        }
        '\u{2150}'..='\u{218B}' | '\u{2190}'..='\u{23FF}' | '\u{2460}'..='\u{27BF}' => {
            Script::Common
        }
        '\u{2B05}'..='\u{2B07}'
        | '\u{2B1B}'
        | '\u{2B1C}'
        | '\u{2B50}'
        | '\u{2B55}'
        | '\u{3000}'..='\u{303F}'
        | '\u{FE0F}'
        | '\u{FEFF}' => Script::Common,
        '\u{3041}'..='\u{30FF}' | '\u{4E00}'..='\u{9FFF}' | '\u{AC00}'..='\u{D7A3}' => {
            Script::EastAsian
        }
        '\u{FF01}'..='\u{FF9F}' => Script::EastAsian,
        '\u{1F000}'..='\u{1FAFF}' => Script::Common,
        _ => return None,
    })
}

/// Returns whether a control of ISO-8859-1 stands for an octet that was not decoded.
pub(super) fn is_undecoded(c: char) -> bool {
    matches!(c, '\u{80}'..='\u{9F}')
}

/// Returns whether characters that may be one of UTF-8 could be meant as they stand: a letter, at
/// the end of a word or alone, before what ends a phrase. `CAPITÃ…`, `« OBLIGÉ »`, `4288×…` are
/// such.
pub(super) fn is_natural(before: Option<char>, characters: &[char], after: Option<char>) -> bool {
    let [first, rest @ ..] = characters else { return true };
    if !first.is_alphabetic() && *first != '×' {
        return false;
    }
    // A product: `5×£35`.
    if *first == '×' && before.is_some_and(|c| c.is_ascii_digit()) {
        return true;
    }
    let follows_letter = before.is_some_and(char::is_alphabetic);
    if breaks_case(before, *first) || rest.iter().any(|&c| !is_closing(c, follows_letter)) {
        return false;
    }
    match after {
        // A blank between two words of capitals.
        Some(c) if c.is_uppercase() && rest.last() == Some(&'\u{A0}') => true,
        // The apostrophe of what follows: `Ã’s`.
        Some(c) if c.is_alphanumeric() => rest.last() == Some(&'’') && !follows_letter,
        _ => true,
    }
}

/// Returns whether characters are Latin letters of one word, small after the first or all capitals:
/// `Ôôô`.
pub(super) fn is_latin_word(characters: &[char]) -> bool {
    let is_latin = |c: &char| script_of(*c) == Some(Script::Latin) && c.is_alphabetic();
    characters.iter().all(is_latin)
        && characters.windows(2).all(|pair| !(pair[0].is_lowercase() && pair[1].is_uppercase()))
}

/// Returns whether a character is punctuation that people type into text that others have mangled.
pub(super) fn is_typed_punctuation(c: char) -> bool {
    matches!(c, '‘' | '’' | '“' | '”' | '…' | '–' | '—' | '«' | '»')
}

/// Returns whether a capital follows a small letter in a word, or the reverse.
pub(super) fn breaks_case(before: Option<char>, c: char) -> bool {
    let is_before = |is: fn(char) -> bool| before.is_some_and(is);
    c.is_uppercase() && is_before(char::is_lowercase)
        || c.is_lowercase() && is_before(char::is_uppercase)
}

/// The letters above 7F of the languages that are written in windows-1252, each in one word.
const ALPHABETS: [&str; 24] = [
    "àâæçéèêëîïôœùûüÿ",    // French
    "äöüßéà",              // German
    "áéíñóúüçºª",          // Spanish, Asturian, Galician
    "áâãàçéêíóôõúüºª",     // Portuguese
    "àèéìíîòóùú",          // Italian
    "áéíóúàèëïöüêîôûç",    // Dutch, Afrikaans
    "åäöéàüšž",            // Swedish, Finnish
    "æøåéèêóòôäöü",        // Danish, Norwegian
    "áéíóúýþæöð",          // Icelandic
    "áíóúýæøð",            // Faroese
    "àçéèíïóòúü",          // Catalan, Occitan
    "áàçéèíïóòúü",         // Occitan
    "áéíóúàèìòù",          // Irish, Scottish Gaelic
    "âêîôûáàäëéèêïíöóẃýỳ", // Welsh
    "äöõüšž",              // Estonian
    "çë",                  // Albanian
    "àâçèêìîòôùû",         // Friulian
    "çêîûşü",              // Kurdish
    "çäöüýžňşñ",           // Turkmen
    "âêîôûùüñé",           // Breton
    "äëéèêöüß",            // Luxembourgish
    "åâçéèêîôûù",          // Walloon
    "àáâãèéêìíòóôõùúýđ",   // Vietnamese, as far as it is in windows-1252
    "ñáéíóúâêîôûàèìòùõ",   // Filipino, Guaraní
];

/// The alphabets that each letter is in: a bit for each, the first one lowest.
static LETTERS: LazyLock<BTreeMap<char, u32>> = LazyLock::new(|| {
    let mut letters = BTreeMap::new();
    for (number, alphabet) in ALPHABETS.iter().enumerate() {
        for letter in alphabet.chars() {
            *letters.entry(letter).or_default() |= 1 << number;
        }
    }
    letters
});

/// Returns whether letters of windows-1252 could all be of one language.
pub(super) fn are_of_one_language(letters: impl Iterator<Item = char>) -> bool {
    let mut alphabets = u32::MAX;
    for letter in letters.flat_map(char::to_lowercase) {
        alphabets &= LETTERS.get(&letter).copied().unwrap_or_default();
        if alphabets == 0 {
            return false;
        }
    }
    true
}

/// Returns whether a character may follow a word: punctuation also a letter that stands alone,
/// signs only a word.
fn is_closing(c: char, follows_letter: bool) -> bool {
    match c {
        '\u{A0}' | ' ' | '»' | '«' | '›' | '‹' | '”' | '“' | '„' | '’' | '‘' | '‚' | '…' | '–'
        | '—' => true,
        '®' | '™' | '©' | '°' | 'ª' | 'º' | '¹' | '²' | '³' | '´' | '¨' | '·' | '•' | '†' | '‡' => {
            follows_letter
        }
        _ => false,
    }
}
