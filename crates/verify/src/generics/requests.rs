//! Requests for generics, and lookups in witnesses.
//!
//! - G04: `specialize` names a generic and has an argument for each parameter: a type for a type, a witness for a witness, whose subject is
//!   the argument for the parameter's subject, and a constant or parameter of the parameter's type for a value.
//! - G06: `lookup_witness` names a requirement of the interface that its witness is for.
//! - I04 (in part): what serves as a type is a type: a parameter, request or lookup that is none cannot be the type of a value.

use reconverge_ir::{Inst, Op, view};

use super::kinds::{Kind, kind};
use super::terms::{Terms, parameters};
use crate::Code;
use crate::layout::Line;
use crate::report::Report;

/// Checks every request, every lookup and every type.
pub(super) fn verify_requests(report: &mut Report<'_>, terms: &mut Terms<'_>, everything: &[Line]) {
    for line in everything {
        match line.op {
            Op::Specialize => verify_request(report, terms, line.inst),
            Op::LookupWitness => verify_lookup(report, terms, line.inst),
            _ => {}
        }
        verify_types(report, line);
    }
}

fn verify_types(report: &mut Report<'_>, line: &Line) {
    let module = report.module();
    let Some(ty) = module.ty(line.inst).filter(|&ty| !module.op(ty).is_type()) else { return };
    let found = kind(module, ty);
    if !found.may_be(Kind::Type) {
        let name = report.name(ty);
        report.at(Code::I04, line.inst, format!("the type should be a type, found {name}, {}", found.noun()));
    }
}

fn verify_request(report: &mut Report<'_>, terms: &mut Terms<'_>, inst: Inst) {
    let module = report.module();
    let Some(request) = view::Specialize::of(module, inst) else { return };
    let generic = request.generic;
    if module.op(generic) != Op::Generic {
        let name = report.name(generic);
        return report.at(Code::G04, inst, format!("`specialize` should name a generic, found {name}"));
    }
    let (parameters, arguments) = (parameters(module, generic), request.arguments.iter().collect::<Vec<_>>());
    if parameters.len() != arguments.len() {
        let (name, wanted, found) = (report.name(generic), parameters.len(), arguments.len());
        return report.at(Code::G04, inst, format!("{name} has {wanted} parameters, found {found} arguments"));
    }
    let all: Option<Vec<_>> = arguments.iter().map(|&argument| terms.term(argument, None)).collect();
    let scope = all.map(|all| terms.scope_of_request(generic, None, all));
    for (&parameter, &argument) in parameters.iter().zip(&arguments) {
        let (wanted, found) = (kind(module, parameter), kind(module, argument));
        let name = report.name(parameter);
        if !found.may_be(wanted) {
            let message = format!("the argument for {name} should be {}, found {}", wanted.noun(), found.noun());
            report.at(Code::G04, inst, message);
            continue;
        }
        let op = module.op(argument);
        if wanted == Kind::Value && !(op.is_constant() || op == Op::GenericParameter) {
            report.at(Code::G04, inst, format!("the argument for {name} should be a constant or a parameter"));
            continue;
        }
        let (Some(scope), Some(ty)) = (scope, module.ty(parameter).filter(|_| wanted != Kind::Type)) else { continue };
        let (expected, actual) = (terms.term(ty, Some(scope)), terms.type_of(argument, None));
        if Terms::differ(expected, actual) {
            let found = report.name(argument);
            report.at(Code::G04, inst, format!("the argument for {name} has another type than the parameter: {found}"));
        }
    }
}

fn verify_lookup(report: &mut Report<'_>, terms: &mut Terms<'_>, inst: Inst) {
    let module = report.module();
    let Some(lookup) = view::LookupWitness::of(module, inst) else { return };
    if !kind(module, lookup.witness).may_be(Kind::Witness) {
        let name = report.name(lookup.witness);
        return report.at(Code::G06, inst, format!("`lookup_witness` should name a witness, found {name}"));
    }
    if module.op(lookup.requirement) != Op::Requirement {
        let name = report.name(lookup.requirement);
        return report.at(Code::G06, inst, format!("`lookup_witness` should name a requirement, found {name}"));
    }
    let proof = terms.proof_of(lookup.witness);
    if proof.is_some_and(|proof| module.parent(lookup.requirement) != Some(proof.interface)) {
        let (name, witness) = (report.name(lookup.requirement), report.name(lookup.witness));
        report.at(Code::G06, inst, format!("{name} is no requirement of the interface that {witness} is for"));
    }
}
