//! The octets of each character in the charsets that are tables: those that read as it, and where
//! several do, those that the WHATWG Encoding Standard chooses.

use std::sync::OnceLock;

use encoding_rs::{BIG5, EUC_KR, Encoding, GB18030, SHIFT_JIS};

use super::double_byte::DoubleByteSet;
use super::inverse::{Inverse, Octets};
use super::route::{Route, Scope};
use super::single_byte::Table;
use super::tables::list::CHARSETS;
use super::tables::single::TABLES;
use super::whatwg::char_of;
use super::{Charset, gb18030};

/// Returns the octets of each character of a charset that is a table; empty for others.
pub(super) fn inverse(charset: Charset) -> &'static Inverse {
    static INVERSES: [OnceLock<Inverse>; CHARSETS.len()] =
        [const { OnceLock::new() }; CHARSETS.len()];
    INVERSES[usize::from(charset.0)].get_or_init(|| match charset.route() {
        Route::Ascii => Inverse::new(ascii()),
        Route::Table(number) => of_table(&TABLES[usize::from(number)]),
        Route::Whatwg(encoding, Scope::Rows94) if encoding == EUC_KR => {
            of_rows(DoubleByteSet::KsX1001)
        }
        Route::Whatwg(_, Scope::Rows94) => of_rows(DoubleByteSet::Gb2312),
        Route::Whatwg(encoding, scope) => of_encoding(encoding, scope),
        _ => Inverse::new(ascii().take(0)),
    })
}

fn ascii() -> impl Iterator<Item = (char, Octets)> {
    (0..0x80_u8).map(|octet| (octet.into(), Octets::new([octet])))
}

fn of_table(table: &'static Table) -> Inverse {
    let singles =
        (0..=u8::MAX).filter_map(|octet| Some((table.char(octet)?, Octets::new([octet]))));
    let pairs = table.pairs.iter().map(|(pair, c)| (*c, Octets::new(pair.to_be_bytes())));
    Inverse::new(singles.chain(pairs))
}

/// Returns US-ASCII, and a double-byte set in A1-FE.
fn of_rows(set: DoubleByteSet) -> Inverse {
    let rows = set.entries().map(|(c, cell)| (c, Octets::new(cell.map(|octet| octet | 0x80))));
    Inverse::new(ascii().chain(rows))
}

fn of_encoding(encoding: &'static Encoding, scope: Scope) -> Inverse {
    let ranks = [Rank::First, Rank::Other, Rank::Last].into_iter();
    let octets = ranks.flat_map(|wanted| {
        sequences(encoding, scope)
            .filter(move |octets| rank(encoding, scope, octets.as_slice()) == Some(wanted))
    });
    let inverse = Inverse::new(
        octets.filter_map(|octets| Some((char_of(encoding, octets.as_slice())?, octets))),
    );
    if encoding == GB18030 && scope == Scope::All {
        inverse.and(gb18030::four_octets)
    } else {
        inverse
    }
}

/// Returns the octets that may be one character, short ones first.
fn sequences(encoding: &'static Encoding, scope: Scope) -> impl Iterator<Item = Octets> {
    let leads = if encoding.is_single_byte() { 0..0 } else { 0x81..0xFF_u8 };
    let pairs =
        leads.flat_map(|lead| (0x40..=0xFE_u8).map(move |trail| Octets::new([lead, trail])));
    let rows = if scope == Scope::JisX0212 { 0xA1..0xFF_u8 } else { 0..0 };
    let triples =
        rows.flat_map(|row| (0xA1..=0xFE_u8).map(move |cell| Octets::new([0x8F, row, cell])));
    (0..=u8::MAX).map(|octet| Octets::new([octet])).chain(pairs).chain(triples)
}

/// The preference among octets that read alike.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Rank {
    First,
    Other,
    Last,
}

/// Returns the rank of such octets; `None` if they do not belong to the charset that the label
/// names.
fn rank(encoding: &'static Encoding, scope: Scope, octets: &[u8]) -> Option<Rank> {
    Some(match octets {
        [0x80..=0x9F] if scope == Scope::NoC1 => return None,
        // The euro sign of code page 936.
        [0x80] if encoding == GB18030 && scope == Scope::All => Rank::Last,
        // IBM's characters, as NEC placed them.
        [0xED | 0xEE, _] if encoding == SHIFT_JIS => Rank::Last,
        // Hong Kong's, ten of which have two places: the one that Python and the GNU C library
        // write is written.
        [..=0xA0, _] if encoding == BIG5 && scope != Scope::Hkscs => return None,
        [0x8F, 0xCC] | [0x92, 0xC8] | [0x96, 0x44 | 0xED] if encoding == BIG5 => Rank::Last,
        [..=0xA0, _] if encoding == BIG5 => Rank::Other,
        // Two numerals, and pieces of frames that are together with the others elsewhere.
        [0xA2, 0xA4..=0xA7 | 0xCC | 0xCE] if encoding == BIG5 => Rank::Last,
        _ => Rank::First,
    })
}
