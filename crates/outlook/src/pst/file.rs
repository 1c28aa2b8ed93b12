//! Pages, blocks and the trees that find them: the lowest layer of a store (MS-PST, 2.2.2, "NDB").

use std::collections::BTreeMap;
use std::fmt;
use std::io::{self, Read, Seek, SeekFrom};
use std::sync::Arc;

use super::error::Error;
use super::format::{Format, HEADER_SIZE, Header, u16_at, u32_at};

/// The octets of pages that are kept.
const PAGE_CACHE: usize = 2 << 20;

/// The deepest that trees of pages are: a tree of ten levels holds more than a file can.
const MAX_LEVEL: u8 = 10;

/// How often the octets of a store may be read in all, since damaged trees name the same blocks
/// again and again. A sound store is read two or three times.
const MAX_READINGS: u64 = 32;

/// The octets that may be read of the smallest store.
const LEAST_ALLOWANCE: u64 = 16 << 20;

/// A file of pages and blocks.
pub(super) struct File<R> {
    reader: R,
    length: u64,
    header: Header,
    pages: Vec<Option<(u64, Arc<Page>)>>,
    /// The octets that may still be read.
    allowance: u64,
    /// The number of pages and blocks that were read although their checksums differ.
    mismatches: u64,
    /// Whether a page of a tree could not be read.
    is_damaged: bool,
    /// The leaves of the trees, once they were searched for in all of the file.
    leaves: Option<Leaves>,
}

/// The leaves of both trees by the first key in each, and their offsets.
#[derive(Debug, Default)]
struct Leaves {
    nodes: BTreeMap<u64, Vec<u64>>,
    blocks: BTreeMap<u64, Vec<u64>>,
}

/// The number of leaves that are looked at for a key.
const NEAR_LEAVES: usize = 8;

/// The octets of a file that are searched for leaves at a time.
const SEARCHED: usize = 1 << 20;

/// The distance between places where pages may begin.
const PAGE_UNIT: usize = 512;

/// A tree of pages.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Tree {
    /// Nodes by their ids.
    Nodes,
    /// Blocks by their ids.
    Blocks,
}

/// A node: what has an id and data, and may have nodes below it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Node {
    pub(super) id: u32,
    /// The block of its data; 0 for none.
    pub(super) data: u64,
    /// The block of the list of nodes below it; 0 for none.
    pub(super) below: u64,
    /// The folder that the node belongs to.
    pub(super) parent: u32,
}

/// A page of a tree.
#[derive(Debug)]
struct Page {
    octets: Vec<u8>,
    count: usize,
    /// The number of entries that there is room for.
    capacity: usize,
    entry_size: usize,
    level: u8,
}

/// Where a block is.
struct BlockEntry {
    offset: u64,
    stored: usize,
    /// The size of its octets once inflated.
    inflated: usize,
}

impl<R> fmt::Debug for File<R> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("File").field("header", &self.header).finish_non_exhaustive()
    }
}

impl<R: Read + Seek> File<R> {
    /// Reads the header of a store.
    pub(super) fn open(mut reader: R) -> Result<Self, Error> {
        let length = reader.seek(SeekFrom::End(0))?;
        reader.seek(SeekFrom::Start(0))?;
        let mut head = Vec::with_capacity(HEADER_SIZE);
        reader.by_ref().take(HEADER_SIZE as u64).read_to_end(&mut head)?;
        let header = Header::read(&head)?;

        let slots = PAGE_CACHE / header.format.page_size();
        let allowance = length.saturating_mul(MAX_READINGS).max(LEAST_ALLOWANCE);
        let mut pages = Vec::new();
        pages.resize_with(slots, || None);
        Ok(Self {
            reader,
            length,
            header,
            pages,
            allowance,
            mismatches: 0,
            is_damaged: false,
            leaves: None,
        })
    }

    pub(super) fn format(&self) -> Format {
        self.header.format
    }

    /// Returns the number of pages and blocks that were read although their checksums differ.
    pub(super) fn mismatches(&self) -> u64 {
        self.mismatches
    }

    /// Counts octets that are read; an error once they are more than a sound store has.
    pub(super) fn spend(&mut self, octets: usize) -> Result<(), Error> {
        match self.allowance.checked_sub(octets as u64) {
            Some(rest) => self.allowance = rest,
            None => return Err(Error::TooMuch),
        }
        Ok(())
    }

    /// Reads up to `size` octets at `offset`: fewer only at the end of the file.
    fn octets(&mut self, offset: u64, size: usize) -> io::Result<Vec<u8>> {
        let mut octets = Vec::with_capacity(size);
        if offset < self.length {
            self.reader.seek(SeekFrom::Start(offset))?;
            self.reader.by_ref().take(size as u64).read_to_end(&mut octets)?;
        }
        Ok(octets)
    }

    /// Returns the page at `offset`.
    fn page(&mut self, offset: u64, tree: Tree) -> Result<Arc<Page>, Error> {
        let size = self.header.format.page_size();
        let slot = (offset / size as u64 % self.pages.len() as u64) as usize;
        if let Some((kept, page)) = &self.pages[slot]
            && *kept == offset
        {
            return Ok(Arc::clone(page));
        }

        let octets = self.octets(offset, size)?;
        let sound = crc(&octets[..octets.len().min(trailer_of_page(self.header.format))]);
        let page = Page::read(octets, self.header.format, tree).ok_or(Error::Page { offset })?;
        let claimed = match self.header.format {
            Format::Ansi => u32_at(&page.octets, 508),
            Format::Unicode => u32_at(&page.octets, 500),
            Format::LargePages => u32_at(&page.octets, 4076),
        };
        self.mismatches += u64::from(claimed != Some(sound));

        let page = Arc::new(page);
        self.pages[slot] = Some((offset, Arc::clone(&page)));
        Ok(page)
    }

    /// Returns the leaf page and the position in it that hold `key`. Where the tree is damaged,
    /// leaves that nothing leads to are searched, too.
    fn find(&mut self, tree: Tree, key: u64) -> Result<Option<(Arc<Page>, usize)>, Error> {
        let outcome = self.find_in_tree(tree, key);
        self.is_damaged |= matches!(outcome, Err(Error::Page { .. }));
        let is_lost = match &outcome {
            Ok(Some(_)) => false,
            // Sound stores lack some nodes, and no block.
            Ok(None) => self.is_damaged || tree == Tree::Blocks,
            Err(error) => matches!(error, Error::Page { .. }),
        };
        if is_lost && let Some(found) = self.find_in_leaves(tree, key)? {
            return Ok(Some(found));
        }
        outcome
    }

    /// Returns the place of `key` in a leaf that the tree may not lead to.
    fn find_in_leaves(
        &mut self,
        tree: Tree,
        key: u64,
    ) -> Result<Option<(Arc<Page>, usize)>, Error> {
        let leaves = self.leaves()?;
        let leaves = match tree {
            Tree::Nodes => &leaves.nodes,
            Tree::Blocks => &leaves.blocks,
        };
        let near: Vec<u64> = leaves
            .range(..=key)
            .rev()
            .flat_map(|(_, offsets)| offsets)
            .take(NEAR_LEAVES)
            .copied()
            .collect();
        for offset in near {
            let Ok(page) = self.page(offset, tree) else { continue };
            // The count may be what is damaged.
            let position = (0..page.capacity)
                .find(|position| page.key(*position, self.header.format, tree) == Some(key));
            if let Some(position) = position {
                return Ok(Some((page, position)));
            }
        }
        Ok(None)
    }

    /// Returns the leaves of the trees, for which all of the file is searched once.
    fn leaves(&mut self) -> Result<&Leaves, Error> {
        if self.leaves.is_none() {
            let format = self.header.format;
            let mut leaves = Leaves::default();
            let mut at = 0;
            while at < self.length {
                let octets = self.octets(at, SEARCHED + format.page_size())?;
                for start in (0..SEARCHED.min(octets.len())).step_by(PAGE_UNIT) {
                    let Some(page) = octets.get(start..start + format.page_size()) else { break };
                    for (tree, leaves) in
                        [(Tree::Nodes, &mut leaves.nodes), (Tree::Blocks, &mut leaves.blocks)]
                    {
                        if let Some(key) = first_key_of_leaf(page, format, tree) {
                            leaves.entry(key).or_default().push(at + start as u64);
                        }
                    }
                }
                at += SEARCHED as u64;
            }
            self.leaves = Some(leaves);
        }
        Ok(self.leaves.get_or_insert_default())
    }

    fn find_in_tree(&mut self, tree: Tree, key: u64) -> Result<Option<(Arc<Page>, usize)>, Error> {
        let format = self.header.format;
        let mut offset = match tree {
            Tree::Nodes => self.header.nodes,
            Tree::Blocks => self.header.blocks,
        };
        let mut above = MAX_LEVEL;
        loop {
            let page = self.page(offset, tree)?;
            if page.level >= above {
                return Err(Error::Page { offset });
            }

            let after = page.position_after(key, format, tree);
            let Some(position) = after.checked_sub(1) else { return Ok(None) };
            if page.level == 0 {
                let is_found = page.key(position, format, tree) == Some(key);
                return Ok(is_found.then_some((page, position)));
            }
            offset = page.child(position, format).ok_or(Error::Page { offset })?;
            above = page.level;
        }
    }

    /// Returns the node `id`.
    pub(super) fn node(&mut self, id: u32) -> Result<Node, Error> {
        let found = self.find(Tree::Nodes, id.into())?;
        found
            .and_then(|(page, position)| page.node(position, self.header.format))
            .ok_or(Error::Node { id })
    }

    /// Returns the octets of the block `id`, decoded.
    pub(super) fn block(&mut self, id: u64) -> Result<Vec<u8>, Error> {
        let id = id & !1;
        let missing = Error::Block { id };
        let Some((page, position)) = self.find(Tree::Blocks, id)? else { return Err(missing) };
        let entry = page.block(position, self.header.format).ok_or(Error::Block { id })?;

        let format = self.header.format;
        let size = (entry.stored + format.trailer_size()).next_multiple_of(format.block_unit());
        self.spend(size + entry.inflated / 4)?;
        let mut octets = self.octets(entry.offset, size)?;
        if octets.len() < entry.stored {
            return Err(missing);
        }

        // A block is the right one by its id; without that by its checksum.
        let trailer = octets.get(size - format.trailer_size()..).unwrap_or_default();
        let (own, sum) = match format {
            Format::Ansi => (format.id(trailer, 4), u32_at(trailer, 8)),
            Format::Unicode | Format::LargePages => (format.id(trailer, 8), u32_at(trailer, 4)),
        };
        let is_sound = sum == Some(crc(&octets[..entry.stored]));
        if own.map(|own| own & !1) != Some(id) && !is_sound {
            return Err(missing);
        }
        self.mismatches += u64::from(!is_sound);
        octets.truncate(entry.stored);

        if !is_internal(id) {
            self.header.encoding.decode(&mut octets, id);
        }
        if entry.inflated != entry.stored {
            octets = inflate(&octets, entry.inflated).ok_or(missing)?;
        }
        Ok(octets)
    }

    /// Begins to go through all nodes.
    pub(super) fn walk(&self) -> Walk {
        Walk {
            next: vec![(self.header.nodes, MAX_LEVEL)],
            leaf: None,
            pages: self.length / self.header.format.page_size() as u64 + 1,
            is_last: false,
        }
    }
}

/// A way through all nodes in the order of their ids.
#[derive(Debug)]
pub(super) struct Walk {
    /// The offsets of the pages to look at, the next one last, each with the level that it is
    /// below.
    next: Vec<(u64, u8)>,
    leaf: Option<(Arc<Page>, usize)>,
    /// The number of pages that may still be looked at: more than the file has are a loop.
    pages: u64,
    /// Whether all leaves of the file are looked at, after those that the tree leads to.
    is_last: bool,
}

impl Walk {
    /// Returns the next node. An error stands for a page that cannot be read; others follow.
    pub(super) fn next<R: Read + Seek>(
        &mut self,
        file: &mut File<R>,
    ) -> Option<Result<Node, Error>> {
        let format = file.header.format;
        loop {
            if let Some((page, position)) = &mut self.leaf {
                let node = (*position < page.count).then(|| page.node(*position, format)).flatten();
                *position += 1;
                if let Some(node) = node {
                    return Some(Ok(node));
                }
                self.leaf = None;
            }

            let Some((offset, above)) = self.next.pop() else {
                if !file.is_damaged || self.is_last {
                    return None;
                }
                // Then the leaves that nothing leads to.
                self.is_last = true;
                let leaves = file.leaves().ok()?;
                self.next.extend(leaves.nodes.values().rev().flatten().map(|offset| (*offset, 1)));
                self.pages = self.next.len() as u64;
                continue;
            };
            if self.pages == 0 {
                self.next.clear();
                return Some(Err(Error::TooDeep));
            }
            self.pages -= 1;

            let page = match file.page(offset, Tree::Nodes) {
                Ok(page) if page.level < above => page,
                Ok(_) => {
                    file.is_damaged = true;
                    return Some(Err(Error::Page { offset }));
                }
                Err(error) => {
                    file.is_damaged = true;
                    return Some(Err(error));
                }
            };
            if page.level == 0 {
                self.leaf = Some((page, 0));
            } else {
                let children =
                    (0..page.count).rev().filter_map(|position| page.child(position, format));
                self.next.extend(children.map(|child| (child, page.level)));
            }
        }
    }
}

impl Page {
    /// Reads a page of `tree`; `None` if it is none, or cut off.
    fn read(octets: Vec<u8>, format: Format, tree: Tree) -> Option<Self> {
        let kind = match tree {
            Tree::Nodes => 0x81,
            Tree::Blocks => 0x80,
        };
        let trailer = trailer_of_page(format);
        if octets.len() < format.page_size()
            || octets[trailer] != kind
            || octets[trailer + 1] != kind
        {
            return None;
        }

        let (room, count, rest) = match format {
            Format::Ansi => (496, octets[496].into(), 498),
            Format::Unicode => (488, octets[488].into(), 490),
            Format::LargePages => (4056, u16_at(&octets, 4056)?, 4060),
        };
        let (entry_size, level) = (usize::from(octets[rest]), octets[rest + 1]);
        let least = match (tree, level) {
            (Tree::Nodes, 0) => 3 * format.id_size() + 4,
            _ => 2 * format.id_size() + 4,
        };
        if entry_size < least {
            return None;
        }
        let capacity = room / entry_size;
        let count = usize::from(count).min(capacity);
        Some(Self { octets, count, capacity, entry_size, level })
    }

    fn entry(&self, position: usize) -> &[u8] {
        let at = position * self.entry_size;
        self.octets.get(at..at + self.entry_size).unwrap_or_default()
    }

    /// Returns the key of an entry: of ids of nodes, only four octets count; of ids of blocks, the
    /// last bit does not.
    fn key(&self, position: usize, format: Format, tree: Tree) -> Option<u64> {
        let id = format.id(self.entry(position), 0)?;
        Some(match tree {
            Tree::Nodes => id & 0xffff_ffff,
            Tree::Blocks => id & !1,
        })
    }

    /// Returns the position of the first entry whose key is greater than `key`.
    fn position_after(&self, key: u64, format: Format, tree: Tree) -> usize {
        let (mut low, mut high) = (0, self.count);
        while low < high {
            let middle = (low + high) / 2;
            if self.key(middle, format, tree).is_some_and(|own| own <= key) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        low
    }

    /// Returns the offset of the page that an entry of a branch leads to.
    fn child(&self, position: usize, format: Format) -> Option<u64> {
        format.id(self.entry(position), 2 * format.id_size())
    }

    fn node(&self, position: usize, format: Format) -> Option<Node> {
        let entry = self.entry(position);
        let size = format.id_size();
        Some(Node {
            id: u32_at(entry, 0)?,
            data: format.id(entry, size)?,
            below: format.id(entry, 2 * size)?,
            parent: u32_at(entry, 3 * size)?,
        })
    }

    fn block(&self, position: usize, format: Format) -> Option<BlockEntry> {
        let entry = self.entry(position);
        let size = format.id_size();
        let stored = u16_at(entry, 2 * size)?.into();
        let inflated = match format {
            Format::Ansi | Format::Unicode => stored,
            Format::LargePages => u16_at(entry, 2 * size + 2)?.into(),
        };
        Some(BlockEntry { offset: format.id(entry, size)?, stored, inflated })
    }
}

/// Returns the first key of a leaf of `tree`; `None` if `page` is none.
fn first_key_of_leaf(page: &[u8], format: Format, tree: Tree) -> Option<u64> {
    let kind = match tree {
        Tree::Nodes => 0x81,
        Tree::Blocks => 0x80,
    };
    if page.get(trailer_of_page(format)) != Some(&kind) {
        return None;
    }
    let page = Page::read(page.to_vec(), format, tree).filter(|page| page.level == 0)?;
    page.key(0, format, tree).filter(|key| *key != 0)
}

/// Returns the offset of the trailer of a page.
const fn trailer_of_page(format: Format) -> usize {
    format.page_size() - format.trailer_size()
}

/// Returns whether the block `id` holds ids of others instead of data.
pub(super) fn is_internal(id: u64) -> bool {
    id & 2 != 0
}

/// Returns the checksum of pages and blocks (MS-PST, 5.3): CRC-32 that neither begins nor ends with
/// a complement.
pub(super) fn crc(octets: &[u8]) -> u32 {
    let mut hasher = crc32fast::Hasher::new_with_initial(u32::MAX);
    hasher.update(octets);
    !hasher.finalize()
}

/// The size of the head of a zlib stream.
const ZLIB_HEAD: usize = 2;

/// Inflates octets to exactly `size` octets: a zlib stream, or one without its head. The checksum
/// at its end is not asked.
fn inflate(octets: &[u8], size: usize) -> Option<Vec<u8>> {
    for head in [ZLIB_HEAD, 0] {
        let mut inflated = Vec::with_capacity(size);
        let mut stream = flate2::Decompress::new(false);
        let outcome = stream.decompress_vec(
            octets.get(head..)?,
            &mut inflated,
            flate2::FlushDecompress::Finish,
        );
        if outcome.is_ok() && inflated.len() == size {
            return Some(inflated);
        }
    }
    None
}
