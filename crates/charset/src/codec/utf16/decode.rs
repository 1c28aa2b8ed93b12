//! Reading UTF-16, chunk by chunk.

use super::{ByteOrder, Label};
use super::{block, vector};
use crate::codec::level::{self, Level};
use crate::codec::text::push_utf8;
use crate::report::Tally;
use crate::{DecodeFault, Span};

/// Reads UTF-16 in chunks that begin and end anywhere; holds no more than a unit and half of the
/// next.
#[derive(Clone, Debug)]
pub struct Decoder {
    label: Label,
    order: ByteOrder,
    vectors: Option<Level>,
    /// Whether the first unit has been seen.
    begun: bool,
    /// A high surrogate that waits for its low one; 0 if none.
    high: u16,
    /// The first octet of a unit whose second has not come.
    half: Option<u8>,
    /// Where the next whole unit begins, from the first chunk on.
    at: usize,
}

/// Units read before their text is appended.
const PIECE: usize = 512;

impl Decoder {
    /// Returns a decoder for the octet order that the label names.
    pub fn new(label: Label) -> Self {
        Self::with(level::picking(), label)
    }

    /// Returns a decoder with these vectors, or without any.
    pub(super) fn with(vectors: Option<Level>, label: Label) -> Self {
        Self { label, order: label.order(), vectors, begun: false, high: 0, half: None, at: 0 }
    }

    /// Appends the text of `chunk`; `last` says that there is no more. Spans count from the first
    /// chunk.
    pub fn decode(&mut self, chunk: &[u8], last: bool, out: &mut String, tally: &mut Tally) {
        let mut writer = Writer { octets: [0; Writer::ROOM], written: 0 };
        let chunk = self.begin(chunk, &mut writer, tally);
        let units = chunk.len() / 2 * 2;
        for piece in chunk[..units].chunks(2 * PIECE) {
            self.piece(piece, &mut writer, tally);
            writer.flush(out);
        }
        if units < chunk.len() {
            self.half = Some(chunk[units]);
        }
        if last {
            self.end(&mut writer, tally);
        }
        writer.flush(out);
    }

    /// Reads the first unit of all, and one that began in the chunk before; returns the rest of the
    /// chunk.
    fn begin<'a>(&mut self, chunk: &'a [u8], writer: &mut Writer, tally: &mut Tally) -> &'a [u8] {
        if self.begun && self.half.is_none() {
            return chunk;
        }
        let (pair, rest) = match (self.half, chunk) {
            (Some(first), [second, rest @ ..]) => ([first, *second], rest),
            (None, [first, second, rest @ ..]) => ([*first, *second], rest),
            _ => return chunk,
        };
        self.half = None;
        if std::mem::replace(&mut self.begun, true) {
            self.unit(self.order.unit(pair), writer, tally);
        } else {
            self.first(pair, writer, tally);
        }
        rest
    }

    /// Reads the first unit: a byte order mark under the label that has one (RFC 2781, 3.2 and
    /// 4.3), an error if it is one of the other order under the labels that state the order (4.1,
    /// 4.2).
    fn first(&mut self, pair: [u8; 2], writer: &mut Writer, tally: &mut Tally) {
        let unit = self.order.unit(pair);
        match (self.label, unit) {
            (Label::WithBom, 0xFEFF) => self.at += 2,
            (Label::WithBom, 0xFFFE) => {
                self.order = ByteOrder::Little;
                self.at += 2;
            }
            (_, 0xFFFE) => {
                tally.note(DecodeFault::WrongByteOrder, Span::new(self.at, self.at + 2));
                writer.push('\u{FFFD}');
                self.at += 2;
            }
            _ => self.unit(unit, writer, tally),
        }
    }

    /// Reads whole vectors or blocks as long as they contain no surrogate, then a few units one by
    /// one.
    fn piece(&mut self, piece: &[u8], writer: &mut Writer, tally: &mut Tally) {
        let mut rest = piece;
        while !rest.is_empty() {
            if self.high == 0 {
                let read = writer.convert(self.vectors, rest, self.order);
                self.at += read;
                rest = &rest[read..];
            }
            let (few, more) = rest.split_at(rest.len().min(2 * block::UNITS));
            few.as_chunks()
                .0
                .iter()
                .for_each(|&pair| self.unit(self.order.unit(pair), writer, tally));
            rest = more;
        }
    }

    /// Reads one unit: a character, or half of one.
    fn unit(&mut self, unit: u16, writer: &mut Writer, tally: &mut Tally) {
        if self.high != 0 {
            let pair = char::decode_utf16([self.high, unit]).next();
            if let Some(Ok(character)) = pair {
                self.high = 0;
                self.at += 2;
                return writer.push(character);
            }
            self.unpaired_high(writer, tally);
        }
        match unit {
            0xD800..0xDC00 => self.high = unit,
            _ => match char::from_u32(unit.into()) {
                Some(character) => writer.push(character),
                None => unpaired(unit, self.at, writer, tally),
            },
        }
        self.at += 2;
    }

    /// Replaces a high surrogate that has waited in vain; it comes before `at`.
    fn unpaired_high(&mut self, writer: &mut Writer, tally: &mut Tally) {
        unpaired(std::mem::take(&mut self.high), self.at - 2, writer, tally);
    }

    fn end(&mut self, writer: &mut Writer, tally: &mut Tally) {
        if self.high != 0 {
            self.unpaired_high(writer, tally);
        }
        if self.half.take().is_some() {
            tally.note(DecodeFault::OddOctets, Span::new(self.at, self.at + 1));
            writer.push('\u{FFFD}');
        }
    }
}

/// Reports the offending unit, as RFC 2781, 2.2 advises.
fn unpaired(unit: u16, at: usize, writer: &mut Writer, tally: &mut Tally) {
    let span = Span::new(at, at + 2);
    tally.note_value(DecodeFault::UnpairedSurrogate, span, u32::from(unit), || {
        format!("{unit:04X}")
    });
    writer.push('\u{FFFD}');
}

/// UTF-8 before it is appended to the text.
struct Writer {
    octets: [u8; Writer::ROOM],
    written: usize,
}

impl Writer {
    /// Three octets a unit, those of the units kept from the chunk before, and the surplus that
    /// blocks write.
    const ROOM: usize = 3 * PIECE + vector::ROOM + 16;

    /// Converts many units in one go, up to a surrogate; returns the octets read.
    fn convert(&mut self, vectors: Option<Level>, octets: &[u8], order: ByteOrder) -> usize {
        let room = &mut self.octets[self.written..];
        let (read, written) = match level::if_any_picks(vectors) {
            Some(level) => vector::to_utf8(level, octets, order, room),
            None => block::to_utf8(octets, order, room),
        };
        self.written += written;
        read
    }

    fn push(&mut self, character: char) {
        self.written += character.encode_utf8(&mut self.octets[self.written..]).len();
    }

    fn flush(&mut self, out: &mut String) {
        push_utf8(&self.octets[..self.written], out);
        self.written = 0;
    }
}
