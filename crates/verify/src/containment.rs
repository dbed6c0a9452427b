//! What types and constants are made of.
//!
//! - I13: no type or constant contains itself. A pointer does not contain what it points to, so lists and trees can be declared.

use reconverge_ir::{Class, Inst, Module, Op};

use crate::Code;
use crate::report::Report;

/// How far the search has come with an instruction.
#[derive(Clone, Copy, PartialEq, Eq)]
enum State {
    Unseen,
    Open,
    Closed,
}

/// Checks every type and constant, by a depth-first search over what they contain. Linear; no recursion.
pub(crate) fn verify_containment(report: &mut Report<'_>) {
    let module = report.module();
    let mut states = vec![State::Unseen; module.capacity()];
    let roots: Vec<Inst> = module.globals().filter(|&global| is_made_of_parts(module, global)).collect();
    for root in roots {
        let mut stack = vec![(root, false)];
        while let Some((inst, is_done)) = stack.pop() {
            if is_done {
                states[inst.index()] = State::Closed;
                continue;
            }
            if states[inst.index()] != State::Unseen {
                continue;
            }
            states[inst.index()] = State::Open;
            stack.push((inst, true));
            for part in parts(module, inst) {
                match states[part.index()] {
                    State::Unseen => stack.push((part, false)),
                    State::Open => report.at(Code::I13, inst, format!("{} contains itself", report.name(part))),
                    State::Closed => {}
                }
            }
        }
    }
}

fn is_made_of_parts(module: &Module, inst: Inst) -> bool {
    matches!(module.op(inst).class(), Class::Type | Class::Constant) && module.op(inst) != Op::TypePointer
}

fn parts(module: &Module, inst: Inst) -> impl Iterator<Item = Inst> + '_ {
    module.ty(inst).into_iter().chain(module.operands(inst)).filter(|&part| is_made_of_parts(module, part))
}
