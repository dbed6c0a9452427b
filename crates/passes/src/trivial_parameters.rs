//! Removes block parameters that always have one value.
//!
//! ```text
//! branch ^m(%v)   branch ^m(%v)   ^m(%p): use %p     ⇒     branch ^m   branch ^m   ^m: use %v
//! ```
//!
//! *Requires* nothing. *Preserves* every value. *Breaks* nothing: the one value reaches the block on every edge, so its definition
//! dominates it. A parameter that is passed itself around a cycle counts as having no value on that edge. Removing one may make
//! another trivial; a worklist finds those (Braun, Buchwald, Hack, Leißa, Mallon, Zwinkau 2013, section 3.1). Linear in what is
//! removed and in its uses.

use reconverge_ir::{Block, Inst, Module, Op, Slot, Terminator, terminator};
use rustc_hash::FxHashSet;

/// Removes those of `parameters` that are trivial. How many went.
pub fn remove_trivial_parameters(module: &mut Module, parameters: &[Inst]) -> usize {
    let candidates: FxHashSet<Inst> = parameters.iter().copied().collect();
    let mut worklist: Vec<Inst> = parameters.to_vec();
    let mut removed = 0;
    while let Some(parameter) = worklist.pop() {
        if !module.is_live(parameter) {
            continue;
        }
        let Some(value) = only_value(module, parameter) else { continue };
        let fed = fed_parameters(module, parameter);
        worklist.extend(fed.into_iter().filter(|fed| candidates.contains(fed) && *fed != parameter));
        module.edit().replace_all_uses(parameter, value);
        remove_parameter(module, parameter);
        removed += 1;
    }
    removed
}

/// The position of a parameter among those of its block.
fn position(module: &Module, block: Block, parameter: Inst) -> usize {
    let found = module.parameters(block).position(|other| Inst::from(other) == parameter);
    found.expect("invariant: a parameter stands among those of its block")
}

fn only_value(module: &Module, parameter: Inst) -> Option<Inst> {
    let block = module.block_of(parameter)?;
    let index = position(module, block, parameter);
    let mut only = None;
    for edge in module.in_edges(block) {
        let value = module.arguments(edge.terminator).nth(index)?;
        if value != parameter && *only.get_or_insert(value) != value {
            return None;
        }
    }
    only
}

/// Parameters that are passed `value` somewhere.
fn fed_parameters(module: &Module, value: Inst) -> Vec<Inst> {
    let fed = module.uses(value).filter_map(|used| {
        let terminator: Terminator = module.cast(used.user)?;
        let Slot::Operand(operand) = used.slot else { return None };
        let argument = operand.checked_sub(terminator::first_argument(module.op(terminator))?)?;
        let target: Block = module.cast(module.operand(terminator, terminator::operand::TARGET))?;
        module.parameters(target).nth(argument).map(Inst::from)
    });
    fed.collect()
}

fn remove_parameter(module: &mut Module, parameter: Inst) {
    let block = module.block_of(parameter).expect("invariant: a parameter stands in a block");
    let index = position(module, block, parameter);
    let terminators: Vec<Terminator> = module.in_edges(block).map(|edge| edge.terminator).collect();
    for terminator in terminators {
        debug_assert!(matches!(module.op(terminator), Op::Branch | Op::Loop));
        let first = terminator::first_argument(module.op(terminator)).expect("invariant: jumps carry arguments");
        let mut operands: Vec<Inst> = module.operands(terminator).collect();
        operands.remove(first + index);
        module.edit().set_operands(terminator, &operands);
    }
    module.edit().delete(parameter);
}
