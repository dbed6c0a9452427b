//! The contents of generics and interfaces.
//!
//! - G01: a generic contains parameters, types, constants, requests, structs, witness tables, functions and generics, and ends in
//!   `return_value`; generics nest 64 deep at most. A parameter is a type, a witness or a value. An interface has one parameter, a type, and
//!   its requirements are functions, types and witnesses. Parameters and requirements are nowhere else.
//! - G02: a generic returns a function, a type or a witness table. One without `return_value` is declared, and has parameters and types only.

use reconverge_ir::{Inst, Module, Op, view};

use super::kinds::{Kind, kind};
use super::terms::parameters;
use crate::Code;
use crate::layout::Line;
use crate::report::Report;

/// The deepest nesting, as in the text form.
const DEPTH_LIMIT: usize = 64;

/// Checks what generics and interfaces contain. Linear.
pub(super) fn verify_places(report: &mut Report<'_>, everything: &[Line]) {
    for line in everything {
        match line.op {
            Op::Generic => verify_generic(report, line.inst),
            Op::Interface => verify_interface(report, line.inst),
            Op::GenericParameter => verify_parameter(report, line.inst),
            Op::Requirement => verify_requirement(report, line.inst),
            _ => {}
        }
    }
}

fn verify_generic(report: &mut Report<'_>, generic: Inst) {
    let module = report.module();
    let around = std::iter::successors(module.parent(generic), |&inst| module.parent(inst));
    if around.take(DEPTH_LIMIT + 1).filter(|&inst| module.op(inst) == Op::Generic).count() >= DEPTH_LIMIT {
        return report.at(Code::G01, generic, format!("generics nest more than {DEPTH_LIMIT} deep"));
    }
    let last = module.last_child(generic);
    let ends: Vec<Inst> = module.children(generic).filter(|&child| module.op(child) == Op::ReturnValue).collect();
    if let Some(&early) = ends.iter().find(|&&end| Some(end) != last) {
        return report.at(Code::G02, early, "`return_value` is the last instruction of a generic");
    }
    let Some(end) = ends.first().and_then(|&end| view::ReturnValue::of(module, end)) else {
        let defines = |child: &Inst| !module.op(*child).is_hoistable() && module.op(*child) != Op::GenericParameter;
        if let Some(child) = module.children(generic).find(defines) {
            report.at(Code::G02, child, "a generic that defines something returns it with `return_value`");
        }
        return;
    };
    let found = kind(module, end.value);
    if matches!(found, Kind::Value | Kind::Nothing) {
        let name = report.name(end.value);
        let message =
            format!("a generic returns a function, a type or a witness table, found {name}, {}", found.noun());
        report.at(Code::G02, ends[0], message);
    }
}

fn verify_interface(report: &mut Report<'_>, interface: Inst) {
    let module = report.module();
    match parameters(module, interface)[..] {
        [this] if kind(module, this) == Kind::Type => {}
        [this] => report.at(Code::G01, this, "the parameter of an interface is a type"),
        ref found => {
            let message = format!("an interface has one parameter, the type that fulfils it, found {}", found.len());
            report.at(Code::G01, interface, message);
        }
    }
}

fn verify_parameter(report: &mut Report<'_>, parameter: Inst) {
    let module = report.module();
    if !is_in(module, parameter, &[Op::Generic, Op::Interface]) {
        return report.at(Code::G01, parameter, "a parameter of a generic is in a generic or interface");
    }
    let ty = module.ty(parameter).map(|ty| module.op(ty));
    if matches!(ty, Some(Op::TypeVoid | Op::TypeFunction | Op::TypeExistential)) {
        report.at(Code::G01, parameter, "a parameter of a generic is a type, a witness or a value of a known type");
    }
}

fn verify_requirement(report: &mut Report<'_>, requirement: Inst) {
    let module = report.module();
    if !is_in(module, requirement, &[Op::Interface]) {
        return report.at(Code::G01, requirement, "a requirement is in an interface");
    }
    if kind(module, requirement) == Kind::Nothing {
        report.at(Code::G01, requirement, "a requirement is a function, a type or a witness");
    }
}

fn is_in(module: &Module, inst: Inst, holders: &[Op]) -> bool {
    module.parent(inst).is_some_and(|parent| holders.contains(&module.op(parent)))
}
