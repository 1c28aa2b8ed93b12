//! From octets that a decoder has just written to text; controls in text; the order of octets.

use std::borrow::Cow;

use super::scan;

/// Appends UTF-8. What a decoder writes is well-formed; were it not, U+FFFD would stand for what is wrong.
pub(crate) fn push_utf8(octets: &[u8], out: &mut String) {
    match validate(octets, &mut [0; SHORT]) {
        Some(text) => out.push_str(text),
        None => out.push_str(&String::from_utf8_lossy(octets)),
    }
}

/// The text that a decoder has written at the head of `room`.
///
/// Short text is validated and copied with what stands behind it, which is mostly well-formed too: the length is the last
/// that is known, and whatever is done by it waits.
#[inline]
pub(crate) fn written(room: &[u8], length: usize) -> String {
    if length <= SHORT
        && let Some(short) = room.first_chunk::<SHORT>()
        && let Ok(text) = simdutf8::basic::from_utf8(short)
        && text.is_char_boundary(length)
    {
        let mut owned = String::with_capacity(SHORT);
        owned.push_str(text);
        owned.truncate(length);
        return owned;
    }
    let mut text = String::with_capacity(length);
    push_utf8(&room[..length], &mut text);
    text
}

/// Text shorter than this the vector code leaves to the standard library, which is slower.
pub(crate) const SHORT: usize = 64;

/// The text, if `octets` are well-formed UTF-8. Short text is copied to `room`, which holds zeros.
pub(crate) fn validate<'r>(octets: &'r [u8], room: &'r mut [u8; SHORT]) -> Option<&'r str> {
    match room.get_mut(..octets.len()) {
        Some(start) => {
            start.copy_from_slice(octets);
            simdutf8::basic::from_utf8(room).ok()?.get(..octets.len())
        }
        None => simdutf8::basic::from_utf8(octets).ok(),
    }
}

/// `octets` as UTF-8, U+FFFD for what is ill-formed: as the standard library has it, which goes octet by octet.
pub(crate) fn lossy(octets: &[u8]) -> Cow<'_, str> {
    match str::from_utf8(octets) {
        Ok(text) => Cow::Borrowed(text),
        Err(_) => String::from_utf8_lossy(octets),
    }
}

/// From what is written in US-ASCII to text, for all that an encoder to US-ASCII has written.
pub(crate) fn from_utf8(octets: Vec<u8>) -> String {
    String::from_utf8(octets).unwrap_or_else(|error| String::from_utf8_lossy(error.as_bytes()).into_owned())
}

/// Whether there is a control (Cc): of C0 or C1, or DEL.
pub(crate) fn has_control(text: &str) -> bool {
    has_control_of(text, |octet| octet < b' ')
}

/// The same without TAB.
pub(crate) fn has_control_but_tab(text: &str) -> bool {
    has_control_of(text, |octet| (octet < b' ') & (octet != b'\t'))
}

/// One of C0 for which `c0` holds, DEL, or one of C1, which are C2 80 to C2 9F.
#[inline]
fn has_control_of(text: &str, c0: impl Fn(u8) -> bool) -> bool {
    let octets = text.as_bytes();
    scan::any(octets, |octet| c0(octet) | (octet == 0x7F) | (octet == 0xC2))
        && (scan::any(octets, |octet| c0(octet) | (octet == 0x7F))
            || scan::any_pair(octets, |octet, next| (octet == 0xC2) & (next < 0xA0)))
}

/// Which octet of a unit comes first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ByteOrder {
    /// The high one: network order.
    Big,
    /// The low one.
    Little,
}

impl ByteOrder {
    /// The unit that two octets are.
    pub(crate) fn unit(self, octets: [u8; 2]) -> u16 {
        match self {
            Self::Big => u16::from_be_bytes(octets),
            Self::Little => u16::from_le_bytes(octets),
        }
    }

    /// The octets of a unit.
    pub(crate) fn octets(self, unit: u16) -> [u8; 2] {
        match self {
            Self::Big => unit.to_be_bytes(),
            Self::Little => unit.to_le_bytes(),
        }
    }
}

/// What a label of UTF-16 or UTF-32 says about the order of octets.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Label {
    /// `UTF-16`, `UTF-32`: a signature does; big-endian without one.
    Signed,
    /// `UTF-16BE`, `UTF-16LE`...: this order; there is no signature, U+FEFF is a character.
    Ordered(ByteOrder),
}

impl Label {
    /// The order as long as no signature says otherwise.
    pub(crate) const fn order(self) -> ByteOrder {
        match self {
            Self::Signed => ByteOrder::Big,
            Self::Ordered(order) => order,
        }
    }
}

/// Whether an encoder writes U+FEFF first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Signature {
    /// It does.
    With,
    /// It does not.
    Without,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn controls_are_those_of_unicode() {
        for c in '\0'..'\u{3000}' {
            for text in [format!("{c}"), format!("ab{c}"), format!("{:\u{bf}<30}{c}{:x<9}", "", "")] {
                assert_eq!(has_control(&text), c.is_control(), "{c:?}");
                assert_eq!(has_control_but_tab(&text), c.is_control() && c != '\t', "{c:?}");
            }
        }
    }

    #[test]
    fn text_of_any_length_is_well_formed_or_not() {
        for length in 0..3 * SHORT {
            let mut octets = "aé".repeat(SHORT).into_bytes();
            octets.truncate(length);
            let naive = str::from_utf8(&octets).ok();
            assert_eq!(validate(&octets, &mut [0; SHORT]), naive, "{length}");
        }
    }
}
