//! The data of a node, and the nodes below it (MS-PST, 2.2.2.8.3).

use std::io::{Read, Seek};

use super::error::Error;
use super::file::{File, Node, is_internal};
use super::format::{Format, u16_at};

/// The blocks that make up the data of a node, in order.
#[derive(Debug)]
pub(super) struct Blocks {
    /// Lists of blocks that are not used up, the innermost one last.
    lists: Vec<std::vec::IntoIter<u64>>,
    /// The level that each list may hold at most.
    is_begun: bool,
    first: u64,
}

/// The deepest lists: blocks of ids of blocks of ids.
const MAX_LISTS: usize = 2;

impl Blocks {
    /// Begins with the block that a node names.
    pub(super) fn new(first: u64) -> Self {
        Self { lists: Vec::new(), is_begun: false, first }
    }

    /// Returns the id of the next block of data.
    ///
    /// ```text
    /// list = 1 level count(2) size(4) *id
    /// ```
    pub(super) fn next<R: Read + Seek>(
        &mut self,
        file: &mut File<R>,
    ) -> Option<Result<u64, Error>> {
        loop {
            let id = if self.is_begun {
                let list = self.lists.last_mut()?;
                match list.next() {
                    Some(id) => id,
                    None => {
                        self.lists.pop();
                        continue;
                    }
                }
            } else {
                self.is_begun = true;
                self.first
            };
            if id & !1 == 0 {
                continue;
            }
            if !is_internal(id) {
                return Some(Ok(id));
            }

            if self.lists.len() == MAX_LISTS {
                return Some(Err(Error::Block { id }));
            }
            match ids_in(file, id) {
                Ok(ids) => self.lists.push(ids.into_iter()),
                Err(error) => return Some(Err(error)),
            }
        }
    }
}

/// Returns the ids in a block that lists blocks of data.
fn ids_in<R: Read + Seek>(file: &mut File<R>, id: u64) -> Result<Vec<u64>, Error> {
    let octets = file.block(id)?;
    if octets.first() != Some(&1) {
        return Err(Error::Block { id });
    }
    let count = u16_at(&octets, 2).ok_or(Error::Block { id })?;
    let format = file.format();
    let ids = (0..usize::from(count))
        .map_while(|number| format.id(&octets, 8 + number * format.id_size()));
    Ok(ids.collect())
}

/// Returns all data of a node.
pub(super) fn data<R: Read + Seek>(file: &mut File<R>, first: u64) -> Result<Vec<u8>, Error> {
    let mut blocks = Blocks::new(first);
    let mut data = Vec::new();
    while let Some(id) = blocks.next(file) {
        let block = file.block(id?)?;
        if data.is_empty() {
            data = block;
        } else {
            data.extend_from_slice(&block);
        }
    }
    Ok(data)
}

/// The nodes below a node, by their ids.
#[derive(Debug, Default)]
pub(super) struct Below {
    nodes: Vec<Node>,
    /// Whether a part of the list could not be read.
    pub(super) is_broken: bool,
}

impl Below {
    /// Reads the list of nodes below a node.
    pub(super) fn read<R: Read + Seek>(file: &mut File<R>, first: u64) -> Self {
        let mut below = Self::default();
        if first & !1 == 0 {
            return below;
        }

        match ListOfNodes::read(file, first) {
            Ok(ListOfNodes::Nodes(nodes)) => below.nodes = nodes,
            Ok(ListOfNodes::Lists(lists)) => {
                for list in lists {
                    match ListOfNodes::read(file, list) {
                        Ok(ListOfNodes::Nodes(nodes)) => below.nodes.extend(nodes),
                        _ => below.is_broken = true,
                    }
                }
            }
            Err(_) => below.is_broken = true,
        }
        below.nodes.sort_by_key(|node| node.id);
        below
    }

    /// Returns the node `id`.
    pub(super) fn get(&self, id: u32) -> Option<Node> {
        self.nodes.binary_search_by_key(&id, |node| node.id).ok().map(|at| self.nodes[at])
    }

    /// Returns the nodes whose ids are of a type.
    pub(super) fn of_type(&self, kind: u32) -> impl Iterator<Item = Node> {
        self.nodes.iter().copied().filter(move |node| node.id & 0x1f == kind)
    }
}

enum ListOfNodes {
    Nodes(Vec<Node>),
    /// The blocks of further lists.
    Lists(Vec<u64>),
}

impl ListOfNodes {
    /// ```text
    /// list = 2 level count(2) [filling(4)] *(id data below / id list)     ; no filling in ANSI stores
    /// ```
    fn read<R: Read + Seek>(file: &mut File<R>, id: u64) -> Result<Self, Error> {
        let octets = file.block(id)?;
        let (Some(2), Some(&level), Some(count)) =
            (octets.first(), octets.get(1), u16_at(&octets, 2))
        else {
            return Err(Error::Block { id });
        };
        let format = file.format();
        let size = format.id_size();
        let entries = match format {
            Format::Ansi => &octets[4..],
            Format::Unicode | Format::LargePages => octets.get(8..).unwrap_or_default(),
        };

        let count = usize::from(count);
        Ok(match level {
            0 => Self::Nodes(
                entries
                    .chunks_exact(3 * size)
                    .take(count)
                    .filter_map(|entry| {
                        Some(Node {
                            // Only four octets of the id count.
                            id: format.id(entry, 0)? as u32,
                            data: format.id(entry, size)?,
                            below: format.id(entry, 2 * size)?,
                            parent: 0,
                        })
                    })
                    .collect(),
            ),
            1 => Self::Lists(
                entries
                    .chunks_exact(2 * size)
                    .take(count)
                    .filter_map(|entry| format.id(entry, size))
                    .collect(),
            ),
            _ => return Err(Error::Block { id }),
        })
    }
}
