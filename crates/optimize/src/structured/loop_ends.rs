//! Decides whether a loop is known to terminate, for each lane that enters it.
//!
//! SPIR-V does not guarantee forward progress: an infinite loop is valid and must not be removed. A loop terminates if each iteration
//! passes an exit whose condition compares a counter with a loop-invariant value, and every path to the next iteration adds the same
//! constant to the counter:
//!
//! ```text
//! i, i + s, i + 2s, …   modulo 2^w, with s = odd · 2^k      visits each run of 2^k neighbouring numbers
//! ```
//!
//! So the loop terminates if the numbers for which the condition leaves include 2^k consecutive ones, where 2^k is the greatest power of
//! two that divides the step. For an odd step one number is enough, and `<` or `!=` leaves for at least one number. `<=` compared with the
//! maximum leaves for none, so the bound must be a constant. Overflow is not assumed to be absent. A continue of another loop, in the arm
//! of an exit, is not a continue of this loop.
//!
//! O(n log n) for n blocks in the loop's own lists and jumps to its next iteration. Constructs that were removed after the tree was
//! computed are skipped.

use reconverge_control_tree::{ConstructData, ControlTree, Jump, List, Node, Owner, Role};
use reconverge_ir::terminator::operand;
use reconverge_ir::view::{Binary, TypeView};
use reconverge_ir::{Block, Edge, Inst, Module, Op};
use rustc_hash::FxHashMap;

/// The place of each block in source order.
pub(super) type Places = FxHashMap<Block, usize>;

/// Returns whether a loop is known to terminate if its inner loops do.
pub(super) fn is_known_to_end(module: &Module, tree: &ControlTree, places: &Places, construct: &ConstructData) -> bool {
    let name = construct.name();
    let whole = [tree.list(name, Role::Body), tree.list(name, Role::Continue)];
    let continues = continues(module, places, construct);
    let first_continue = continues.first().copied();
    whole.into_iter().flatten().any(|list| {
        let nodes = tree.nodes(list).iter();
        let openers =
            nodes.filter_map(|node| if let Node::Construct(inner) = *node { Some(inner.opener()) } else { None });
        let is_passed = |&opener: &Block| {
            let is_continue = matches!(tree.owner(list), Owner::Construct(_, Role::Continue));
            is_continue || first_continue.is_none_or(|first| places[&opener] <= first)
        };
        let goes_on = |list: List| goes_on(places, &continues, tree.blocks_of_list(list));
        let mut exits = openers.filter(is_passed).filter_map(|opener| exit_at(module, tree, opener, goes_on));
        exits.any(|exit| is_reached(module, tree, places, construct, exit))
    })
}

/// The places of the blocks that continue the loop, from the first one on: not every iteration passes the code after it.
fn continues(module: &Module, places: &Places, construct: &ConstructData) -> Vec<usize> {
    let sources = construct.continue_target.into_iter().flat_map(|target| module.predecessors(target));
    let inside = sources.filter(|&source| source != construct.opener);
    let mut placed: Vec<usize> = inside.filter_map(|source| places.get(&source).copied()).collect();
    placed.sort_unstable();
    placed
}

/// Returns whether one of the blocks of a list continues the loop.
fn goes_on(places: &Places, continues: &[usize], list: &[Block]) -> bool {
    let Some(start) = list.first().map(|block| places[block]) else { return false };
    let next = continues.get(continues.partition_point(|&place| place < start));
    next.is_some_and(|&place| place < start + list.len())
}

/// The edge of a block's two-way terminator that breaks the enclosing loop, if there is one.
fn exit_at(module: &Module, tree: &ControlTree, opener: Block, goes_on: impl Fn(List) -> bool) -> Option<Edge> {
    let terminator = module.terminator(opener)?;
    if !matches!(module.op(terminator), Op::If | Op::BranchIf) {
        return None;
    }
    let mut ways = [operand::TRUE, operand::FALSE].into_iter().map(|operand| Edge { terminator, operand });
    ways.find(|&way| breaks(module, tree, way, &goes_on))
}

/// Returns whether one edge of a two-way terminator always breaks the loop: it may execute code before, but must not continue the loop.
fn breaks(module: &Module, tree: &ControlTree, edge: Edge, goes_on: impl Fn(List) -> bool) -> bool {
    let list = match tree.jump(edge) {
        Some(Jump::Break(_)) => return true,
        Some(Jump::Enter(list)) => list,
        _ => return false,
    };
    let ends_in_break =
        |block: Block| module.out_edges(block).any(|edge| matches!(tree.jump(edge), Some(Jump::Break(_))));
    let Some(&Node::Block(last)) = tree.nodes(list).last() else { return false };
    ends_in_break(last) && !goes_on(list)
}

/// Returns whether the condition of an exit compares a counter with a bound that the counter reaches.
fn is_reached(module: &Module, tree: &ControlTree, places: &Places, construct: &ConstructData, exit: Edge) -> bool {
    let all = tree.blocks_of(Node::Construct(construct.name()));
    let start = all.first().map_or(usize::MAX, |block| places[block]);
    let is_inside = |value: Inst| {
        let place = module.block_of(value).and_then(|block| places.get(&block));
        place.is_some_and(|&place| start <= place && place - start < all.len())
    };
    let leaves = || {
        let condition = module.operand(exit.terminator, operand::CONDITION);
        let Binary { left, right } = Binary::of(module, condition)?;
        let (op, step, bound) = match step_of(module, construct, left) {
            Some(step) => (module.op(condition), step, right),
            None => (mirrored(module.op(condition))?, step_of(module, construct, right)?, left),
        };
        let TypeView::Int { width: width @ ..=64, .. } = module.type_view(module.ty(bound)?)? else { return None };
        let stays = if exit.operand == operand::TRUE { super::inverse::opposite(op)? } else { op };
        let leaves_for = leaving_numbers(stays, width, module.constant_bits(bound)).filter(|_| !is_inside(bound))?;
        Some(leaves_for >= 1 << step.trailing_zeros())
    };
    leaves() == Some(true)
}

/// The constant that each iteration adds to a value: a parameter of the loop header, or its value in the next iteration.
fn step_of(module: &Module, construct: &ConstructData, value: Inst) -> Option<u64> {
    let header = construct.loop_header?;
    let parameter = match module.op(value) {
        Op::BlockParameter => value,
        _ => counted(module, value)?.0,
    };
    let number = module.parameters(header).position(|other| other.inst() == parameter)?;
    let preheader = module.terminator(construct.opener)?;
    let mut back = module.in_edges(header).filter(|edge| edge.terminator != preheader);
    let (latch, more) = (back.next()?, back.next());
    let next = module.arguments(latch.terminator).nth(number).filter(|_| more.is_none())?;
    let (counter, step) = counted(module, next)?;
    let is_counter = counter == parameter && (value == parameter || value == next);
    (is_counter && step != 0).then_some(step)
}

/// For a sum or difference of a value and a constant: the value, and the constant up to its sign.
fn counted(module: &Module, value: Inst) -> Option<(Inst, u64)> {
    let Binary { left, right } = Binary::of(module, value)?;
    match (module.op(value), module.constant_bits(left), module.constant_bits(right)) {
        (Op::IAdd | Op::ISub, None, Some(step)) => Some((left, step)),
        (Op::IAdd, Some(step), None) => Some((right, step)),
        _ => None,
    }
}

/// The comparison with exchanged operands.
fn mirrored(op: Op) -> Option<Op> {
    Some(match op {
        Op::IEqual | Op::INotEqual => op,
        Op::ULessThan => Op::UGreaterThan,
        Op::UGreaterThan => Op::ULessThan,
        Op::ULessThanEqual => Op::UGreaterThanEqual,
        Op::UGreaterThanEqual => Op::ULessThanEqual,
        Op::SLessThan => Op::SGreaterThan,
        Op::SGreaterThan => Op::SLessThan,
        Op::SLessThanEqual => Op::SGreaterThanEqual,
        Op::SGreaterThanEqual => Op::SLessThanEqual,
        _ => return None,
    })
}

/// The number of consecutive numbers of `width` bits for which a comparison with `bound` does not hold; a lower bound if `bound` is not
/// known.
fn leaving_numbers(stays: Op, width: u32, bound: Option<u64>) -> Option<u128> {
    let all = 1u128 << width;
    // From the lowest number on, signed or not.
    let rank = |is_signed: bool| {
        let offset = if is_signed { all / 2 } else { 0 };
        bound.map(|bound| (u128::from(bound) + offset) % all)
    };
    let below = |is_signed: bool| rank(is_signed).unwrap_or(0);
    let above = |is_signed: bool| rank(is_signed).map_or(0, |rank| all - 1 - rank);
    Some(match stays {
        Op::INotEqual => 1,
        Op::IEqual => all - 1,
        Op::ULessThan => above(false) + 1,
        Op::ULessThanEqual => above(false),
        Op::UGreaterThan => below(false) + 1,
        Op::UGreaterThanEqual => below(false),
        Op::SLessThan => above(true) + 1,
        Op::SLessThanEqual => above(true),
        Op::SGreaterThan => below(true) + 1,
        Op::SGreaterThanEqual => below(true),
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::leaving_numbers;
    use reconverge_ir::Op;

    /// Compares with an enumeration of all numbers of four bits.
    #[test]
    fn numbers_that_leave_are_counted() {
        type Holds = fn(i8, i8) -> bool;
        let table: [(Op, Holds); 10] = [
            (Op::INotEqual, |a, b| a != b),
            (Op::IEqual, |a, b| a == b),
            (Op::ULessThan, |a, b| (a & 15) < (b & 15)),
            (Op::ULessThanEqual, |a, b| (a & 15) <= (b & 15)),
            (Op::UGreaterThan, |a, b| (a & 15) > (b & 15)),
            (Op::UGreaterThanEqual, |a, b| (a & 15) >= (b & 15)),
            (Op::SLessThan, |a, b| a < b),
            (Op::SLessThanEqual, |a, b| a <= b),
            (Op::SGreaterThan, |a, b| a > b),
            (Op::SGreaterThanEqual, |a, b| a >= b),
        ];
        for (op, holds) in table {
            let mut fewest = u128::MAX;
            for bound in -8..8 {
                let leaving = (-8..8).filter(|&number| !holds(number, bound)).count() as u128;
                assert_eq!(leaving_numbers(op, 4, Some((bound & 15) as u64)), Some(leaving), "{op:?} {bound}");
                fewest = fewest.min(leaving);
            }
            assert!(leaving_numbers(op, 4, None).is_some_and(|least| least <= fewest), "{op:?}");
        }
    }
}
