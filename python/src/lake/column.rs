//! Columns as Arrow lays them out, so that Python makes arrays of them without looking at a value: validity, offsets and
//! data, each in one run of octets. See <https://arrow.apache.org/docs/format/Columnar.html>.
//!
//! Offsets have 32 bits, because that is what Spark accepts; [`super::rows`] ends a batch long before they are full.

use pyo3::prelude::*;
use pyo3::types::PyBytes;

/// One bit for each row, the lowest bit first.
#[derive(Default)]
pub struct Bits {
    octets: Vec<u8>,
    len: usize,
    unset: usize,
}

impl Bits {
    pub fn push(&mut self, bit: bool) {
        if self.len.is_multiple_of(8) {
            self.octets.push(0);
        }
        self.octets[self.len / 8] |= u8::from(bit) << (self.len % 8);
        self.len += 1;
        self.unset += usize::from(!bit);
    }
}

/// Texts or octets, or nothing.
pub struct Strings {
    valid: Bits,
    ends: Vec<i32>,
    data: Vec<u8>,
}

impl Default for Strings {
    fn default() -> Self {
        Self { valid: Bits::default(), ends: vec![0], data: Vec::new() }
    }
}

impl Strings {
    pub fn push(&mut self, value: Option<&[u8]>) {
        self.data.extend_from_slice(value.unwrap_or_default());
        self.valid.push(value.is_some());
        self.ends.push(i32::try_from(self.data.len()).expect("a batch ends before"));
    }
}

/// Lists, present in every row.
pub struct Lists<T> {
    valid: Bits,
    ends: Vec<i32>,
    items: T,
}

impl<T: Default> Default for Lists<T> {
    fn default() -> Self {
        Self { valid: Bits::default(), ends: vec![0], items: T::default() }
    }
}

/// The name and the address of a mailbox.
#[derive(Default)]
pub struct People {
    valid: Bits,
    names: Strings,
    addresses: Strings,
}

/// A column.
pub enum Column {
    /// Text or octets.
    Strings(Strings),
    /// Numbers of 64 bits.
    Numbers(Bits, Vec<i64>),
    /// Yes or no.
    Flags(Bits, Bits),
    /// Lists of texts.
    Texts(Lists<Strings>),
    /// Lists of mailboxes.
    People(Lists<People>),
}

impl Column {
    pub fn strings() -> Self {
        Self::Strings(Strings::default())
    }

    pub fn numbers() -> Self {
        Self::Numbers(Bits::default(), Vec::new())
    }

    pub fn flags() -> Self {
        Self::Flags(Bits::default(), Bits::default())
    }

    pub fn texts() -> Self {
        Self::Texts(Lists::default())
    }

    pub fn people() -> Self {
        Self::People(Lists::default())
    }

    /// Appends a value, which is of the column's kind, or nothing.
    pub fn push(&mut self, value: Value<'_>) {
        match (self, value) {
            (Self::Strings(strings), Value::Octets(octets)) => strings.push(Some(octets)),
            (Self::Strings(strings), _) => strings.push(None),
            (Self::Numbers(valid, numbers), value) => {
                let number = if let Value::Number(number) = value { Some(number) } else { None };
                valid.push(number.is_some());
                numbers.push(number.unwrap_or_default());
            }
            (Self::Flags(valid, flags), value) => {
                let flag = if let Value::Flag(flag) = value { Some(flag) } else { None };
                valid.push(flag.is_some());
                flags.push(flag.unwrap_or_default());
            }
            (Self::Texts(lists), value) => {
                lists.valid.push(matches!(value, Value::Texts(_)));
                if let Value::Texts(texts) = value {
                    texts.iter().for_each(|text| lists.items.push(Some(text.as_bytes())));
                }
                lists.ends.push(row_end(lists.items.valid.len));
            }
            (Self::People(lists), value) => {
                lists.valid.push(matches!(value, Value::People(_)));
                if let Value::People(mailboxes) = value {
                    for mailbox in mailboxes {
                        lists.items.valid.push(true);
                        lists.items.names.push(Some(mailbox.name().as_bytes()));
                        lists.items.addresses.push(Some(mailbox.address().as_bytes()));
                    }
                }
                lists.ends.push(row_end(lists.items.valid.len));
            }
        }
    }

    /// The arguments of `pyarrow.Array.from_buffers` without the type: the length, the buffers, and those of the children.
    pub fn into_buffers(self, py: Python<'_>) -> Buffers {
        match self {
            Self::Strings(strings) => strings.into_buffers(py),
            Self::Numbers(valid, numbers) => {
                let octets = numbers.iter().flat_map(|number| number.to_le_bytes()).collect::<Vec<_>>();
                Buffers::new(py, &valid, &[&octets], Vec::new())
            }
            Self::Flags(valid, flags) => Buffers::new(py, &valid, &[&flags.octets], Vec::new()),
            Self::Texts(Lists { valid, ends, items }) => {
                Buffers::new(py, &valid, &[&of_ends(&ends)], vec![items.into_buffers(py)])
            }
            Self::People(Lists { valid, ends, items }) => {
                let fields = vec![items.names.into_buffers(py), items.addresses.into_buffers(py)];
                let people = Buffers::new(py, &items.valid, &[], fields);
                Buffers::new(py, &valid, &[&of_ends(&ends)], vec![people])
            }
        }
    }
}

impl Strings {
    fn into_buffers(self, py: Python<'_>) -> Buffers {
        Buffers::new(py, &self.valid, &[&of_ends(&self.ends), &self.data], Vec::new())
    }
}

fn row_end(items: usize) -> i32 {
    i32::try_from(items).expect("a batch ends before")
}

fn of_ends(ends: &[i32]) -> Vec<u8> {
    ends.iter().flat_map(|end| end.to_le_bytes()).collect()
}

/// The value of one row in a column.
#[derive(Clone, Copy)]
pub enum Value<'v> {
    Nothing,
    Octets(&'v [u8]),
    Number(i64),
    Flag(bool),
    Texts(&'v [&'v str]),
    People(&'v [sevenbit::Mailbox]),
}

impl<'v> Value<'v> {
    pub fn text(text: Option<&'v str>) -> Self {
        text.map_or(Self::Nothing, |text| Self::Octets(text.as_bytes()))
    }
}

/// A column, as Python takes it: `(length, [validity, buffer...], [child...])`.
#[derive(IntoPyObject)]
pub struct Buffers(usize, Vec<Option<Py<PyBytes>>>, Vec<Buffers>);

impl Buffers {
    fn new(py: Python<'_>, valid: &Bits, buffers: &[&[u8]], children: Vec<Buffers>) -> Self {
        let of = |octets: &[u8]| PyBytes::new(py, octets).unbind();
        let validity = (valid.unset > 0).then(|| of(&valid.octets));
        let buffers = std::iter::once(validity).chain(buffers.iter().map(|octets| Some(of(octets))));
        Self(valid.len, buffers.collect(), children)
    }
}
