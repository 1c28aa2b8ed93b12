//! Sets of rows of the table of fields, of which each name of a field has one.

use super::{ROWS, Row, RowId};

/// A set of rows: a bit for each, by its place in the table.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct RowSet(u128);

const _: () = assert!(RowId::COUNT <= u128::BITS as usize);

impl RowSet {
    /// Returns the rows that occur more than once among those of a header's fields.
    pub fn repeated(rows: impl Iterator<Item = RowId>) -> Self {
        let (mut seen, mut again) = (0, 0);
        for row in rows {
            let bit = 1 << row.0;
            again |= seen & bit;
            seen |= bit;
        }
        Self(again)
    }

    /// Returns whether the set has any row that `is_asked` selects.
    pub fn any(self, is_asked: impl Fn(&Row) -> bool) -> bool {
        // Most are empty.
        self.0 != 0
            && ROWS.iter().enumerate().any(|(at, row)| self.0 >> at & 1 == 1 && is_asked(row))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sets_hold_what_comes_again() {
        let rows =
            [b"To".as_slice(), b"Received", b"X-A", b"Received", b"xref", b"X-B"].map(RowId::of);
        let repeated = RowSet::repeated(rows.into_iter());
        assert!(
            repeated.any(|row| row.name == "received") && repeated.any(|row| row.name.is_empty())
        );
        assert!(!repeated.any(|row| matches!(row.name, "to" | "xref")));
    }
}
