//! The names of properties whose ids differ from store to store (MS-PST, 2.4.7).

use super::format::{u16_at, u32_at};
use crate::model::{Guid, Name, Names, Properties, PropertyName, Value};

/// The sets of properties that need no number in a store.
const PS_MAPI: Guid = Guid::of_outlook(0x0002_0328);
const PS_PUBLIC_STRINGS: Guid = Guid::of_outlook(0x0002_0329);

/// Reads the names out of the properties of the node that has them.
///
/// ```text
/// sets    = *guid
/// entries = *(what(4) set-and-kind(2) number(2))
/// texts   = *(length(4) text filling)               ; in UTF-16, filled to four octets
/// ```
pub(super) fn read(properties: &Properties) -> Names {
    let stream = |id| match properties.get(id) {
        Some(Value::Binary(octets)) => octets.as_slice(),
        _ => &[],
    };
    let (sets, entries, texts) = (stream(2), stream(3), stream(4));

    let mut names = Names::default();
    for entry in entries.as_chunks::<8>().0 {
        let [a, b, c, d, e, f, g, h] = *entry;
        let what = u32::from_le_bytes([a, b, c, d]);
        let set_and_kind = u16::from_le_bytes([e, f]);
        let Some(id) = u16::from_le_bytes([g, h]).checked_add(0x8000) else { continue };

        let set = match set_and_kind >> 1 {
            0 => Some(Guid([0; 16])),
            1 => Some(PS_MAPI),
            2 => Some(PS_PUBLIC_STRINGS),
            number => sets.as_chunks::<16>().0.get(usize::from(number) - 3).map(|guid| Guid(*guid)),
        };
        let name = if set_and_kind & 1 == 0 {
            Some(Name::Number(what))
        } else {
            text_at(texts, what as usize).map(Name::Text)
        };
        if let (Some(set), Some(name)) = (set, name) {
            names.insert(id, PropertyName { set, name });
        }
    }
    names
}

/// The longest name that is read: Outlook's own limit is 254.
const MAX_NAME: usize = 1024;

fn text_at(texts: &[u8], at: usize) -> Option<String> {
    let length = u32_at(texts, at)? as usize;
    if length > MAX_NAME {
        return None;
    }
    let text = texts.get(at.checked_add(4)?..)?.get(..length)?;
    let units = (0..length / 2).map_while(|number| u16_at(text, 2 * number));
    let units: Vec<u16> = units.collect();
    Some(String::from_utf16_lossy(&units))
}
