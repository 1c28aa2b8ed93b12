//! UTF-16 under the label without an order: as the signature says, big-endian without one (RFC 2781, 4.3).

use super::sink::{Machine, Sink};
use super::web;

/// Reads UTF-16 with or without a signature.
#[derive(Default)]
pub(super) struct Reader {
    first: Option<u8>,
    inner: Option<web::Reader>,
}

impl Machine for Reader {
    fn push(&mut self, octets: &[u8], at: usize, sink: &mut Sink<'_>) {
        let mut rest = octets;
        while self.inner.is_none() && !rest.is_empty() {
            match self.first.take() {
                None => self.first = Some(rest[0]),
                Some(first) => {
                    let order = if (first, rest[0]) == (0xFF, 0xFE) {
                        encoding_rs::UTF_16LE
                    } else {
                        encoding_rs::UTF_16BE
                    };
                    let mut inner = web::Reader::new(order);
                    if !matches!((first, rest[0]), (0xFF, 0xFE) | (0xFE, 0xFF)) {
                        inner.push(&[first, rest[0]], at.saturating_sub(1), sink);
                    }
                    self.inner = Some(inner);
                }
            }
            rest = &rest[1..];
        }
        if let Some(inner) = &mut self.inner {
            inner.push(rest, at + octets.len() - rest.len(), sink);
        }
    }

    fn end(&mut self, at: usize, sink: &mut Sink<'_>) {
        if let Some(first) = self.first.take() {
            let mut inner = web::Reader::new(encoding_rs::UTF_16BE);
            inner.push(&[first], at - 1, sink);
            self.inner = Some(inner);
        }
        if let Some(inner) = &mut self.inner {
            inner.end(at, sink);
        }
    }
}
