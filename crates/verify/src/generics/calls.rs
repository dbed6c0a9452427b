//! Calls where types have to be compared after substitution.
//!
//! - I07 (in part): a call of a request or lookup has the type that it returns, and passes arguments of its parameters' types.

use reconverge_ir::{Inst, Op, view};

use super::kinds::{Kind, kind};
use super::terms::{Form, Term, Terms};
use crate::Code;
use crate::layout::Line;
use crate::report::Report;

/// Checks every call in a module with generics.
pub(super) fn verify_calls(report: &mut Report<'_>, terms: &mut Terms<'_>, everything: &[Line]) {
    for line in everything.iter().filter(|line| line.op == Op::FunctionCall) {
        verify_call(report, terms, line.inst);
    }
}

fn verify_call(report: &mut Report<'_>, terms: &mut Terms<'_>, inst: Inst) {
    let module = report.module();
    let Some(call) = view::FunctionCall::of(module, inst) else { return };
    let found = kind(module, call.function);
    if !found.may_be(Kind::Function) {
        let name = report.name(call.function);
        return report.at(Code::I07, inst, format!("the callee should be a function, found {name}, {}", found.noun()));
    }
    let Some(callee) = terms.type_of(call.function, None) else { return };
    let Form::Compound(Op::TypeFunction, _, parts, _) = terms.form(callee) else { return };
    let parts: Vec<Term> = parts.clone();
    let Some((&result, expected)) = parts.split_first() else { return };
    let ty = module.ty(inst).and_then(|ty| terms.term(ty, None));
    if Terms::differ(ty, Some(result)) {
        report.at(Code::I07, inst, "the call's type is not the callee's return type");
    }
    let arguments: Vec<Inst> = call.arguments.iter().collect();
    if let Some(&argument) = arguments.iter().find(|&&argument| kind(module, argument) != Kind::Value) {
        let name = report.name(argument);
        return report.at(Code::I07, inst, format!("an argument should be a value, found {name}"));
    }
    let mut passed = arguments.iter().map(|&argument| module.ty(argument).and_then(|ty| terms.term(ty, None)));
    let mut pairs = passed.by_ref().zip(expected);
    let is_right =
        arguments.len() == expected.len() && !pairs.any(|(passed, &expected)| Terms::differ(passed, Some(expected)));
    if !is_right {
        report.at(Code::I07, inst, "the types of the arguments differ from those of the callee's parameters");
    }
}
