//! Octets of a message, named by their offsets if they are part of it.

use serde::Serialize;

/// Octets that are shown.
#[derive(Serialize, PartialEq, Debug)]
#[serde(untagged)]
pub enum Octets {
    /// Those of the message from the first offset to the second.
    At([usize; 2]),
    /// Others, which had to be decoded first. A character U+0000 to U+00FF represents each.
    Here(String),
}

/// The offsets of a message, by which a slice of it is found again.
pub struct Offsets<'m> {
    message: &'m [u8],
}

impl<'m> Offsets<'m> {
    pub fn new(message: &'m [u8]) -> Self {
        Self { message }
    }

    /// Returns where `slice` begins and ends; none if it is not part of the message.
    pub fn span(&self, slice: &[u8]) -> Option<[usize; 2]> {
        let start = (slice.as_ptr() as usize).checked_sub(self.message.as_ptr() as usize)?;
        let end = start + slice.len();
        (end <= self.message.len()).then_some([start, end])
    }

    /// Describes a slice; if it is not part of the message, with at most `shown` octets.
    pub fn octets(&self, slice: &[u8], shown: usize) -> Octets {
        match self.span(slice) {
            Some(span) => Octets::At(span),
            None => Octets::Here(latin1(&slice[..slice.len().min(shown)])),
        }
    }

    /// A field, from the first octet of its name to the last one of its value.
    pub fn field(&self, name: &[u8], value: &[u8]) -> Octets {
        match (self.span(name), self.span(value)) {
            (Some([start, _]), Some([_, end])) if start <= end => Octets::At([start, end]),
            _ => Octets::Here(latin1(&[name, b":", value].concat())),
        }
    }
}

/// Returns a character for each octet.
pub fn latin1(octets: &[u8]) -> String {
    octets.iter().map(|octet| char::from(*octet)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_slice_of_the_message_is_named_by_its_place() {
        let message = b"Subject: x".to_vec();
        let places = Offsets::new(&message);
        assert_eq!(places.octets(&message[9..], 9), Octets::At([9, 10]));
        assert_eq!(places.field(&message[..7], &message[8..]), Octets::At([0, 10]));
        let other = b"caf\xE9".to_vec();
        assert_eq!(places.octets(&other, 9), Octets::Here("caf\u{e9}".to_owned()));
        assert_eq!(places.octets(&other, 3), Octets::Here("caf".to_owned()));
        assert_eq!(places.field(b"A", b" b"), Octets::Here("A: b".to_owned()));
    }
}
