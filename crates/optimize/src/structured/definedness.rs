//! Whether a value may be undefined.
//!
//! The result of `undef`, of a read of unwritten memory, and of an operation with an undefined result may flow anywhere, as long as nothing
//! is decided by it. So a value that no lane tests may not be tested where a pass puts it.
//!
//! From the value back over operands and over what jumps pass, until everything that was met has a value in any case. Linear in what is
//! met, of which there may be [`LIMIT`].

use reconverge_ir::{Class, Inst, Module, Op, view};
use reconverge_rewrite::capabilities::is_frozen;

use super::speculation::may_be_undefined;

/// How many values are looked at.
const LIMIT: usize = 32;

/// Whether a value is one in any case. Constant time; linear in the edges for block parameters.
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

/// The values that must be some for this one to be; nothing if it may be none anyway.
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

/// What jumps pass for the parameter of a block, if not more than are looked at.
fn jumped_with(module: &Module, parameter: Inst) -> Option<Vec<Inst>> {
    let block = module.block_of(parameter)?;
    let number = module.parameters(block).position(|other| other.inst() == parameter)?;
    few(module.in_edges(block).map(|edge| module.arguments(edge.terminator).nth(number)))
}

/// What calls pass for the parameter of a function, if not more than are looked at. What comes from outside is always something.
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
