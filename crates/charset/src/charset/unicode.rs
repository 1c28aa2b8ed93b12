//! The Unicode forms, by the codecs of their own documents (see `codec/`).

use super::sink::{CharWriter, Machine, Sink, Writer};
use crate::Code;
use crate::codec::byte_order::{Bom, ByteOrder, Label};
use crate::codec::utf7::{self, Direct};
use crate::codec::utf8;
use crate::codec::utf16::{self, order::SAMPLE};
use crate::codec::utf32;
use crate::report::Tally;

/// The Hangul syllables of Unicode 1.1; Unicode 2.0 moved them and gave the place to other
/// characters (RFC 2279, 6).
const OLD_HANGUL: std::ops::RangeInclusive<char> = '\u{3400}'..='\u{4DFF}';

/// A codec that writes its text and its issues itself.
pub(super) trait Codec: Clone + Send + Sync {
    /// Reads `octets`; `last` says that there are no more.
    fn read(&mut self, octets: &[u8], last: bool, text: &mut String, tally: &mut Tally);
}

impl Codec for utf7::Decoder {
    fn read(&mut self, octets: &[u8], last: bool, text: &mut String, tally: &mut Tally) {
        self.decode(octets, last, text, tally);
    }
}

impl Codec for utf8::Decoder {
    fn read(&mut self, octets: &[u8], last: bool, text: &mut String, tally: &mut Tally) {
        self.decode(octets, last, text, tally);
    }
}

impl Codec for utf16::Decoder {
    fn read(&mut self, octets: &[u8], last: bool, text: &mut String, tally: &mut Tally) {
        self.decode(octets, last, text, tally);
    }
}

impl Codec for utf32::Decoder {
    fn read(&mut self, octets: &[u8], last: bool, text: &mut String, tally: &mut Tally) {
        self.decode(octets, last, text, tally);
    }
}

/// Adapts such a codec to the common interface.
pub(super) struct Reader<C>(pub(super) C);

impl<C: Codec> Reader<C> {
    fn run(&mut self, octets: &[u8], last: bool, at: usize, sink: &mut Sink<'_>) {
        let (before, lossless, start) = (self.0.clone(), sink.tally.is_lossless(), sink.text.len());
        self.0.read(octets, last, sink.text, sink.tally);
        if lossless && let Some(loss) = sink.tally.first_loss() {
            // The text before the fault, read once more.
            let good = loss.saturating_sub(at).min(octets.len());
            let (mut codec, mut text) = (before, String::new());
            codec.read(&octets[..good], false, &mut text, &mut Tally::default());
            sink.lost = Some(start + text.len());
        }
    }
}

impl<C: Codec> Machine for Reader<C> {
    fn push(&mut self, octets: &[u8], at: usize, sink: &mut Sink<'_>) {
        self.run(octets, false, at, sink);
    }

    fn end(&mut self, at: usize, sink: &mut Sink<'_>) {
        self.run(&[], true, at, sink);
    }
}

/// Reads UTF-16 under the label that states no order: by a byte order mark, otherwise in the order
/// in which the first octets can be read, which are held until there are enough. The result does
/// not depend on the chunks.
#[derive(Default)]
pub(super) struct Utf16Reader {
    held: Vec<u8>,
    inner: Option<Reader<utf16::Decoder>>,
}

impl Utf16Reader {
    /// Reads on from what was held, of which there is enough.
    fn begin(&mut self, sink: &mut Sink<'_>) -> &mut Reader<utf16::Decoder> {
        let held = std::mem::take(&mut self.held);
        let inner = self.inner.insert(Reader(utf16::Decoder::new(label_of(&held))));
        inner.push(&held, 0, sink);
        inner
    }
}

fn label_of(octets: &[u8]) -> Label {
    let is_signed = utf16::order::signed(octets).is_some();
    if is_signed { Label::WithBom } else { Label::Ordered(utf16::order::likely(octets)) }
}

impl Machine for Utf16Reader {
    fn push(&mut self, octets: &[u8], at: usize, sink: &mut Sink<'_>) {
        if let Some(inner) = &mut self.inner {
            return inner.push(octets, at, sink);
        }
        let (now, later) = octets.split_at(octets.len().min(SAMPLE - self.held.len()));
        self.held.extend_from_slice(now);
        if self.held.len() == SAMPLE || utf16::order::signed(&self.held).is_some() {
            self.begin(sink).push(later, at + now.len(), sink);
        }
    }

    fn end(&mut self, at: usize, sink: &mut Sink<'_>) {
        match &mut self.inner {
            Some(inner) => inner.end(at, sink),
            None => self.begin(sink).end(at, sink),
        }
    }
}

/// Text of Unicode 1.1: Hangul are reported and left as they are.
pub(super) struct Old<M> {
    inner: M,
    found: bool,
}

impl<M> Old<M> {
    pub(super) fn new(inner: M) -> Self {
        Self { inner, found: false }
    }
}

impl<M: Machine> Machine for Old<M> {
    fn push(&mut self, octets: &[u8], at: usize, sink: &mut Sink<'_>) {
        let before = sink.text.len();
        self.inner.push(octets, at, sink);
        self.found |= has_hangul(&sink.text[before..]);
    }

    fn end(&mut self, at: usize, sink: &mut Sink<'_>) {
        let before = sink.text.len();
        self.inner.end(at, sink);
        if self.found || has_hangul(&sink.text[before..]) {
            sink.note(Code::OldHangul, 0, at);
        }
    }
}

fn has_hangul(text: &str) -> bool {
    text.contains(|c| OLD_HANGUL.contains(&c))
}

/// Writes UTF-7, safe for mail: set O is shifted.
pub(super) struct Utf7Writer(utf7::Encoder);

impl Default for Utf7Writer {
    fn default() -> Self {
        Self(utf7::Encoder::new(Direct::MailSafe))
    }
}

impl Writer for Utf7Writer {
    fn write(&mut self, text: &str, octets: &mut Vec<u8>) -> Result<(), usize> {
        self.0.encode(text, octets);
        Ok(())
    }

    fn end(&mut self, octets: &mut Vec<u8>) {
        self.0.finish(octets);
    }
}

/// Writes UTF-8.
pub(super) struct Utf8Writer;

impl Writer for Utf8Writer {
    fn write(&mut self, text: &str, octets: &mut Vec<u8>) -> Result<(), usize> {
        octets.extend(text.as_bytes());
        Ok(())
    }

    fn end(&mut self, _: &mut Vec<u8>) {}
}

/// Writes CESU-8 (UTR 26): a character above U+FFFF is its two surrogates, three octets each.
pub(super) struct Cesu8Writer;

impl CharWriter for Cesu8Writer {
    fn char(&mut self, c: char, octets: &mut Vec<u8>) -> bool {
        if (c as u32) < 0x1_0000 {
            octets.extend(c.encode_utf8(&mut [0; 4]).as_bytes());
        } else {
            for unit in c.encode_utf16(&mut [0; 2]) {
                let last = |shift: u32| 0x80 | (*unit >> shift & 0x3F) as u8;
                octets.extend([0xE0 | (*unit >> 12) as u8, last(6), last(0)]);
            }
        }
        true
    }
}

/// Writes UTF-16: big-endian with a byte order mark if the label does not declare the order.
pub(super) struct Utf16Writer(utf16::Encoder);

impl Utf16Writer {
    pub fn new(label: Label) -> Self {
        Self(utf16::Encoder::new(label.order(), bom(label)))
    }
}

impl Writer for Utf16Writer {
    fn write(&mut self, text: &str, octets: &mut Vec<u8>) -> Result<(), usize> {
        self.0.encode(text, octets);
        Ok(())
    }

    fn end(&mut self, octets: &mut Vec<u8>) {
        self.0.finish(octets);
    }
}

/// Writes UTF-32: big-endian with a byte order mark if the label does not declare the order.
pub(super) struct Utf32Writer {
    order: ByteOrder,
    bom: Bom,
}

impl Utf32Writer {
    pub fn new(label: Label) -> Self {
        Self { order: label.order(), bom: bom(label) }
    }
}

impl Writer for Utf32Writer {
    fn write(&mut self, text: &str, octets: &mut Vec<u8>) -> Result<(), usize> {
        let bom = std::mem::replace(&mut self.bom, Bom::Without);
        utf32::encode(text, self.order, bom, octets);
        Ok(())
    }

    fn end(&mut self, octets: &mut Vec<u8>) {
        utf32::encode("", self.order, self.bom, octets);
    }
}

fn bom(label: Label) -> Bom {
    if label == Label::WithBom { Bom::With } else { Bom::Without }
}
