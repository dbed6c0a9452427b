//! Operands: what each can pass for, how they fit what the op table asks for, and which instructions deserve a second look.
//!
//! Nearly every instruction of nearly every module is in order, and what can be wrong with its operands shows in what they pass for. So
//! [`suspects`] goes over all operands once, and the families that judge them go over those of the suspects.

use reconverge_ir::{Class, Inst, Location, Module, Op, OperandKind, Quantity, Shape};

use crate::layout::{Layout, Line};

/// What an operand can pass for by its op, as bits.
type Roles = u16;
const RESULT: Roles = 1;
const WORDS: Roles = 1 << 1;
const TEXT: Roles = 1 << 2;
const BLOCK: Roles = 1 << 3;
const TYPE: Roles = 1 << 4;
/// A literal without words.
const EMPTY: Roles = 1 << 5;
/// What was deleted passes for everything: it is a finding of its own.
const GONE: Roles = 1 << 6;
/// It has a result, but nothing can be computed with it.
const NO_VALUE: Roles = 1 << 7;
/// It is neither a literal nor does it have a line.
const HOMELESS: Roles = 1 << 8;

/// By op: what an operand with this op can pass for.
static ROLES: [Roles; Op::ALL.len()] = {
    let (mut roles, mut index) = ([0; Op::ALL.len()], 0);
    while index < Op::ALL.len() {
        roles[index] = roles_by_op(Op::ALL[index]);
        index += 1;
    }
    roles
};

const fn roles_by_op(op: Op) -> Roles {
    match (op, op.class(), op.shape()) {
        (Op::Dead | Op::Merged, ..) => GONE | TYPE,
        (Op::LiteralWords, ..) => WORDS,
        (Op::LiteralText, ..) => TEXT,
        (Op::Block | Op::EdgeBlock, ..) => BLOCK,
        (_, Class::Type, _) => RESULT | NO_VALUE | TYPE,
        // Types that the table does not know are opaque instructions.
        (Op::OpaqueResult, ..) => RESULT | TYPE,
        (_, _, Shape::Plain) => 0,
        (Op::Function, ..) | (_, _, Shape::Result) => RESULT | NO_VALUE,
        (_, _, Shape::Typed) => RESULT,
    }
}

/// Of what an instruction is suspected.
#[derive(Clone, Copy, Default)]
pub(crate) struct Suspicion {
    /// Something that it uses may not live, or not stand in the module.
    pub(crate) of_life: bool,
    /// Its operands or its type may not be of the kinds that they should be.
    pub(crate) of_kind: bool,
}

/// For each of these instructions, of what it is suspected. Who is not suspected breaks none of I01, I03 and I04. Linear.
pub(crate) fn suspects(module: &Module, layout: &Layout, everything: &[Line]) -> Vec<Suspicion> {
    everything.iter().map(|line| suspect(module, layout, line)).collect()
}

fn suspect(module: &Module, layout: &Layout, &Line { inst, op, .. }: &Line) -> Suspicion {
    let (mut roles, misfit) = fit(module, layout, (inst, op));
    let mut is_misfit = misfit.is_some() || op.class() == Class::Opaque;
    is_misfit |= roles & NO_VALUE != 0 && computes_with_operands(op);
    if op.has_type() {
        let ty = module.ty(inst).map_or(0, |ty| roles_of(module, layout, ty));
        is_misfit |= ty & TYPE == 0;
        roles |= ty;
    }
    for &decoration in module.decorations(inst) {
        let op = module.op(decoration);
        let (own, misfit) = fit(module, layout, (decoration, op));
        is_misfit |= misfit.is_some();
        roles |= if op.class() == Class::Decoration { own } else { GONE };
    }
    for part in module.explicit_location(inst).into_iter().flat_map(Location::parts) {
        let op = module.op(part);
        if op.class() == Class::Position {
            let (own, misfit) = fit(module, layout, (part, op));
            is_misfit |= misfit.is_some();
            roles |= own;
        } else {
            roles |= roles_of(module, layout, part);
        }
    }
    // Operands behind one that does not fit were not looked at.
    Suspicion { of_life: is_misfit || roles & (GONE | HOMELESS) != 0, of_kind: is_misfit }
}

/// An operand that does not fit.
pub(crate) struct Misfit {
    /// Its number; that of the next one where none is left.
    pub(crate) index: usize,
    /// What there should be; none where there should be no operand, or none of its kind.
    pub(crate) wanted: Option<OperandKind>,
}

/// Fits the operands of an instruction to what the op table asks for: what one or the other of them passes for, and the first that does
/// not fit.
pub(crate) fn fit(module: &Module, layout: &Layout, (inst, op): (Inst, Op)) -> (Roles, Option<Misfit>) {
    let mut rest = module.operands(inst);
    let count = rest.len();
    let mut roles = 0;
    for entry in op.signature() {
        let is_free = entry.quantity == Quantity::Many && has_free_operands(op);
        let kind = if is_free { OperandKind::Any } else { entry.kind };
        let mut is_taken = false;
        while let Some((behind, taken)) = take(module, layout, kind, rest.clone()) {
            (rest, is_taken) = (behind, true);
            roles |= taken;
            if entry.quantity != Quantity::Many {
                break;
            }
        }
        if entry.quantity == Quantity::One && !is_taken {
            return (roles, Some(Misfit { index: count - rest.len(), wanted: Some(kind) }));
        }
    }
    let is_surplus = rest.len() > 0;
    (roles, is_surplus.then(|| Misfit { index: count - rest.len(), wanted: None }))
}

/// Whether SPIR-V's grammar leaves the operands after the first ones to another instruction set.
fn has_free_operands(op: Op) -> bool {
    matches!(op, Op::ExtInst | Op::SpecConstantOp) || op.class() == Class::Opaque
}

/// The operands behind those that an entry of that kind takes, and what these pass for; `None` if it takes none.
fn take<O>(module: &Module, layout: &Layout, kind: OperandKind, mut operands: O) -> Option<(O, Roles)>
where
    O: Iterator<Item = Inst>,
{
    let roles = roles_of(module, layout, operands.next()?);
    if roles & (wanted(kind) | GONE) == 0 {
        return None;
    }
    if kind == OperandKind::Case {
        let block = operands.next().map_or(0, |block| roles_of(module, layout, block));
        return (block & BLOCK != 0 || roles & GONE != 0).then_some((operands, roles | block));
    }
    Some((operands, roles))
}

/// What an operand can pass for.
fn roles_of(module: &Module, layout: &Layout, operand: Inst) -> Roles {
    let roles = ROLES[module.op(operand) as usize];
    if roles & (WORDS | TEXT) != 0 {
        let is_empty = roles == WORDS && module.literal_words(operand).is_empty();
        return if is_empty { EMPTY } else { roles };
    }
    if layout.has_line(operand) { roles } else { roles | HOMELESS }
}

/// What an operand of that kind must be able to pass for; of a case, the literal.
const fn wanted(kind: OperandKind) -> Roles {
    match kind {
        OperandKind::Value | OperandKind::Scope | OperandKind::Semantics => RESULT,
        OperandKind::Any => RESULT | WORDS | EMPTY | TEXT,
        OperandKind::Successor | OperandKind::Merge => BLOCK,
        OperandKind::Text => TEXT,
        _ => WORDS,
    }
}

/// Whether an operand is something that nothing can be computed with: it has a result, but no value.
pub(crate) fn is_no_value(op: Op) -> bool {
    ROLES[op as usize] & NO_VALUE != 0
}

/// Whether what an instruction of that op has for a type is one.
pub(crate) fn is_type(op: Op) -> bool {
    ROLES[op as usize] & TYPE != 0
}

/// Whether every operand with a result is a value. Calls and the like name functions, types or instruction sets as well.
pub(crate) fn computes_with_operands(op: Op) -> bool {
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
            | Class::Miscellaneous
            | Class::Opaque
    )
}
