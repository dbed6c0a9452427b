//! Analyses of a function before placement.

use reconverge_analysis::effects::{Direction, Motion, Occasion, takes_sampled_image};
use reconverge_analysis::memory::MemoryStates;
use reconverge_analysis::uniformity::Uniformity;
use reconverge_ir::{Class, Module, Op};

use super::early::is_mobile;
use super::late::compute_left_apart;
use super::ways::{DominatorJumps, FORBIDDEN};
use crate::body::Body;
use crate::hoist_bounds::HoistBounds;

/// The facts.
pub(super) struct MotionFacts<'a> {
    pub(super) body: &'a Body,
    pub(super) uniformity: &'a Uniformity,
    pub(super) memory: Option<&'a MemoryStates>,
    /// By instruction: how it may move.
    pub(super) motions: Vec<Motion>,
    /// True if any instruction that could move may trap.
    may_trap: bool,
    /// The exits of loops that lanes leave in different iterations, and the blocks that the same lanes execute; `None` if no instruction
    /// compares lanes.
    pub(super) unparted: Option<HoistBounds>,
    pub(super) together: Option<HoistBounds>,
    pub(super) ways: DominatorJumps,
    /// By cycle: the innermost cycle around it, itself included, that lanes leave in different iterations.
    pub(super) left_apart: Vec<Option<reconverge_graph::Cycle>>,
}

impl<'a> MotionFacts<'a> {
    /// Computes the facts. Near-linear.
    pub(super) fn compute(module: &Module, body: &'a Body, uniformity: &'a Uniformity, lanes: u32) -> MotionFacts<'a> {
        let memory = body.memory(module);
        let mut motions: Vec<Motion> = (0..body.len()).map(|inst| motion_of(module, body, memory, inst)).collect();
        body.used_by_unreachable(module).for_each(|inst| motions[inst as usize] = Motion::PINNED);
        let any = |asks: fn(&Motion) -> bool| motions.iter().any(|motion| is_mobile(*motion) && asks(motion));
        let may_trap = any(|motion| motion.occasion == Occasion::Anticipated);
        let compares_lanes = any(|motion| motion.direction == Direction::Earlier);
        let ways = DominatorJumps::compute(body, compute_costs(module, body, uniformity, lanes));
        let left_apart = compute_left_apart(body, uniformity);
        let unparted = compares_lanes.then(|| HoistBounds::compute_unparted(body, &left_apart));
        let together = compares_lanes.then(|| HoistBounds::compute_together(body, uniformity));
        MotionFacts { body, uniformity, memory, motions, may_trap, unparted, together, ways, left_apart }
    }

    /// The blocks where instructions that may trap may be executed; `None` if there are no such instructions.
    pub(super) fn anticipated(&self) -> Option<&HoistBounds> {
        self.may_trap.then(|| self.body.anticipated())
    }

    /// The first block of a chain; chains are computed on demand.
    pub(super) fn head(chains: Option<&HoistBounds>, block: u32) -> u32 {
        chains.map_or(block, |chains| chains.head(block))
    }

    /// Keeps every instruction where it is.
    pub(super) fn pin_all(&mut self) {
        self.motions.fill(Motion::PINNED);
    }

    /// Keeps an instruction where it is.
    pub(super) fn pin(&mut self, inst: u32) {
        self.motions[inst as usize] = Motion::PINNED;
    }
}

/// The freedom of an instruction to move. A user of a sampled image stays next to it, and a reader of memory whose state is not known
/// stays.
pub(super) fn motion_of(module: &Module, body: &Body, memory: Option<&MemoryStates>, inst: u32) -> Motion {
    let op = body.op(inst);
    if op.is_terminator() || op == Op::BlockParameter {
        return Motion::PINNED;
    }
    let handle = body.inst(inst);
    let motion = body.motion(module, inst);
    let is_lost = motion.reads_memory && memory.is_none_or(|memory| memory.state_of(handle).is_none());
    let stays = op.class() == Class::Image && takes_sampled_image(module, handle);
    if is_lost || stays { Motion::PINNED } else { motion }
}

/// By block: the cost of an instruction in it, which is the frequency with which a subgroup runs the block. Nothing is moved into edge
/// blocks, since they would become ordinary blocks.
fn compute_costs(module: &Module, body: &Body, uniformity: &Uniformity, lanes: u32) -> Vec<i32> {
    let loops = body.compute_loops(module, |block| lanes > 1 && !uniformity.is_uniform_branch(block));
    let cost = |block: u32| {
        if body.op(body.terminator(block)) == Op::Branch && module.is_bare_edge(body.block(block)) {
            return FORBIDDEN;
        }
        let frequency = loops.frequency(body.node(block));
        frequency.expect("invariant: numbered blocks are reachable").log2_sixteenths()
    };
    (0..body.block_count()).map(cost).collect()
}
