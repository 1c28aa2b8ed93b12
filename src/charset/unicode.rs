//! The Unicode forms, by the codecs of their own documents (see `codec/`).

use super::sink::{Machine, Sink, Writer};
use crate::Code;
use crate::codec::utf7::{self, Direct};

/// The Hangul syllables of Unicode 1.1; Unicode 2.0 moved them and gave the place to other characters (RFC 2279, 6).
const OLD_HANGUL: std::ops::RangeInclusive<char> = '\u{3400}'..='\u{4DFF}';

/// Reads UTF-7.
#[derive(Default)]
pub(super) struct Utf7(utf7::Decoder);

impl Machine for Utf7 {
    fn push(&mut self, octets: &[u8], _: usize, sink: &mut Sink<'_>) {
        self.0.decode(octets, false, sink.text, sink.tally);
    }

    fn end(&mut self, _: usize, sink: &mut Sink<'_>) {
        self.0.decode(&[], true, sink.text, sink.tally);
    }
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

/// Text of Unicode 1.1: its Hangul are reported, and left as they are.
pub(super) struct Old<M>(pub(super) M);

impl<M: Machine> Machine for Old<M> {
    fn push(&mut self, octets: &[u8], at: usize, sink: &mut Sink<'_>) {
        let before = sink.text.len();
        self.0.push(octets, at, sink);
        report_hangul(before, at, at + octets.len(), sink);
    }

    fn end(&mut self, at: usize, sink: &mut Sink<'_>) {
        let before = sink.text.len();
        self.0.end(at, sink);
        report_hangul(before, at, at, sink);
    }
}

fn report_hangul(before: usize, start: usize, end: usize, sink: &mut Sink<'_>) {
    if sink.text[before..].contains(|c| OLD_HANGUL.contains(&c)) {
        sink.note(Code::OldHangul, start, end);
    }
}
