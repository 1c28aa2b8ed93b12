//! Structs that C reads where they are, and the texts that they point to: a handle keeps both, and lends them.
//!
//! The caller gets a pointer to a struct and never makes one, so that a later version may add members at its end.

use std::sync::Arc;

use crate::text::{SevenbitOctets, SevenbitText};

/// Structs for C, in order, with their texts.
pub(crate) struct Kept<Row> {
    rows: Vec<Row>,
    /// Never read, and never changed: `rows` points into them. An `Arc` may move while pointers into it exist; a `Box` may not.
    _texts: Vec<Arc<[u8]>>,
}

// SAFETY: rows hold plain data, and pointers to octets that nobody changes: those of this value, or of the message that stays
// as long as the handle.
unsafe impl<Row> Send for Kept<Row> {}
// SAFETY: as above.
unsafe impl<Row> Sync for Kept<Row> {}

impl<Row> Kept<Row> {
    /// Makes a struct of each item. `row` passes the texts that the struct points to through [`Texts`].
    pub(crate) fn new<Item>(
        items: impl IntoIterator<Item = Item>,
        mut row: impl FnMut(Item, &mut Texts) -> Row,
    ) -> Self {
        let mut texts = Texts(Vec::new());
        let rows = items.into_iter().map(|item| row(item, &mut texts)).collect();
        Self { rows, _texts: texts.0 }
    }

    pub(crate) fn len(&self) -> usize {
        self.rows.len()
    }

    /// The struct of that number, from 0.
    pub(crate) fn get(&self, number: usize) -> Option<&Row> {
        self.rows.get(number)
    }
}

/// Texts and octets that are copied to be kept; a NUL, which no length counts, follows each.
pub(crate) struct Texts(Vec<Arc<[u8]>>);

impl Texts {
    pub(crate) fn text(&mut self, text: &str) -> SevenbitText {
        let SevenbitOctets { data, length } = self.octets(text.as_bytes());
        SevenbitText { data: data.cast(), length }
    }

    /// The text, or NULL if there is none.
    pub(crate) fn maybe(&mut self, text: Option<&str>) -> SevenbitText {
        text.map_or(SevenbitText::NONE, |text| self.text(text))
    }

    pub(crate) fn octets(&mut self, octets: &[u8]) -> SevenbitOctets {
        let kept: Arc<[u8]> = octets.iter().copied().chain([0]).collect();
        let lent = SevenbitOctets { data: kept.as_ptr(), length: octets.len() };
        self.0.push(kept);
        lent
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_stay_where_they_are_and_end_with_a_nul() {
        let kept = Kept::new(["caf\u{e9}", "", "x\0y"], |text, texts| texts.text(text));
        let moved = Box::new(kept);
        for (number, text) in ["caf\u{e9}", "", "x\0y"].into_iter().enumerate() {
            let lent = moved.get(number).unwrap();
            assert_eq!(lent.length, text.len());
            // SAFETY: a text and its NUL, which `moved` owns.
            let octets =
                unsafe { std::slice::from_raw_parts(lent.data.cast::<u8>(), lent.length + 1) };
            assert_eq!(octets, [text.as_bytes(), b"\0"].concat());
        }
        assert!(moved.get(3).is_none());
    }
}
