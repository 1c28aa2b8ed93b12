//! Code units of octets that are read one by one or in pairs, by a table: for modules that travel
//! with a page, where encoding_rs's decoder of code units would take 8 kB compressed, beside the
//! one of text.

use std::sync::OnceLock;

use encoding_rs::Encoding;

use super::single_byte::NOTHING;
use super::tables::list::CHARSETS;
use super::whatwg::char_of;

const FIRST_LEAD: u8 = 0x81;
const FIRST_TRAIL: u8 = 0x40;
const TRAILS: usize = 0xFF - FIRST_TRAIL as usize;

/// The unit of each octet and of each pair of octets; [`NOTHING`] where there is none, or where
/// there are two.
pub(super) struct Pairs {
    singles: [u16; 256],
    pairs: Vec<[u16; TRAILS]>,
}

/// Returns the table of `encoding`, the encoding of the charset with that number.
pub(super) fn of(encoding: &'static Encoding, number: usize) -> &'static Pairs {
    static PAIRS: [OnceLock<Pairs>; CHARSETS.len()] = [const { OnceLock::new() }; CHARSETS.len()];
    PAIRS[number].get_or_init(|| Pairs::new(encoding))
}

impl Pairs {
    fn new(encoding: &'static Encoding) -> Self {
        let unit = |octets: &[u8]| {
            char_of(encoding, octets).and_then(|c| u16::try_from(c as u32).ok()).unwrap_or(NOTHING)
        };
        let row = |lead: u8| std::array::from_fn(|trail| unit(&[lead, FIRST_TRAIL + trail as u8]));
        Self {
            singles: std::array::from_fn(|octet| unit(&[octet as u8])),
            pairs: (FIRST_LEAD..=0xFE).map(row).collect(),
        }
    }

    /// Decodes `octets`; `None` if anything is ill-formed, or takes more than two octets or one
    /// unit.
    pub(super) fn read(&self, octets: &[u8]) -> Option<Vec<u16>> {
        let mut units = Vec::with_capacity(octets.len());
        let mut rest = octets.iter();
        while let Some(&octet) = rest.next() {
            let unit = match self.singles[usize::from(octet)] {
                NOTHING => self.pair(octet, *rest.next()?)?,
                unit => unit,
            };
            units.push(unit);
        }
        Some(units)
    }

    fn pair(&self, lead: u8, trail: u8) -> Option<u16> {
        let row = self.pairs.get(usize::from(lead.checked_sub(FIRST_LEAD)?))?;
        let unit = *row.get(usize::from(trail.checked_sub(FIRST_TRAIL)?))?;
        (unit != NOTHING).then_some(unit)
    }
}

#[cfg(test)]
mod tests {
    use super::super::route::Route;
    use super::*;

    #[test]
    fn pairs_are_read_as_encoding_rs_reads_them() {
        for (number, entry) in CHARSETS.iter().enumerate() {
            let Route::Whatwg(encoding, _) = entry.route else { continue };
            if encoding.is_single_byte() {
                continue;
            }
            let table = of(encoding, number);
            let mut read_count = 0;
            for lead in 0..=u8::MAX {
                for trail in 0..=u8::MAX {
                    let octets = [b'a', lead, trail];
                    let Some(units) = table.read(&octets) else { continue };
                    let text =
                        encoding.decode_without_bom_handling_and_without_replacement(&octets);
                    assert_eq!(
                        String::from_utf16(&units).ok().as_deref(),
                        text.as_deref(),
                        "{} {octets:x?}",
                        entry.name
                    );
                    read_count += 1;
                }
            }
            assert!(read_count > 20_000, "{}: {read_count}", entry.name);
        }
    }
}
