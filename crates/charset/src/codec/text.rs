//! Octets that a decoder has just written, as text.

use std::borrow::Cow;

/// Appends UTF-8. A decoder writes it well-formed; if it did not, U+FFFD would replace the fault.
pub(crate) fn push_utf8(octets: &[u8], out: &mut String) {
    match validate(octets, &mut [0; SHORT]) {
        Some(text) => out.push_str(text),
        None => out.push_str(&String::from_utf8_lossy(octets)),
    }
}

/// Returns the text that a decoder has written at the head of `room`.
#[inline]
pub fn written(room: &[u8], length: usize) -> String {
    valid(room, length).unwrap_or_else(|| String::from_utf8_lossy(&room[..length]).into_owned())
}

/// Returns the octets at the head of `room`, if they are text, and what follows them closely is as
/// well.
#[inline(always)]
pub(crate) fn valid(room: &[u8], length: usize) -> Option<String> {
    match length {
        0..=SHORT => short(room, length),
        ..=MEDIUM if room.len() >= MEDIUM => padded::<MEDIUM>(room, length),
        _ => validate(&room[..length], &mut [0; SHORT]).map(str::to_owned),
    }
}

/// Returns short text that a decoder has written at the head of `room`.
#[inline(always)]
pub(crate) fn short(room: &[u8], length: usize) -> Option<String> {
    if length <= SHORT { padded::<SHORT>(room, length) } else { None }
}

/// Returns text of up to `N` octets.
///
/// It is validated and copied together with what follows it, which is usually well-formed too: the
/// length becomes known last, and anything that depends on it would wait.
#[inline(always)]
fn padded<const N: usize>(room: &[u8], length: usize) -> Option<String> {
    let text = simdutf8::basic::from_utf8(room.first_chunk::<N>()?).ok()?;
    if !text.is_char_boundary(length) {
        return None;
    }
    let mut owned = String::with_capacity(N);
    owned.push_str(text);
    owned.truncate(length);
    Some(owned)
}

/// Text shorter than this is left to the standard library by the vector code, which is slower.
pub const SHORT: usize = 64;

/// Text up to this length is still copied faster whole.
const MEDIUM: usize = 2 * SHORT;

/// Returns the text, if `octets` are well-formed UTF-8. Short text is copied to `room`, which holds
/// zeros.
pub fn validate<'r>(octets: &'r [u8], room: &'r mut [u8; SHORT]) -> Option<&'r str> {
    match room.get_mut(..octets.len()) {
        Some(start) => {
            start.copy_from_slice(octets);
            simdutf8::basic::from_utf8(room).ok()?.get(..octets.len())
        }
        None => simdutf8::basic::from_utf8(octets).ok(),
    }
}

/// Returns `octets` as UTF-8, with U+FFFD for anything ill-formed. Checks with the standard library
/// first, since the lossy conversion goes one octet at a time.
pub fn lossy(octets: &[u8]) -> Cow<'_, str> {
    match simdutf8::basic::from_utf8(octets) {
        Ok(text) => Cow::Borrowed(text),
        Err(_) => String::from_utf8_lossy(octets),
    }
}

/// Returns the text of octets that an encoder to US-ASCII has written.
#[inline]
pub fn from_utf8(octets: Vec<u8>) -> String {
    String::from_utf8(octets)
        .unwrap_or_else(|error| String::from_utf8_lossy(error.as_bytes()).into_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_of_any_length_is_well_formed_or_not() {
        for length in 0..3 * SHORT {
            let mut octets = "aé".repeat(SHORT).into_bytes();
            octets.truncate(length);
            let naive = str::from_utf8(&octets).ok();
            assert_eq!(validate(&octets, &mut [0; SHORT]), naive, "{length}");
            let mut room = octets.clone();
            room.resize(length + MEDIUM, 0);
            assert_eq!(valid(&room, length).as_deref(), naive, "{length}");
            assert_eq!(written(&room, length), String::from_utf8_lossy(&octets), "{length}");
        }
    }
}
