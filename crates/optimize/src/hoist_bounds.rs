//! Bounds of code motion: how far instructions may move up although not every lane that runs the target block runs their block, and how far
//! down so that no lane is lost. For each block, the tops of three chains in the dominator tree.
//!
//! ```text
//!   d ─┬─▶ x ─▶ b        anticipated[b] = d: every lane that runs d runs b, no path between ends or loops forever
//!      └─▶ y ─▶ ┘        together[b] = d: the same lanes run b together
//!      └─▶ (…)           a third edge from d that does not lead to b: both chains begin at b
//!   ╭─────╮
//!   ▼     │
//!   d ─▶ x ─▶ b          unparted[b] = b: lanes leave the loop in different iterations, and reconverge at b
//! ```
//!
//! **Anticipated.** A block joins the chain of its immediate dominator under two conditions. First, every path from the dominator reaches
//! the block before it takes a retreating edge or ends. Second, no block between the two begins a cycle (which may be infinite) or may end
//! the lane. Blocks are numbered in preorder, so numbers increase along a path except on retreating edges. The blocks numbered between the
//! dominator and the block are below the dominator, and a path from them without a retreating edge leads to blocks with greater numbers. So
//! the first condition holds exactly if no block from the dominator to the predecessor of the block has a successor with a greater number
//! than the block; that is, if the last block before it with such a successor is above the dominator. Candidates for this last block are on
//! a stack: once the farthest successor of a block is not beyond some block, it is not beyond any later block. For the second condition,
//! the last dangerous block before the block must not be below the dominator. The instructions of the dominator itself matter only for the
//! chain above it.
//!
//! ```text
//!   d ─┬─▶ x ─▶ b         x goes no farther than b, d does: to y. And y goes back, which is farther than all.
//!   ▲  └─▶ y ─╮           b is not anticipated in d: lanes may loop through y forever and never reach b
//!   ╰─────────╯
//! ```
//!
//! **Together.** A block joins the chain of its immediate dominator in two cases: it is the only successor of the dominator, or the branch
//! of the dominator is uniform and has an edge to it; or all lanes that entered the function are in both.
//!
//! **Unparted.** A block joins the chain of its immediate dominator unless the edge between them leaves a loop that lanes leave in
//! different iterations. In such a loop fewer lanes may be active than after it, where they have reconverged. So instructions that compare
//! lanes stay after it.
//!
//! Near-linear.

use reconverge_analysis::effects::may_end;
use reconverge_analysis::uniformity::Uniformity;
use reconverge_graph::Cycle;

use crate::body::{Body, NONE};

/// By block: the first block of the chain that it belongs to.
#[derive(Debug)]
pub(crate) struct HoistBounds {
    heads: Vec<u32>,
}

impl HoistBounds {
    /// The topmost block from which every path passes this block.
    pub(crate) fn compute_anticipated(body: &Body) -> HoistBounds {
        let cycles = body.cycles();
        let ends: Vec<bool> =
            (0..body.block_count()).map(|block| body.range(block).any(|inst| may_end(body.op(inst)))).collect();
        let mut passing: Vec<(u32, u32)> = Vec::new();
        let mut last_danger = 0;
        HoistBounds::compute(body, |above, block| {
            let previous = block - 1;
            passing.push((previous, farthest(body, previous)));
            while passing.last().is_some_and(|&(_, farthest)| farthest <= block) {
                passing.pop();
            }
            if ends[previous as usize] || cycles.headed_by(body.node(previous)).is_some() {
                last_danger = previous;
            }
            let comes_by = passing.last().is_none_or(|&(last, _)| last < above);
            comes_by && last_danger <= above && !ends[block as usize]
        })
    }

    /// The topmost block that is executed by the same lanes.
    pub(crate) fn compute_together(body: &Body, uniformity: &Uniformity) -> HoistBounds {
        HoistBounds::compute(body, |above, block| {
            let mut sources = body.predecessors(block);
            let follows = sources.next() == Some(above) && sources.next().is_none();
            let (upper, lower) = (body.block(above), body.block(block));
            (follows && uniformity.is_uniform_branch(upper))
                || (uniformity.is_complete(upper) && uniformity.is_complete(lower))
        })
    }

    /// The topmost block from which no path leaves a loop that lanes leave in different iterations; `left_apart` contains, by cycle, the
    /// innermost such loop around it.
    pub(crate) fn compute_unparted(body: &Body, left_apart: &[Option<Cycle>]) -> HoistBounds {
        let cycles = body.cycles();
        HoistBounds::compute(body, |above, block| {
            let parted = cycles.innermost(body.node(above)).and_then(|cycle| left_apart[cycle.index()]);
            parted.is_none_or(|cycle| cycles.contains(cycle, body.node(block)))
        })
    }

    /// Decides for each block except the entry, in order, whether it joins the chain of its immediate dominator.
    fn compute(body: &Body, mut joins: impl FnMut(u32, u32) -> bool) -> HoistBounds {
        let mut heads: Vec<u32> = (0..body.block_count()).collect();
        for block in 1..body.block_count() {
            let above = body.parent(block);
            if joins(above, block) {
                heads[block as usize] = heads[above as usize];
            }
        }
        HoistBounds { heads }
    }

    /// The first block of the chain of a block.
    pub(crate) fn head(&self, block: u32) -> u32 {
        self.heads[block as usize]
    }
}

/// The greatest number of a successor of a block; [`NONE`] if it has a retreating edge or no successor.
fn farthest(body: &Body, block: u32) -> u32 {
    let targets = body.flow().graph().successors(body.node(block));
    let climbed = targets.iter().map(|&target| Some(body.place(target)).filter(|&place| place > block));
    climbed.reduce(|left, right| Some(left?.max(right?))).flatten().unwrap_or(NONE)
}

#[cfg(test)]
mod tests {
    use std::fmt::Write as _;

    use reconverge_graph::Node;
    use reconverge_ir::{Op, text};
    use reconverge_testing::random::Random;

    use super::*;

    /// Random blocks and edges; no edge enters the first block.
    fn any_body(random: &mut Random) -> Body {
        let mut text =
            "%bool = type_bool\n%void = type_void\n%u32 = type_int 32, 0\nfunc %f: %void (%c: %bool, %n: %u32) {\n"
                .to_owned();
        let count = random.between(2, 12);
        for block in 0..count {
            let [left, right, third] = [(); 3].map(|()| random.between(1, count - 1));
            let call =
                if random.chance(10) { format!("%r{block}: %void = function_call %f, %c, %n") } else { String::new() };
            let end = match random.below(6) {
                0 if block > 0 => "return".to_owned(),
                0 | 1 => format!("branch ^b{left}"),
                2 => format!("switch %n default ^b{left} [0 ^b{right}] [1 ^b{third}]"),
                _ => format!("branch_if %c ^b{left} ^b{right}"),
            };
            _ = write!(text, "block ^b{block}:\n  {call}\n  {end}\n");
        }
        text.push_str("}\n");
        let module = text::parse(&text).unwrap_or_else(|error| panic!("{error}"));
        Body::compute(&module, module.functions().next().expect("there is one"))
    }

    /// Returns whether every path from the dominator passes the block before it ends, takes a retreating edge, or meets a cycle or a call;
    /// by walking paths.
    fn comes_by(body: &Body, above: u32, block: u32) -> bool {
        let calls = |block: u32| body.range(block).any(|inst| body.op(inst) == Op::FunctionCall);
        if calls(block) {
            return false;
        }
        let (mut pending, mut seen) = (vec![above], vec![false; body.block_count() as usize]);
        while let Some(at) = pending.pop() {
            let successors = body.flow().graph().successors(body.node(at));
            let goes_back = |target: &Node| body.order().is_retreating(body.node(at), *target);
            let is_danger = at != above && (calls(at) || body.cycles().headed_by(body.node(at)).is_some());
            if is_danger || successors.is_empty() || successors.iter().any(goes_back) {
                return false;
            }
            for target in successors.iter().map(|&target| body.place(target)).filter(|&target| target != block) {
                if !std::mem::replace(&mut seen[target as usize], true) {
                    pending.push(target);
                }
            }
        }
        true
    }

    #[test]
    fn blocks_are_anticipated_that_every_way_comes_by() {
        let mut random = Random::new(1);
        let mut joined = 0;
        for _ in 0..4_000 {
            let body = any_body(&mut random);
            let chains = HoistBounds::compute_anticipated(&body);
            for block in 1..body.block_count() {
                let above = body.parent(block);
                let expected = if comes_by(&body, above, block) { chains.head(above) } else { block };
                assert_eq!(chains.head(block), expected, "block {block} of {:?}", body.flow());
                joined += u32::from(expected != block);
            }
        }
        assert!(joined > 1_000, "{joined}");
    }
}
