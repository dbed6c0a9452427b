//! Signatures: operands and types, by the op table.
//!
//! - I03: an instruction has as many operands as its op's row says, each of the kind that the row says. Operands of extended
//!   instructions, of specialization constant operations and of unknown instructions are not in the table and may be anything.
//! - I04: the type of an instruction is a type, and operands that are computed with have types themselves: neither blocks nor
//!   functions nor types.

use reconverge_ir::{Class, Inst, Module, Op, OperandKind, Quantity, Shape};

use crate::Code;
use crate::layout::Line;
use crate::report::Report;

/// What an operand can pass for by its op, as bits.
const RESULT: u8 = 1;
const WORDS: u8 = 1 << 1;
const TEXT: u8 = 1 << 2;
const BLOCK: u8 = 1 << 3;
/// A literal without words.
const EMPTY: u8 = 1 << 4;
/// What was deleted passes for everything: it is a finding of its own.
const GONE: u8 = 1 << 5;
/// It has a result, but nothing can be computed with it.
const NO_VALUE: u8 = 1 << 6;

/// By op: what an operand with this op can pass for.
static ROLES: [u8; Op::ALL.len()] = {
    let (mut roles, mut index) = ([0; Op::ALL.len()], 0);
    while index < Op::ALL.len() {
        roles[index] = roles_of(Op::ALL[index]);
        index += 1;
    }
    roles
};

const fn roles_of(op: Op) -> u8 {
    match (op, op.shape()) {
        (Op::Dead | Op::Merged, _) => GONE,
        (Op::LiteralWords, _) => WORDS,
        (Op::LiteralText, _) => TEXT,
        (Op::Block | Op::EdgeBlock, _) => BLOCK,
        (_, Shape::Plain) => 0,
        (Op::Function, _) => RESULT | NO_VALUE,
        (_, Shape::Result) if !matches!(op.class(), Class::Opaque) => RESULT | NO_VALUE,
        _ => RESULT,
    }
}

/// Checks everything that stands in the module, and the decorations on it. Linear.
pub(crate) fn verify_signatures(report: &mut Report<'_>, everything: &[Line]) {
    let module = report.module();
    for &Line { inst, op, .. } in everything {
        let roles = verify_operands(report, (inst, op), inst);
        if op.class() == Class::Opaque {
            verify_opaque(report, inst);
        }
        for &decoration in module.decorations(inst) {
            verify_operands(report, (decoration, module.op(decoration)), inst);
        }
        verify_type(report, inst, op);
        if roles & NO_VALUE != 0 && computes_with_operands(op) {
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
        report.at(
            Code::I03,
            inst,
            format!("the opcode is that of `{}`, which is no unknown instruction", known.name()),
        );
    }
}

/// Checks the operands of an instruction, and says what at least one of them can pass for; what is wrong is reported at `place`.
fn verify_operands(report: &mut Report<'_>, (inst, op): (Inst, Op), place: Inst) -> u8 {
    let module = report.module();
    let mut rest = module.operands(inst);
    let count = rest.len();
    let mut roles = 0;
    for entry in op.signature() {
        let is_free = entry.quantity == Quantity::Many && has_free_operands(op);
        let kind = if is_free { OperandKind::Any } else { entry.kind };
        let mut is_taken = false;
        while let Some((behind, role)) = take(module, kind, rest.clone()) {
            (rest, is_taken) = (behind, true);
            roles |= role;
            if entry.quantity != Quantity::Many {
                break;
            }
        }
        if entry.quantity == Quantity::One && !is_taken {
            let next = count - rest.len();
            let found = rest.next().map_or("found none".into(), |operand| format!("found {}", report.name(operand)));
            let message = format!("operand {next} of `{}` should be {}, {found}", op.name(), describe(kind));
            report.at(Code::I03, place, message);
            return u8::MAX;
        }
    }
    let next = count - rest.len();
    if let Some(operand) = rest.next() {
        let found = report.name(operand);
        let message = format!("operand {next} of `{}`, {found}, is of the wrong kind or one too many", op.name());
        report.at(Code::I03, place, message);
        return u8::MAX;
    }
    roles
}

/// Whether SPIR-V's grammar leaves the operands after the first ones to another instruction set.
fn has_free_operands(op: Op) -> bool {
    matches!(op, Op::ExtInst | Op::SpecConstantOp) || op.class() == Class::Opaque
}

/// The operands behind those that an entry of that kind takes, and what the first of these can pass for; `None` if it takes none.
fn take<O: Iterator<Item = Inst>>(module: &Module, kind: OperandKind, mut operands: O) -> Option<(O, u8)> {
    let operand = operands.next()?;
    let role = match ROLES[module.op(operand) as usize] {
        WORDS if module.literal_words(operand).is_empty() => EMPTY,
        role => role,
    };
    if role & (wanted(kind) | GONE) == 0 {
        return None;
    }
    if kind == OperandKind::Case {
        let is_block = operands.next().is_some_and(|block| ROLES[module.op(block) as usize] & BLOCK != 0);
        return (is_block || role & GONE != 0).then_some((operands, role));
    }
    Some((operands, role))
}

/// What an operand of that kind must be able to pass for; of a case, the literal.
const fn wanted(kind: OperandKind) -> u8 {
    match kind {
        OperandKind::Value | OperandKind::Scope | OperandKind::Semantics => RESULT,
        OperandKind::Any => RESULT | WORDS | EMPTY | TEXT,
        OperandKind::Successor | OperandKind::Merge => BLOCK,
        OperandKind::Text => TEXT,
        _ => WORDS,
    }
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
    // Types that the table does not know are opaque instructions.
    let is_type = |op: Op| op.is_type() || matches!(op, Op::OpaqueResult | Op::Dead | Op::Merged);
    match module.ty(inst) {
        Some(ty) if is_type(module.op(ty)) => {}
        Some(ty) => report.at(Code::I04, inst, format!("the type should be a type, found {}", report.name(ty))),
        None => report.at(Code::I04, inst, "the type is missing"),
    }
}

fn verify_values(report: &mut Report<'_>, inst: Inst, op: Op) {
    let module = report.module();
    for (index, operand) in module.operands(inst).enumerate() {
        if ROLES[module.op(operand) as usize] & NO_VALUE != 0 {
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
