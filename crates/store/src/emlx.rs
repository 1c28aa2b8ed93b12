//! Messages of Apple Mail: `.emlx`.
//!
//! ```text
//! emlx = 1*DIGIT *WSP LF message plist      ; the number of octets in the message
//! ```

use std::ops::Range;

use memchr::{memchr, memmem};

/// How the property list after a message begins.
const PROPERTIES: &[u8] = b"<?xml";

/// Returns where the message is in a file of Apple Mail. If the number of its octets is wrong, it
/// ends before the property list, or with the file.
#[must_use]
pub fn message_in(file: &[u8]) -> Range<usize> {
    let begin = memchr(b'\n', file).map_or(0, |end| end + 1);
    let stated =
        std::str::from_utf8(&file[..begin]).ok().and_then(|line| line.trim().parse::<usize>().ok());

    let end = stated.and_then(|octets| begin.checked_add(octets)).filter(|end| *end <= file.len());
    if let Some(end) = end.filter(|end| file.len() == *end || file[*end..].starts_with(PROPERTIES))
    {
        return begin..end;
    }
    let found =
        memmem::rfind_iter(file, PROPERTIES).find(|at| *at >= begin && file[*at - 1] == b'\n');
    begin..found.unwrap_or(file.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_message_is_between_its_length_and_the_property_list() {
        for (file, message) in [
            ("5   \na: b\n<?xml version", "a: b\n"),
            ("5\r\na: b\n", "a: b\n"),
            ("99\na: b\n<?xml x", "a: b\n"),
            ("2\na: b\n<?xml x", "a: b\n"),
            ("99\na: b\n", "a: b\n"),
            ("18446744073709551615\nx", "x"),
            ("", ""),
        ] {
            assert_eq!(&file[message_in(file.as_bytes())], message, "{file:?}");
        }
    }
}
