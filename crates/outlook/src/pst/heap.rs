//! Values in the data of a node, and lists of them by key (MS-PST, 2.3.1 and 2.3.2: "heap on node",
//! "BTree on heap").

use std::io::{Read, Seek};
use std::ops::{Deref, Range};
use std::sync::Arc;

use super::data::Blocks;
use super::error::Error;
use super::file::File;
use super::format::{Format, u16_at, u32_at};

/// The blocks of a heap that are kept: most have one or two.
const KEPT_BLOCKS: usize = 16;

/// The most blocks that ids of values can name.
const MAX_BLOCKS: usize = 1 << 16;

/// The deepest that lists of a heap are.
const MAX_LEVEL: u8 = 8;

/// The values in the data of a node.
#[derive(Debug)]
pub(super) struct Heap {
    format: Format,
    blocks: Vec<u64>,
    /// Blocks that were read, by their positions.
    kept: Vec<(usize, Arc<Vec<u8>>)>,
    /// The kind of what the heap holds.
    pub(super) kind: u8,
    /// The id of the value that all begins with.
    pub(super) root: u32,
}

/// A value in a heap.
#[derive(Clone, Debug)]
pub(super) struct Item {
    block: Arc<Vec<u8>>,
    range: Range<usize>,
}

impl Deref for Item {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        &self.block[self.range.clone()]
    }
}

impl Heap {
    /// Opens the heap in the data of a node.
    ///
    /// ```text
    /// head = map(2) %xEC kind root(4) levels(4)     ; of the first block; others begin with where their map is
    /// ```
    pub(super) fn open<R: Read + Seek>(file: &mut File<R>, data: u64) -> Result<Self, Error> {
        let mut blocks = Vec::new();
        let mut ids = Blocks::new(data);
        while let Some(id) = ids.next(file) {
            match id {
                Ok(id) if blocks.len() < MAX_BLOCKS => blocks.push(id),
                // Values in the blocks before are there.
                _ => break,
            }
        }

        let mut heap = Self { format: file.format(), blocks, kept: Vec::new(), kind: 0, root: 0 };
        let head = heap.block(file, 0)?;
        if head.get(2) != Some(&0xec) {
            return Err(Error::Head);
        }
        heap.kind = *head.get(3).ok_or(Error::Head)?;
        heap.root = u32_at(&head, 4).ok_or(Error::Head)?;
        Ok(heap)
    }

    fn block<R: Read + Seek>(
        &mut self,
        file: &mut File<R>,
        number: usize,
    ) -> Result<Arc<Vec<u8>>, Error> {
        if let Some((_, block)) = self.kept.iter().find(|(kept, _)| *kept == number) {
            return Ok(Arc::clone(block));
        }
        let id = *self.blocks.get(number).ok_or(Error::Head)?;
        let block = Arc::new(file.block(id)?);
        if self.kept.len() == KEPT_BLOCKS {
            self.kept.remove(0);
        }
        self.kept.push((number, Arc::clone(&block)));
        Ok(block)
    }

    /// Returns the value `id`.
    ///
    /// ```text
    /// map = count(2) freed(2) *offset(2)     ; one more offset than values
    /// ```
    /// The counts are not asked: writers differ in them, and the offsets say enough.
    pub(super) fn item<R: Read + Seek>(
        &mut self,
        file: &mut File<R>,
        id: u32,
    ) -> Result<Item, Error> {
        let (index, number) = match self.format {
            Format::Ansi | Format::Unicode => (id >> 5 & 0x7ff, id >> 16),
            Format::LargePages => (id >> 5 & 0x3fff, id >> 19),
        };
        let missing = Error::Heap { id };
        let Some(index) = index.checked_sub(1) else { return Err(missing) };

        let block = self.block(file, number as usize)?;
        let map = usize::from(u16_at(&block, 0).ok_or(Error::Heap { id })?);
        let offset = |index: usize| u16_at(&block, map + 4 + 2 * index).map(usize::from);
        let (Some(start), Some(end)) = (offset(index as usize), offset(index as usize + 1)) else {
            return Err(missing);
        };
        if start > end || end > block.len() {
            return Err(missing);
        }
        file.spend(end - start)?;
        Ok(Item { block, range: start..end })
    }

    /// Opens the list that begins at the value `id`.
    ///
    /// ```text
    /// list   = %xB5 key-size value-size levels root(4)
    /// branch = *(key id(4))
    /// leaf   = *(key value)
    /// ```
    pub(super) fn list<R: Read + Seek>(
        &mut self,
        file: &mut File<R>,
        id: u32,
    ) -> Result<List, Error> {
        let head = self.item(file, id)?;
        let (Some(0xb5), Some(root)) = (head.first(), u32_at(&head, 4)) else {
            return Err(Error::Head);
        };
        let (key_size, value_size, levels) = (head[1].into(), head[2].into(), head[3]);
        if !matches!(key_size, 2 | 4 | 8 | 16) || value_size == 0 || levels > MAX_LEVEL {
            return Err(Error::Head);
        }
        let next = if root == 0 { Vec::new() } else { vec![(root, levels)] };
        Ok(List { key_size, value_size, next, leaf: None })
    }
}

/// A way through a list of a heap, in the order of its keys.
#[derive(Debug)]
pub(super) struct List {
    pub(super) key_size: usize,
    pub(super) value_size: usize,
    /// The values to look at, the next one last, each with its level.
    next: Vec<(u32, u8)>,
    leaf: Option<(Item, usize)>,
}

/// A key and its value.
pub(super) struct Record {
    item: Item,
    at: usize,
    key_size: usize,
    size: usize,
}

impl Record {
    pub(super) fn key(&self) -> &[u8] {
        &self.item[self.at..self.at + self.key_size]
    }

    pub(super) fn value(&self) -> &[u8] {
        &self.item[self.at + self.key_size..self.at + self.size]
    }
}

impl List {
    /// Returns the next record. An error stands for those that cannot be read; others follow.
    pub(super) fn next<R: Read + Seek>(
        &mut self,
        file: &mut File<R>,
        heap: &mut Heap,
    ) -> Option<Result<Record, Error>> {
        let size = self.key_size + self.value_size;
        loop {
            if let Some((item, at)) = &mut self.leaf {
                if *at + size <= item.len() {
                    let record =
                        Record { item: item.clone(), at: *at, key_size: self.key_size, size };
                    *at += size;
                    return Some(Ok(record));
                }
                self.leaf = None;
            }

            let (id, level) = self.next.pop()?;
            let item = match heap.item(file, id) {
                Ok(item) => item,
                Err(error) => {
                    if matches!(error, Error::TooMuch) {
                        self.next.clear();
                    }
                    return Some(Err(error));
                }
            };
            if level == 0 {
                self.leaf = Some((item, 0));
            } else {
                let branches = item.chunks_exact(self.key_size + 4).rev();
                let ids = branches.filter_map(|branch| u32_at(branch, self.key_size));
                self.next.extend(ids.filter(|id| *id != 0).map(|id| (id, level - 1)));
            }
        }
    }
}
