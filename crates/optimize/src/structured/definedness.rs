//! Decides whether a value may be undefined.
//!
//! The result of `undef`, of a read of unwritten memory, and of an operation on undefined operands may be used anywhere except in a
//! condition. So a pass must not add a test of a value that was not tested before, unless the value is defined.
//!
//! From the value back over operands and arguments, until every visited value is defined. Linear in the visited values, which are at most
//! [`LIMIT`].

use reconverge_ir::{Class, Inst, Module, Op, view};
use reconverge_rewrite::capabilities::is_frozen;

use super::speculation::may_be_undefined;

/// The maximal number of visited values.
const LIMIT: usize = 32;

/// Returns whether a value is always defined. Constant time; linear in the edges for block parameters.
pub(super) fn is_defined(module: &Module, value: Inst) -> bool {
    let mut met = vec![value];
    let mut next = 0;
    while let Some(&value) = met.get(next) {
        next += 1;
        let Some(sources) = sources(module, value) else { return false };
        for source in sources {
            if !met.contains(&source) {
                met.push(source);
            }
        }
        if met.len() > LIMIT {
            return false;
        }
    }
    true
}

/// The values that must be defined for this one to be defined; `None` if it may be undefined anyway.
fn sources(module: &Module, value: Inst) -> Option<Vec<Inst>> {
    let operands = || module.operands(value).filter(|&operand| module.ty(operand).is_some());
    match module.op(value) {
        Op::Undef | Op::Variable => None,
        Op::BlockParameter => jumped_with(module, value),
        Op::FunctionParameter => called_with(module, value),
        Op::Load => is_frozen(module, view::Load::of(module, value)?.pointer).then(Vec::new),
        op if op.class() != Class::Constant && (!op.effects().is_pure() || may_be_undefined(module, value)) => None,
        _ => Some(operands().collect()),
    }
}

/// The arguments for the parameter of a block, if there are few.
fn jumped_with(module: &Module, parameter: Inst) -> Option<Vec<Inst>> {
    let block = module.block_of(parameter)?;
    let number = module.parameters(block).position(|other| other.inst() == parameter)?;
    few(module.in_edges(block).map(|edge| module.arguments(edge.terminator).nth(number)))
}

/// The arguments of calls for the parameter of a function, if there are few. Arguments from outside the module are defined.
fn called_with(module: &Module, parameter: Inst) -> Option<Vec<Inst>> {
    let function = module.parent(parameter)?;
    let number = module.parameters(function).position(|other| other.inst() == parameter)?;
    let calls = module.uses(function).filter_map(|used| view::FunctionCall::of(module, used.user));
    few(calls.map(|call| call.arguments.at(number)))
}

fn few(passed: impl Iterator<Item = Option<Inst>>) -> Option<Vec<Inst>> {
    let passed: Vec<Inst> = passed.take(LIMIT + 1).collect::<Option<_>>()?;
    (passed.len() <= LIMIT).then_some(passed)
}
