//! Signatures: operands and types, by the op table.
//!
//! - I03: an instruction has as many operands as its op's row says, each of the kind that the row says. Operands of extended
//!   instructions, of specialization constant operations and of unknown instructions are not in the table and may be anything.
//! - I04: the type of an instruction is a type, and operands that are computed with have types themselves: neither blocks nor
//!   functions nor types.

use reconverge_ir::{Class, Inst, Op, OperandKind};

use crate::Code;
use crate::layout::{Layout, Line};
use crate::operands::{self, Misfit, Suspicion};
use crate::report::Report;

/// Checks those that are suspected, of everything that stands in the module, and the decorations on them. Linear.
pub(crate) fn verify_signatures(
    report: &mut Report<'_>,
    layout: &Layout,
    everything: &[Line],
    suspicions: &[Suspicion],
) {
    let module = report.module();
    for (&Line { inst, op, .. }, _) in everything.iter().zip(suspicions).filter(|(_, suspicion)| suspicion.of_kind) {
        verify_operands(report, layout, (inst, op), inst);
        if op.class() == Class::Opaque {
            verify_opaque(report, inst);
        }
        for &decoration in module.decorations(inst) {
            verify_operands(report, layout, (decoration, module.op(decoration)), inst);
        }
        verify_type(report, inst, op);
        if operands::computes_with_operands(op) {
            verify_values(report, inst, op);
        }
    }
}

/// An unknown instruction must be one that the op table does not know: nothing else would judge its operands.
fn verify_opaque(report: &mut Report<'_>, inst: Inst) {
    let module = report.module();
    if module.operand_count(inst) == 0 {
        return;
    }
    let opcode = module.literal_word(module.operand(inst, 0)).and_then(|word| u16::try_from(word).ok());
    let known = opcode.and_then(|opcode| Op::ALL.iter().find(|op| op.opcode() == Some(opcode)));
    if let Some(known) = known {
        report.at(Code::I03, inst, format!("the opcode belongs to the known instruction `{}`", known.name()));
    }
}

/// Checks the operands of an instruction; what is wrong is reported at `place`.
fn verify_operands(report: &mut Report<'_>, layout: &Layout, (inst, op): (Inst, Op), place: Inst) {
    let (_, Some(Misfit { index, wanted })) = operands::fit(report.module(), layout, (inst, op)) else { return };
    let operand = report.module().operands(inst).nth(index).map(|operand| report.name(operand));
    let (name, found) = (op.name(), operand.as_deref().unwrap_or("none"));
    let message = match wanted {
        Some(kind) => format!("operand {index} of `{name}` should be {}, found {found}", describe(kind)),
        None => format!("operand {index} of `{name}`, {found}, has the wrong kind, or there are too many operands"),
    };
    report.at(Code::I03, place, message);
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

fn verify_type(report: &mut Report<'_>, inst: Inst, op: Op) {
    let module = report.module();
    if !op.has_type() {
        return;
    }
    match module.ty(inst) {
        Some(ty) if operands::is_type(module.op(ty)) => {}
        Some(ty) => report.at(Code::I04, inst, format!("the type should be a type, found {}", report.name(ty))),
        None => report.at(Code::I04, inst, "the type is missing"),
    }
}

fn verify_values(report: &mut Report<'_>, inst: Inst, op: Op) {
    let module = report.module();
    for (index, operand) in module.operands(inst).enumerate() {
        if operands::is_no_value(module.op(operand)) {
            let found = report.name(operand);
            report.at(Code::I04, inst, format!("operand {index} of `{}` should be a value, found {found}", op.name()));
        }
    }
}
