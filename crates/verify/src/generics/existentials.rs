//! Values of interface type.
//!
//! - G07: `make_existential` has the type `type_existential` of the interface that its witness is for, and a value of the witness's subject.
//!   `extract_type`, `extract_witness` and `extract_value` take such a value; the witness is that its type fulfils the interface, and the value
//!   has that type.

use reconverge_ir::{Inst, Module, Op, view};

use super::kinds::{Kind, Proof, kind};
use super::terms::{Form, Terms};
use crate::Code;
use crate::layout::Line;
use crate::report::Report;

/// Checks every operation on values of interface type.
pub(super) fn verify_existentials(report: &mut Report<'_>, terms: &mut Terms<'_>, everything: &[Line]) {
    for line in everything {
        let problem = match line.op {
            Op::TypeExistential | Op::TypeWitness => names_an_interface(report.module(), line.inst),
            Op::MakeExistential => make_problem(report.module(), terms, line.inst),
            Op::ExtractType | Op::ExtractWitness | Op::ExtractValue => {
                extract_problem(report.module(), terms, line.inst)
            }
            _ => None,
        };
        if let Some(problem) = problem {
            report.at(Code::G07, line.inst, format!("`{}`: {problem}", line.op.name()));
        }
    }
}

fn names_an_interface(module: &Module, ty: Inst) -> Option<&'static str> {
    let interface = module.operands(ty).last()?;
    (module.op(interface) != Op::Interface).then_some("the last operand should be an interface")
}

/// The interface of a type of values of interface type.
fn interface_of(module: &Module, ty: Inst) -> Option<Inst> {
    view::TypeExistential::of(module, ty).map(|ty| ty.interface)
}

fn make_problem(module: &Module, terms: &mut Terms<'_>, inst: Inst) -> Option<&'static str> {
    let made = view::MakeExistential::of(module, inst)?;
    let Some(interface) = interface_of(module, module.ty(inst)?) else {
        return Some("the type should be a `type_existential`");
    };
    let Proof { subject, interface: proven } = match terms.proof_of(made.witness) {
        Some(proof) => proof,
        None if kind(module, made.witness).may_be(Kind::Witness) => return None,
        None => return Some("operand 1 should be a witness"),
    };
    if interface != proven {
        return Some("the witness is for another interface than the type");
    }
    if kind(module, made.value) != Kind::Value {
        return Some("operand 0 should be a value");
    }
    let ty = module.ty(made.value).and_then(|ty| terms.term(ty, None));
    Terms::differ(ty, Some(subject)).then_some("the value has another type than the witness is for")
}

fn extract_problem(module: &Module, terms: &mut Terms<'_>, inst: Inst) -> Option<&'static str> {
    let existential = module.operands(inst).next()?;
    let Some(interface) = module.ty(existential).and_then(|ty| interface_of(module, ty)) else {
        return Some("the operand should be of a `type_existential`");
    };
    let atom = terms.number(Form::Atom(existential));
    let subject = terms.number(Form::Compound(Op::ExtractType, None, vec![atom], Vec::new()));
    let ty = module.ty(inst).and_then(|ty| terms.term(ty, None));
    match module.op(inst) {
        Op::ExtractWitness => {
            let is_right = ty.is_none_or(|ty| terms.proof(ty) == Some(Proof { subject, interface }));
            (!is_right).then_some("the type should be that of witnesses that the value's type fulfils the interface")
        }
        Op::ExtractValue => {
            Terms::differ(ty, Some(subject)).then_some("the type should be the `extract_type` of the operand")
        }
        _ => None,
    }
}
