//! A writer of small stores, for tests: what MS-PST says, in the simplest shape.

use std::io::Write;

use super::super::encoding::Encoding;
use super::super::file::{Node, crc};
use super::super::format::Format;
use crate::model::kinds;

/// A store in the making.
pub(super) struct Image {
    pub(super) format: Format,
    pub(super) encoding: Encoding,
    /// Whether lists of properties have no branch above their leaf, as other readers want them.
    pub(super) is_flat: bool,
    octets: Vec<u8>,
    blocks: Vec<Vec<u8>>,
    nodes: Vec<Node>,
    next_block: u64,
    next_below: u32,
}

/// Octets of data in a block: fewer than Outlook writes, so that small stores have lists of blocks.
const BLOCK: usize = 4000;

/// The longest value in a heap.
const LONGEST: usize = 3000;

/// A property or a cell: an id, a type and its octets.
pub(super) type Property = (u16, u16, Vec<u8>);

/// A message to write.
#[derive(Clone, Default)]
pub(super) struct Draft {
    pub(super) properties: Vec<Property>,
    pub(super) recipients: Vec<Vec<Property>>,
    pub(super) attachments: Vec<(Vec<Property>, Option<Draft>)>,
}

impl Image {
    pub(super) fn new(format: Format, encoding: Encoding) -> Self {
        Self {
            format,
            encoding,
            is_flat: false,
            octets: vec![0; 4096],
            blocks: Vec::new(),
            nodes: Vec::new(),
            next_block: 4,
            next_below: 0x20,
        }
    }

    /// Appends an id or an offset.
    fn push_id(&self, octets: &mut Vec<u8>, id: u64) {
        octets.extend_from_slice(&id.to_le_bytes()[..self.format.id_size()]);
    }

    /// Writes a block and returns its id.
    pub(super) fn block(&mut self, data: &[u8], is_internal: bool) -> u64 {
        let id = self.next_block | u64::from(is_internal) << 1;
        self.next_block += 4;
        let mut stored = data.to_vec();
        if self.format == Format::LargePages && !is_internal && data.len() > 600 {
            let mut deflated =
                flate2::write::ZlibEncoder::new(Vec::new(), flate2::Compression::fast());
            deflated.write_all(data).unwrap();
            let deflated = deflated.finish().unwrap();
            if deflated.len() < data.len() {
                stored = deflated;
            }
        }
        if !is_internal {
            self.encoding.encode(&mut stored, id);
        }

        self.octets.resize(self.octets.len().next_multiple_of(self.format.block_unit()), 0);
        let mut entry = Vec::new();
        self.push_id(&mut entry, id);
        self.push_id(&mut entry, self.octets.len() as u64);
        entry.extend_from_slice(&(stored.len() as u16).to_le_bytes());
        if self.format == Format::LargePages {
            entry.extend_from_slice(&(data.len() as u16).to_le_bytes());
        }
        entry.extend_from_slice(&2_u16.to_le_bytes());
        entry.resize(if self.format == Format::Ansi { 12 } else { 24 }, 0);
        self.blocks.push(entry);

        let size =
            (stored.len() + self.format.trailer_size()).next_multiple_of(self.format.block_unit());
        let sum = crc(&stored).to_le_bytes();
        let start = self.octets.len();
        self.octets.extend_from_slice(&stored);
        self.octets.resize(start + size - self.format.trailer_size(), 0);
        let mut trailer = (stored.len() as u16).to_le_bytes().to_vec();
        trailer.extend_from_slice(&[0, 0]);
        match self.format {
            Format::Ansi => {
                self.push_id(&mut trailer, id);
                trailer.extend_from_slice(&sum);
            }
            Format::Unicode | Format::LargePages => {
                trailer.extend_from_slice(&sum);
                self.push_id(&mut trailer, id);
            }
        }
        self.octets.extend_from_slice(&trailer);
        self.octets.resize(start + size, 0);
        id
    }

    /// Writes blocks and returns the id of the one, or of the list of them; in lists of lists if
    /// there are many.
    pub(super) fn data_in(&mut self, blocks: &[&[u8]]) -> u64 {
        let mut ids: Vec<u64> = blocks.iter().map(|block| self.block(block, false)).collect();
        // A list of blocks, or a list of lists.
        for (level, width) in [(1, 8), (2, usize::MAX)] {
            if ids.len() > 1 {
                let lists: Vec<_> = ids.chunks(width).map(<[u64]>::to_vec).collect();
                ids = lists.iter().map(|ids| self.list(level, ids)).collect();
            }
        }
        ids.first().copied().unwrap_or_default()
    }

    fn list(&mut self, level: u8, ids: &[u64]) -> u64 {
        let mut list = vec![1, level, ids.len() as u8, 0, 0, 0, 0, 0];
        for id in ids {
            self.push_id(&mut list, *id);
        }
        self.block(&list, true)
    }

    fn data(&mut self, data: &[u8]) -> u64 {
        let blocks: Vec<_> = data.chunks(BLOCK).collect();
        if blocks.is_empty() { 0 } else { self.data_in(&blocks) }
    }

    /// Writes the list of the nodes below a node, and a list of lists around it.
    pub(super) fn below(&mut self, nodes: &[Node]) -> u64 {
        if nodes.is_empty() {
            return 0;
        }
        let lists: Vec<_> = nodes.chunks(4).map(<[Node]>::to_vec).collect();
        let mut outer = Vec::new();
        for nodes in &lists {
            let mut list = vec![2, 0, nodes.len() as u8, 0];
            list.resize(if self.format == Format::Ansi { 4 } else { 8 }, 0);
            for node in nodes {
                self.push_id(&mut list, node.id.into());
                self.push_id(&mut list, node.data);
                self.push_id(&mut list, node.below);
            }
            outer.push((nodes[0].id, self.block(&list, true)));
        }
        if let [(_, only)] = outer[..] {
            return only;
        }
        let mut list = vec![2, 1, outer.len() as u8, 0];
        list.resize(if self.format == Format::Ansi { 4 } else { 8 }, 0);
        for (id, block) in outer {
            self.push_id(&mut list, id.into());
            self.push_id(&mut list, block);
        }
        self.block(&list, true)
    }

    /// Adds a node in place of one with the same id.
    pub(super) fn replace(&mut self, node: Node) {
        self.nodes.retain(|old| old.id != node.id);
        self.nodes.push(node);
    }

    pub(super) fn node(&mut self, node: Node) {
        self.nodes.push(node);
    }

    /// Writes properties as the node `id`; `below` are the nodes below it besides those of long
    /// values.
    pub(super) fn properties(
        &mut self,
        id: u32,
        parent: u32,
        properties: &[Property],
        mut below: Vec<Node>,
    ) -> Node {
        let mut heap = Heap::new(self.format);
        let mut sorted = properties.to_vec();
        sorted.sort_by_key(|(id, ..)| *id);
        let mut records = Vec::new();
        for (id, kind, octets) in &sorted {
            records.extend_from_slice(&id.to_le_bytes());
            records.extend_from_slice(&kind.to_le_bytes());
            records.extend_from_slice(&self.value(&mut heap, &mut below, *kind, octets));
        }
        if self.is_flat {
            let leaf = heap.push(&records);
            let root = heap.push(&[&[0xb5, 2, 6, 0], &leaf.to_le_bytes()[..]].concat());
            return self.item(id, parent, heap.finish(0xbc, root), below);
        }
        // A branch above two leaves.
        let middle = sorted.len() / 2 * 8;
        let leaves = [heap.push(&records[..middle]), heap.push(&records[middle..])];
        let mut branch = Vec::new();
        for (leaf, at) in leaves.into_iter().zip([0, middle]) {
            if let Some(key) = records.get(at..at + 2) {
                branch.extend_from_slice(key);
                branch.extend_from_slice(&leaf.to_le_bytes());
            }
        }
        let branch = heap.push(&branch);
        let mut head = vec![0xb5, 2, 6, 1];
        head.extend_from_slice(&branch.to_le_bytes());
        let root = heap.push(&head);
        self.item(id, parent, heap.finish(0xbc, root), below)
    }

    fn item(&mut self, id: u32, parent: u32, blocks: Vec<Vec<u8>>, mut below: Vec<Node>) -> Node {
        let blocks: Vec<_> = blocks.iter().map(Vec::as_slice).collect();
        let data = self.data_in(&blocks);
        below.sort_by_key(|node| node.id);
        Node { id, data, below: self.below(&below), parent }
    }

    /// Returns the four octets of a value, which stand for octets elsewhere if it is longer.
    fn value(
        &mut self,
        heap: &mut Heap,
        below: &mut Vec<Node>,
        kind: u16,
        octets: &[u8],
    ) -> [u8; 4] {
        let is_inside = matches!(kind, kinds::INTEGER16 | kinds::INTEGER32 | kinds::BOOLEAN);
        if is_inside || octets.is_empty() {
            let mut value = octets.to_vec();
            value.resize(4, 0);
            return value.try_into().unwrap();
        }
        if octets.len() <= LONGEST {
            return heap.push(octets).to_le_bytes();
        }
        let id = self.next_below | 0x1f;
        self.next_below += 0x20;
        let data = self.data(octets);
        below.push(Node { id, data, below: 0, parent: 0 });
        id.to_le_bytes()
    }

    /// Writes a table of texts and integers as the node `id`.
    pub(super) fn table(&mut self, id: u32, parent: u32, rows: &[(u32, Vec<Property>)]) -> Node {
        let mut columns: Vec<(u16, u16)> = rows
            .iter()
            .flat_map(|(_, cells)| cells.iter().map(|(id, kind, _)| (*id, *kind)))
            .collect();
        columns.sort_unstable();
        columns.dedup();

        let mut heap = Heap::new(self.format);
        let mut below = Vec::new();
        let bits = 8 + 4 * columns.len();
        let row_size = bits + (columns.len() + 2).div_ceil(8);
        let (mut matrix, mut index) = (Vec::new(), Vec::new());
        for (position, (id, cells)) in rows.iter().enumerate() {
            let mut row = vec![0; row_size];
            row[..4].copy_from_slice(&id.to_le_bytes());
            row[bits] |= 0xc0;
            for (column, (wanted, kind)) in columns.iter().enumerate() {
                if let Some((_, _, octets)) = cells.iter().find(|(id, ..)| id == wanted) {
                    let value = self.value(&mut heap, &mut below, *kind, octets);
                    row[8 + 4 * column..12 + 4 * column].copy_from_slice(&value);
                    row[bits + (column + 2) / 8] |= 0x80 >> ((column + 2) % 8);
                }
            }
            matrix.push(row);
            index.extend_from_slice(&id.to_le_bytes());
            let position = (position as u32).to_le_bytes();
            index.extend_from_slice(&position[..if self.format == Format::Ansi { 2 } else { 4 }]);
        }

        // Two rows a block, with octets after them that are no row.
        let blocks: Vec<Vec<u8>> = matrix.chunks(2).map(|rows| rows.concat()).collect();
        let place = match &blocks[..] {
            [] => 0,
            [only] => heap.push(only),
            _ => {
                let padded: Vec<_> =
                    blocks.iter().map(|block| [block.as_slice(), b"!"].concat()).collect();
                let data = self.data_in(&padded.iter().map(Vec::as_slice).collect::<Vec<_>>());
                below.push(Node { id: 0x3f, data, below: 0, parent: 0 });
                0x3f
            }
        };
        let leaf = if index.is_empty() { 0 } else { heap.push(&index) };
        let value_size = if self.format == Format::Ansi { 2 } else { 4 };
        let mut head = vec![0xb5, 4, value_size, 0];
        head.extend_from_slice(&leaf.to_le_bytes());
        let index = heap.push(&head);

        let mut head = vec![0x7c, columns.len() as u8 + 2];
        for end in [bits, bits, bits, row_size] {
            head.extend_from_slice(&(end as u16).to_le_bytes());
        }
        for word in [index, place, 0] {
            head.extend_from_slice(&word.to_le_bytes());
        }
        let row_columns = [(0x67f2, kinds::INTEGER32), (0x67f3, kinds::INTEGER32)];
        for (number, (id, kind)) in row_columns.into_iter().chain(columns).enumerate() {
            head.extend_from_slice(&kind.to_le_bytes());
            head.extend_from_slice(&id.to_le_bytes());
            head.extend_from_slice(&(4 * number as u16).to_le_bytes());
            head.extend_from_slice(&[4, number as u8]);
        }
        let root = heap.push(&head);
        self.item(id, parent, heap.finish(0x7c, root), below)
    }

    /// Writes a message as the node `id`, which is returned and belongs nowhere yet.
    pub(super) fn message(&mut self, id: u32, parent: u32, draft: &Draft) -> Node {
        let mut below = Vec::new();
        if !draft.recipients.is_empty() {
            let rows: Vec<_> = (0..).zip(draft.recipients.iter().cloned()).collect();
            below.push(self.table(0x692, 0, &rows));
        }
        if !draft.attachments.is_empty() {
            let rows: Vec<_> = (0..draft.attachments.len() as u32)
                .map(|number| {
                    let size = (0x0e20, kinds::INTEGER32, vec![0, 1, 0, 0]);
                    (attachment(number), vec![size])
                })
                .collect();
            below.push(self.table(0x671, 0, &rows));
        }
        for (number, (properties, inside)) in (0..).zip(&draft.attachments) {
            let mut properties = properties.clone();
            let mut nodes = Vec::new();
            if let Some(inside) = inside {
                let node = self.message(0x2004, 0, inside);
                properties.push((
                    0x3701,
                    kinds::OBJECT,
                    [0x2004_u32.to_le_bytes(), [0; 4]].concat(),
                ));
                properties.push((0x3705, kinds::INTEGER32, vec![5, 0, 0, 0]));
                nodes.push(node);
            }
            below.push(self.properties(attachment(number), 0, &properties, nodes));
        }
        self.properties(id, parent, &draft.properties, below)
    }

    /// Writes a folder and its lists of messages and folders.
    pub(super) fn folder(
        &mut self,
        id: u32,
        parent: u32,
        name: Property,
        messages: &[u32],
        folders: &[u32],
    ) {
        let count = (0x3602, kinds::INTEGER32, (messages.len() as u32).to_le_bytes().to_vec());
        let node = self.properties(id, parent, &[name, count], Vec::new());
        self.node(node);
        for (kind, ids) in [(0x0d, folders), (0x0e, messages), (0x0f, &[])] {
            let rows: Vec<_> = ids.iter().map(|id| (*id, Vec::new())).collect();
            let node = self.table(id & !0x1f | kind, 0, &rows);
            self.node(node);
        }
    }

    /// Writes the trees and the header.
    pub(super) fn finish(mut self) -> Vec<u8> {
        let mut nodes = std::mem::take(&mut self.nodes);
        nodes.sort_by_key(|node| node.id);
        let nodes = nodes
            .iter()
            .map(|node| {
                let mut entry = Vec::new();
                self.push_id(&mut entry, node.id.into());
                self.push_id(&mut entry, node.data);
                self.push_id(&mut entry, node.below);
                entry.extend_from_slice(&node.parent.to_le_bytes());
                entry.resize(if self.format == Format::Ansi { 16 } else { 32 }, 0);
                entry
            })
            .collect();
        let mut blocks = std::mem::take(&mut self.blocks);
        blocks.sort_by_key(|entry| self.format.id(entry, 0));
        let nodes = self.tree(nodes, 0x81);
        let blocks = self.tree(blocks, 0x80);

        let (version, roots, encoding): (u8, _, _) = match self.format {
            Format::Ansi => (14, 184, 461),
            Format::Unicode => (23, 216, 513),
            Format::LargePages => (36, 216, 513),
        };
        self.octets[..4].copy_from_slice(b"!BDN");
        self.octets[8..10].copy_from_slice(if self.format == Format::LargePages {
            b"SO"
        } else {
            b"SM"
        });
        self.octets[10] = version;
        let mut places = Vec::new();
        for root in [nodes, blocks] {
            self.push_id(&mut places, 0);
            self.push_id(&mut places, root);
        }
        self.octets[roots..roots + places.len()].copy_from_slice(&places);
        self.octets[encoding] = match self.encoding {
            Encoding::Plain => 0,
            Encoding::Permuted => 1,
            Encoding::Cyclic => 2,
        };
        self.octets
    }

    /// Writes the pages of a tree and returns the offset of its root.
    fn tree(&mut self, mut entries: Vec<Vec<u8>>, kind: u8) -> u64 {
        let mut level = 0;
        loop {
            let branch = 3 * self.format.id_size();
            let size = entries.first().map_or(branch, Vec::len);
            let pages: Vec<_> = entries.chunks(10).map(|entries| entries.concat()).collect();
            let firsts: Vec<_> = entries.chunks(10).map(|entries| entries[0].clone()).collect();
            let offsets: Vec<_> =
                pages.iter().map(|page| self.page(page, size, level, kind)).collect();
            if let [root] = offsets[..] {
                return root;
            }
            entries = firsts
                .into_iter()
                .zip(offsets)
                .map(|(first, offset)| {
                    let mut entry = first[..self.format.id_size()].to_vec();
                    self.push_id(&mut entry, 0);
                    self.push_id(&mut entry, offset);
                    entry
                })
                .collect();
            level += 1;
        }
    }

    fn page(&mut self, entries: &[u8], entry_size: usize, level: u8, kind: u8) -> u64 {
        let size = self.format.page_size();
        let mut page = entries.to_vec();
        page.resize(size, 0);
        let count = (entries.len() / entry_size) as u8;
        let (at, rest, sum) = match self.format {
            Format::Ansi => (496, 498, 508),
            Format::Unicode => (488, 490, 500),
            Format::LargePages => (4056, 4060, 4076),
        };
        page[at] = count;
        page[at + if self.format == Format::LargePages { 2 } else { 1 }] = (at / entry_size) as u8;
        page[rest] = entry_size as u8;
        page[rest + 1] = level;
        let trailer = size - self.format.trailer_size();
        page[trailer] = kind;
        page[trailer + 1] = kind;
        let claimed = crc(&page[..trailer]).to_le_bytes();
        page[sum..sum + 4].copy_from_slice(&claimed);

        self.octets.resize(self.octets.len().next_multiple_of(size), 0);
        let offset = self.octets.len() as u64;
        self.octets.extend_from_slice(&page);
        offset
    }
}

fn attachment(number: u32) -> u32 {
    0x8005 + 0x20 * number
}

/// A heap in the making.
struct Heap {
    format: Format,
    blocks: Vec<(Vec<u8>, Vec<u16>)>,
}

impl Heap {
    fn new(format: Format) -> Self {
        Self { format, blocks: vec![(vec![0; 12], Vec::new())] }
    }

    fn push(&mut self, item: &[u8]) -> u32 {
        if self.blocks.last().unwrap().0.len() + item.len() > LONGEST + 100 {
            self.blocks.push((vec![0; 2], Vec::new()));
        }
        let number = self.blocks.len() as u32 - 1;
        let (block, offsets) = self.blocks.last_mut().unwrap();
        offsets.push(block.len() as u16);
        block.extend_from_slice(item);
        let index = offsets.len() as u32;
        index << 5 | number << if self.format == Format::LargePages { 19 } else { 16 }
    }

    /// Returns the blocks; the counts of their maps are those that damaged stores have.
    fn finish(self, kind: u8, root: u32) -> Vec<Vec<u8>> {
        let mut blocks = Vec::new();
        for (number, (mut block, offsets)) in self.blocks.into_iter().enumerate() {
            let end = block.len() as u16;
            block[..2].copy_from_slice(&end.to_le_bytes());
            if number == 0 {
                block[2] = 0xec;
                block[3] = kind;
                block[4..8].copy_from_slice(&root.to_le_bytes());
            }
            let counts = [offsets.len() as u16, 0];
            for word in counts.into_iter().chain(offsets).chain([end]) {
                block.extend_from_slice(&word.to_le_bytes());
            }
            blocks.push(block);
        }
        blocks
    }
}
