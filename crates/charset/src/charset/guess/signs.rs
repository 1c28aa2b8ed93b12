//! Probabilities of signs, which are all characters above 7F other than letters: in prose, and in
//! ornaments, which are made of signs that do not occur in prose.
//!
//! A sign of 0.01 is ordinary at its place; one of 1e-5 speaks against a charset that has it there.

/// The place of a sign: what stands beside it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Surroundings {
    /// Whether there is a letter before the sign.
    pub(super) after_letter: bool,
    /// Whether there is one after it.
    pub(super) before_letter: bool,
}

/// Returns how probable a sign is after itself: bullets, rulers and blanks are repeated.
pub(super) fn again(sign: char) -> f64 {
    match sign {
        '\u{A0}' | '…' | '–' | '—' | '·' | '•' | '´' | '¯' | '¨' | '¸' | '°' | 'º' | '¤' | '«'
        | '»' | '\u{AD}' => 0.2,
        '\u{2500}'..='\u{25FF}' | '¹' | '²' | '³' => 0.2,
        _ => 0.01,
    }
}

/// Returns how probable a sign is at its place: most signs never occur amid letters.
pub(super) fn probability(sign: char, place: Surroundings) -> f64 {
    let amid = place.after_letter && place.before_letter;
    let ends = place.after_letter && !place.before_letter;
    let begins = !place.after_letter && place.before_letter;
    match sign {
        '\u{A0}' => 0.15,
        '’' => 0.06,
        // Typed for an apostrophe, with the wrong key.
        '‘' if amid => 1e-3,
        '•' if place.after_letter => 2e-4,
        '‘' | '–' | '—' | '·' | '•' | '´' | '\u{AD}' => 0.012,
        // Rarer than its twin.
        '‚' if !place.after_letter => 1e-3,
        // Signs that open quotations.
        '‚' | '„' | '‹' if place.after_letter => 1e-6,
        // Signs next to numbers.
        '€' | '£' | '¥' if place.before_letter && !amid => 1e-4,
        '¢' if place.after_letter || place.before_letter => 2e-5,
        '£' | '¥' if ends => 2e-4,
        '¼' | '½' | '¾' if place.after_letter || place.before_letter => 1e-5,
        '±' | '¶' | '§' | '†' | '‡' | '\u{2500}'..='\u{25FF}' if amid => 5e-6,
        '†' | '‡' if ends || begins => 3e-5,
        '†' | '‡' => 3e-4,
        '¹' | '²' | '³' if ends => 5e-4,
        '¹' | '²' | '³' if begins => 2e-5,
        '“' | '”' | '„' | '€' if amid => 3e-5,
        // Signs that come after a name, and before one.
        '®' | '™' if begins => 2e-5,
        '©' if ends => 1e-4,
        '…' if begins => 2e-3,
        '“' | '”' | '„' | '…' | '«' | '»' | '©' | '®' | '™' | '€' | '£' | '°' => {
            if amid {
                2e-4
            } else {
                0.012
            }
        }
        // Signs that begin sentences, or nothing.
        '¡' | '¿' if !place.after_letter => 2e-3,
        'ª' | 'º' if begins => 2e-5,
        'ª' | 'º' => 2e-3,
        '\u{80}'..='\u{9F}' => 5e-9,
        '\u{E000}'..='\u{F8FF}' => 1e-8,
        '˜' | 'ˆ' | '˛' | 'ˇ' | '˘' | '˙' | '˚' | '˝' => 1e-5,
        // Keys of British keyboards.
        '¦' | '¬' if !place.before_letter => 2e-4,
        // Rows of it underline headings.
        '¯' if !place.after_letter && !place.before_letter => 1e-3,
        // Corners of tables with two kinds of lines are rare, and not beside letters.
        '\u{2552}'..='\u{256B}' if ends || begins => 1e-6,
        '\u{2500}'..='\u{25FF}' | '¤' | '¦' | '¨' | '¯' | '¸' | '¬' => 1e-5,
        _ if amid => 2e-5,
        _ => 1e-3,
    }
}

/// Returns how probable a sign is in an ornament, a ruler of `·¸¸·´¯` or a number of `³²`; as in
/// prose if it is next to letters, or never part of an ornament.
pub(super) fn probability_in_ornament(sign: char, place: Surroundings) -> f64 {
    match sign {
        _ if place.after_letter || place.before_letter => probability(sign, place),
        '·' | '¸' | '´' | '¯' | '¨' | '°' | 'º' | '¤' => 0.05,
        '¹' | '²' | '³' | 'ø' => 0.02,
        _ => probability(sign, place),
    }
}
