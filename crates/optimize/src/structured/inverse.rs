//! The negation of a condition.
//!
//! ```text
//! %c = u_less_than %a, %b; if %c …      ⇒      %d = u_greater_than_equal %a, %b; if %d …
//! ```
//!
//! A comparison without other uses is replaced by the opposite one; otherwise the condition is negated, unless it is a negation already. An
//! ordered comparison of floats is false if an operand is NaN, an unordered one true; the opposite of one is the other, so that the two
//! differ for every pair of operands. Constant time, except for the uses of the condition.

use reconverge_ir::{Inst, Module, Op, Position, view};

/// Pairs of comparisons of which, for any operands, exactly one holds (SPIR-V section 3.3.15).
const OPPOSITES: &[(Op, Op)] = &[
    (Op::IEqual, Op::INotEqual),
    (Op::ULessThan, Op::UGreaterThanEqual),
    (Op::UGreaterThan, Op::ULessThanEqual),
    (Op::SLessThan, Op::SGreaterThanEqual),
    (Op::SGreaterThan, Op::SLessThanEqual),
    (Op::LogicalEqual, Op::LogicalNotEqual),
    (Op::PtrEqual, Op::PtrNotEqual),
    (Op::Ordered, Op::Unordered),
    (Op::FOrdEqual, Op::FUnordNotEqual),
    (Op::FUnordEqual, Op::FOrdNotEqual),
    (Op::FOrdLessThan, Op::FUnordGreaterThanEqual),
    (Op::FUnordLessThan, Op::FOrdGreaterThanEqual),
    (Op::FOrdGreaterThan, Op::FUnordLessThanEqual),
    (Op::FUnordGreaterThan, Op::FOrdLessThanEqual),
];

/// The comparison that holds exactly where `op` does not.
pub(super) fn opposite(op: Op) -> Option<Op> {
    OPPOSITES.iter().find_map(|&(left, right)| match op {
        op if op == left => Some(right),
        op if op == right => Some(left),
        _ => None,
    })
}

/// The opposite of the condition that becomes operand `index` of `user`. It is inserted before `user`; `user` still has the old operand.
pub(super) fn negate(module: &mut Module, user: Inst, condition: Inst) -> Inst {
    if let Some(negation) = view::LogicalNot::of(module, condition) {
        return negation.operand;
    }
    let op = module.op(condition);
    let ty = module.ty(condition).expect("invariant: a condition is a value");
    if matches!(op, Op::ConstantTrue | Op::ConstantFalse) {
        let other = if op == Op::ConstantTrue { Op::ConstantFalse } else { Op::ConstantTrue };
        return module.edit().unique(other, Some(ty), &[]);
    }
    let is_only_use = module.uses(condition).take(2).map(|used| used.user).eq([user]);
    match opposite(op).filter(|_| is_only_use) {
        Some(op) => replace(module, condition, op),
        None => module.edit().insert(Position::Before(user), Op::LogicalNot, Some(ty), &[condition]),
    }
}

/// Replaces an instruction by one with another op and the same operands.
fn replace(module: &mut Module, old: Inst, op: Op) -> Inst {
    let (ty, operands) = (module.ty(old), module.operands(old).collect::<Vec<Inst>>());
    let (decorations, location) = (module.decorations(old).to_vec(), module.explicit_location(old));
    let mut editor = module.edit();
    let new = editor.insert(Position::Before(old), op, ty, &operands);
    for decoration in decorations {
        // The name describes the old condition.
        if editor.module().op(decoration) != Op::Name {
            editor.decorate(new, decoration);
        }
    }
    editor.set_location(new, location);
    editor.replace_all_uses(old, new);
    editor.delete(old);
    new
}

#[cfg(test)]
mod tests {
    use super::{OPPOSITES, opposite};
    use reconverge_ir::{Op, OpGroup};

    #[test]
    fn every_comparison_of_two_values_has_one_opposite() {
        // `LessOrGreater` is deprecated and not emitted.
        let compares = |op: &Op| matches!(op.group(), OpGroup::IntegerComparison | OpGroup::FloatComparison);
        let comparisons = Op::ALL.iter().filter(|&op| compares(op) && *op != Op::LessOrGreater);
        let listed = OPPOSITES.iter().flat_map(|&(left, right)| [left, right]);
        assert_eq!(listed.filter(compares).count(), comparisons.count());
        for &(left, right) in OPPOSITES {
            assert_eq!((opposite(left), opposite(right)), (Some(right), Some(left)));
        }
    }
}
