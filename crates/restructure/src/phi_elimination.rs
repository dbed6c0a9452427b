//! Replaces added block parameters whose value a dominating branch determines.
//!
//! ```text
//! i: if %c ^t ^f                    i: if %c ^t ^f
//! t … ─▶ m passing 7         ⇒      m: nothing is passed; what compared %s with 7 is %c
//! f … ─▶ m passing 9                   (values that are no constants: select %c, %v, %w)
//! m(%s): i_equal %s, 7
//! ```
//!
//! The immediate dominator `i` of a block ends in a conditional branch, and each edge into the block comes from code that one side of the
//! branch dominates. Then the side that control took last determines the argument. *Requires* what `trivial_parameters` requires.
//! *Preserves* every value. The idea is gating functions: Ottenstein, Ballance, MacCabe 1990; one level of them suffices for the parameters
//! of a dispatch. Only scalars are replaced, since `select` accepts those in every version. Near-linear.
//!
//! After the pass, code after a loop uses no value that the loop computes, except parameters of blocks and their comparisons. lavapipe and
//! SwiftShader run lanes as vectors and iterate until the last lane has left the loop; a lane that left keeps its parameters, and
//! everything else is computed again: a load may then return another value (`docs/kernel-abi.md`).

use reconverge_analysis::FlowGraph;
use reconverge_graph::{CycleForest, DominatorTree, Node};
use reconverge_ir::terminator::{self, operand};
use reconverge_ir::{Block, Function, Inst, Module, Op, Position, Terminator, view};

use reconverge_rewrite::jumps::replace_operands;

/// Replaces those of `added`, parameters of blocks of the function, that a branch determines. Returns their number.
pub(crate) fn eliminate_phis(module: &mut Module, function: Function, added: &[Inst]) -> usize {
    let added: Vec<Inst> = added.iter().copied().filter(|&parameter| module.is_live(parameter)).collect();
    let mut blocks: Vec<Block> = added.iter().filter_map(|&parameter| module.block_of(parameter)).collect();
    blocks.sort_unstable();
    blocks.dedup();
    if blocks.is_empty() {
        return 0;
    }
    let flow = FlowGraph::compute(module, function);
    let (order, dominators) = flow.dominators();
    let loops = CycleForest::compute(flow.graph(), &order, &dominators);
    let deciding = Deciding { flow: &flow, dominators: &dominators, loops: &loops };
    let added: rustc_hash::FxHashSet<Inst> = added.into_iter().collect();
    let mut gone = 0;
    for block in blocks {
        let Some(decision) = deciding.decision(module, block) else { continue };
        let parameters = module.parameters(block).map(Inst::from).enumerate();
        let values = parameters.filter(|(_, parameter)| added.contains(parameter));
        let values = values.filter_map(|(index, parameter)| {
            let values = deciding.values(module, &decision, index)?;
            Some(Decided { parameter, index, values })
        });
        let decided: Vec<Decided> = values.collect();
        replace(module, &decision, &decided);
        gone += decided.len();
    }
    gone
}

/// A branch above a block, and the jumps into the block by the side of the branch.
struct Decision {
    block: Block,
    node: Node,
    condition: Inst,
    /// The blocks on the side where the condition holds, and on the other one.
    sides: [Vec<Block>; 2],
}

/// A parameter, its index, and its values if the condition holds and if not.
struct Decided {
    parameter: Inst,
    index: usize,
    values: [Inst; 2],
}

struct Deciding<'a> {
    flow: &'a FlowGraph,
    dominators: &'a DominatorTree,
    loops: &'a CycleForest,
}

impl Deciding<'_> {
    fn decision(&self, module: &Module, block: Block) -> Option<Decision> {
        // An edge block that contains more than its jump is a block of its own.
        let node = self.flow.find(block).filter(|&node| self.dominators.is_reachable(node))?;
        if module.op(block) != Op::Block {
            return None;
        }
        let above = self.flow.block(self.dominators.idom(node)?);
        let branch = module.terminator(above)?;
        if !matches!(module.op(branch), Op::If | Op::BranchIf) {
            return None;
        }
        let ways = [operand::TRUE, operand::FALSE].map(|way| module.operand(branch, way));
        let ways = ways.map(|way| module.cast::<Block>(way).filter(|&way| module.in_edges(way).count() == 1));
        let [Some(yes), Some(no)] = ways else { return None };
        let mut sides = [Vec::new(), Vec::new()];
        for edge in module.in_edges(block) {
            let source = module.block_of(edge.terminator)?;
            let comes_by = |way: Block| self.dominators.dominates(self.flow.node(way), self.flow.node(source));
            let side = [yes, no].into_iter().position(comes_by)?;
            sides[side].push(source);
        }
        let condition = module.operand(branch, operand::CONDITION);
        self.is_there(module, condition, node).then_some(Decision { block, node, condition, sides })
    }

    /// Returns whether a value can be used at a block: it strictly dominates it, and is steady or not in a loop that control has left.
    fn is_there(&self, module: &Module, value: Inst, node: Node) -> bool {
        let Some(block) = module.block_of(value) else { return true };
        let Some(definition) = self.flow.find(block).filter(|&definition| definition != node) else { return false };
        let stays = || self.loops.innermost(definition).is_none_or(|around| self.loops.contains(around, node));
        self.dominators.dominates(definition, node) && (is_steady(module, value) || stays())
    }

    /// The arguments for a parameter on either side, if there is one value for each that is defined at the block.
    fn values(&self, module: &Module, decision: &Decision, index: usize) -> Option<[Inst; 2]> {
        let mut values = [None, None];
        for (value, sources) in values.iter_mut().zip(&decision.sides) {
            for &source in sources {
                let jump = module.terminator(source)?;
                let argument = module.operand(jump, terminator::first_argument(module.op(jump))? + index);
                match (module.op(argument), *value) {
                    (Op::Undef, _) => {}
                    (_, None) => *value = Some(argument),
                    (_, Some(known)) if known == argument => {}
                    _ => return None,
                }
            }
        }
        let [Some(yes), Some(no)] = values else { return None };
        let ty = module.ty(yes)?;
        let is_scalar = matches!(module.op(ty), Op::TypeBool | Op::TypeInt | Op::TypeFloat);
        let is_there = |value: Inst| self.is_there(module, value, decision.node);
        (is_scalar && is_there(yes) && is_there(no)).then_some([yes, no])
    }
}

/// Returns whether a value is a parameter, or the comparison of one with a constant: it is the same however often it is computed.
fn is_steady(module: &Module, value: Inst) -> bool {
    let compared = match module.op(value) {
        Op::IEqual | Op::INotEqual => {
            let comparison = view::Binary::of(module, value);
            comparison.filter(|binary| module.op(binary.right) == Op::Constant).map(|binary| binary.left)
        }
        Op::LogicalNot => view::LogicalNot::of(module, value).map(|negation| negation.operand),
        _ => Some(value),
    };
    compared.is_some_and(|compared| module.op(compared) == Op::BlockParameter)
}

/// Removes the parameters from the jumps, each of which is rewritten once, and replaces them by the values that determine them.
fn replace(module: &mut Module, decision: &Decision, decided: &[Decided]) {
    if decided.is_empty() {
        return;
    }
    for source in decision.sides.iter().flatten() {
        let jump: Terminator = module.terminator(*source).expect("invariant: a block that jumps has a terminator");
        let first = terminator::first_argument(module.op(jump)).expect("invariant: jumps alone enter the block");
        let mut gone = decided.iter().map(|one| first + one.index).peekable();
        let operands = module.operands(jump).enumerate();
        let kept: Vec<Inst> =
            operands.filter(|&(place, _)| gone.next_if_eq(&place).is_none()).map(|(_, operand)| operand).collect();
        replace_operands(module, jump, &kept);
    }
    let leading = module.children(decision.block).take_while(|&inst| module.op(inst) == Op::BlockParameter);
    let mut position = Position::After(leading.last().expect("invariant: the block has the parameter"));
    let mut opposite = None;
    for one in decided {
        replace_comparisons(module, decision.condition, one, &mut position, &mut opposite);
        replace_rest(module, decision.condition, one, &mut position);
    }
    decided.iter().for_each(|one| module.edit().delete(one.parameter));
}

/// Replaces comparisons of a parameter with one of its two constants by the condition, or by its negation.
fn replace_comparisons(
    module: &mut Module,
    condition: Inst,
    one: &Decided,
    position: &mut Position,
    opposite: &mut Option<Inst>,
) {
    let [yes, no] = one.values;
    let is_constant = |module: &Module, value: Inst| module.op(value) == Op::Constant;
    if yes == no || !is_constant(module, yes) || !is_constant(module, no) {
        return;
    }
    let comparisons: Vec<Inst> = module.uses(one.parameter).map(|used| used.user).collect();
    for comparison in comparisons {
        let compared = view::IEqual::of(module, comparison).filter(|compared| compared.left == one.parameter);
        let Some(view::IEqual { right: other, .. }) = compared else { continue };
        let result = match () {
            () if other == yes => condition,
            () if other == no => *opposite.get_or_insert_with(|| {
                let ty = module.ty(condition);
                let not = module.edit().insert(*position, Op::LogicalNot, ty, &[condition]);
                *position = Position::After(not);
                not
            }),
            () => continue,
        };
        module.edit().replace_all_uses(comparison, result);
        module.edit().delete(comparison);
    }
}

/// Replaces other uses of the parameter by its only value, or by a select between the two with its name.
fn replace_rest(module: &mut Module, condition: Inst, one: &Decided, position: &mut Position) {
    let [yes, no] = one.values;
    if !module.is_used(one.parameter) {
        return;
    }
    let value = match yes == no {
        true => yes,
        false => {
            let ty = module.ty(yes);
            let select = module.edit().insert(*position, Op::Select, ty, &[condition, yes, no]);
            *position = Position::After(select);
            select
        }
    };
    if let Some(name) = module.name(one.parameter)
        && module.op(value) != Op::Constant
        && module.name(value).is_none()
    {
        module.edit().set_name(value, &name);
    }
    module.edit().replace_all_uses(one.parameter, value);
}
