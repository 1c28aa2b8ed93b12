//! Internationalised domains as A-labels (rule H8, RFC 5891).
//!
//! ```text
//! domain  = label *("." label)
//! U-label = a label of PVALID code points in NFC that its A-label stands for, and nothing else (RFC 5890, 2.3.2.1)
//! ```
//!
//! UTS 46 maps far more than IDNA 2008 allows: mathematical, circled and full-width letters become
//! plain ones, and a domain would turn into the one that it imitates. So only what RFC 5895 maps is
//! mapped here:
//!
//! 1. Letters become lower case (RFC 5895, 2.1), and the text becomes NFC (2.3).
//! 2. Full-width forms stay as they are, and are refused: RFC 5895, 2.2, would map them for text
//!    that people type; header fields are not typed.
//! 3. The ideographic full stop is not a dot, for the same reason.
//! 4. `_` in an ASCII label is accepted: it occurs in names that mail has always carried.

use icu_normalizer::ComposingNormalizerBorrowed;
use icu_properties::props::{GeneralCategory, Script};
use icu_properties::{CodePointMapData, CodePointMapDataBorrowed};

/// Returns the domain in A-labels and lower case if it is not all ASCII; `None` if a label cannot
/// be one.
pub fn domain_to_ascii(domain: &str) -> Option<String> {
    let lower: String = domain.chars().flat_map(char::to_lowercase).collect();
    let text = ComposingNormalizerBorrowed::new_nfc().normalize(&lower);
    if !text.split('.').all(is_valid_label) {
        return None;
    }

    let ascii = idna::domain_to_ascii_cow(text.as_bytes(), idna::AsciiDenyList::EMPTY).ok()?;
    // If UTS 46 mapped something after all, it would be another domain.
    let (back, sound) = idna::domain_to_unicode(&ascii);
    (sound.is_ok() && back == text).then(|| ascii.into_owned())
}

/// Returns whether a label, in ASCII or not, may be in a domain.
fn is_valid_label(label: &str) -> bool {
    if label.is_ascii() { is_host_label(label) } else { is_valid_u_label(label) }
}

/// Returns whether a label is `let-dig [*(let-dig / "-") let-dig]` (RFC 1035, 2.3.1), underscores
/// included.
fn is_host_label(label: &str) -> bool {
    !label.is_empty()
        && label.bytes().all(|octet| octet.is_ascii_alphanumeric() || matches!(octet, b'-' | b'_'))
}

/// Returns whether every code point of a label may be in it, next to its neighbours (RFC 5892).
fn is_valid_u_label(label: &str) -> bool {
    let characters: Vec<char> = label.chars().collect();
    characters.iter().enumerate().all(|(at, &character)| {
        fits_its_neighbours(&characters, at).unwrap_or_else(|| is_valid_anywhere(character))
    })
}

/// Returns whether a character may be anywhere in a label (PVALID): it is in the categories of RFC
/// 5892, 2.1 (LetterDigits), or among the exceptions of 2.6.
fn is_valid_anywhere(character: char) -> bool {
    use GeneralCategory::{
        DecimalNumber, LowercaseLetter, ModifierLetter, NonspacingMark, OtherLetter, SpacingMark,
        UppercaseLetter,
    };
    const CATEGORIES: CodePointMapDataBorrowed<'static, GeneralCategory> = CodePointMapData::new();
    match character {
        '\u{DF}' | '\u{3C2}' | '\u{6FD}' | '\u{6FE}' | '\u{F0B}' | '\u{3007}' => true,
        '\u{640}' | '\u{7FA}' | '\u{302E}' | '\u{302F}' | '\u{3031}'..='\u{3035}' | '\u{303B}' => {
            false
        }
        '-' => true,
        _ => matches!(
            CATEGORIES.get(character),
            LowercaseLetter
                | UppercaseLetter
                | OtherLetter
                | DecimalNumber
                | ModifierLetter
                | NonspacingMark
                | SpacingMark
        ),
    }
}

/// Returns whether the code point at `at` fits its neighbours (RFC 5892, appendix A); `None` for
/// one with which that makes no difference. The joiners (A.1, A.2) are left to the conversion to
/// A-labels.
fn fits_its_neighbours(label: &[char], at: usize) -> Option<bool> {
    const SCRIPTS: CodePointMapDataBorrowed<'static, Script> = CodePointMapData::new();
    let before = at.checked_sub(1).map(|at| label[at]);
    let after = label.get(at + 1).copied();
    let is_of = |character: Option<char>, script: Script| {
        character.is_some_and(|c| SCRIPTS.get(c) == script)
    };
    let holds_any = |range: std::ops::RangeInclusive<char>| label.iter().any(|c| range.contains(c));

    Some(match label[at] {
        '\u{200C}' | '\u{200D}' => true,
        '\u{B7}' => before == Some('l') && after == Some('l'),
        '\u{375}' => is_of(after, Script::Greek),
        '\u{5F3}' | '\u{5F4}' => is_of(before, Script::Hebrew),
        '\u{30FB}' => {
            let japanese = [Script::Hiragana, Script::Katakana, Script::Han];
            label.iter().any(|&c| c != '\u{30FB}' && japanese.contains(&SCRIPTS.get(c)))
        }
        '\u{660}'..='\u{669}' => !holds_any('\u{6F0}'..='\u{6F9}'),
        '\u{6F0}'..='\u{6F9}' => !holds_any('\u{660}'..='\u{669}'),
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::domain_to_ascii;

    #[test]
    fn writes_u_labels_as_a_labels() {
        let cases = [
            ("müller.example", "xn--mller-kva.example"),
            ("MÜLLER.Example", "xn--mller-kva.example"),
            ("mu\u{308}ller.example", "xn--mller-kva.example"),
            ("faß.example", "xn--fa-hia.example"),
            ("пример.испытание", "xn--e1afmkfd.xn--80akhbyknj4f"),
            ("例え.example", "xn--r8jz45g.example"),
            ("_dmarc.müller.example", "_dmarc.xn--mller-kva.example"),
            ("l·l.example", "xn--ll-0ea.example"),
        ];
        for (domain, ascii) in cases {
            assert_eq!(domain_to_ascii(domain).as_deref(), Some(ascii), "{domain}");
        }
    }

    #[test]
    fn refuses_what_imitates_another_domain() {
        let cases = [
            "\u{1D41A}\u{1D41B}.example", // mathematical letters
            "ｂａｎｋ.example",           // full-width letters
            "ⓑank.example",
            "ban\u{200D}k.example",
            "bank\u{3002}example", // an ideographic full stop
            "ﬁne.example",         // a ligature
            "a\u{AD}b.example",    // a soft hyphen
            "☃.example",
            "a·b.example",
            "müller..example",
            "xn--mller-kva\u{301}.example",
            "\u{301}a.example",
        ];
        for domain in cases {
            assert_eq!(domain_to_ascii(domain), None, "{domain}");
        }
    }
}
