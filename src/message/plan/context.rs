//! The facts that every rule of the planner may query, and none may change.

use std::cell::Cell;
use std::ops::Range;

use crate::ascii::raw_runs;
use crate::facts::tree::{Entity, Kind, Source, Tree};
use crate::message::options::Options;
use crate::message::policy::{Policy, Zone};
use crate::transfer::Survey;

/// The message as it was found, the options, and which entities may be changed.
#[derive(Debug)]
pub(super) struct Context<'p, 'a> {
    pub(super) tree: &'p Tree<'a>,
    pub(super) options: &'p Options,
    /// The octets of a header section that are read when the output is read again (rule G7).
    pub(super) max_header_octets: usize,
    /// For free entities, and for those that are signed but not safe.
    policies: [Policy; 2],
    /// One for each entity; empty if every entity is free.
    pub(super) zones: Vec<Zone>,
    /// How much there is in the blocks of fields judged so far.
    blocks: Cell<Blocks>,
}

/// How much blocks of fields have in them that are to be written.
#[derive(Clone, Copy, Debug, Default)]
struct Blocks {
    octets: usize,
    /// Runs of octets above 7F.
    raw_runs: usize,
}

impl<'p, 'a> Context<'p, 'a> {
    /// Returns the message with these options and zones.
    pub(super) fn new(tree: &'p Tree<'a>, options: &'p Options, zones: Vec<Zone>) -> Self {
        let policies = [Zone::Free, Zone::Signed].map(|zone| Policy::of(options, zone));
        Self {
            tree,
            options,
            max_header_octets: usize::MAX,
            policies,
            zones,
            blocks: Cell::default(),
        }
    }

    /// Returns the decisions for an entity that is not frozen.
    pub(super) fn policy(&self, index: usize) -> &Policy {
        &self.policies[usize::from(self.zone(index) == Zone::Signed)]
    }

    /// Returns whether a block of fields that has to be written is within the limits for a header
    /// (rule G13), together with those before it: a message may have thousands of blocks, each
    /// within them.
    pub(super) fn may_read_block(&self, block: &[u8]) -> bool {
        let (limits, before) = (&self.options.limits, self.blocks.get());
        let blocks = Blocks {
            octets: before.octets + block.len(),
            raw_runs: before.raw_runs + raw_runs(block),
        };
        let may_read = blocks.octets <= limits.header_octets && blocks.raw_runs <= limits.raw_runs;
        if may_read {
            self.blocks.set(blocks);
        }
        may_read
    }

    pub(super) fn zone(&self, index: usize) -> Zone {
        self.zones.get(index).copied().unwrap_or_default()
    }

    /// Returns whether an entity is neither signed nor encrypted.
    pub(super) fn is_free(&self, index: usize) -> bool {
        self.zone(index) == Zone::Free
    }

    pub(super) fn is_frozen(&self, index: usize) -> bool {
        self.zone(index) == Zone::Frozen
    }

    pub(super) fn entity(&self, index: usize) -> &'p Entity {
        &self.tree.entities[index]
    }

    /// Returns the source that an entity's ranges point into.
    pub(super) fn source(&self, index: usize) -> &'p Source<'a> {
        &self.tree.sources[self.entity(index).source]
    }

    /// Returns the octets of that source.
    pub(super) fn octets(&self, index: usize) -> &'p [u8] {
        &self.source(index).octets
    }

    /// Returns the body of an entity as it is.
    pub(super) fn body(&self, index: usize) -> &'p [u8] {
        self.tree.body_of(self.entity(index))
    }

    /// Returns a survey of a range of an entity's source.
    pub(super) fn survey(&self, index: usize, range: Range<usize>) -> Survey {
        self.source(index).survey_of(range)
    }

    /// Returns the entities around one, from its parent outwards.
    pub(super) fn around(&self, index: usize) -> impl Iterator<Item = usize> + use<'p, 'a> {
        self.tree.upwards(self.entity(index).parent)
    }

    /// Returns the multiparts around an entity with their boundaries, from the innermost outwards,
    /// in whatever source they are.
    pub(super) fn multiparts_around(
        &self,
        index: usize,
    ) -> impl Iterator<Item = (usize, &'p [u8])> + use<'p, 'a> {
        let tree = self.tree;
        self.around(index).filter_map(move |at| match &tree.entities[at].kind {
            Kind::Multipart(multipart) => Some((at, multipart.boundary.as_slice())),
            _ => None,
        })
    }
}
