//! The ISO-2022 family: one state machine for every national profile.
//!
//! The profiles use disjoint escapes, so one machine reads the union of them all; they differ only
//! in what G1 is before anything is designated.
//!
//! Deviations, all of them lenient:
//! 1. An escape of another profile is read (ISO-2022-JP text with an escape of -JP-2, -JP-3 or of
//!    Microsoft's variants).
//! 2. SO without a designation shifts to the profile's usual set (RFC 1557 wants a header that
//!    encoded-words often lack).
//! 3. A designation outlives its line, although RFC 1554 and RFC 1922 want it repeated. A shift by
//!    SO ends with the line, as RFC 1557 and RFC 1922 want it.
//! 4. ESC ( H (the Swedish names' set, once misused in Japan) is read as JIS X 0201 Roman.
//! 5. Line ends and other controls are read in any set, and never change G0 (as in all other
//!    readers of ISO-2022-JP).

mod write;

pub(super) use self::write::{CN, CN_EXT, JP, JP_1, JP_2, JP_3, KR, Writer};
use super::double_byte::DoubleByteSet;
use super::sink::{Machine, Sink, Text};
use crate::DecodeFault;
use crate::codec::shifts::Shifts;

const ESC: u8 = 0x1B;
const SO: u8 = 0x0E;
const SI: u8 = 0x0F;

/// The shifts of nearly all Japanese text.
const JIS_X_0208: Glyphs = Glyphs::Double(DoubleByteSet::JisX0208);
const ESCAPED: Shifts<3> = Shifts { there: *b"\x1B$B", back: *b"\x1B(B" };

/// The shifts of Korean and Chinese text, after a designation.
const SHIFTED: Shifts<1> = Shifts { there: [SO], back: [SI] };

/// The content of a set of graphic characters.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Glyphs {
    /// US-ASCII.
    Ascii,
    /// JIS X 0201 Roman: yen sign and overline.
    Roman,
    /// JIS X 0201 katakana.
    Katakana,
    /// The right half of ISO-8859-1.
    Latin1,
    /// The right half of ISO-8859-7.
    Greek,
    /// Two octets per character.
    Double(DoubleByteSet),
    /// No set was designated.
    Undesignated,
}

impl Glyphs {
    /// Returns the octets 20-7F of a character, and how many there are.
    pub(super) fn octets(self, c: char) -> Option<([u8; 2], usize)> {
        if let Glyphs::Double(set) = self {
            return set.octets(c).map(|cell| (cell, 2));
        }
        (0x20..0x80).find(|octet| self.char(*octet) == Some(c)).map(|octet| ([octet, 0], 1))
    }

    /// Returns the character of one octet 20-7F; the double-byte sets have none.
    pub(super) fn char(self, octet: u8) -> Option<char> {
        match (self, octet) {
            (Glyphs::Roman, 0x5C) => Some('\u{A5}'),
            (Glyphs::Roman, 0x7E) => Some('\u{203E}'),
            (Glyphs::Ascii | Glyphs::Roman, _) => Some(octet.into()),
            (Glyphs::Katakana, 0x21..=0x5F) => char::from_u32(0xFF40 + u32::from(octet)),
            (Glyphs::Latin1, _) => Some((octet | 0x80).into()),
            (Glyphs::Greek, 0x20..=0x7F) => greek(octet | 0x80),
            _ => None,
        }
    }
}

/// The effect of an escape.
#[derive(Clone, Copy)]
enum Action {
    /// Puts a set in G0, G1, G2 or G3.
    Designate(usize, Glyphs),
    /// The next character is from G2 or G3.
    SingleShift(usize),
    /// Announces a revision; the escape that follows determines everything.
    Nothing,
}

/// Every escape, without its ESC.
const ESCAPES: &[(&[u8], Action)] = {
    use Action::*;
    use DoubleByteSet::*;
    use Glyphs::*;
    &[
        (b"(B", Designate(0, Ascii)),
        (b"(J", Designate(0, Roman)),
        (b"(H", Designate(0, Roman)),
        (b"(I", Designate(0, Katakana)),
        (b")I", Designate(1, Katakana)),
        (b"$@", Designate(0, Double(JisX0208))),
        (b"$B", Designate(0, Double(JisX0208))),
        (b"$(@", Designate(0, Double(JisX0208))),
        (b"$(B", Designate(0, Double(JisX0208))),
        (b"&@", Nothing),
        (b"$(D", Designate(0, Double(JisX0212))),
        (b"$A", Designate(0, Double(Gb2312))),
        (b"$(A", Designate(0, Double(Gb2312))),
        (b"$)A", Designate(1, Double(Gb2312))),
        (b"$(C", Designate(0, Double(KsX1001))),
        (b"$)C", Designate(1, Double(KsX1001))),
        (b"$(O", Designate(0, Double(JisX0213One))),
        (b"$(Q", Designate(0, Double(JisX0213One))),
        (b"$(P", Designate(0, Double(JisX0213Two))),
        (b"$)E", Designate(1, Double(IsoIr165))),
        (b"$)G", Designate(1, Double(Cns(1)))),
        (b"$*H", Designate(2, Double(Cns(2)))),
        (b"$+I", Designate(3, Double(Cns(3)))),
        (b"$+J", Designate(3, Double(Cns(4)))),
        (b"$+K", Designate(3, Double(Cns(5)))),
        (b"$+L", Designate(3, Double(Cns(6)))),
        (b"$+M", Designate(3, Double(Cns(7)))),
        (b".A", Designate(2, Latin1)),
        (b".F", Designate(2, Greek)),
        (b"N", SingleShift(2)),
        (b"O", SingleShift(3)),
    ]
};

/// Reads any profile of the family.
pub(super) struct Reader {
    /// G0 to G3.
    sets: [Glyphs; 4],
    /// Whether SO has invoked G1.
    shifted: bool,
    /// The set for the next character only.
    single: Option<Glyphs>,
    /// The first octet of a pair, and its set.
    lead: Option<(u8, DoubleByteSet)>,
    /// How many octets of `escape` have been read.
    escape: [u8; 4],
    begun: usize,
}

impl Reader {
    /// Returns a reader whose G1 is `usual` until something else is designated.
    pub(super) fn new(usual: Glyphs) -> Self {
        let sets = [Glyphs::Ascii, usual, Glyphs::Undesignated, Glyphs::Undesignated];
        Self { sets, shifted: false, single: None, lead: None, escape: [0; 4], begun: 0 }
    }

    /// Returns whether nothing is pending.
    fn is_between(&self) -> bool {
        self.begun == 0 && self.lead.is_none() && self.single.is_none()
    }

    /// Reads text that only shifts between US-ASCII and one set, by SO and SI or by the escapes
    /// that most text uses; returns how many octets.
    fn runs<T: Text>(&mut self, octets: &[u8], sink: &mut Sink<'_, T>) -> usize {
        if !self.is_between() {
            return 0;
        }
        match (self.sets, self.shifted) {
            ([Glyphs::Ascii, Glyphs::Double(set), ..], shifted) => {
                let (read, shifted) = set.read_shifting(&SHIFTED, octets, shifted, sink.text);
                self.shifted = shifted;
                read
            }
            ([set @ (Glyphs::Ascii | JIS_X_0208), ..], false) => {
                let shifted = set == JIS_X_0208;
                let (read, shifted) =
                    DoubleByteSet::JisX0208.read_shifting(&ESCAPED, octets, shifted, sink.text);
                self.sets[0] = if shifted { JIS_X_0208 } else { Glyphs::Ascii };
                read
            }
            _ => 0,
        }
    }

    /// Returns the double-byte set invoked, if nothing is pending.
    fn pairs(&self) -> Option<DoubleByteSet> {
        match self.sets[usize::from(self.shifted)] {
            Glyphs::Double(set) if self.is_between() => Some(set),
            _ => None,
        }
    }

    fn octet(&mut self, octet: u8, at: usize, sink: &mut Sink<'_, impl Text>) {
        if self.begun > 0 {
            return self.in_escape(octet, at, sink);
        }
        if let Some((lead, set)) = self.lead.take() {
            if matches!(octet, 0x21..=0x7E) {
                return sink.cell_or_bad(set.cell(lead, octet), at - 1, at + 1);
            }
            sink.bad(DecodeFault::UndecodableText, at - 1, at);
        }
        match octet {
            ESC => self.begin_escape(),
            SO => self.shifted = true,
            SI => self.shifted = false,
            0..0x20 => self.control(octet, sink),
            0x20 | 0x7F if self.single.is_none() => sink.char(octet.into()),
            0x20..0x80 => self.graphic(octet, at, sink),
            _ => sink.bad(DecodeFault::UndecodableText, at, at + 1),
        }
    }

    fn control(&mut self, octet: u8, sink: &mut Sink<'_, impl Text>) {
        self.shifted &= !matches!(octet, b'\r' | b'\n');
        self.single = None;
        sink.char(octet.into());
    }

    fn graphic(&mut self, octet: u8, at: usize, sink: &mut Sink<'_, impl Text>) {
        let set = self.single.take().unwrap_or(self.sets[usize::from(self.shifted)]);
        match set {
            Glyphs::Double(set) => self.lead = Some((octet, set)),
            _ => sink.char_or_bad(set.char(octet), at, at + 1),
        }
    }

    /// Reads whole escapes, one after another, if nothing is pending; returns how many octets they
    /// have. Octet by octet they mean the same, since no escape begins with another.
    fn escapes(&mut self, octets: &[u8]) -> usize {
        let mut read = 0;
        while self.is_between()
            && let Some((&ESC, rest)) = octets[read..].split_first()
            && let Some((escape, action)) = ESCAPES.iter().find(|(escape, _)| begins(rest, escape))
        {
            self.act(*action);
            read += 1 + escape.len();
        }
        read
    }

    fn begin_escape(&mut self) {
        self.escape[0] = ESC;
        self.begun = 1;
    }

    /// Reads one more octet of an escape, which may end it, continue it, or show that it is not
    /// one.
    fn in_escape(&mut self, octet: u8, at: usize, sink: &mut Sink<'_, impl Text>) {
        let begun = self.begun;
        self.escape[begun] = octet;
        let so_far = &self.escape[1..=begun];
        match ESCAPES.iter().find(|(escape, _)| begins(escape, so_far)) {
            Some((escape, action)) if escape.len() == begun => self.act(*action),
            Some(_) => self.begun += 1,
            None => self.no_escape(at, sink),
        }
    }

    /// Handles octets that turned out not to be an escape: ESC is ill-formed, the rest is text.
    fn no_escape(&mut self, at: usize, sink: &mut Sink<'_, impl Text>) {
        let (octets, len) = (self.escape, self.begun + 1);
        let start = at + 1 - len;
        self.begun = 0;
        sink.bad(DecodeFault::UndecodableText, start, start + 1);
        for (i, octet) in octets.iter().enumerate().take(len).skip(1) {
            self.octet(*octet, start + i, sink);
        }
    }

    fn act(&mut self, action: Action) {
        self.begun = 0;
        match action {
            Action::Designate(place, set) => self.sets[place] = set,
            Action::SingleShift(place) => self.single = Some(self.sets[place]),
            Action::Nothing => {}
        }
    }
}

impl<T: Text> Machine<T> for Reader {
    /// Reads what most text contains in runs, and everything else one octet at a time.
    fn push(&mut self, octets: &[u8], at: usize, sink: &mut Sink<'_, T>) {
        let mut done = 0;
        while done < octets.len() {
            done += self.runs(&octets[done..], sink);
            done += self.escapes(&octets[done..]);
            if let Some(set) = self.pairs() {
                done += set.read(&octets[done..], at + done, sink);
            }
            if let Some(&octet) = octets.get(done) {
                self.octet(octet, at + done, sink);
                done += 1;
            }
        }
    }

    fn end(&mut self, at: usize, sink: &mut Sink<'_, T>) {
        if self.lead.take().is_some() {
            sink.bad(DecodeFault::UndecodableText, at - 1, at);
        }
        if self.begun > 0 {
            let (octets, len) = (self.escape, self.begun);
            self.begun = 0;
            sink.bad(DecodeFault::UndecodableText, at - len, at - len + 1);
            for (i, octet) in octets.iter().enumerate().take(len).skip(1) {
                self.octet(*octet, at - len + i, sink);
            }
            self.end(at, sink);
        }
    }
}

/// Returns whether `octets` begin with `start`. Starts are so short that the call which
/// `starts_with` makes takes longer than comparing them.
#[inline(always)]
fn begins(octets: &[u8], start: &[u8]) -> bool {
    octets.len() >= start.len() && octets.iter().zip(start).all(|(a, b)| a == b)
}

/// Returns a character of the right half of ISO-8859-7.
fn greek(octet: u8) -> Option<char> {
    let octets = [octet];
    encoding_rs::ISO_8859_7
        .decode_without_bom_handling_and_without_replacement(&octets)?
        .chars()
        .next()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_single_shift_to_nothing_shows_nothing() {
        let charset = crate::Charset::for_label("iso-2022-jp").expect("known");
        assert!(charset.decode_lossless(b"\x1BNd").is_none());
        assert_eq!(charset.decode_lossless(b"\x1B.A\x1BNd").as_deref(), Some("ä"));
    }

    #[test]
    fn no_escape_begins_with_another() {
        for (at, (one, _)) in ESCAPES.iter().enumerate() {
            let begins =
                |(other, (start, _)): (usize, &(&[u8], Action))| other != at && begins(one, start);
            assert!(!ESCAPES.iter().enumerate().any(begins), "{}", one.escape_ascii());
        }
    }
}
