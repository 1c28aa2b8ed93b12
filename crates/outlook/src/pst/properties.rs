//! Properties and rows of tables (MS-PST, 2.3.3 and 2.3.4: "property context", "table context").

use std::io::{Read, Seek};

use super::data::{Below, Blocks, data};
use super::error::Error;
use super::file::{File, Node};
use super::format::{u16_at, u32_at};
use super::heap::Heap;
use crate::model::{Names, Properties, Value, kinds};

/// The kinds of what heaps hold.
const PROPERTIES: u8 = 0xbc;
const TABLE: u8 = 0x7c;

/// A node whose data is a heap, with the nodes below it.
#[derive(Debug)]
pub(super) struct Item {
    heap: Heap,
    pub(super) below: Below,
}

/// A property as it is stored.
#[derive(Clone, Copy, Debug)]
struct Stored {
    kind: u16,
    /// The value itself, or where it is.
    octets: [u8; 4],
}

impl Item {
    /// Opens a node.
    pub(super) fn open<R: Read + Seek>(file: &mut File<R>, node: Node) -> Result<Self, Error> {
        let heap = Heap::open(file, node.data)?;
        Ok(Self { heap, below: Below::read(file, node.below) })
    }

    /// Returns the octets that are somewhere else: in the heap, or in the data of a node below.
    fn elsewhere<R: Read + Seek>(
        &mut self,
        file: &mut File<R>,
        place: u32,
    ) -> Result<Vec<u8>, Error> {
        if place == 0 {
            return Ok(Vec::new());
        }
        // The type of an id of a value in a heap is 0.
        if place & 0x1f == 0 {
            return Ok(self.heap.item(file, place)?.to_vec());
        }
        let node = self.below.get(place).ok_or(Error::Node { id: place })?;
        data(file, node.data)
    }

    /// Returns the properties of the node, and the ids of those that cannot be read; `None` among
    /// those stands for properties whose ids are not known.
    pub(super) fn properties<R: Read + Seek>(
        &mut self,
        file: &mut File<R>,
        names: &Names,
    ) -> Result<(Properties, Vec<Option<u16>>), Error> {
        if self.heap.kind != PROPERTIES {
            return Err(Error::Head);
        }
        let root = self.heap.root;
        let mut list = self.heap.list(file, root)?;
        if (list.key_size, list.value_size) != (2, 6) {
            return Err(Error::Head);
        }

        let (mut properties, mut faults) = (Properties::default(), Vec::new());
        while let Some(record) = list.next(file, &mut self.heap) {
            let Ok(record) = record else {
                faults.push(None);
                continue;
            };
            let (Some(id), Some(kind), Some(octets)) =
                (u16_at(record.key(), 0), u16_at(record.value(), 0), record.value().get(2..))
            else {
                continue;
            };
            let Some(octets) = octets.first_chunk() else { continue };
            let stored = Stored { kind, octets: *octets };
            match self.value(file, stored) {
                Ok(Some(value)) => properties.insert(id, value, names),
                Ok(None) => {}
                Err(_) => faults.push(Some(id)),
            }
        }
        Ok((properties, faults))
    }

    /// Returns the value of a property; `None` if its type is one of no value.
    fn value<R: Read + Seek>(
        &mut self,
        file: &mut File<R>,
        stored: Stored,
    ) -> Result<Option<Value>, Error> {
        const UNSPECIFIED: u16 = 0;
        const NULL: u16 = 1;
        let place = u32::from_le_bytes(stored.octets);
        let broken = Error::Heap { id: place };
        let value = match stored.kind {
            UNSPECIFIED | NULL => return Ok(None),
            kinds::INTEGER16
            | kinds::INTEGER32
            | kinds::FLOAT32
            | kinds::BOOLEAN
            | kinds::ERROR => Value::fixed(stored.kind, &stored.octets),
            kinds::OBJECT => Some(Value::Object(self.elsewhere(file, place)?)),
            kind if kind & kinds::MULTIPLE != 0 => {
                let octets = self.elsewhere(file, place)?;
                values(kind & !kinds::MULTIPLE, &octets).map(Value::Multiple)
            }
            kind => {
                let octets = self.elsewhere(file, place)?;
                match size_of(kind) {
                    Some(_) => Value::fixed(kind, &octets),
                    None => variable(kind, octets),
                }
            }
        };
        value.map(Some).ok_or(broken)
    }
}

/// Returns the size of a type of fixed size.
fn size_of(kind: u16) -> Option<usize> {
    Some(match kind {
        kinds::BOOLEAN => 1,
        kinds::INTEGER16 => 2,
        kinds::INTEGER32 | kinds::FLOAT32 | kinds::ERROR => 4,
        kinds::INTEGER64
        | kinds::FLOAT64
        | kinds::CURRENCY
        | kinds::FLOATING_TIME
        | kinds::TIME => 8,
        kinds::GUID => 16,
        _ => return None,
    })
}

/// Returns a value of variable size. What has no type of its own in the model is kept as octets.
fn variable(kind: u16, octets: Vec<u8>) -> Option<Value> {
    /// `PtypServerId`, `PtypRestriction`, `PtypRuleAction`.
    const STRUCTURES: [u16; 3] = [0x00fb, 0x00fd, 0x00fe];
    if STRUCTURES.contains(&kind) {
        Some(Value::Binary(octets))
    } else {
        Value::variable(kind, octets)
    }
}

/// ```text
/// values = *value                               ; of a fixed size
///        / count(4) *offset(4) *value
/// ```
fn values(kind: u16, octets: &[u8]) -> Option<Vec<Value>> {
    if let Some(size) = size_of(kind) {
        return octets.chunks_exact(size).map(|value| Value::fixed(kind, value)).collect();
    }
    if octets.is_empty() {
        return Some(Vec::new());
    }

    let count = u32_at(octets, 0)? as usize;
    // Values do not overlap, so that they hold no more than `octets`.
    let offset = |number: usize| u32_at(octets, 4 + 4 * number).map(|offset| offset as usize);
    let mut values = Vec::new();
    let mut least = 0;
    for number in 0..count {
        let start = offset(number)?;
        let end = if number + 1 == count { octets.len() } else { offset(number + 1)? };
        if start < least {
            return None;
        }
        values.push(variable(kind, octets.get(start..end)?.to_vec())?);
        least = end;
    }
    Some(values)
}

/// A table: rows of properties.
#[derive(Debug)]
pub(super) struct Table {
    item: Item,
    columns: Vec<Column>,
    row_size: usize,
    /// Where the bits are that say which cells of a row there are.
    bits: usize,
    /// The id of the list of rows.
    index: u32,
    /// The place of the rows.
    rows: u32,
}

#[derive(Clone, Copy, Debug)]
struct Column {
    id: u16,
    kind: u16,
    at: usize,
    size: usize,
    bit: usize,
}

/// The rows of a table, by their ids.
#[derive(Debug)]
pub(super) struct RowIds {
    list: super::heap::List,
}

impl Table {
    /// ```text
    /// head   = %x7C count ends(8) index(4) rows(4) unused(4) *column
    /// column = type(2) id(2) offset(2) size bit
    /// ```
    pub(super) fn open<R: Read + Seek>(file: &mut File<R>, node: Node) -> Result<Self, Error> {
        let mut item = Item::open(file, node)?;
        if item.heap.kind != TABLE {
            return Err(Error::Head);
        }
        let root = item.heap.root;
        let head = item.heap.item(file, root)?;
        let (Some(&TABLE), Some(&count)) = (head.first(), head.get(1)) else {
            return Err(Error::Head);
        };
        let (Some(bits), Some(row_size), Some(index), Some(rows), Some(columns)) = (
            u16_at(&head, 6),
            u16_at(&head, 8),
            u32_at(&head, 10),
            u32_at(&head, 14),
            head.get(22..),
        ) else {
            return Err(Error::Head);
        };
        let columns = columns.chunks_exact(8).take(count.into()).filter_map(|column| {
            Some(Column {
                kind: u16_at(column, 0)?,
                id: u16_at(column, 2)?,
                at: u16_at(column, 4)?.into(),
                size: column[6].into(),
                bit: column[7].into(),
            })
        });
        let columns = columns.collect();
        Ok(Self { item, columns, row_size: row_size.into(), bits: bits.into(), index, rows })
    }

    /// Begins to go through the ids of the rows.
    pub(super) fn ids<R: Read + Seek>(&mut self, file: &mut File<R>) -> Result<RowIds, Error> {
        let list = self.item.heap.list(file, self.index)?;
        if list.key_size != 4 || !matches!(list.value_size, 2 | 4) {
            return Err(Error::Head);
        }
        Ok(RowIds { list })
    }

    /// Returns the next id of a row, and the position of the row.
    pub(super) fn next_id<R: Read + Seek>(
        &mut self,
        file: &mut File<R>,
        ids: &mut RowIds,
    ) -> Option<Result<(u32, usize), Error>> {
        let record = match ids.list.next(file, &mut self.item.heap)? {
            Ok(record) => record,
            Err(error) => return Some(Err(error)),
        };
        let id = u32_at(record.key(), 0)?;
        let position = match ids.list.value_size {
            2 => u16_at(record.value(), 0)?.into(),
            _ => u32_at(record.value(), 0)? as usize,
        };
        Some(Ok((id, position)))
    }

    /// Returns all rows in the order of their ids. A row that cannot be read is an error; so is a
    /// part of the list.
    pub(super) fn rows<R: Read + Seek>(
        &mut self,
        file: &mut File<R>,
        names: &Names,
    ) -> Result<Vec<Result<Properties, Error>>, Error> {
        let mut ids = self.ids(file)?;
        let blocks = self.blocks_of_rows(file)?;
        let mut rows = Vec::new();
        while let Some(found) = self.next_id(file, &mut ids) {
            rows.push(match found {
                Ok((_, position)) => self.row(file, &blocks, position, names),
                Err(error) => Err(error),
            });
            // Each row has a cell at least, so that there are no more rows than octets.
            if rows.len() > blocks.iter().map(Vec::len).sum() {
                break;
            }
        }
        Ok(rows)
    }

    /// Returns the blocks that the rows are in. A row does not cross from one into the next.
    fn blocks_of_rows<R: Read + Seek>(
        &mut self,
        file: &mut File<R>,
    ) -> Result<Vec<Vec<u8>>, Error> {
        if self.rows == 0 {
            return Ok(Vec::new());
        }
        if self.rows & 0x1f == 0 {
            return Ok(vec![self.item.heap.item(file, self.rows)?.to_vec()]);
        }
        let node = self.item.below.get(self.rows).ok_or(Error::Node { id: self.rows })?;
        let mut ids = Blocks::new(node.data);
        let mut blocks = Vec::new();
        while let Some(id) = ids.next(file) {
            // An empty block holds the place of one that cannot be read.
            let id = id?;
            match file.block(id) {
                Err(Error::TooMuch) => return Err(Error::TooMuch),
                block => blocks.push(block.unwrap_or_default()),
            }
        }
        Ok(blocks)
    }

    fn row<R: Read + Seek>(
        &mut self,
        file: &mut File<R>,
        blocks: &[Vec<u8>],
        position: usize,
        names: &Names,
    ) -> Result<Properties, Error> {
        let in_block = blocks.first().map_or(0, Vec::len).checked_div(self.row_size).unwrap_or(0);
        let (block, position) = match in_block {
            0 => return Err(Error::Head),
            _ => (position / in_block, position % in_block),
        };
        let at = position * self.row_size;
        let row = blocks.get(block).and_then(|block| block.get(at..at + self.row_size));
        let row = row.ok_or(Error::Head)?;
        file.spend(row.len())?;

        let mut properties = Properties::default();
        for number in 0..self.columns.len() {
            let column = self.columns[number];
            let bits = row.get(self.bits + column.bit / 8).copied().unwrap_or_default();
            if bits & 0x80 >> (column.bit % 8) == 0 {
                continue;
            }
            let Some(cell) = row.get(column.at..column.at + column.size) else { continue };
            if let Some(value) = self.cell(file, column, cell)? {
                properties.insert(column.id, value, names);
            }
        }
        Ok(properties)
    }

    /// Returns the value of a cell; `None` for one that cannot be read.
    fn cell<R: Read + Seek>(
        &mut self,
        file: &mut File<R>,
        column: Column,
        cell: &[u8],
    ) -> Result<Option<Value>, Error> {
        if size_of(column.kind).is_some_and(|size| size <= 8) {
            return Ok(Value::fixed(column.kind, cell));
        }
        let Some(octets) = cell.first_chunk() else { return Ok(None) };
        let stored = Stored { kind: column.kind, octets: *octets };
        match self.item.value(file, stored) {
            Err(Error::TooMuch) => Err(Error::TooMuch),
            value => Ok(value.unwrap_or_default()),
        }
    }
}
