//! Distances of shifts: modulo the number of bits in WGSL. SPIR-V leaves a distance of that many bits or more undefined, and naga's writer
//! does not mask it.
//!
//! ```text
//! %r = shift_left_logical %x, %n      ⇒      %d = bitwise_and %n, 31      %r = shift_left_logical %x, %d
//! ```
//!
//! A constant distance that is less is not masked. Linear in the module.

use reconverge_ir::{Builder, Inst, Module, Op, Position};

/// Masks the distances that are not known to be less than the number of bits.
pub(super) fn mask_distances(module: &mut Module) {
    let is_shift = |op: Op| matches!(op, Op::ShiftLeftLogical | Op::ShiftRightLogical | Op::ShiftRightArithmetic);
    let shifts: Vec<Inst> = module
        .functions()
        .flat_map(|function| module.descendants(function))
        .filter(|&inst| is_shift(module.op(inst)) && !is_less(module, inst))
        .collect();
    shifts.into_iter().for_each(|shift| mask(module, shift));
}

fn is_less(module: &Module, shift: Inst) -> bool {
    let width = module.ty(shift).and_then(|ty| module.width(module.components(ty).0));
    let distance = module.constant_word(module.operand(shift, 1));
    width.zip(distance).is_some_and(|(width, distance)| distance < width)
}

fn mask(module: &mut Module, shift: Inst) {
    let distance = module.operand(shift, 1);
    let (Some(result), Some(ty)) = (module.ty(shift), module.ty(distance)) else { return };
    let Some(width) = module.width(module.components(result).0) else { return };
    let (component, count) = module.components(ty);
    let location = module.explicit_location(shift);
    let mut build = Builder::new(module);
    let largest = build.constant_word(component, width - 1);
    let largest = match count {
        1 => largest,
        _ => build.editor().unique(Op::ConstantComposite, Some(ty), &vec![largest; count as usize]),
    };
    let masked = build.editor().insert(Position::Before(shift), Op::BitwiseAnd, Some(ty), &[distance, largest]);
    build.editor().set_location(masked, location);
    build.editor().set_operand(shift, 1, masked);
}
