//! Signatures: operands and types, by the op table.
//!
//! - I03: an instruction has as many operands as its op's row says, each of the kind that the row says. Operands of extended
//!   instructions, of specialization constant operations and of unknown instructions are not in the table and may be anything.
//! - I04: the type of an instruction is a type, and operands that are computed with have types themselves: neither blocks nor
//!   functions nor types.

use reconverge_ir::{Class, Inst, Module, Op, OperandKind, Quantity};

use crate::Code;
use crate::report::Report;

/// Checks every instruction that stands in the module, and the decorations on it. Linear.
pub(crate) fn verify_signatures(report: &mut Report<'_>, placed: &[Inst]) {
    let module = report.module();
    for &inst in placed {
        verify_operands(report, inst, inst);
        verify_opaque(report, inst);
        for &decoration in module.decorations(inst) {
            verify_operands(report, decoration, inst);
        }
        verify_type(report, inst);
    }
}

/// An unknown instruction must be one that the op table does not know: nothing else would judge its operands.
fn verify_opaque(report: &mut Report<'_>, inst: Inst) {
    let module = report.module();
    if module.op(inst).class() != Class::Opaque || module.operand_count(inst) == 0 {
        return;
    }
    let opcode = module.literal_word(module.operand(inst, 0)).and_then(|word| u16::try_from(word).ok());
    let known = opcode.and_then(|opcode| Op::ALL.iter().find(|op| op.opcode() == Some(opcode)));
    if let Some(known) = known {
        report.at(
            Code::I03,
            inst,
            format!("the opcode is that of `{}`, which is no unknown instruction", known.name()),
        );
    }
}

/// Checks the operands of `inst`; what is wrong is reported at `place`.
fn verify_operands(report: &mut Report<'_>, inst: Inst, place: Inst) {
    let module = report.module();
    let op = module.op(inst);
    let count = module.operand_count(inst);
    let mut next = 0;
    for entry in op.signature() {
        let kind =
            if has_free_operands(op) && entry.quantity == Quantity::Many { OperandKind::Any } else { entry.kind };
        let limit = match entry.quantity {
            Quantity::One | Quantity::Optional => 1,
            Quantity::Many => usize::MAX,
        };
        let width = if kind == OperandKind::Case { 2 } else { 1 };
        let mut taken = 0;
        while taken < limit && next < count && accepts(module, kind, inst, next) {
            next += width;
            taken += 1;
        }
        if entry.quantity == Quantity::One && taken == 0 {
            let found = if next < count {
                format!("found {}", report.name(module.operand(inst, next)))
            } else {
                "found none".into()
            };
            report.at(
                Code::I03,
                place,
                format!("operand {next} of `{}` should be {}, {found}", op.name(), describe(kind)),
            );
            return;
        }
    }
    if next < count {
        let found = report.name(module.operand(inst, next));
        report.at(
            Code::I03,
            place,
            format!("operand {next} of `{}`, {found}, is of the wrong kind or one too many", op.name()),
        );
    }
}

/// Whether SPIR-V's grammar leaves the operands after the first ones to another instruction set.
fn has_free_operands(op: Op) -> bool {
    matches!(op, Op::ExtInst | Op::SpecConstantOp) || op.class() == Class::Opaque
}

fn accepts(module: &Module, kind: OperandKind, inst: Inst, index: usize) -> bool {
    let operand = module.operand(inst, index);
    let op = module.op(operand);
    // What was deleted is a finding of its own.
    if matches!(op, Op::Dead | Op::Merged) {
        return true;
    }
    match kind {
        OperandKind::Text => op == Op::LiteralText,
        OperandKind::Value | OperandKind::Scope | OperandKind::Semantics => is_result(op),
        OperandKind::Any => is_result(op) || op.is_literal(),
        OperandKind::Successor | OperandKind::Merge => op.is_block(),
        OperandKind::Case => {
            let block = (index + 1 < module.operand_count(inst)).then(|| module.op(module.operand(inst, index + 1)));
            op == Op::LiteralWords && !module.literal_words(operand).is_empty() && block.is_some_and(Op::is_block)
        }
        _ => op == Op::LiteralWords && !module.literal_words(operand).is_empty(),
    }
}

fn is_result(op: Op) -> bool {
    op.has_result() && !op.is_literal() && !op.is_block()
}

fn describe(kind: OperandKind) -> &'static str {
    match kind {
        OperandKind::Text => "a string",
        OperandKind::Value | OperandKind::Scope | OperandKind::Semantics => "an instruction with a result",
        OperandKind::Any => "an instruction with a result or a literal",
        OperandKind::Successor | OperandKind::Merge => "a block",
        OperandKind::Case => "a literal and a block",
        _ => "a literal of at least one word",
    }
}

fn verify_type(report: &mut Report<'_>, inst: Inst) {
    let module = report.module();
    let op = module.op(inst);
    if op.has_type() {
        // Types that the table does not know are opaque instructions.
        let is_type = |ty| module.op(ty).is_type() || matches!(module.op(ty), Op::OpaqueResult | Op::Dead | Op::Merged);
        match module.ty(inst) {
            Some(ty) if is_type(ty) => {}
            Some(ty) => report.at(Code::I04, inst, format!("the type should be a type, found {}", report.name(ty))),
            None => report.at(Code::I04, inst, "the type is missing"),
        }
    }
    if !computes_with_operands(op) {
        return;
    }
    for (index, operand) in module.operands(inst).enumerate() {
        let operand_op = module.op(operand);
        let is_value = operand_op.has_type() && operand_op != Op::Function;
        if is_result(operand_op) && !is_value && operand_op.class() != Class::Opaque {
            let found = report.name(operand);
            report.at(Code::I04, inst, format!("operand {index} of `{}` should be a value, found {found}", op.name()));
        }
    }
}

/// Whether every operand with a result is a value. Calls and the like name functions, types or instruction sets as well.
fn computes_with_operands(op: Op) -> bool {
    !matches!(
        op.class(),
        Class::Removed
            | Class::Structure
            | Class::Literal
            | Class::Decoration
            | Class::ModuleInstruction
            | Class::Type
            | Class::Constant
            | Class::Miscellaneous
            | Class::Opaque
    )
}
