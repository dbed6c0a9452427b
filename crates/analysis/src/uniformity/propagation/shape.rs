//! The effect of the control flow of a function on lanes.

use reconverge_ir::{Module, Stage};

use crate::uniformity::bare::{Bare, Reconverges};
use crate::uniformity::body::{Body, NONE};
use crate::uniformity::event::Event;
use crate::uniformity::regions::{ROOT, Regions};
use crate::uniformity::structured::Structured;

/// The effect of the control flow. Blocks are nodes of the function's flow graph.
#[derive(Clone, Debug)]
pub(in crate::uniformity) enum Shape {
    /// One block. Lanes may end in it while others continue if `is_left` is set. Many functions are small.
    Straight {
        /// True if lanes may end in it.
        is_left: bool,
    },
    /// A function with a control tree.
    Structured(Box<Structured>),
    /// Any other function.
    Bare(Box<Bare>),
}

impl Shape {
    /// The shape of a function without branches that are known to diverge, and its regions.
    pub(super) fn compute(module: &Module, body: &Body) -> (Shape, Regions) {
        if body.graph().len() == 1 && body.graph().edge_count() == 0 {
            return (Shape::Straight { is_left: false }, Regions::default());
        }
        let is_structured = module.stage(body.function()) == Stage::Structured;
        if is_structured && let Some((structured, regions)) = Structured::compute(module, body) {
            return (Shape::Structured(Box::new(structured)), regions);
        }
        let reconverges = if is_structured { Reconverges::Anywhere } else { Reconverges::AsStructurized };
        let (bare, regions) = Bare::compute(body, reconverges);
        (Shape::Bare(Box::new(bare)), regions)
    }

    /// The region of a block.
    pub(super) fn region(&self, node: u32) -> u32 {
        match self {
            Shape::Straight { .. } => ROOT,
            Shape::Structured(structured) => structured.region(node),
            Shape::Bare(bare) => bare.region(node),
        }
    }

    /// Returns whether an edge closes a loop. A structured loop header has one edge in and one back, and is not a join of diverged lanes.
    pub(super) fn is_back_edge(&self, source: u32, target: u32) -> bool {
        match self {
            Shape::Straight { .. } | Shape::Structured(_) => false,
            Shape::Bare(bare) => bare.is_back_edge(source, target),
        }
    }

    /// Records that lanes diverge at the end of the block. Returns the consequences.
    pub(super) fn split(&mut self, body: &Body, node: u32, events: &mut Vec<Event>) {
        match self {
            Shape::Straight { .. } => {}
            Shape::Structured(structured) => structured.split(node, events),
            Shape::Bare(bare) => bare.split(body, node, events),
        }
    }

    /// Records that lanes return in a block while others continue. Without structure this follows from the post-dominators.
    pub(super) fn leave_at(&mut self, node: u32) {
        if let Shape::Structured(structured) = self {
            structured.leave_at(node);
        }
    }

    /// Records that lanes may end in a callee that is called in the block: later blocks may miss some.
    pub(in crate::uniformity) fn end_in_callee(&mut self, node: u32) {
        match self {
            Shape::Straight { is_left } => *is_left = true,
            Shape::Structured(structured) => structured.leave_at(node),
            Shape::Bare(bare) => bare.note_ending(node),
        }
    }

    /// Returns whether lanes may have returned or ended before the block, while others continue.
    pub(in crate::uniformity) fn is_left(&self, node: u32) -> bool {
        match self {
            Shape::Straight { is_left } => *is_left,
            Shape::Structured(structured) => structured.is_left(node),
            Shape::Bare(bare) => bare.ender(node).is_some(),
        }
    }

    /// A branch after which lanes may have left before the block, or the block of a call in which they may end.
    pub(in crate::uniformity) fn leaver(&self, node: u32) -> Option<u32> {
        match self {
            Shape::Straight { is_left } => is_left.then_some(node),
            Shape::Structured(structured) => structured.leaver(),
            Shape::Bare(bare) => bare.ender(node),
        }
    }

    /// By node, a branch that separates lanes in the block from others that entered the function with them, after all reports; [`NONE`] if
    /// all are there.
    pub(super) fn separations(&self, body: &Body) -> Vec<u32> {
        match self {
            Shape::Straight { .. } => vec![NONE],
            Shape::Structured(structured) => {
                (0..body.graph().len() as u32).map(|node| structured.separator(node).unwrap_or(NONE)).collect()
            }
            Shape::Bare(bare) => bare.separations(body),
        }
    }
}
