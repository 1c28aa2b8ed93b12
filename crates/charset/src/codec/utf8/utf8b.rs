//! UTF-8B: any octets as UTF-16, and the same octets back.
//!
//! Each octet that is not part of well-formed UTF-8 becomes the low surrogate U+DC80 to U+DCFF that
//! ends in it; well-formed text never has one of those alone.

/// Returns octets as UTF-16 units by UTF-8B: each octet that is not part of well-formed UTF-8 is
/// U+DC80 to U+DCFF, so that [`from_utf8b`] returns any octets unchanged.
///
/// ```
/// use sevenbit::utf8;
///
/// assert_eq!(utf8::from_utf8b(&utf8::to_utf8b(b"caf\xE9")).unwrap(), b"caf\xE9");
/// ```
pub fn to_utf8b(octets: &[u8]) -> Vec<u16> {
    let mut units = Vec::with_capacity(octets.len());
    for chunk in octets.utf8_chunks() {
        units.extend(chunk.valid().encode_utf16());
        units.extend(chunk.invalid().iter().map(|&octet| 0xDC00 | u16::from(octet)));
    }
    units
}

/// Returns the octets of UTF-16 units in UTF-8B; `None` if there is a lone surrogate other than
/// those.
pub fn from_utf8b(units: &[u16]) -> Option<Vec<u8>> {
    let mut octets = Vec::with_capacity(units.len());
    for unit in char::decode_utf16(units.iter().copied()) {
        match unit {
            Ok(character) => {
                octets.extend_from_slice(character.encode_utf8(&mut [0; 4]).as_bytes())
            }
            Err(lone) => match lone.unpaired_surrogate() {
                unit @ 0xDC80..=0xDCFF => octets.push(unit as u8),
                _ => return None,
            },
        }
    }
    Some(octets)
}
