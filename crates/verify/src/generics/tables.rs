//! Witness tables.
//!
//! - G05: the type of a table is a `type_witness`; its entries are pairs of a requirement of the interface and what fulfils it, one for each
//!   requirement. What fulfils it is a function, type or witness, as the requirement is, and has the requirement's type, where the
//!   interface's parameter is the subject and its associated types are those of the table. An imported table has no entries.

use reconverge_ir::decoration::LinkageAttributes;
use reconverge_ir::{Inst, Module, Op, view};
use rustc_hash::FxHashSet;
use spirv::LinkageType;

use super::kinds::{Kind, kind};
use super::terms::{Form, Terms};
use crate::Code;
use crate::layout::Line;
use crate::report::Report;

/// Checks every witness table.
pub(super) fn verify_tables(report: &mut Report<'_>, terms: &mut Terms<'_>, everything: &[Line]) {
    for line in everything.iter().filter(|line| line.op == Op::WitnessTable) {
        verify_table(report, terms, line.inst);
    }
}

fn verify_table(report: &mut Report<'_>, terms: &mut Terms<'_>, table: Inst) {
    let module = report.module();
    let Some(ty) = module.ty(table).and_then(|ty| view::TypeWitness::of(module, ty)) else {
        return report.at(Code::G05, table, "the type of a witness table should be a `type_witness`");
    };
    let interface = ty.interface;
    if module.op(interface) != Op::Interface {
        let name = report.name(interface);
        return report.at(Code::G05, table, format!("a witness should be for an interface, found {name}"));
    }
    let operands: Vec<Inst> = module.operands(table).collect();
    if operands.is_empty() && is_imported(module, table) {
        return;
    }
    let (entries, rest) = operands.as_chunks::<2>();
    if !rest.is_empty() {
        return report.at(Code::G05, table, "the last requirement has no entry");
    }
    let mut fulfilled = FxHashSet::default();
    for &[requirement, _] in entries {
        let name = report.name(requirement);
        if module.op(requirement) != Op::Requirement || module.parent(requirement) != Some(interface) {
            return report.at(Code::G05, table, format!("{name} is no requirement of the interface"));
        }
        if !fulfilled.insert(requirement) {
            return report.at(Code::G05, table, format!("{name} has two entries"));
        }
    }
    let mut requirements = module.children(interface).filter(|&child| module.op(child) == Op::Requirement);
    if let Some(missing) = requirements.find(|requirement| !fulfilled.contains(requirement)) {
        let name = report.name(missing);
        return report.at(Code::G05, table, format!("{name} has no entry"));
    }
    let witness = terms.number(Form::Atom(table));
    let Some(subject) = terms.term(ty.subject, None) else { return };
    let scope = terms.scope_of_interface(interface, subject, witness);
    for &[requirement, value] in entries {
        let (wanted, found) = (kind(module, requirement), kind(module, value));
        let (name, entry) = (report.name(requirement), report.name(value));
        if !found.may_be(wanted) {
            let message = format!("the entry for {name} should be {}, found {entry}, {}", wanted.noun(), found.noun());
            report.at(Code::G05, table, message);
        } else if let Some(ty) = module.ty(requirement).filter(|_| wanted != Kind::Type) {
            let (expected, actual) = (terms.term(ty, Some(scope)), terms.type_of(value, None));
            if Terms::differ(expected, actual) {
                report.at(
                    Code::G05,
                    table,
                    format!("the entry for {name} has another type than the requirement: {entry}"),
                );
            }
        }
    }
}

fn is_imported(module: &Module, inst: Inst) -> bool {
    let mut linkages = module.decorated(inst).iter().filter_map(|note| note.read::<LinkageAttributes>());
    linkages.any(|linkage| linkage.linkage == LinkageType::Import)
}
