//! Writing the ISO-2022 family: a profile lists the sets it may use, in order of preference.

use super::{ESC, Glyphs, SI, SO};
use crate::charset::double_byte::DoubleByteSet;
use crate::charset::sink::CharWriter;

/// How a set is invoked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Shift {
    /// The set is designated to G0.
    Here,
    /// The set is designated to G1, and SO invokes it.
    Out,
    /// The set is designated to G2 or G3, and a single shift comes before each character.
    Single(usize),
}

/// One set of a profile, with the escape that designates it.
type Choice = (Shift, Glyphs, &'static [u8]);

/// The sets that a charset of the family writes.
pub(in crate::charset) struct Profile {
    /// The octets before the text.
    header: &'static [u8],
    choices: &'static [Choice],
    /// Whether designations end with the line.
    by_line: bool,
}

const ROMAN: Choice = (Shift::Here, Glyphs::Roman, b"\x1B(J");
const KATAKANA: Choice = (Shift::Here, Glyphs::Katakana, b"\x1B(I");
const JIS_X_0208: Choice = (Shift::Here, Glyphs::Double(DoubleByteSet::JisX0208), b"\x1B$B");
const JIS_X_0212: Choice = (Shift::Here, Glyphs::Double(DoubleByteSet::JisX0212), b"\x1B$(D");
const PLANE_ONE: Choice = (Shift::Here, Glyphs::Double(DoubleByteSet::JisX0213One), b"\x1B$(O");
const KS_X_1001: Glyphs = Glyphs::Double(DoubleByteSet::KsX1001);
const GB_2312: Choice = (Shift::Out, Glyphs::Double(DoubleByteSet::Gb2312), b"\x1B$)A");
const CNS_1: Choice = (Shift::Out, Glyphs::Double(DoubleByteSet::Cns(1)), b"\x1B$)G");
const CNS_2: Choice = (Shift::Single(2), Glyphs::Double(DoubleByteSet::Cns(2)), b"\x1B$*H");

/// ISO-2022-JP (RFC 1468), with half-width katakana as Microsoft writes them.
pub(in crate::charset) const JP: Profile = japanese(&[JIS_X_0208, ROMAN, KATAKANA]);
/// ISO-2022-JP-1 (RFC 2237).
pub(in crate::charset) const JP_1: Profile = japanese(&[JIS_X_0208, ROMAN, KATAKANA, JIS_X_0212]);
/// ISO-2022-JP-2 (RFC 1554).
pub(in crate::charset) const JP_2: Profile = japanese(&[
    JIS_X_0208,
    ROMAN,
    KATAKANA,
    JIS_X_0212,
    (Shift::Here, Glyphs::Double(DoubleByteSet::Gb2312), b"\x1B$A"),
    (Shift::Here, KS_X_1001, b"\x1B$(C"),
    (Shift::Single(2), Glyphs::Latin1, b"\x1B.A"),
    (Shift::Single(2), Glyphs::Greek, b"\x1B.F"),
]);
/// ISO-2022-JP-2004.
pub(in crate::charset) const JP_3: Profile = japanese(&[
    PLANE_ONE,
    (Shift::Here, Glyphs::Double(DoubleByteSet::JisX0213Two), b"\x1B$(P"),
    ROMAN,
    KATAKANA,
]);
/// ISO-2022-KR (RFC 1557).
pub(in crate::charset) const KR: Profile =
    Profile { header: b"\x1B$)C", choices: &[(Shift::Out, KS_X_1001, b"")], by_line: false };
/// ISO-2022-CN (RFC 1922).
pub(in crate::charset) const CN: Profile =
    Profile { header: b"", choices: &[GB_2312, CNS_1, CNS_2], by_line: true };
/// ISO-2022-CN-EXT (RFC 1922).
pub(in crate::charset) const CN_EXT: Profile = Profile {
    header: b"",
    choices: &[
        GB_2312,
        CNS_1,
        CNS_2,
        (Shift::Out, Glyphs::Double(DoubleByteSet::IsoIr165), b"\x1B$)E"),
        (Shift::Single(3), Glyphs::Double(DoubleByteSet::Cns(3)), b"\x1B$+I"),
        (Shift::Single(3), Glyphs::Double(DoubleByteSet::Cns(4)), b"\x1B$+J"),
        (Shift::Single(3), Glyphs::Double(DoubleByteSet::Cns(5)), b"\x1B$+K"),
        (Shift::Single(3), Glyphs::Double(DoubleByteSet::Cns(6)), b"\x1B$+L"),
        (Shift::Single(3), Glyphs::Double(DoubleByteSet::Cns(7)), b"\x1B$+M"),
    ],
    by_line: true,
};

const fn japanese(choices: &'static [Choice]) -> Profile {
    Profile { header: b"", choices, by_line: false }
}

/// Writes any profile of the family.
pub(in crate::charset) struct Writer {
    profile: &'static Profile,
    started: bool,
    /// The sets in G0 to G3; `None` if nothing has been designated yet.
    sets: [Option<Glyphs>; 4],
    shifted: bool,
    /// The set whose characters need nothing before them.
    in_force: Option<Glyphs>,
    /// Whether two characters may share a cell.
    shares: bool,
    /// A character, not written yet, that may share a cell of JIS X 0213 with the next one.
    held: Option<char>,
}

impl Writer {
    pub(in crate::charset) fn new(profile: &'static Profile) -> Self {
        let header = (!profile.header.is_empty()).then_some(KS_X_1001);
        Self {
            profile,
            started: false,
            sets: [Some(Glyphs::Ascii), header, None, None],
            shifted: false,
            in_force: None,
            shares: profile.choices.contains(&PLANE_ONE),
            held: None,
        }
    }

    fn ascii(&mut self, octet: u8, out: &mut Vec<u8>) {
        self.ground(out);
        out.push(octet);
        if octet == b'\n' && self.profile.by_line {
            self.sets[1..].fill(None);
        }
    }

    /// Invokes ASCII.
    fn ground(&mut self, out: &mut Vec<u8>) {
        self.in_force = None;
        self.shift(false, out);
        self.designate(0, Glyphs::Ascii, b"\x1B(B", out);
    }

    fn shift(&mut self, shifted: bool, out: &mut Vec<u8>) {
        if self.shifted != shifted {
            out.push(if shifted { SO } else { SI });
            self.shifted = shifted;
        }
    }

    fn designate(&mut self, place: usize, set: Glyphs, escape: &[u8], out: &mut Vec<u8>) {
        if self.sets[place] != Some(set) {
            out.extend(escape);
            self.sets[place] = Some(set);
        }
    }

    /// Invokes a set for at least one character.
    fn choose(&mut self, (shift, set, escape): Choice, out: &mut Vec<u8>) {
        match shift {
            Shift::Here => {
                self.shift(false, out);
                self.designate(0, set, escape, out);
                self.in_force = Some(set);
            }
            Shift::Out => {
                self.designate(1, set, escape, out);
                self.shift(true, out);
                self.in_force = Some(set);
            }
            Shift::Single(place) => {
                self.designate(place, set, escape, out);
                out.extend([ESC, if place == 2 { b'N' } else { b'O' }]);
            }
        }
    }

    /// Writes one character that is not ASCII: in the set in force, otherwise in the first that has
    /// it.
    fn graphic(&mut self, c: char, out: &mut Vec<u8>) -> bool {
        let has = |choice: &Choice| choice.1.octets(c).map(|(octets, len)| (*choice, octets, len));
        if let Some((octets, len)) = self.in_force.and_then(|set| set.octets(c)) {
            out.extend_from_slice(&octets[..len]);
        } else if let Some((choice, octets, len)) = self.profile.choices.iter().find_map(has) {
            self.choose(choice, out);
            out.extend_from_slice(&octets[..len]);
        } else {
            return false;
        }
        true
    }

    /// Writes what was held, together with `next` if the two share a cell; returns whether they do.
    fn settle(&mut self, next: Option<char>, out: &mut Vec<u8>) -> bool {
        let Some(held) = self.held.take() else { return false };
        match next.and_then(|next| DoubleByteSet::JisX0213One.octets_of_two(held, next)) {
            Some(cell) => {
                self.choose(PLANE_ONE, out);
                out.extend(cell);
                true
            }
            None => {
                self.graphic(held, out);
                false
            }
        }
    }
}

impl CharWriter for Writer {
    fn char(&mut self, c: char, out: &mut Vec<u8>) -> bool {
        if !std::mem::replace(&mut self.started, true) {
            out.extend(self.profile.header);
        }
        if matches!(c as u32 as u8, ESC | SO | SI) && c.is_ascii() {
            return false;
        }
        if self.settle(Some(c), out) {
            return true;
        }
        if c.is_ascii() {
            self.ascii(c as u8, out);
            return true;
        }
        if self.shares && DoubleByteSet::JisX0213One.begins_two(c) {
            self.held = Some(c);
            return true;
        }
        self.graphic(c, out)
    }

    fn end(&mut self, out: &mut Vec<u8>) {
        self.settle(None, out);
        self.ground(out);
    }
}
