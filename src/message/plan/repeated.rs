//! Fields that may stand once, and stand again (rule H10).

use std::borrow::Cow;
use std::collections::HashSet;

use crate::message::fields::Field;
use crate::message::tag::Tag;

/// Whether any two fields of those that are asked about could have one name, judged by their tags.
pub(super) fn may_repeat(fields: &[Field], asked: fn(Tag) -> bool) -> bool {
    let mut seen = 0;
    fields.iter().filter(|field| asked(field.tag)).any(|field| is_again(field, &mut seen))
}

/// Whether the bit of the field's tag is set already; it is then.
fn is_again(field: &Field, seen: &mut u16) -> bool {
    let bit = 1 << field.tag as u16;
    let again = *seen & bit != 0;
    *seen |= bit;
    again
}

/// The fields that were there, of those that may stand once.
#[derive(Default)]
pub(super) struct Seen {
    tags: u16,
    /// In lower case, of those that their tag does not tell apart.
    names: HashSet<String>,
}

impl Seen {
    /// The name of the field, in lower case, if it may stand once and one of that name was there.
    pub(super) fn again(&mut self, field: &Field, source: &[u8]) -> Option<Cow<'static, str>> {
        if !field.tag.is_single() {
            return None;
        }
        if let Some(name) = field.tag.name() {
            return is_again(field, &mut self.tags).then_some(name.into());
        }
        let name = String::from_utf8_lossy(field.name(source)).to_ascii_lowercase();
        if self.names.contains(&name) {
            return Some(name.into());
        }
        self.names.insert(name);
        None
    }
}
