//! BOCU-1 (UTN 6): each character as its distance from one near the previous character.

use super::sink::{CharWriter, Machine, Sink};
use crate::DecodeFault;

/// Where the distance is counted from at the start, and after a control character.
const START: i32 = 0x40;
/// Values of an octet after the first.
const TRAILS: i32 = 243;
/// The octet that resets the distance to its start.
const RESET: u8 = 0xFF;
/// Control octets that may follow a first octet; those that must stay unused are left out.
const CONTROLS: [u8; 20] = [
    1, 2, 3, 4, 5, 6, 0x10, 0x11, 0x12, 0x13, 0x14, 0x15, 0x16, 0x17, 0x18, 0x19, 0x1C, 0x1D, 0x1E,
    0x1F,
];

/// First octets by length: the first of them, how many octets follow, and the distance that the
/// first represents.
const LEADS: [(u8, u32, i32); 8] = [
    (0x21, 3, -187_660 - 14_348_907),
    (0x22, 2, -10_513 - 3 * 59_049),
    (0x25, 1, -64 - 43 * 243),
    (0x50, 0, -64),
    (0xD0, 1, 64),
    (0xFB, 2, 10_513),
    (0xFE, 3, 187_660),
    (RESET, 0, 0),
];

/// Reads BOCU-1.
pub(super) struct Reader {
    near: i32,
    /// The distance so far.
    distance: i32,
    /// Octets read of the character, and to come.
    read: usize,
    left: u32,
}

impl Default for Reader {
    fn default() -> Self {
        Self { near: START, distance: 0, read: 0, left: 0 }
    }
}

impl Reader {
    fn octet(&mut self, octet: u8, at: usize, sink: &mut Sink<'_>) {
        if self.left == 0 {
            return self.first(octet, at, sink);
        }
        let Some(trail) = trail(octet) else {
            sink.bad(DecodeFault::UndecodableText, at - self.read, at);
            self.left = 0;
            self.near = START;
            return self.first(octet, at, sink);
        };
        self.left -= 1;
        self.read += 1;
        self.distance += trail * TRAILS.pow(self.left);
        if self.left == 0 {
            self.character(at + 1, sink);
        }
    }

    fn first(&mut self, octet: u8, at: usize, sink: &mut Sink<'_>) {
        match octet {
            0..=0x20 => {
                if octet != b' ' {
                    self.near = START;
                }
                sink.char(octet.into());
            }
            RESET => self.near = START,
            _ => {
                let (lead, left, base) =
                    LEADS[LEADS.partition_point(|(lead, ..)| *lead <= octet) - 1];
                let step = TRAILS.pow(left);
                self.distance = base + i32::from(octet - lead) * step;
                (self.left, self.read) = (left, 1);
                if left == 0 {
                    self.character(at + 1, sink);
                }
            }
        }
    }

    fn character(&mut self, end: usize, sink: &mut Sink<'_>) {
        let value =
            self.near.checked_add(self.distance).and_then(|value| u32::try_from(value).ok());
        match value.and_then(char::from_u32) {
            Some(c) => {
                self.near = near(c);
                sink.char(c);
            }
            None => {
                self.near = START;
                sink.bad(DecodeFault::UndecodableText, end - self.read, end);
            }
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
        if self.left > 0 {
            self.left = 0;
            sink.bad(DecodeFault::UndecodableText, at - self.read, at);
        }
    }
}

/// Writes BOCU-1.
#[derive(Debug)]
pub(super) struct Writer {
    near: i32,
}

impl Default for Writer {
    fn default() -> Self {
        Self { near: START }
    }
}

impl CharWriter for Writer {
    fn char(&mut self, c: char, out: &mut Vec<u8>) -> bool {
        if c <= ' ' {
            if c != ' ' {
                self.near = START;
            }
            out.push(c as u8);
            return true;
        }
        let distance = c as i32 - self.near;
        self.near = near(c);
        let row = LEADS[1..7].partition_point(|(_, _, base)| *base <= distance);
        let (lead, left, base) = LEADS[row];
        let mut rest = distance - base;
        out.push(lead + (rest / TRAILS.pow(left)) as u8);
        for place in (0..left).rev() {
            rest %= TRAILS.pow(place + 1);
            let trail = (rest / TRAILS.pow(place)) as usize;
            out.push(CONTROLS.get(trail).copied().unwrap_or((trail + 13) as u8));
        }
        true
    }
}

/// Returns the value of an octet after the first.
fn trail(octet: u8) -> Option<i32> {
    match octet {
        0x21.. => Some(i32::from(octet) - 13),
        _ => CONTROLS.iter().position(|control| *control == octet).map(|at| at as i32),
    }
}

/// Returns where the next distance is counted from.
fn near(c: char) -> i32 {
    match c {
        '\u{3040}'..='\u{309F}' => 0x3070,
        '\u{4E00}'..='\u{9FA5}' => 0x4E00 + 10_513,
        '\u{AC00}'..='\u{D7A3}' => (0xAC00 + 0xD7A3) / 2,
        _ => (c as i32 & !0x7F) + START,
    }
}
