//! Labels to charsets, without allocating (except once, for the first label that is misspelt).

use std::iter;
use std::sync::LazyLock;

use super::Charset;
use super::tables::list::{CHARSETS, MISSPELT};

/// The longest label looked up (the longest in IANA's registry is a remark among the aliases of
/// Amiga-1251).
const LONGEST: usize = 96;

/// The label of octets whose meaning is unknown (RFC 1428).
pub const UNKNOWN_8BIT: &str = "unknown-8bit";

/// How a label was spelt.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Spelling {
    /// A name or an alias of the charset, in any case.
    Known,
    /// Misspelt, quoted, or with something around it.
    Repaired,
}

/// The charset that a label gives, if it gives one.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Label {
    /// The charset is not stated: there is no label, or one like `unknown-8bit`.
    Nothing,
    /// The charset that the label means, and how it was spelt.
    Known(Charset, Spelling),
    /// The label is of no known charset, or of one that is not read.
    #[default]
    Unknown,
}

impl Label {
    /// Returns what a label means.
    pub fn read(label: &str) -> Self {
        // Nearly always it is a name or an alias, and each of a charset that can be read says
        // something.
        let exact = exact(label.as_bytes());
        if let Some(charset) = exact.filter(|charset| charset.is_decodable()) {
            return Self::Known(charset, Spelling::Known);
        }
        if says_nothing(label) {
            return Self::Nothing;
        }
        let meant = if exact.is_none() { meant(label) } else { None };
        let known = meant.filter(|(charset, _)| charset.is_decodable());
        known.map_or(Self::Unknown, |(charset, spelling)| Self::Known(charset, spelling))
    }

    /// Returns the charset that the label means, if it is known.
    pub fn charset(self) -> Option<Charset> {
        match self {
            Self::Known(charset, _) => Some(charset),
            Self::Nothing | Self::Unknown => None,
        }
    }
}

/// Returns the charset that has `label` as its name or as an alias.
pub(super) fn exact(label: &[u8]) -> Option<Charset> {
    find(label.trim_ascii())
        .filter(|(_, spelling)| *spelling == Spelling::Known)
        .map(|(charset, _)| charset)
}

/// Returns the charset that `label` means:
///
/// 1. a name or an alias, or a misspelling seen in mail (`uft-8`);
/// 2. all of it by letters and digits alone (`Shift JIS`, `Cyrillic (Windows)`);
/// 3. without anything around it: quotes, `charset=`, text after `;` or a space, a language (RFC
///    2231), `=3D`, also by letters and digits alone (`windows1251`, `KS_C_5601_1987`), without
///    `x-`, `3D`, `_charset`;
/// 4. the charset of a locale (`ja_JP.eucJP`);
/// 5. by its beginning: the longest label before something else (`utf-8*fr`, `utf8_general_ci`).
pub(super) fn lenient(label: &str) -> Option<(Charset, Spelling)> {
    // Nearly always it is of the first kind; then the others would find the same.
    exact(label.as_bytes()).map(|charset| (charset, Spelling::Known)).or_else(|| meant(label))
}

/// Returns the charset that a label means which is not exactly one.
fn meant(label: &str) -> Option<(Charset, Spelling)> {
    let bare = strip(label);
    // "Cyrillic (Windows)" is another charset than "Cyrillic".
    if bare.len() < label.len()
        && let Some(charset) = find_squeezed(label)
    {
        return Some((charset, Spelling::Repaired));
    }
    let spelling =
        if bare.len() == label.trim_ascii().len() { Spelling::Known } else { Spelling::Repaired };
    if let Some((charset, how)) = find(bare.as_bytes()) {
        return Some((charset, if how == Spelling::Known { spelling } else { how }));
    }
    let found = find_squeezed(bare);
    let found = found.or_else(|| in_locale(bare)).or_else(|| at_start(bare));
    found.map(|charset| (charset, Spelling::Repaired))
}

/// Returns the charset of a locale:
///
/// ```text
/// locale := language "_" territory "." charset [ "@" modifier ]     ; POSIX, XBD 8.2
/// ```
fn in_locale(label: &str) -> Option<Charset> {
    let (place, charset) = label.split_once('.')?;
    let (language, territory) = place.split_once('_')?;
    let are_letters =
        |text: &str| matches!(text.len(), 2 | 3) && text.bytes().all(|o| o.is_ascii_alphabetic());
    let charset = charset.split('@').next().unwrap_or_default();
    if !are_letters(language) || !are_letters(territory) {
        return None;
    }
    exact(charset.as_bytes()).or_else(|| find_squeezed(charset))
}

/// Names of families, of which what follows tells the charset: `ansi-1251`, `koi8-c`,
/// `arabic-windows`.
const FAMILIES: [&str; 9] =
    ["ansi", "arabic", "baltic", "cyrillic", "greek", "hebrew", "koi8", "korean", "x-ansi"];

/// Returns the charset of the longest label that something else follows: a sign, or letters after a
/// digit. A label decides nothing if a number follows, which is of another charset. One whose
/// octets differ from US-ASCII is not assumed.
fn at_start(label: &str) -> Option<Charset> {
    /// Shorter labels occur in words.
    const SHORTEST: usize = 4;
    let octets = label.as_bytes();
    let is_end = |end: &usize| {
        let (last, next) = (octets[end - 1], octets[*end]);
        let is_between =
            !next.is_ascii_alphanumeric() || last.is_ascii_digit() && next.is_ascii_alphabetic();
        last.is_ascii_alphanumeric() && is_between
    };
    let decides = |end: &usize| {
        let (start, rest) = octets.split_at(*end);
        let next = rest.iter().find(|octet| octet.is_ascii_alphanumeric());
        let is_family = FAMILIES.iter().any(|family| start.eq_ignore_ascii_case(family.as_bytes()));
        !is_family && !next.is_some_and(u8::is_ascii_digit)
    };
    let mut ends = (SHORTEST..octets.len().min(LONGEST)).rev().filter(is_end).filter(decides);
    let keeps_ascii = |charset: &Charset| !charset.is_wide() && *charset != Charset::UTF_7;
    ends.find_map(|end| exact(&octets[..end])).filter(keeps_ascii)
}

/// Returns whether a label says that the charset is unknown: empty, `unknown-8bit`, `x-unknown`,
/// `default_charset`...
pub fn says_nothing(label: &str) -> bool {
    const NONE: [&str; 14] = [
        "",
        UNKNOWN_8BIT,
        "csunknown8bit",
        "x-unknown",
        "unknown",
        "x-unknown-8bit",
        "unknown8bit",
        "default",
        "default_charset",
        "default-charset",
        "_autodetect",
        "_autodetect_all",
        "_autodetect_kr",
        "none",
    ];
    let bare = strip(label);
    NONE.iter().any(|none| bare.eq_ignore_ascii_case(none))
        || !is_label(label) && lenient(label).is_none()
}

/// Returns whether a charset could be meant by it: `[charset]` is something that a program forgot
/// to fill in.
fn is_label(label: &str) -> bool {
    label
        .trim_ascii()
        .bytes()
        .all(|octet| octet.is_ascii_graphic() && !b"[]{}<>\"$%@\\".contains(&octet))
}

/// Returns `label` without quotes and anything else around it.
fn strip(label: &str) -> &str {
    let odd = |octet: u8| {
        octet.is_ascii_whitespace()
            || matches!(
                octet,
                b'"' | b'\'' | b'<' | b'>' | b'?' | b'=' | b'\\' | b';' | b',' | b'\0'
            )
    };
    let from = |label: &str| label.bytes().position(|octet| !odd(octet)).unwrap_or(label.len());
    let label = &label[from(label)..];
    let label = strip_prefix(label, "charset=");
    let label = &label[from(label)..];
    &label[..label.bytes().position(odd).unwrap_or(label.len())]
}

/// Returns `label` without `prefix` in any case.
fn strip_prefix<'l>(label: &'l str, prefix: &str) -> &'l str {
    match label.split_at_checked(prefix.len()) {
        Some((head, rest)) if head.eq_ignore_ascii_case(prefix) => rest,
        _ => label,
    }
}

/// Every label, in places by its hash.
struct Labels {
    /// Each with its charset.
    known: Vec<(&'static str, Charset, Spelling)>,
    /// Indices into these, counted from one; 0 is free. A label whose place is taken has the next
    /// one.
    places: Box<[u16; PLACE_COUNT]>,
}

/// How many places there are, nearly half of them free.
const PLACE_COUNT: usize = 1 << PLACE_BITS;
const PLACE_BITS: u32 = 12;

/// The labels, put in their places when one is first looked up.
static LABELS: LazyLock<Labels> = LazyLock::new(|| {
    let named = CHARSETS.iter().zip(0..).flat_map(|(entry, number)| {
        let labels = iter::once(entry.name).chain(entry.aliases.iter().copied());
        labels.map(move |label| (label, Charset(number), Spelling::Known))
    });
    let misspelt =
        MISSPELT.iter().map(|&(label, number)| (label, Charset(number), Spelling::Repaired));
    let known: Vec<_> = named.chain(misspelt).collect();

    let mut places = Box::new([0; PLACE_COUNT]);
    for ((label, ..), number) in known.iter().zip(1..) {
        let mut place = hash(ends(label.as_bytes()), label.len());
        while places[place] != 0 {
            place = next(place);
        }
        places[place] = number;
    }
    Labels { known, places }
});

/// Returns the place after this one.
fn next(place: usize) -> usize {
    (place + 1) % PLACE_COUNT
}

/// Looks up a label as it is.
fn find(label: &[u8]) -> Option<(Charset, Spelling)> {
    if label.len() > LONGEST {
        return None;
    }
    let (sought, labels) = (ends(label), &*LABELS);
    let mut place = hash(sought, label.len());
    while let Some(at) = usize::from(labels.places[place]).checked_sub(1) {
        let (known, charset, spelling) = labels.known[at];
        let alike = known.len() == label.len() && ends(known.as_bytes()) == sought;
        // The ends of a short label are all of it.
        if alike && (label.len() <= 16 || known.as_bytes().eq_ignore_ascii_case(label)) {
            return Some((charset, spelling));
        }
        place = next(place);
    }
    None
}

/// Returns the first and the last octets of a label, in lower case: eight of each (four, for a
/// short label), which is usually all of it.
fn ends(label: &[u8]) -> [u64; 2] {
    let ends =
        match (label.first_chunk(), label.last_chunk(), label.first_chunk(), label.last_chunk()) {
            (Some(first), Some(last), ..) => {
                [u64::from_le_bytes(*first), u64::from_le_bytes(*last)]
            }
            (.., Some(first), Some(last)) => {
                [first, last].map(|four| u32::from_le_bytes(*four).into())
            }
            _ => [label.iter().fold(0, |octets, &octet| octets << 8 | u64::from(octet)), 0],
        };
    ends.map(lower_case)
}

/// Returns eight octets with their letters in lower case.
fn lower_case(octets: u64) -> u64 {
    const EACH: u64 = 0x0101_0101_0101_0101;
    let low = octets & (0x7F * EACH);
    // The highest bit of each octet: whether it is `A` or more, and whether it is more than `Z`.
    let (from, past) = (low + (0x80 - b'A' as u64) * EACH, low + (0x7F - b'Z' as u64) * EACH);
    let letters = (from ^ past) & !octets & (0x80 * EACH);
    octets | letters >> 2
}

/// Returns a place made from the ends of a label and its length. Setting the case bit of `-` and
/// other punctuation as well does no harm.
fn hash(ends: [u64; 2], length: usize) -> usize {
    (spread(ends, length) >> (u64::BITS - PLACE_BITS)) as usize
}

fn spread(ends: [u64; 2], length: usize) -> u64 {
    let [first, last] = ends.map(|octets| octets | LOWER);
    (first.wrapping_mul(SPREAD) ^ last).wrapping_mul(SPREAD) ^ (length as u64).wrapping_mul(SPREAD)
}

/// The bit that makes letters lower case.
const LOWER: u64 = 0x2020_2020_2020_2020;
/// An arbitrary odd number: multiplied by it, every octet changes the highest bits.
pub(super) const SPREAD: u64 = 0x9E37_79B9_7F4A_7C15;

/// The charsets of labels that stay unambiguous as letters and digits alone, by that form, in order.
static SQUEEZED: LazyLock<Vec<(Box<str>, u16)>> = LazyLock::new(|| {
    let squeezed = |label: &str| squeeze(label, &mut [0; LONGEST]).map(Box::from);
    let mut all: Vec<(Box<str>, u16)> = LABELS
        .known
        .iter()
        .filter_map(|(label, charset, _)| Some((squeezed(label)?, charset.0)))
        .collect();
    all.sort_unstable();
    all.dedup();
    let alone = all.chunk_by(|one, other| one.0 == other.0).filter(|alike| alike.len() == 1);
    alone.flatten().filter(|(label, _)| label.len() > 2).cloned().collect()
});

/// Looks up a label by its letters and digits. Anything between them must be ASCII: other octets
/// may have been decoded in more than one way before they come here.
fn find_squeezed(label: &str) -> Option<Charset> {
    if !label.is_ascii() {
        return None;
    }
    let mut room = [0; LONGEST];
    let squeezed = squeeze(label, &mut room)?;
    let known = |label: &str| {
        let at = SQUEEZED.binary_search_by(|(known, _)| (**known).cmp(label)).ok()?;
        Some(Charset(SQUEEZED[at].1))
    };
    let shorter =
        [squeezed.strip_suffix("charset"), squeezed.strip_prefix("x"), squeezed.strip_prefix("3d")];
    iter::once(Some(squeezed)).chain(shorter).flatten().find_map(known)
}

/// Returns the letters and digits of `label` in lower case, in `room`.
fn squeeze<'r>(label: &str, room: &'r mut [u8; LONGEST]) -> Option<&'r str> {
    let mut len = 0;
    for octet in label.bytes().filter(u8::is_ascii_alphanumeric) {
        *room.get_mut(len)? = octet.to_ascii_lowercase();
        len += 1;
    }
    str::from_utf8(&room[..len]).ok()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::{any, prop_assert_eq, proptest};

    use super::*;

    #[test]
    fn names_and_aliases_say_something() {
        for (label, ..) in &LABELS.known {
            let is_read = exact(label.as_bytes()).is_some_and(Charset::is_decodable);
            assert!(!is_read || !says_nothing(label), "{label}");
        }
    }

    proptest! {
        #[test]
        fn lowers_letters_only(octets in any::<[u8; 8]>()) {
            let lower = lower_case(u64::from_le_bytes(octets)).to_le_bytes();
            prop_assert_eq!(lower, octets.map(|octet| octet.to_ascii_lowercase()));
        }
    }
}
