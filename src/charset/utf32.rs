//! UTF-32: four octets a character, with or without a signature.

use super::sink::{Machine, Sink};
use crate::Code;

/// Which octet of a character comes first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Order {
    /// The most significant.
    Big,
    /// The least significant.
    Little,
    /// As the signature says; big-endian without one.
    Signed,
}

/// Reads UTF-32.
pub(super) struct Reader {
    order: Order,
    octets: [u8; 4],
    begun: usize,
    /// Whether a whole character was read.
    started: bool,
}

impl Reader {
    pub(super) fn new(order: Order) -> Self {
        Self { order, octets: [0; 4], begun: 0, started: false }
    }

    fn octet(&mut self, octet: u8, at: usize, sink: &mut Sink<'_>) {
        self.octets[self.begun] = octet;
        self.begun = (self.begun + 1) % 4;
        if self.begun == 0 {
            let first = !std::mem::replace(&mut self.started, true);
            if !(first && self.signature(at + 1, sink)) {
                self.character(at + 1, sink);
            }
        }
    }

    /// Whether the first four octets are a signature, and no text.
    fn signature(&mut self, end: usize, sink: &mut Sink<'_>) -> bool {
        let order = match self.octets {
            [0, 0, 0xFE, 0xFF] => Order::Big,
            [0xFF, 0xFE, 0, 0] => Order::Little,
            _ => return false,
        };
        if self.order == Order::Signed {
            self.order = order;
            return true;
        }
        if self.order != order {
            sink.bad(Code::WrongByteOrder, end - 4, end);
        }
        self.order != order
    }

    fn character(&mut self, end: usize, sink: &mut Sink<'_>) {
        let value = match self.order {
            Order::Little => u32::from_le_bytes(self.octets),
            _ => u32::from_be_bytes(self.octets),
        };
        match value {
            0xD800..0xE000 => sink.bad(Code::UnpairedSurrogate, end - 4, end),
            _ => sink.char_or_bad(char::from_u32(value), end - 4, end),
        }
    }
}

impl Machine for Reader {
    fn push(&mut self, octets: &[u8], at: usize, sink: &mut Sink<'_>) {
        for (i, octet) in octets.iter().enumerate() {
            self.octet(*octet, at + i, sink);
        }
    }

    fn end(&mut self, at: usize, sink: &mut Sink<'_>) {
        if self.begun > 0 {
            sink.bad(Code::OddOctets, at - self.begun, at);
            self.begun = 0;
        }
    }
}
