//! The last block in which an instruction may be placed.

use reconverge_analysis::effects::Direction;
use reconverge_analysis::memory::Clobber;
use reconverge_analysis::uniformity::Uniformity;
use reconverge_graph::Cycle;

use super::explain::Bound;
use super::facts::MotionFacts;
use crate::body::Body;

impl MotionFacts<'_> {
    /// The last block for an instruction whose uses, as placed, have this common dominator, with the reason if the last block is another
    /// one. The last block is dominated by `early`.
    pub(super) fn bound(&self, inst: u32, early: u32, uses: u32) -> (u32, Bound) {
        let (body, ways, motion) = (self.body, &self.ways, self.motions[inst as usize]);
        let (mut late, mut bound) = (uses, Bound::Uses);
        if motion.reads_memory
            && let Some(clobber) = self.next_clobber(inst, uses)
        {
            let block = body.place(clobber.node);
            (late, bound) = match clobber.inst {
                Some(inst) => (block, Bound::Clobber(inst)),
                None => (body.parent(block), Bound::MemoryJoin(body.block(block))),
            };
        }
        let origin = body.block_of(inst);
        let is_together =
            |block: u32| body.dominates(MotionFacts::head(self.together.as_ref(), block), origin) || block <= origin;
        if motion.direction == Direction::Earlier && !is_together(late) {
            (late, bound) = (ways.deepest(late, is_together), Bound::FewerLanes);
        }
        if let Some(cycle) = self.shared_loop(inst, early)
            && !body.cycles().contains(cycle, body.node(late))
        {
            let is_inside = |block: u32| body.cycles().contains(cycle, body.node(block)) || block <= early;
            (late, bound) = (ways.deepest(late, is_inside), Bound::DivergentExit);
        }
        (late, bound)
    }

    fn next_clobber(&self, inst: u32, block: u32) -> Option<Clobber> {
        let memory = self.memory?;
        memory.next_clobber(memory.state_of(self.body.inst(inst))?, self.body.node(block))
    }

    /// The loop that a value must not leave: it contains the first block, lanes leave it in different iterations, and the value is uniform
    /// in it.
    fn shared_loop(&self, inst: u32, early: u32) -> Option<Cycle> {
        let cycle = self.left_apart[self.body.cycles().innermost(self.body.node(early))?.index()]?;
        self.uniformity.of(self.body.inst(inst)).is_uniform().then_some(cycle)
    }
}

/// By cycle: the innermost cycle around it that has a divergent branch out of it. An edge leaves all cycles around its source that do not
/// contain its target. The fact is recorded at the innermost cycle and propagated outwards.
pub(super) fn compute_left_apart(body: &Body, uniformity: &Uniformity) -> Vec<Option<Cycle>> {
    let cycles = body.cycles();
    let mut shared_depths: Vec<usize> = vec![usize::MAX; cycles.cycles().len()];
    for block in 0..body.block_count() {
        let node = body.node(block);
        let Some(cycle) = cycles.innermost(node) else { continue };
        if uniformity.is_uniform_branch(body.block(block)) {
            continue;
        }
        for &target in body.flow().graph().successors(node) {
            let shared = cycles.innermost(target).and_then(|other| cycles.lowest_common_ancestor(cycle, other));
            let depth = shared.map_or(0, |shared| cycles.depth(shared));
            let least = &mut shared_depths[cycle.index()];
            *least = depth.min(*least);
        }
    }
    for cycle in cycles.cycles().rev() {
        if let Some(parent) = cycles.parent(cycle) {
            let own = shared_depths[cycle.index()];
            let outer = &mut shared_depths[parent.index()];
            *outer = own.min(*outer);
        }
    }
    let mut left_apart: Vec<Option<Cycle>> = vec![None; shared_depths.len()];
    for cycle in cycles.cycles() {
        let is_left = shared_depths[cycle.index()] < cycles.depth(cycle);
        let outer = cycles.parent(cycle).and_then(|parent| left_apart[parent.index()]);
        left_apart[cycle.index()] = if is_left { Some(cycle) } else { outer };
    }
    left_apart
}
