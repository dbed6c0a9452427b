//! What it costs a wave to run an instruction in a block: how often the wave runs the block.

use reconverge_analysis::uniformity::Uniformity;
use reconverge_graph::CycleForest;
use reconverge_ir::{Module, Op};

use super::ways::FORBIDDEN;
use crate::body::Body;

/// A logarithm to the base 2 counts so many for each doubling.
const SCALE: f64 = 16.0;
/// How often a loop of which nothing is known repeats, as a cost.
const LOOP: i32 = 48;

/// The cost of each block.
pub(super) fn compute_costs(
    module: &Module,
    body: &Body,
    cycles: &CycleForest,
    uniformity: &Uniformity,
    lanes: u32,
) -> Vec<i32> {
    let mut costs = vec![0; body.block_count() as usize];
    let mut entered = vec![0; cycles.cycles().len()];
    for block in 0..body.block_count() {
        let node = body.node(block);
        let above = body.parent(block);
        let headed = cycles.headed_by(node);
        let around = match headed {
            Some(cycle) => cycles.parent(cycle),
            None => cycles.innermost(node),
        };
        let mut cost = costs[above as usize];
        let mut from = cycles.innermost(body.node(above)).filter(|_| block != 0);
        let mut leaves = false;
        while let Some(cycle) = from.filter(|&from| around.is_none_or(|around| !cycles.encloses(from, around))) {
            cost = entered[cycle.index()];
            from = cycles.parent(cycle);
            leaves = true;
        }
        let ways = body.flow().graph().successors(body.node(above)).len();
        let mut sources = body.predecessors(block);
        if block != 0 && ways > 1 && !leaves && sources.next() == Some(above) && sources.next().is_none() {
            let stays = body.flow().graph().successors(body.node(above)).iter().filter(|&&target| {
                cycles.innermost(body.node(above)).is_none_or(|cycle| cycles.contains(cycle, target))
            });
            let share = 1.0 / stays.count().max(1) as f64;
            let together = uniformity.is_uniform_branch(body.block(above));
            let taken = if together { share } else { 1.0 - (1.0 - share).powi(lanes as i32) };
            cost += (taken.log2() * SCALE).round() as i32;
        }
        if let Some(cycle) = headed {
            entered[cycle.index()] = cost;
            cost += LOOP;
        }
        costs[block as usize] = cost;
    }
    for block in 0..body.block_count() {
        if module.is_bare_edge(body.block(block)) && body.op(body.terminator(block)) == Op::Branch {
            costs[block as usize] = FORBIDDEN;
        }
    }
    costs
}
