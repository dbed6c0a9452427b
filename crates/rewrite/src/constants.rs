//! Constants as instructions, and the successor of a branch on a constant.

use reconverge_analysis::constant_folding::{Constant, Scalar, ScalarKind, mask, signed};
use reconverge_ir::view::TypeView;
use reconverge_ir::{Inst, Module, Op, Terminator, terminator::operand};

/// Returns an instruction for a constant of that type: an existing one if there is one. The depth and the size of constants are bounded,
/// and so is the recursion.
pub fn constant_inst(module: &mut Module, ty: Inst, constant: &Constant) -> Inst {
    let Some(elements) = constant.elements() else {
        let scalar = constant.as_scalar().expect("invariant: what has no elements is a scalar");
        return scalar_inst(module, ty, scalar);
    };
    let parts: Vec<Inst> = elements
        .iter()
        .enumerate()
        .map(|(index, element)| {
            let number = if module.op(ty) == Op::TypeStruct { index } else { 0 };
            let part = module.operand(ty, number);
            constant_inst(module, part, element)
        })
        .collect();
    module.edit().unique(Op::ConstantComposite, Some(ty), &parts)
}

/// Numbers narrower than a word are sign-extended where their type has a sign.
fn scalar_inst(module: &mut Module, ty: Inst, scalar: Scalar) -> Inst {
    if scalar.kind == ScalarKind::Bool {
        let op = if scalar.bits == 1 { Op::ConstantTrue } else { Op::ConstantFalse };
        return module.edit().unique(op, Some(ty), &[]);
    }
    let width = scalar.kind.width();
    let is_signed = matches!(module.type_view(ty), Some(TypeView::Int { is_signed: true, .. }));
    let bits = if is_signed { signed(width, scalar.bits) as u64 } else { scalar.bits };
    let words = [bits as u32, (bits >> 32) as u32];
    let mut editor = module.edit();
    let literal = editor.literal(if width > 32 { &words } else { &words[..1] });
    editor.unique(Op::Constant, Some(ty), &[literal])
}

/// Returns the index of the operand that is the target of a two-way or multi-way terminator, if its condition is known or if all targets
/// are equal. Linear in the cases.
pub fn taken(module: &Module, terminator: Terminator, condition: Option<Scalar>) -> Option<usize> {
    match module.op(terminator) {
        Op::If | Op::BranchIf => condition?.as_bool().map(|holds| if holds { operand::TRUE } else { operand::FALSE }),
        op @ (Op::Switch | Op::StructuredSwitch) => {
            let mut cases = module.cases(terminator).enumerate().peekable();
            if cases.peek().is_none() {
                return Some(operand::DEFAULT);
            }
            let (condition, first) = (condition?, first_case(op));
            let width = condition.kind.width();
            let case = cases.find(|&(_, (literal, _))| number(width, module.literal_words(literal)) == condition.bits);
            Some(case.map_or(operand::DEFAULT, |(index, _)| first + 2 * index + 1))
        }
        _ => None,
    }
}

fn first_case(op: Op) -> usize {
    match op {
        Op::Switch => operand::SWITCH_CASES,
        _ => operand::STRUCTURED_SWITCH_CASES,
    }
}

/// The number that a literal encodes. Bits above the width are ignored: narrow numbers may be sign-extended or not.
fn number(width: u32, words: &[u32]) -> u64 {
    words.iter().rev().fold(0, |value: u64, &word| value << 32 | u64::from(word)) & mask(width)
}
