//! Guessing the charset of text that nobody labelled.
//!
//! In this order, each only if the octets then decode without a fault:
//! 1. a signature of UTF-16 or UTF-32;
//! 2. escapes of ISO-2022-JP, -KR or -CN, and the shifts of HZ, in 7-bit text;
//! 3. UTF-16 without a signature, by where its zero octets stand;
//! 4. well-formed UTF-8 that is not all ASCII.
//!
//! Else chardetng guesses by letter statistics, and windows-1252 is what remains. UTF-7 is never guessed: its shifts
//! are too common in ASCII, and text that changes its meaning is an old way around filters.

mod memo;

use chardetng::{EncodingDetector, Iso2022JpDetection, Utf8Detection};
use encoding_rs::Encoding;
use memchr::{memchr, memchr_iter, memmem, memrchr};

use super::Charset;
use super::tables::list;
use crate::codec::utf8;

/// More octets than these do not make a guess better.
const ENOUGH: usize = 1 << 18;

/// The same for letter statistics, which cost a quarter of a microsecond an octet.
const ENOUGH_LETTERS: usize = 8 * 1024;

/// What letter statistics are fed before they are asked for the first time.
const FIRST_LETTERS: usize = 256;

/// So many octets of ASCII may belong to what stands before them: the rest of a sequence, and what is behind that.
const BESIDE: usize = 2;

/// The charset that `octets` seem to be in.
pub(super) fn detect(octets: &[u8]) -> Charset {
    match memo::Text::of(octets) {
        Some(text) => memo::known(text, || detect_anew(octets)),
        None => detect_anew(octets),
    }
}

fn detect_anew(octets: &[u8]) -> Charset {
    let sample = &octets[..octets.len().min(ENOUGH)];
    let cut = sample.len() < octets.len();
    let candidates = [signature(sample), shifts(sample), by_zeros(sample)];
    let found = candidates.into_iter().flatten().find(|charset| fits(*charset, sample, cut));
    found.or_else(|| utf_8(octets)).unwrap_or_else(|| by_statistics(octets))
}

/// UTF-8, by what begins with the first octet that is no ASCII.
fn utf_8(octets: &[u8]) -> Option<Charset> {
    let rest = &octets[Encoding::ascii_valid_up_to(octets)..];
    let fits = match rest.len() {
        0 => false,
        1..=ENOUGH => utf8::validate(rest).is_some(),
        _ => fits(Charset::UTF_8, &rest[..ENOUGH], true),
    };
    fits.then_some(Charset::UTF_8)
}

/// Whether `sample` decodes without a fault; one that was cut short may end in the middle of something.
fn fits(charset: Charset, sample: &[u8], cut: bool) -> bool {
    let (mut decoder, mut text) = (charset.decoder(), String::new());
    decoder.push(sample, &mut text);
    let clean = decoder.is_clean();
    clean && (cut || decoder.finish(&mut text).is_empty())
}

fn signature(octets: &[u8]) -> Option<Charset> {
    match octets {
        [0, 0, 0xFE, 0xFF, ..] | [0xFF, 0xFE, 0, 0, ..] => Some(Charset(list::UTF_32)),
        [0xFE, 0xFF, ..] | [0xFF, 0xFE, ..] => Some(Charset(list::UTF_16)),
        _ => None,
    }
}

/// The ISO-2022 family by its escapes, and HZ by its shifts.
fn shifts(octets: &[u8]) -> Option<Charset> {
    let escaped = memchr_iter(0x1B, octets).find_map(|at| match octets.get(at + 1..at + 4)? {
        [b'$', b')', b'C'] => Some(list::ISO_2022_KR),
        [b'$', b')', b'A' | b'G'] => Some(list::ISO_2022_CN),
        [b'$', b')', b'E'] => Some(list::ISO_2022_CN_EXT),
        [b'$', b'(', b'O' | b'P' | b'Q'] => Some(list::ISO_2022_JP_3),
        [b'$', b'A', _] | [b'$', b'(', b'C'] | [b'.', b'A' | b'F', _] => Some(list::ISO_2022_JP_2),
        [b'$', b'(', b'D'] => Some(list::ISO_2022_JP_1),
        [b'$', b'@' | b'B', _] | [b'(', b'I' | b'J', _] => Some(list::ISO_2022_JP),
        _ => None,
    });
    let hz = || {
        let begin = memmem::find(octets, b"~{")?;
        memmem::find(&octets[begin..], b"~}").filter(|len| *len > 3 && octets.is_ascii()).map(|_| list::HZ)
    };
    escaped.or_else(hz).map(Charset)
}

/// UTF-16 of mostly Latin text: every other octet is zero, or many are and none of the others.
fn by_zeros(octets: &[u8]) -> Option<Charset> {
    // Hardly any text holds a zero.
    memchr(0, octets)?;
    let (mut even, mut odd) = (0, 0);
    for pair in octets.chunks_exact(2) {
        even += usize::from(pair[0] == 0);
        odd += usize::from(pair[1] == 0);
    }
    let (few, many) = (even.min(odd), even.max(odd));
    let plausible = octets.len() >= 4
        && octets.len().is_multiple_of(2)
        && many * 16 >= octets.len() / 2
        && few * 8 <= many;
    plausible.then_some(Charset(if even > odd { list::UTF_16BE } else { list::UTF_16LE }))
}

/// chardetng's guess, but for what its letters cannot tell:
///
/// 1. a currency sign of ISO-8859-1 is the euro sign of ISO-8859-15;
/// 2. signs that stand by themselves (`£5`, `©`) are no letters of Eastern Europe;
/// 3. Cyrillic, Greek, Turkish, Hebrew and Arabic text has octets above BF: a line of macrons is none.
pub(super) fn by_statistics(octets: &[u8]) -> Charset {
    let octets = &telling_lines(octets)[..];
    let guess = standing_guess(octets);
    let guess = Charset::for_label(guess.name()).unwrap_or(Charset::WINDOWS_1252);
    match guess.name() {
        "windows-1252"
            if octets.contains(&0xA4) && !octets.iter().any(|octet| matches!(octet, 0x80..=0x9F)) =>
        {
            Charset(list::ISO_8859_15)
        }
        "windows-1250" | "windows-1257" | "ISO-8859-2" | "ISO-8859-4" | "ISO-8859-13"
            if !has_words(guess, octets) =>
        {
            Charset::WINDOWS_1252
        }
        "windows-1251" | "windows-1253" | "windows-1254" | "windows-1255" | "windows-1256" | "KOI8-R"
        | "KOI8-U" | "ISO-8859-5" | "ISO-8859-6" | "ISO-8859-7" | "ISO-8859-8"
            if octets.iter().all(|&octet| octet < 0xC0) =>
        {
            Charset::WINDOWS_1252
        }
        _ => guess,
    }
}

/// The guess of letter statistics, asked again at each doubling of what they were fed: one that stands still is not
/// doubted, unless there is more to come of which nothing like it was seen.
fn standing_guess(telling: &[u8]) -> &'static Encoding {
    let mut detector = EncodingDetector::new(Iso2022JpDetection::Deny);
    let (mut fed, mut before) = (0, None);
    loop {
        let end = telling.len().min(fed.max(FIRST_LETTERS / 2) * 2);
        let all = end == telling.len();
        detector.feed(&telling[fed..end], all);
        fed = end;
        let guess = detector.guess(None, Utf8Detection::Deny);
        if all || before == Some(guess) && says_all(guess, telling, fed) {
            return guess;
        }
        before = Some(guess);
    }
}

/// Whether what follows the first `seen` octets of a text in that encoding is nothing new: no other octet above 7F, or no
/// fault in its characters.
fn says_all(encoding: &'static Encoding, telling: &[u8], seen: usize) -> bool {
    if !encoding.is_single_byte() {
        return encoding.decode_without_bom_handling_and_without_replacement(telling).is_some();
    }
    let mut known = [false; 256];
    telling[..seen].iter().for_each(|&octet| known[usize::from(octet)] = true);
    telling[seen..].iter().all(|&octet| octet.is_ascii() || known[usize::from(octet)])
}

/// What tells something, of the lines up to [`ENOUGH_LETTERS`] that hold an octet above 7F. Statistics cost more than
/// all other work on a message, and plain lines say nothing.
fn telling_lines(octets: &[u8]) -> Vec<u8> {
    let mut telling = Vec::new();
    let (mut at, mut room) = (0, ENOUGH_LETTERS);
    while room > 0 {
        let plain = Encoding::ascii_valid_up_to(&octets[at..]);
        let first = at + plain;
        if first == octets.len() {
            break;
        }
        let start = memrchr(b'\n', &octets[at..first]).map_or(at, |line_end| at + line_end + 1);
        let end = memchr(b'\n', &octets[first..]).map_or(octets.len(), |line_end| first + line_end + 1);
        let line = &octets[start..end.min(start + room)];
        push_telling(line, &mut telling);
        room -= line.len();
        at = end;
    }
    telling
}

/// Appends `line` with no more of its runs of ASCII than is scored: letters are scored with their neighbours, and where
/// both are ASCII they are worth nothing.
fn push_telling(line: &[u8], telling: &mut Vec<u8>) {
    let mut rest = line;
    while !rest.is_empty() {
        let (plain, other) = rest.split_at(Encoding::ascii_valid_up_to(rest));
        push_plain(plain, telling);
        let (telling_octets, behind) =
            other.split_at(other.iter().position(u8::is_ascii).unwrap_or(other.len()));
        telling.extend_from_slice(telling_octets);
        rest = behind;
    }
}

/// Appends what is beside something else at both ends of a run of ASCII.
fn push_plain(plain: &[u8], telling: &mut Vec<u8>) {
    let tail = last_word(plain);
    match plain.len().checked_sub(tail.len()) {
        Some(between) if between > BESIDE => {
            telling.extend_from_slice(&plain[..BESIDE]);
            telling.extend_from_slice(tail);
        }
        _ => telling.extend_from_slice(plain),
    }
}

/// As much of the end of a run of ASCII as tells how far a word has come: the case of its letters, or what may be
/// the beginning of `n.º`, `12º` or `XIIº`.
fn last_word(plain: &[u8]) -> &[u8] {
    match plain {
        // A word in lower case, and no number: nothing before these tells more.
        [.., b'a'..=b'z', b'a'..=b'h' | b'j'..=b'u' | b'w' | b'y' | b'z'] => &plain[plain.len() - 2..],
        _ => {
            let begins = |octet: &u8| !octet.is_ascii_alphanumeric() && *octet != b'.';
            &plain[plain.iter().rposition(begins).unwrap_or(0)..]
        }
    }
}

/// Whether a letter that windows-1252 does not have there stands beside another letter.
fn has_words(guess: Charset, octets: &[u8]) -> bool {
    let own = |octet: u8| {
        let text = guess.decode(&[octet]).into_text().into_owned();
        let letter = text.chars().all(char::is_alphabetic) && !matches!(octet, 0xA9 | 0xAE);
        letter && text != Charset::WINDOWS_1252.decode(&[octet]).text()
    };
    // Asked of each octet that is there once.
    let mut asked = [None; 256];
    for &octet in octets.iter().filter(|octet| !octet.is_ascii()) {
        asked[usize::from(octet)].get_or_insert_with(|| own(octet));
    }
    let own = asked.map(|own| own == Some(true));
    let is_own = |octet: u8| own[usize::from(octet)];
    let is_letter = |octet: u8| octet.is_ascii_alphabetic() || is_own(octet);
    octets
        .windows(2)
        .any(|pair| is_own(pair[0]) && is_letter(pair[1]) || is_letter(pair[0]) && is_own(pair[1]))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    const PROSE: [(&[&str], &str); 6] = [
        (&["windows-1252", "macintosh"], include_str!("../../benches/text/fr.txt")),
        (&["windows-1251", "koi8-r", "iso-8859-5", "ibm866"], include_str!("../../benches/text/ru.txt")),
        (&["windows-1253", "iso-8859-7"], include_str!("../../benches/text/el.txt")),
        (&["gb18030", "gbk"], include_str!("../../benches/text/zh.txt")),
        (&["shift_jis", "euc-jp"], include_str!("../../benches/text/ja.txt")),
        (&["euc-kr"], include_str!("../../benches/text/ko.txt")),
    ];

    #[test]
    fn signs_are_no_letters() {
        for line in [&b"Tides\n\xAF\xAF\xAF\xAF\xAF\n"[..], b"\xB7 one\n\xB7 two", b"\xAB so \xBB"] {
            assert_eq!(detect(line), Charset::WINDOWS_1252, "{line:?}");
        }
    }

    /// The specification: every word of the lines that tell something.
    fn guess(octets: &[u8]) -> &'static str {
        let mut detector = EncodingDetector::new(Iso2022JpDetection::Deny);
        detector.feed(octets, true);
        detector.guess(None, Utf8Detection::Deny).name()
    }

    proptest! {
        #[test]
        fn plain_words_tell_nothing(
            words in prop::collection::vec(
                prop_oneof![
                    "[a-zA-Z0-9.,;:!?<>=/ -]{0,12}".prop_map(String::into_bytes),
                    prop::collection::vec(any::<u8>(), 0..4),
                    prop::collection::vec(0x80_u8.., 1..6),
                    "[\u{e0}-\u{ff}a-zIVXNnMDS. ]{1,9}"
                        .prop_map(|text| text.chars().map(|c| u8::try_from(c).unwrap_or(b'?')).collect()),
                    "([a-zA-Z0-9.;]{0,5}[ ,>]?([nN][.]?|[IVXivx]{0,4}|[0-9]{0,3}|[MDS])?[\u{aa}\u{ba}\u{a9}\u{a0}\u{e9}\u{99}\u{81}\u{fe}][ 1a]?){1,4}"
                        .prop_map(|text| text.chars().map(|c| u8::try_from(c).unwrap_or(b'?')).collect()),
                ],
                0..40,
            ),
            between in "[ \r]|, |[.] ",
        ) {
            let line = words.join(between.as_bytes());
            let mut telling = Vec::new();
            push_telling(&line, &mut telling);
            prop_assert_eq!(guess(&telling), guess(&line));
        }

        #[test]
        fn a_guess_that_stands_still_is_that_of_all(
            (labels, text) in prop::sample::select(PROSE.to_vec()),
            order in prop::collection::vec(any::<prop::sample::Index>(), 1..80),
        ) {
            let sentences: Vec<&str> = text.lines().collect();
            let text = order.iter().map(|at| *at.get(&sentences)).collect::<Vec<_>>().join("\n");
            for label in labels {
                let encoding = Encoding::for_label(label.as_bytes()).expect("a label");
                let octets = encoding.encode(&text).0;
                prop_assert_eq!(standing_guess(&octets).name(), guess(&octets));
            }
        }

        #[test]
        fn what_is_remembered_is_what_would_be_guessed(
            texts in prop::collection::vec(prop::collection::vec(any::<u8>(), 0..20), 1..8),
            order in prop::collection::vec(any::<prop::sample::Index>(), 1..40),
        ) {
            for text in order.iter().map(|at| at.get(&texts)) {
                prop_assert_eq!(detect(text), detect_anew(text));
            }
        }

        #[test]
        fn lines_with_other_octets_tell(text in "([a-z ]{0,20}|\u{e9}|\n){0,40}") {
            let octets = text.as_bytes();
            let mut naive = Vec::new();
            for line in octets.split_inclusive(|&octet| octet == b'\n').filter(|line| !line.is_ascii()) {
                push_telling(line, &mut naive);
            }
            prop_assert_eq!(telling_lines(octets), naive);
        }
    }
}
