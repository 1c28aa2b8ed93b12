//! Charsets that encoding_rs reads.

use encoding_rs::{DecoderResult, Encoding};

use super::sink::{Machine, Sink};
use crate::Code;

/// Decodes through encoding_rs; a signature never overrides the label.
pub(super) struct Reader(encoding_rs::Decoder);

impl Reader {
    pub(super) fn new(encoding: &'static Encoding) -> Self {
        Self(encoding.new_decoder_without_bom_handling())
    }

    /// Decodes all of `octets`, with or without more to come.
    fn run(&mut self, octets: &[u8], last: bool, at: usize, sink: &mut Sink<'_>) {
        let mut done = 0;
        loop {
            let rest = &octets[done..];
            let room = self.0.max_utf8_buffer_length_without_replacement(rest.len());
            sink.text.reserve(room.unwrap_or(rest.len()).min(rest.len() * 2 + 64));
            let (result, read) = self.0.decode_to_string_without_replacement(rest, sink.text, last);
            done += read;
            match result {
                DecoderResult::InputEmpty => return,
                DecoderResult::OutputFull => {}
                DecoderResult::Malformed(bad, behind) => {
                    let end = (at + done).saturating_sub(behind.into());
                    sink.bad(Code::UndecodableText, end.saturating_sub(bad.into()), end);
                }
            }
        }
    }
}

impl Machine for Reader {
    fn push(&mut self, octets: &[u8], at: usize, sink: &mut Sink<'_>) {
        self.run(octets, false, at, sink);
    }

    fn end(&mut self, at: usize, sink: &mut Sink<'_>) {
        self.run(&[], true, at, sink);
    }
}
