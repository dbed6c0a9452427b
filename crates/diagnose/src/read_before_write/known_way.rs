//! A feasible path, found for one variable and reused for others.
//!
//! ```text
//! way of %v:  ^entry  ^skip  ^test  ^skip2  ^use        %w: written in no block on it, read in ^use: a read before a write as well
//! ```
//!
//! The cost of searching for one variable grows with the function, so a large function does not have enough fuel for all its variables. The
//! longest path found passes many blocks: a variable whose first access on it is a read needs no search. Linear in the accesses of the
//! variable.

use reconverge_graph::Node;
use reconverge_ir::Block;
use rustc_hash::FxHashMap;

use super::accesses::AccessKind;
use super::exposure::Event;
use super::walk::{UndefinedUse, is_copy};
use crate::flow::Flow;
use crate::program::Program;

/// The number of blocks of a path that are kept for reporting.
const TOLD: usize = 256;

/// The longest path found.
#[derive(Default)]
pub(super) struct KnownWay {
    blocks: Vec<Block>,
    /// For each block on it, its first position.
    places: FxHashMap<Node, usize>,
}

impl KnownWay {
    /// Adds another path.
    pub(super) fn add(&mut self, flow: &Flow, way: &[Block]) {
        if way.len() <= self.blocks.len() {
            return;
        }
        self.blocks = way.to_vec();
        self.places.clear();
        for (place, &block) in way.iter().enumerate() {
            if let Some(node) = flow.whole.find(block) {
                self.places.entry(node).or_insert(place);
            }
        }
    }

    /// A read that precedes any write on the path, and is not only a copy.
    pub(super) fn exposed(&self, program: &Program<'_>, events: &[Event]) -> Option<UndefinedUse> {
        if events.iter().any(|event| event.is_indexed) {
            return None;
        }
        let on_way = events.iter().filter_map(|event| Some((*self.places.get(&event.node)?, event)));
        let (place, event) = on_way.min_by_key(|&(place, event)| (place, event.position, event.kind))?;
        if event.kind == AccessKind::Write || is_copy(program, event.inst) {
            return None;
        }
        let way = self.blocks[(place + 1).saturating_sub(TOLD)..=place].to_vec();
        Some(UndefinedUse { read: event.inst, used: event.inst, way })
    }
}
