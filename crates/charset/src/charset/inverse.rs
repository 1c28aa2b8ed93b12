//! From characters to octets: the reverse of what a charset reads.
//!
//! A legacy charset is a table from octets to characters. Its inverse is as large, so none is part
//! of the binary: each is made from what the charset reads when something is first written in it.

use super::by_fours;
use super::sink::{self, prefix};
use crate::codec::utf16;

/// The number of characters in a page, which have their upper bits in common.
const PAGE: usize = 256;
/// The number of possible pages.
const PAGES: usize = 0x11_0000 / PAGE;
/// Units that are written together.
const BLOCK: usize = 256;
/// Octets of text whose units are written together.
const PIECE: usize = 4096;

/// Characters that charsets encode in four octets; there are too many to list.
type Others = fn(char) -> Option<[u8; 4]>;

/// The octets of every character that a charset writes, whatever is around it.
pub(super) struct Inverse {
    /// Which of the listed pages each page is; the first of those is empty.
    pages: Box<[u16; PAGES]>,
    listed: Vec<[Octets; PAGE]>,
    others: Option<Others>,
    /// For each code unit its octet, if each character is one octet; [`NOTHING`] also if there is
    /// none.
    singles: Option<Box<[u8; 1 << 16]>>,
}

/// Means none, but is also an octet: in that case the pages are consulted.
const NOTHING: u8 = 0;

/// Up to three octets, and then how many there are: they can be written without a check.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) struct Octets([u8; 4]);

impl Octets {
    const NONE: Octets = Octets([0; 4]);

    pub(super) fn new<const LEN: usize>(octets: [u8; LEN]) -> Self {
        const { assert!(0 < LEN && LEN < 4) };
        let mut room = [0; 4];
        room[..LEN].copy_from_slice(&octets);
        room[3] = LEN as u8;
        Self(room)
    }

    pub(super) fn as_slice(&self) -> &[u8] {
        &self.0[..self.len()]
    }

    #[inline(always)]
    fn len(self) -> usize {
        self.0[3].into()
    }
}

impl Inverse {
    /// Returns the inverse of characters with their octets; if a character comes several times, its
    /// first octets are written.
    pub(super) fn new(entries: impl IntoIterator<Item = (char, Octets)>) -> Self {
        let mut inverse = Self {
            pages: Box::new([0; PAGES]),
            listed: vec![[Octets::NONE; PAGE]],
            others: None,
            singles: None,
        };
        let mut singles = Some(Box::new([NOTHING; 1 << 16]));
        for (c, octets) in entries {
            let cell = inverse.cell_mut(c);
            if *cell == Octets::NONE {
                *cell = octets;
                singles = singles.and_then(|singles| with_single(singles, c, octets));
            }
        }
        Self { singles, ..inverse }
    }

    /// Adds characters that are not listed.
    pub(super) fn and(self, others: Others) -> Self {
        Self { others: Some(others), ..self }
    }

    /// Appends the octets of a character; returns `false` if there are none.
    pub(super) fn write_char(&self, c: char, out: &mut Vec<u8>) -> bool {
        let cell = self.cell(c.into());
        if cell != Octets::NONE {
            out.extend_from_slice(cell.as_slice());
            return true;
        }
        let octets = self.others.and_then(|others| others(c));
        out.extend(octets.iter().flatten());
        octets.is_some()
    }

    /// Returns the first and the second octet of a character that has two.
    pub(super) fn pair(&self, c: char) -> Option<[u8; 2]> {
        let [first, second, _, len] = self.cell(c.into()).0;
        (len == 2).then_some([first, second])
    }

    /// Appends the octets of code units of UTF-16; returns how many of those, up to one without
    /// octets.
    pub(super) fn write_units(&self, units: &[u16], out: &mut Vec<u8>) -> usize {
        let (mut done, mut room) = (0, [0; 4 * BLOCK]);
        loop {
            done += self.write_listed(&units[done..], &mut room, out);
            let next = char::decode_utf16(units[done..].iter().copied()).next();
            match next.and_then(Result::ok) {
                Some(c) if self.write_char(c, out) => done += c.len_utf16(),
                _ => return done,
            }
        }
    }

    /// Appends the octets of code units, up to one that is not listed, or not a character by
    /// itself.
    fn write_listed(&self, units: &[u16], room: &mut [u8; 4 * BLOCK], out: &mut Vec<u8>) -> usize {
        let mut done = 0;
        for block in units.chunks(BLOCK) {
            let (read, written) =
                self.write_singles(block, room).unwrap_or_else(|| self.write_cells(block, room));
            out.extend_from_slice(&room[..written]);
            done += read;
            if read < block.len() {
                break;
            }
        }
        done
    }

    /// Writes units that are one octet each; returns the units read and octets written, or `None`
    /// if any is not.
    fn write_singles(&self, units: &[u16], room: &mut [u8; 4 * BLOCK]) -> Option<(usize, usize)> {
        let (singles, octets) = (self.singles.as_deref()?, &mut room[..units.len()]);
        by_fours::map(units, octets, |unit| singles[usize::from(unit)]);
        (!octets.contains(&NOTHING)).then_some((units.len(), units.len()))
    }

    /// Writes units of any number of octets, up to one that is not listed; returns the units read
    /// and octets written.
    fn write_cells(&self, units: &[u16], room: &mut [u8; 4 * BLOCK]) -> (usize, usize) {
        let mut written = 0;
        for (count, &unit) in units.iter().enumerate() {
            let cell = self.cell(unit.into());
            if cell == Octets::NONE {
                return (count, written);
            }
            if let Some(octets) = room[written..].first_chunk_mut() {
                *octets = cell.0;
            }
            written += cell.len();
        }
        (units.len(), written)
    }

    #[inline(always)]
    fn cell(&self, c: u32) -> Octets {
        let page = self.pages[c as usize / PAGE];
        self.listed[usize::from(page)][c as usize % PAGE]
    }

    fn cell_mut(&mut self, c: char) -> &mut Octets {
        let page = &mut self.pages[c as usize / PAGE];
        if *page == 0 {
            *page = self.listed.len() as u16;
            self.listed.push([Octets::NONE; PAGE]);
        }
        &mut self.listed[usize::from(*page)][c as usize % PAGE]
    }
}

/// Adds one more character; `None` if that has more than one octet, or more than one unit.
fn with_single(
    mut singles: Box<[u8; 1 << 16]>,
    c: char,
    octets: Octets,
) -> Option<Box<[u8; 1 << 16]>> {
    let (unit, &[octet]) = (u16::try_from(u32::from(c)).ok()?, octets.as_slice()) else {
        return None;
    };
    singles[usize::from(unit)] = octet;
    Some(singles)
}

/// Writes by an inverse.
pub(super) struct Writer(pub(super) &'static Inverse);

impl sink::Writer for Writer {
    fn write(&mut self, text: &str, octets: &mut Vec<u8>) -> Result<(), usize> {
        let (mut done, mut units) = (0, Vec::with_capacity(text.len().min(PIECE)));
        while done < text.len() {
            let piece = prefix(&text[done..], PIECE);
            units.clear();
            utf16::push_text(piece, &mut units);
            let written = self.0.write_units(&units, octets);
            if written < units.len() {
                return Err(done + octets_of(written, piece));
            }
            done += piece.len();
        }
        Ok(())
    }

    fn end(&mut self, _: &mut Vec<u8>) {}
}

/// Returns how many octets of `text` the first `units` code units are.
fn octets_of(units: usize, text: &str) -> usize {
    let mut before = 0;
    let after = text.char_indices().find(|(_, c)| {
        before += c.len_utf16();
        before > units
    });
    after.map_or(text.len(), |(at, _)| at)
}
