//! Scopes of generics.
//!
//! - G03: an instruction uses only what is defined in the generics and interfaces that it is in, or at module level. No type parameter
//!   escapes, not even in a type made of it. The requirement that a lookup or a table names is a key and may be in any interface.

use reconverge_ir::{Class, Inst, Module, Op, view};

use crate::Code;
use crate::layout::Line;
use crate::report::Report;

/// Checks every use of something in a generic or interface. O(operands · nesting of generics, which is limited).
pub(super) fn verify_escapes(report: &mut Report<'_>, everything: &[Line]) {
    let module = report.module();
    for line in everything {
        let user = line.inst;
        let operands = module.operands(user).enumerate().filter(|&(number, _)| !is_key(line.op, number));
        let parts = module.ty(user).into_iter().chain(operands.map(|(_, operand)| operand));
        let Some(part) = parts.into_iter().find(|&part| escapes(module, user, part)) else { continue };
        let name = report.name(part);
        report.at(
            Code::G03,
            user,
            format!("{name} is used outside the generic, interface or function that defines it"),
        );
    }
}

/// Returns whether an operand names a requirement.
fn is_key(op: Op, number: usize) -> bool {
    match op {
        Op::LookupWitness => number == view::LookupWitness::SLOT.requirement,
        Op::WitnessTable => number.is_multiple_of(2),
        _ => false,
    }
}

fn escapes(module: &Module, user: Inst, part: Inst) -> bool {
    if matches!(module.op(part).class(), Class::Literal | Class::Decoration | Class::Position) {
        return false;
    }
    let Some(holder) = holder(module, part) else { return false };
    // Uses within a function are SSA.
    let is_block = module.op(part).is_block();
    !is_block && !std::iter::successors(Some(user), |&inst| module.parent(inst)).any(|inst| inst == holder)
}

/// The innermost generic, interface or function around an instruction.
fn holder(module: &Module, inst: Inst) -> Option<Inst> {
    let mut around = std::iter::successors(module.parent(inst), |&inst| module.parent(inst));
    around.find(|&inst| matches!(module.op(inst), Op::Generic | Op::Interface | Op::Function))
}
