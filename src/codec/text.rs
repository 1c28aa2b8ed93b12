//! From octets that a decoder has just written to text.

/// Appends UTF-8. What a decoder writes is well-formed; were it not, U+FFFD would stand for what is wrong.
pub(crate) fn push_utf8(octets: &[u8], out: &mut String) {
    match simdutf8::basic::from_utf8(octets) {
        Ok(text) => out.push_str(text),
        Err(_) => out.push_str(&String::from_utf8_lossy(octets)),
    }
}
