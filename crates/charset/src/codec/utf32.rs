//! UTF-32 (Unicode, 3.10), with the labelling rules of UTF-16.

use super::byte_order::{Bom, ByteOrder, Label};
use crate::report::Tally;
use crate::{DecodeFault, Span};

/// Appends `text` in UTF-32.
pub fn encode(text: &str, order: ByteOrder, bom: Bom, out: &mut Vec<u8>) {
    let bom = (bom == Bom::With).then_some('\u{FEFF}');
    out.reserve(4 * text.len());
    for character in bom.into_iter().chain(text.chars()) {
        let unit = u32::from(character);
        out.extend_from_slice(&match order {
            ByteOrder::Big => unit.to_be_bytes(),
            ByteOrder::Little => unit.to_le_bytes(),
        });
    }
}

/// Reads UTF-32 leniently, in chunks that begin and end anywhere: U+FFFD for each unit that is not
/// a character, and for octets left over at the end. Holds less than a unit.
#[derive(Clone, Debug)]
pub struct Decoder {
    label: Label,
    order: ByteOrder,
    /// Octets of a unit that is not complete yet.
    part: [u8; 4],
    held: usize,
    /// Where the next unit begins, from the first chunk on.
    at: usize,
}

impl Decoder {
    /// Returns a decoder for the octet order that the label names.
    pub fn new(label: Label) -> Self {
        Self { label, order: label.order(), part: [0; 4], held: 0, at: 0 }
    }

    /// Appends the text of `chunk`; `last` says that there is no more. Spans count from the first
    /// chunk.
    pub fn decode(&mut self, chunk: &[u8], last: bool, out: &mut String, tally: &mut Tally) {
        let wanted = if self.held > 0 { chunk.len().min(4 - self.held) } else { 0 };
        let (head, chunk) = chunk.split_at(wanted);
        self.hold(head);
        if self.held == 4 {
            self.held = 0;
            self.unit(self.part, out, tally);
        }
        let (units, rest) = chunk.as_chunks();
        units.iter().for_each(|&unit| self.unit(unit, out, tally));
        self.hold(rest);
        if last && self.held > 0 {
            tally.note(DecodeFault::OddOctets, Span::new(self.at, self.at + self.held));
            out.push('\u{FFFD}');
            self.held = 0;
        }
    }

    fn hold(&mut self, octets: &[u8]) {
        self.part[self.held..self.held + octets.len()].copy_from_slice(octets);
        self.held += octets.len();
    }

    fn unit(&mut self, octets: [u8; 4], out: &mut String, tally: &mut Tally) {
        let at = self.at;
        self.at += 4;
        let unit = match self.order {
            ByteOrder::Big => u32::from_be_bytes(octets),
            ByteOrder::Little => u32::from_le_bytes(octets),
        };
        if at == 0 && matches!(unit, 0xFEFF | 0xFFFE_0000) && self.label == Label::WithBom {
            self.order = if unit == 0xFEFF { ByteOrder::Big } else { ByteOrder::Little };
            return;
        }
        let code = match unit {
            0xFFFE_0000 if at == 0 => DecodeFault::WrongByteOrder,
            0xD800..0xE000 => DecodeFault::UnpairedSurrogate,
            _ => DecodeFault::UndecodableText,
        };
        let character = char::from_u32(unit).unwrap_or_else(|| {
            tally.note_value(code, Span::new(at, at + 4), unit, || format!("{unit:08X}"));
            '\u{FFFD}'
        });
        out.push(character);
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::Code;

    const LABELS: [Label; 3] =
        [Label::WithBom, Label::Ordered(ByteOrder::Big), Label::Ordered(ByteOrder::Little)];

    fn decode(octets: &[u8], label: Label) -> (String, Vec<crate::Issue>) {
        let (mut text, mut tally) = (String::new(), Tally::default());
        Decoder::new(label).decode(octets, true, &mut text, &mut tally);
        (text, tally.into_issues())
    }

    fn read(octets: &[u8], label: Label) -> (String, Option<(Code, usize)>) {
        let (text, issues) = decode(octets, label);
        for at in 0..=octets.len() {
            let (mut decoder, mut parts, mut tally) =
                (Decoder::new(label), String::new(), Tally::default());
            [&octets[..at], b"", &octets[at..]]
                .iter()
                .for_each(|c| decoder.decode(c, false, &mut parts, &mut tally));
            decoder.decode(b"", true, &mut parts, &mut tally);
            assert_eq!((parts.as_str(), tally.into_issues()), (&*text, issues.clone()));
        }
        (text, issues.first().map(|issue| (issue.code(), issue.span().start)))
    }

    #[test]
    fn labels_and_faults() {
        let [signed, big, little] = LABELS;
        assert_eq!(read(b"\0\0\0a", signed), ("a".into(), None));
        assert_eq!(read(b"\0\0\xFE\xFF\0\0\0a", signed), ("a".into(), None));
        assert_eq!(read(b"\xFF\xFE\0\0a\0\0\0", signed), ("a".into(), None));
        assert_eq!(read(b"\0\0\xFE\xFF\0\0\0a", big), ("\u{FEFF}a".into(), None));
        assert_eq!(
            read(b"\0\0\xFE\xFFa\0\0\0", little),
            ("\u{FFFD}a".into(), Some((Code::Decode(DecodeFault::WrongByteOrder), 0)))
        );
        assert_eq!(
            read(b"\0\0\0a\0\0\xD8\0", big),
            ("a\u{FFFD}".into(), Some((Code::Decode(DecodeFault::UnpairedSurrogate), 4)))
        );
        assert_eq!(
            read(b"\0\x11\0\0", big),
            ("\u{FFFD}".into(), Some((Code::Decode(DecodeFault::UndecodableText), 0)))
        );
        assert_eq!(
            read(b"\0\0\0a\0\0", big),
            ("a\u{FFFD}".into(), Some((Code::Decode(DecodeFault::OddOctets), 4)))
        );
        let issue = &decode(b"\0\x11\0\0", big).1[0];
        assert_eq!((issue.detail(), issue.value()), (&"00110000".into(), Some(0x11_0000)));
    }

    proptest! {
        #[test]
        fn comes_back(text in "[^\u{FEFF}]{0,20}") {
            for (label, bom) in LABELS.into_iter().zip([Bom::With, Bom::Without, Bom::Without]) {
                let mut octets = Vec::new();
                encode(&text, label.order(), bom, &mut octets);
                prop_assert_eq!(read(&octets, label), (text.clone(), None));
            }
        }
    }
}
