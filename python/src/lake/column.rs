//! Columns as Arrow lays them out, so that Python makes arrays of them without looking at a value: validity, offsets and
//! data, each in one run of octets. See <https://arrow.apache.org/docs/format/Columnar.html>.
//!
//! Offsets have 32 bits, because that is what Spark accepts; [`super::rows`] ends a batch long before they are full, or says
//! that they are.

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

/// Where the values of rows end, in their data or among the items of lists.
pub struct Ends(Vec<i32>);

impl Default for Ends {
    fn default() -> Self {
        Self(vec![0])
    }
}

impl Ends {
    fn push(&mut self, end: usize) {
        self.0.push(i32::try_from(end).unwrap_or(i32::MAX));
    }

    fn octets(&self) -> Vec<u8> {
        self.0.iter().flat_map(|end| end.to_le_bytes()).collect()
    }
}

/// A column: which rows have a value, and the values.
pub struct Column {
    valid: Bits,
    values: Values,
}

/// The values of a column.
enum Values {
    /// Text or octets.
    Strings(Ends, Vec<u8>),
    /// Numbers of 64 bits.
    Numbers(Vec<i64>),
    /// Yes or no.
    Flags(Bits),
    /// Lists of values of one kind; a map is a list of pairs.
    Lists(Ends, Box<Column>),
    /// Values of several kinds that belong together.
    Structs(Vec<Column>),
}

impl Column {
    fn new(values: Values) -> Self {
        Self { valid: Bits::default(), values }
    }

    pub fn strings() -> Self {
        Self::new(Values::Strings(Ends::default(), Vec::new()))
    }

    pub fn numbers() -> Self {
        Self::new(Values::Numbers(Vec::new()))
    }

    pub fn flags() -> Self {
        Self::new(Values::Flags(Bits::default()))
    }

    pub fn lists(items: Self) -> Self {
        Self::new(Values::Lists(Ends::default(), Box::new(items)))
    }

    pub fn structs(fields: Vec<Self>) -> Self {
        Self::new(Values::Structs(fields))
    }

    /// Appends a value, which is of the column's kind, or nothing.
    pub fn push(&mut self, value: Value<'_>) {
        self.valid.push(!matches!(value, Value::Nothing));
        match (&mut self.values, value) {
            (Values::Strings(ends, data), value) => {
                data.extend_from_slice(if let Value::Octets(octets) = value {
                    octets
                } else {
                    b""
                });
                ends.push(data.len());
            }
            (Values::Numbers(numbers), value) => {
                numbers.push(if let Value::Number(number) = value { number } else { 0 });
            }
            (Values::Flags(flags), value) => flags.push(matches!(value, Value::Flag(true))),
            (Values::Lists(ends, items), value) => {
                if let Value::List(values) = value {
                    values.into_iter().for_each(|value| items.push(value));
                }
                ends.push(items.valid.len);
            }
            (Values::Structs(fields), Value::Struct(values)) => {
                fields.iter_mut().zip(values).for_each(|(field, value)| field.push(value));
            }
            (Values::Structs(fields), _) => {
                fields.iter_mut().for_each(|field| field.push(Value::Nothing))
            }
        }
    }

    /// Whether its offsets can say where each value ends.
    pub fn has_ends(&self) -> bool {
        let fit = |end: usize| i32::try_from(end).is_ok();
        match &self.values {
            Values::Strings(_, data) => fit(data.len()),
            Values::Lists(_, items) => fit(items.valid.len) && items.has_ends(),
            Values::Structs(fields) => fields.iter().all(Self::has_ends),
            Values::Numbers(_) | Values::Flags(_) => true,
        }
    }

    /// The arguments of `pyarrow.Array.from_buffers` without the type: the length, the buffers, and those of the children.
    pub fn into_buffers(self, py: Python<'_>) -> Buffers {
        let (buffers, children) = match self.values {
            Values::Strings(ends, data) => (vec![ends.octets(), data], Vec::new()),
            Values::Numbers(numbers) => {
                (vec![numbers.iter().flat_map(|number| number.to_le_bytes()).collect()], Vec::new())
            }
            Values::Flags(flags) => (vec![flags.octets], Vec::new()),
            Values::Lists(ends, items) => (vec![ends.octets()], vec![*items]),
            Values::Structs(fields) => (Vec::new(), fields),
        };
        let of = |octets: &[u8]| PyBytes::new(py, octets).unbind();
        let validity = (self.valid.unset > 0).then(|| of(&self.valid.octets));
        let buffers =
            std::iter::once(validity).chain(buffers.iter().map(|octets| Some(of(octets))));
        let children = children.into_iter().map(|child| child.into_buffers(py));
        Buffers(self.valid.len, buffers.collect(), children.collect())
    }
}

/// The value of one row in a column.
pub enum Value<'v> {
    Nothing,
    Octets(&'v [u8]),
    Number(i64),
    Flag(bool),
    List(Vec<Value<'v>>),
    Struct(Vec<Value<'v>>),
}

impl<'v> Value<'v> {
    pub fn text(text: Option<&'v str>) -> Self {
        text.map_or(Self::Nothing, |text| Self::Octets(text.as_bytes()))
    }

    /// A list of texts.
    pub fn texts(texts: impl IntoIterator<Item = &'v str>) -> Self {
        Self::List(texts.into_iter().map(|text| Self::text(Some(text))).collect())
    }

    /// A number without a sign.
    pub fn number(number: u64) -> Self {
        Self::Number(i64::try_from(number).unwrap_or(i64::MAX))
    }

    /// A number of octets.
    pub fn size(octets: usize) -> Self {
        Self::Number(i64::try_from(octets).unwrap_or(i64::MAX))
    }
}

/// A column, as Python takes it: `(length, [validity, buffer...], [child...])`.
#[derive(IntoPyObject)]
pub struct Buffers(usize, Vec<Option<Py<PyBytes>>>, Vec<Buffers>);
