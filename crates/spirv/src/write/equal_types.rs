//! Types that are equal in SPIR-V, which requires that each is declared once (section 2.8).
//!
//! Hoistable types are unique in a module, with two exceptions. Decorations are part of the identity of a type, so that an integer type
//! with a decoration and one without are two. And types that the op table lacks are kept as words: two of them become equal when their
//! constants do.
//!
//! ```text
//! %a = type_int 32, 0 {decorate …}    %b = type_int 32, 0        written:  %a
//! ```
//!
//! Arrays, structs and pointers may be declared more than once, and their decorations distinguish them. They stay.

use reconverge_ir::{Inst, Module, Op};
use rustc_hash::FxHashMap;
use smallvec::SmallVec;

use crate::opcode;

/// Removes declarations of types that are equal to an earlier one. The declarations are in order. Returns the replacements. Linear.
pub(super) fn declare_once(module: &Module, declarations: &mut Vec<Inst>) -> FxHashMap<Inst, Inst> {
    let mut same = FxHashMap::default();
    let may_be_twice = |&inst: &Inst| is_told_by_operands(module, inst) && !is_unique(module, inst);
    if !declarations.iter().any(may_be_twice) {
        return same;
    }
    let mut known: FxHashMap<(Op, SmallVec<[Inst; 4]>), Inst> = FxHashMap::default();
    declarations.retain(|&inst| {
        if !is_told_by_operands(module, inst) {
            return true;
        }
        let operands = module.operands(inst).map(|operand| *same.get(&operand).unwrap_or(&operand)).collect();
        let first = *known.entry((module.op(inst), operands)).or_insert(inst);
        if first != inst {
            same.insert(inst, first);
        }
        first == inst
    });
    same
}

/// Returns whether an instruction is a type that is determined by its operands.
fn is_told_by_operands(module: &Module, inst: Inst) -> bool {
    match module.op(inst) {
        Op::TypeArray | Op::TypeRuntimeArray | Op::TypeStruct | Op::TypePointer | Op::TypeForwardPointer => false,
        Op::OpaqueResult => is_opaque_type(module, inst),
        op => op.is_type(),
    }
}

/// Returns whether the module has no other instruction like this one, ignoring operands that are types.
fn is_unique(module: &Module, inst: Inst) -> bool {
    let is_name = |&decoration: &Inst| module.op(decoration) == Op::Name;
    module.op(inst).is_type() && module.decorations(inst).iter().all(is_name)
}

fn is_opaque_type(module: &Module, inst: Inst) -> bool {
    let opcode = module.operands(inst).next().and_then(|opcode| module.literal_word(opcode));
    let opcode = opcode.and_then(|opcode| u16::try_from(opcode).ok());
    opcode.is_some_and(|opcode| opcode::OPAQUE_TYPES.contains(&opcode))
}
