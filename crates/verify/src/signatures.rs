//! Signatures: operands and types, by the op table.
//!
//! - I03: an instruction has the number of operands that its op's row gives, each of the kind that the row gives. Operands of extended
//!   instructions, of specialization constant operations and of unknown instructions are not in the table and may be anything.
//! - I04: the type of an instruction is a type, and operands that are values have types themselves: they are not blocks, functions or
//!   types.
//! - R13 (in part): an instruction has at most 65,535 operands. SPIR-V counts its words in 16 bits; the number of words is known only when
//!   the module is written.
//!
//! An operand that was deleted passes all checks here: I01 reports it.

use reconverge_ir::{Class, Inst, Module, Op, OperandKind, Quantity, view};

use crate::Code;
use crate::layout::Line;
use crate::report::Report;

/// Words of an instruction, SPIR-V section 2.3.
const OPERAND_LIMIT: usize = 65_535;

/// Checks all instructions in the module, and their decorations. Linear.
pub(crate) fn verify_signatures(report: &mut Report<'_>, everything: &[Line]) {
    let module = report.module();
    for &Line { inst, op, .. } in everything {
        verify_operands(report, inst, op, inst);
        verify_count(report, inst, op);
        if op.class() == Class::Opaque {
            verify_opaque(report, inst);
        }
        for &decoration in module.decorations(inst) {
            verify_operands(report, decoration, module.op(decoration), inst);
        }
        if op.has_type() {
            verify_type(report, inst);
        }
        // A generic returns functions, types and tables.
        let is_of_generic = op == Op::ReturnValue && module.block_of(inst).is_none();
        if computes_with_operands(op) && !is_of_generic {
            verify_values(report, inst, op);
        }
    }
}

fn verify_count(report: &mut Report<'_>, inst: Inst, op: Op) {
    let count = report.module().operand_count(inst);
    if count > OPERAND_LIMIT {
        report.at(Code::R13, inst, format!("`{}` has {count} operands, more than {OPERAND_LIMIT}", op.name()));
    }
}

/// An unknown instruction must have an opcode that is not in the op table: otherwise its operands would not be checked.
fn verify_opaque(report: &mut Report<'_>, inst: Inst) {
    let module = report.module();
    let opcode = view::Opaque::of(module, inst).and_then(|unknown| u16::try_from(unknown.opcode).ok());
    let known = opcode.and_then(|opcode| Op::ALL.iter().find(|op| op.opcode() == Some(opcode)));
    if let Some(known) = known {
        report.at(Code::I03, inst, format!("the opcode belongs to the known instruction `{}`", known.name()));
    }
}

/// Checks the operands of an instruction; findings are reported at `place`.
fn verify_operands(report: &mut Report<'_>, inst: Inst, op: Op, place: Inst) {
    let Some(Misfit { index, wanted }) = misfit(report.module(), inst, op) else { return };
    let operand = report.module().operands(inst).nth(index).map(|operand| report.name(operand));
    let (name, found) = (op.name(), operand.as_deref().unwrap_or("none"));
    let message = match wanted {
        Some(kind) => format!("operand {index} of `{name}` should be {}, found {found}", describe(kind)),
        None => format!("operand {index} of `{name}`, {found}, has the wrong kind, or there are too many operands"),
    };
    report.at(Code::I03, place, message);
}

/// An operand that violates the signature.
struct Misfit {
    /// Its number; that of the next one if it is missing.
    index: usize,
    /// The expected kind; `None` if there should be no operand, or none of its kind.
    wanted: Option<OperandKind>,
}

/// The first operand of an instruction that violates the signature.
fn misfit(module: &Module, inst: Inst, op: Op) -> Option<Misfit> {
    let mut rest = module.operands(inst);
    let count = rest.len();
    for entry in op.signature() {
        let is_free = entry.quantity == Quantity::Many && has_free_operands(op);
        let kind = if is_free { OperandKind::Any } else { entry.kind };
        let mut is_taken = false;
        while let Some(behind) = take(module, kind, rest.clone()) {
            (rest, is_taken) = (behind, true);
            if entry.quantity != Quantity::Many {
                break;
            }
        }
        if entry.quantity == Quantity::One && !is_taken {
            return Some(Misfit { index: count - rest.len(), wanted: Some(kind) });
        }
    }
    let is_surplus = rest.len() > 0;
    is_surplus.then(|| Misfit { index: count - rest.len(), wanted: None })
}

/// Returns whether the operands after the first ones belong to another instruction set, in SPIR-V's grammar.
fn has_free_operands(op: Op) -> bool {
    matches!(op, Op::ExtInst | Op::SpecConstantOp) || op.class() == Class::Opaque
}

/// The operands after those that an entry of this kind takes; `None` if they do not match.
fn take<O: Iterator<Item = Inst>>(module: &Module, kind: OperandKind, mut operands: O) -> Option<O> {
    let first = operands.next()?;
    if !fits(module, first, kind) {
        return None;
    }
    if kind == OperandKind::Case {
        let is_case = operands.next().is_some_and(|block| module.op(block).is_block()) || !module.is_live(first);
        return is_case.then_some(operands);
    }
    Some(operands)
}

/// Returns whether an operand has a kind; for a case, whether it is the literal.
fn fits(module: &Module, operand: Inst, kind: OperandKind) -> bool {
    let op = module.op(operand);
    if op.class() == Class::Removed {
        return true;
    }
    match kind {
        OperandKind::Value | OperandKind::Scope | OperandKind::Semantics => is_instruction_with_result(op),
        OperandKind::Any => is_instruction_with_result(op) || op.is_literal(),
        OperandKind::Successor | OperandKind::Merge => op.is_block(),
        OperandKind::Text => op == Op::LiteralText,
        _ => op == Op::LiteralWords && !module.literal_words(operand).is_empty(),
    }
}

fn is_instruction_with_result(op: Op) -> bool {
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

/// Types that the table does not know are opaque instructions. The types that type-level code denotes are checked with it.
fn passes_for_type(op: Op) -> bool {
    op.is_type()
        || op == Op::OpaqueResult
        || op.class() == Class::Removed
        || matches!(op, Op::GenericParameter | Op::Requirement | Op::Specialize | Op::LookupWitness | Op::ExtractType)
}

fn verify_type(report: &mut Report<'_>, inst: Inst) {
    let module = report.module();
    match module.ty(inst) {
        Some(ty) if passes_for_type(module.op(ty)) => {}
        Some(ty) => report.at(Code::I04, inst, format!("the type should be a type, found {}", report.name(ty))),
        None => report.at(Code::I04, inst, "the type is missing"),
    }
}

fn verify_values(report: &mut Report<'_>, inst: Inst, op: Op) {
    let module = report.module();
    for (index, operand) in module.operands(inst).enumerate() {
        if is_no_value(module, operand) {
            let found = report.name(operand);
            report.at(Code::I04, inst, format!("operand {index} of `{}` should be a value, found {found}", op.name()));
        }
    }
}

/// Returns whether an instruction has a result that is not a value.
fn is_no_value(module: &Module, inst: Inst) -> bool {
    let op = module.op(inst);
    let is_typed_as = |wanted: &[Op]| module.ty(inst).is_some_and(|ty| wanted.contains(&module.op(ty)));
    match op {
        Op::Function | Op::ExtInstImport | Op::String | Op::Generic | Op::Interface | Op::Requirement => true,
        Op::GenericParameter => is_typed_as(&[Op::TypeKind, Op::TypeWitness]),
        Op::MakeExistential | Op::ExtractValue => false,
        _ => op.is_type() || op.class() == Class::TypeLevel,
    }
}

/// Returns whether every operand with a result is a value. Calls and some other ops name functions, types or instruction sets as well.
fn computes_with_operands(op: Op) -> bool {
    !matches!(
        op.class(),
        Class::Removed
            | Class::Structure
            | Class::Literal
            | Class::Decoration
            | Class::Position
            | Class::ModuleInstruction
            | Class::Type
            | Class::Constant
            | Class::TypeLevel
            | Class::Miscellaneous
            | Class::Opaque
    )
}
