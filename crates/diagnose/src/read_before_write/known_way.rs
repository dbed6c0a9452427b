//! A way that a run can take, found for one variable and asked about others.
//!
//! ```text
//! way of %v:  ^entry  ^skip  ^test  ^skip2  ^use        %w: written in no block on it, read in ^use: a read before a write as well
//! ```
//!
//! What the search of one variable costs grows with the function, so that a large function has no fuel for all of its variables. The
//! longest way that was found goes past much: a variable of which the first access on it is a read needs no search. Linear in the accesses
//! of the variable.

use reconverge_graph::Node;
use reconverge_ir::Block;
use rustc_hash::FxHashMap;

use super::accesses::Kind;
use super::exposure::Event;
use super::walk::{Found, is_copy};
use crate::flow::Flow;
use crate::program::Program;

/// How many blocks of a way are kept for what is told of it.
const TOLD: usize = 256;

/// The longest way that was found.
#[derive(Default)]
pub(super) struct KnownWay {
    blocks: Vec<Block>,
    /// For each block on it, where control comes to it first.
    places: FxHashMap<Node, usize>,
}

impl KnownWay {
    /// Another way was found.
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

    /// A read that comes before any write on the way, and is more than a copy.
    pub(super) fn exposed(&self, program: &Program<'_>, events: &[Event]) -> Option<Found> {
        if events.iter().any(|event| event.is_indexed) {
            return None;
        }
        let on_way = events.iter().filter_map(|event| Some((*self.places.get(&event.node)?, event)));
        let (place, event) = on_way.min_by_key(|&(place, event)| (place, event.position, event.kind))?;
        if event.kind == Kind::Write || is_copy(program, event.inst) {
            return None;
        }
        let way = self.blocks[(place + 1).saturating_sub(TOLD)..=place].to_vec();
        Some(Found { read: event.inst, used: event.inst, way })
    }
}
