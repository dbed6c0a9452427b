//! The frame: which instructions exist, and where they are placed.
//!
//! - I01: every operand, type, decoration and location of an instruction in the module exists, and is in the module unless it is a literal.
//! - I02: the module contains module-level instructions, types, constants, variables, functions, and type-level code; a function contains its
//!   parameters and blocks; a block contains its parameters and instructions; a generic contains type-level code and functions, an interface
//!   its parameter, requirements and their types.

use reconverge_ir::{Class, Inst, Location, Op};

use crate::Code;
use crate::layout::Line;
use crate::report::Report;

/// Checks the containers and the operands of all instructions. Linear.
pub(crate) fn verify_frame(report: &mut Report<'_>, everything: &[Line]) {
    let module = report.module();
    // Consecutive instructions are mostly in the same container.
    let mut container = (None, None);
    for line in everything {
        let parent = module.parent(line.inst);
        if parent != container.0 {
            container = (parent, parent.map(|parent| module.op(parent)));
        }
        verify_place(report, line, container.1);
        verify_life(report, line.inst);
    }
}

fn verify_place(report: &mut Report<'_>, line: &Line, container: Option<Op>) {
    let op = line.op;
    let (belongs, where_to) = match container {
        Some(Op::Block | Op::EdgeBlock) => (stands_in_block(op), "a block"),
        Some(Op::Module) => (stands_in_module(op), "the module"),
        Some(Op::Generic) => (stands_in_generic(op), "a generic"),
        Some(Op::Interface) => (stands_in_interface(op), "an interface"),
        Some(Op::Function) => (op.is_block() || op == Op::FunctionParameter, "a function"),
        _ => (false, "this instruction"),
    };
    if !belongs {
        report.at(Code::I02, line.inst, format!("`{}` cannot be placed in {where_to}", op.name()));
    }
}

fn stands_in_module(op: Op) -> bool {
    match op.class() {
        Class::ModuleInstruction | Class::Type | Class::Constant | Class::Opaque => true,
        _ => matches!(
            op,
            Op::Function
                | Op::Variable
                | Op::Undef
                | Op::ExtInst
                | Op::Nop
                | Op::Generic
                | Op::Interface
                | Op::WitnessTable
                | Op::Specialize
                | Op::LookupWitness
        ),
    }
}

fn stands_in_generic(op: Op) -> bool {
    op.is_type()
        || op.is_constant()
        || matches!(
            op,
            Op::GenericParameter
                | Op::Generic
                | Op::Function
                | Op::WitnessTable
                | Op::Specialize
                | Op::LookupWitness
                | Op::TypeForwardPointer
                | Op::ReturnValue
        )
}

fn stands_in_interface(op: Op) -> bool {
    (op.is_type() || op.is_constant()) && op.is_hoistable()
        || matches!(op, Op::GenericParameter | Op::Requirement | Op::Specialize | Op::LookupWitness)
}

fn stands_in_block(op: Op) -> bool {
    match op.class() {
        Class::Removed | Class::Structure => op == Op::BlockParameter,
        Class::Literal | Class::Decoration | Class::Position | Class::ModuleInstruction => false,
        Class::Type | Class::Constant => op.is_hoistable(),
        Class::TypeLevel => op != Op::WitnessTable,
        _ => true,
    }
}

fn verify_life(report: &mut Report<'_>, inst: Inst) {
    let module = report.module();
    for used in module.ty(inst).into_iter().chain(module.operands(inst)) {
        verify_used(report, inst, used);
    }
    for &decoration in module.decorations(inst) {
        if module.op(decoration).class() != Class::Decoration {
            report.at(Code::I01, inst, "a deleted decoration is still attached to the instruction");
            continue;
        }
        for used in module.operands(decoration) {
            verify_used(report, inst, used);
        }
    }
    for part in module.explicit_location(inst).into_iter().flat_map(Location::parts) {
        match module.op(part).class() {
            Class::Position => module.operands(part).for_each(|used| verify_used(report, inst, used)),
            _ => verify_used(report, inst, part),
        }
    }
}

fn verify_used(report: &mut Report<'_>, user: Inst, used: Inst) {
    let module = report.module();
    if !module.is_live(used) {
        report.at(Code::I01, user, "an operand was deleted");
        return;
    }
    let floats = module.op(used).is_literal() || used == module.root();
    if !floats && module.parent(used).is_none() {
        report.at(Code::I01, user, format!("operand {} is not placed in the module", report.name(used)));
    }
}
