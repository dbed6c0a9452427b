//! Conversions of conversions.
//!
//! ```text
//! x (8 bits) ─ u_convert ▶ 32 bits ─ u_convert ▶ 16 bits     ⇒     x ─ u_convert ▶ 16 bits
//! ```

use reconverge_analysis::constant_folding::ScalarKind;
use reconverge_ir::view::{self, TypeView, Unary};
use reconverge_ir::{Inst, Module, Op};
use smallvec::smallvec;

use super::Rewritten;
use super::matching::component_kind;

/// The replacement of a conversion, and the other conversion that it makes unnecessary.
pub(super) fn rewrite(module: &Module, inst: Inst) -> Option<(Rewritten, Option<Inst>)> {
    match module.op(inst) {
        Op::UConvert | Op::SConvert => resize(module, inst),
        Op::Bitcast => bitcast(module, inst),
        _ => None,
    }
}

fn width(module: &Module, value: Inst) -> Option<u32> {
    match component_kind(module, module.ty(value)?)? {
        ScalarKind::Int(width) => Some(width),
        ScalarKind::Bool | ScalarKind::Float(_) => None,
    }
}

/// Of an integer that another conversion resized.
fn resize(module: &Module, outer: Inst) -> Option<(Rewritten, Option<Inst>)> {
    let inner = Unary::of(module, outer)?.operand;
    if !matches!(module.op(inner), Op::UConvert | Op::SConvert) {
        return None;
    }
    let value = Unary::of(module, inner)?.operand;
    let (from, over, to) = (width(module, value)?, width(module, inner)?, width(module, outer)?);
    let (ty, first, second) = (module.ty(outer)?, module.op(inner), module.op(outer));
    let op = match (over > from, to > over) {
        (_, false) if to == from => {
            return (module.ty(value) == Some(ty)).then_some((Rewritten::Value(value), None));
        }
        // Truncation of a truncated value, or of the value before an extension.
        (false, false) => second,
        (true, false) if to < from => second,
        (true, false) => first,
        (true, true) if first == Op::UConvert || second == Op::SConvert => first,
        _ => return None,
    };
    // `u_convert` returns only unsigned integers.
    (op == Op::SConvert || is_unsigned(module, ty)).then(|| (Rewritten::New(op, smallvec![value]), Some(inner)))
}

fn is_unsigned(module: &Module, ty: Inst) -> bool {
    let (component, _) = module.components(ty);
    matches!(module.type_view(component), Some(TypeView::Int { is_signed: false, .. }))
}

/// A conversion to the type of the value, or a bitcast of a bitcast. Pointers are left unchanged.
fn bitcast(module: &Module, outer: Inst) -> Option<(Rewritten, Option<Inst>)> {
    let (inner, ty) = (view::Bitcast::of(module, outer)?.operand, module.ty(outer)?);
    if module.ty(inner) == Some(ty) {
        return Some((Rewritten::Value(inner), None));
    }
    let value = view::Bitcast::of(module, inner)?.operand;
    let is_number = |value: Inst| module.ty(value).and_then(|ty| component_kind(module, ty)).is_some();
    match module.ty(value) == Some(ty) {
        true => Some((Rewritten::Value(value), Some(inner))),
        false if [value, inner, outer].into_iter().all(is_number) => {
            Some((Rewritten::New(Op::Bitcast, smallvec![value]), Some(inner)))
        }
        false => None,
    }
}
