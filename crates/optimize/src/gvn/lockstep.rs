//! Finds parameters of a loop's header that always have the same value.
//!
//! ```text
//! ^h(%i, %j): …  branch ^h(%i + 1, %j + 1)        %i = %j  ⇒  %i + 1 = %j + 1  ⇒  still equal in the next iteration
//! ```
//!
//! The two parameters are assumed to be equal. Their arguments must then be equal, and the operands of these, and so on; a pair of
//! different operations is a contradiction. If no pair is left, the assumptions support each other (coinduction: the result is a
//! bisimulation of the graph of values). At most [`STEPS`] pairs are compared; beyond this the parameters count as different.

use reconverge_ir::Op;
use smallvec::SmallVec;

use super::congruence::Sweep;
use crate::body::OUTSIDE;
use reconverge_rewrite::commutative::is_commutative;
use reconverge_rewrite::promises;

/// The maximal number of compared pairs.
const STEPS: usize = 24;

type Pairs = SmallVec<[(u32, u32); STEPS]>;

/// Returns whether two parameters of one block always have the same value. `right` is the current instruction of the sweep.
pub(super) fn run(sweep: &Sweep<'_>, left: u32, right: u32) -> bool {
    let mut assumed: Pairs = SmallVec::new();
    assumed.push((left, right));
    let mut next = 0;
    while let Some(&(one, other)) = assumed.get(next) {
        next += 1;
        if !follow(sweep, right, one, other, &mut assumed) {
            return false;
        }
    }
    true
}

/// Adds the pairs that must be equal for a pair to be equal. Returns whether that is possible.
fn follow(sweep: &Sweep<'_>, limit: u32, left: u32, right: u32, assumed: &mut Pairs) -> bool {
    let body = sweep.body;
    let op = body.op(left);
    let (left_inst, right_inst) = (body.inst(left), body.inst(right));
    if op != body.op(right)
        || sweep.module.ty(left_inst) != sweep.module.ty(right_inst)
        || !promises::agree(sweep.module, left_inst, right_inst)
    {
        return false;
    }
    if op == Op::BlockParameter {
        let block = body.block_of(left);
        if block != body.block_of(right) {
            return false;
        }
        let start = body.range(block).start;
        let mut sources = body.predecessors(block);
        return sources.all(|source| {
            let argument = |parameter: u32| body.argument(source, parameter - start);
            assume(sweep, limit, argument(left), argument(right), assumed)
        });
    }
    match (sweep.reach(left), sweep.reach(right)) {
        (Some(reach), other) if other == Some(reach) && reach.everywhere => {}
        _ => return false,
    }
    let (left, right) = (body.operands(left), body.operands(right));
    if left.len() != right.len() {
        return false;
    }
    if let (true, &[a, b], &[c, d]) = (is_commutative(op), left, right)
        && (is_known_different(sweep, limit, a, c) || is_known_different(sweep, limit, b, d))
    {
        return assume(sweep, limit, a, d, assumed) && assume(sweep, limit, b, c, assumed);
    }
    left.iter().zip(right).all(|(&left, &right)| assume(sweep, limit, left, right, assumed))
}

/// Assumes that a pair is equal, unless the pair is known to be different, or the limit is reached.
fn assume(sweep: &Sweep<'_>, limit: u32, left: u32, right: u32, assumed: &mut Pairs) -> bool {
    if left == right || assumed.contains(&(left, right)) {
        return true;
    }
    if is_met(left, limit) && is_met(right, limit) {
        return sweep.class(left) == sweep.class(right);
    }
    if (left | right) & OUTSIDE != 0 || assumed.len() == STEPS {
        return false;
    }
    assumed.push((left, right));
    true
}

fn is_known_different(sweep: &Sweep<'_>, limit: u32, left: u32, right: u32) -> bool {
    is_met(left, limit) && is_met(right, limit) && sweep.class(left) != sweep.class(right)
}

/// Returns whether the sweep already visited a value, so that its class is known.
fn is_met(value: u32, limit: u32) -> bool {
    value & OUTSIDE != 0 || value < limit
}
