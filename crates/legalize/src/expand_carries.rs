//! Sums with a carry and products with two halves, in plain operations: WGSL has no operations with two results.
//!
//! ```text
//! %s = i_add_carry %a, %b          %sum = i_add %a, %b
//! %sum = composite_extract %s, 0 ⇒ %less = u_less_than %sum, %a
//! %c = composite_extract %s, 1     %c = select %less, 1, 0
//! ```
//!
//! The upper half of a product is computed from four products of 16 bits: Warren, *Hacker's Delight*, 2nd ed. 2012, 8-2; that of a signed
//! product is corrected for negative factors (8-3). *Requires* 32-bit integers, as after `split_integers` and `widen_integers`, and that
//! both results are only extracted. *Preserves* the control-flow graph. Linear.

use reconverge_diagnostic::Diagnostic;
use reconverge_ir::{Builder, Inst, Module, Op, view};

use crate::Machine;
use reconverge_rewrite::scalars::{splat, vector_type};

/// Replaces operations with two results if the machine has none of 32 bits. Returns whether there was one.
///
/// # Errors
/// A use of both results together.
pub fn expand_carries(module: &mut Module, machine: &Machine) -> Result<bool, Diagnostic> {
    if machine.carries.contains(32) {
        return Ok(false);
    }
    let blocks = module.functions().flat_map(|function| module.blocks(function));
    let is_pair = |op| matches!(op, Op::IAddCarry | Op::ISubBorrow | Op::UMulExtended | Op::SMulExtended);
    let all: Vec<Inst> =
        blocks.flat_map(|block| module.children(block)).filter(|&inst| is_pair(module.op(inst))).collect();
    for &inst in &all {
        expand(module, machine, inst)?;
    }
    Ok(!all.is_empty())
}

fn expand(module: &mut Module, machine: &Machine, inst: Inst) -> Result<(), Diagnostic> {
    let Some(view::Binary { left, right }) = view::Binary::of(module, inst) else { return Ok(()) };
    let op = module.op(inst);
    let mut extracts: [Vec<Inst>; 2] = [Vec::new(), Vec::new()];
    for used in module.uses(inst) {
        let index = (module.op(used.user) == Op::CompositeExtract && module.operand_count(used.user) == 2)
            .then(|| module.literal_word(module.operand(used.user, 1)))
            .flatten();
        match index {
            Some(index @ (0 | 1)) => extracts[index as usize].push(used.user),
            _ => return Err(machine.refusal(used.user, format!("both results of {} together", op.name()))),
        }
    }
    let [low_uses, high_uses] = extracts;
    let mut build = Builder::new(module);
    build.before(inst);
    let low = low(&mut build, op, left, right);
    let high = (!high_uses.is_empty()).then(|| high(&mut build, op, [left, right, low]));
    let replacements = low_uses.into_iter().map(|user| (user, low));
    let replacements = replacements.chain(high_uses.into_iter().filter_map(|user| Some((user, high?))));
    for (user, value) in replacements {
        module.edit().replace_all_uses(user, value);
        module.edit().delete(user);
    }
    module.edit().delete(inst);
    Ok(())
}

/// The first result: the low bits.
fn low(build: &mut Builder<'_>, op: Op, left: Inst, right: Inst) -> Inst {
    let ty = build.module().ty(left).expect("invariant: an operand has a type");
    let plain = match op {
        Op::IAddCarry => Op::IAdd,
        Op::ISubBorrow => Op::ISub,
        _ => Op::IMul,
    };
    build.emit(plain, Some(ty), &[left, right])
}

/// The second result, given the operands and the first one.
fn high(build: &mut Builder<'_>, op: Op, [left, right, low]: [Inst; 3]) -> Inst {
    let ty = build.module().ty(left).expect("invariant: an operand has a type");
    let (_, count) = build.module().components(ty);
    match op {
        Op::IAddCarry | Op::ISubBorrow => {
            let bool_type = build.bool_type();
            let bool_type = vector_type(build, bool_type, count);
            let sides = if op == Op::IAddCarry { [low, left] } else { [left, right] };
            let is_less = build.u_less_than(bool_type, &sides);
            let (one, zero) = (splat(build, ty, 1), splat(build, ty, 0));
            build.select(ty, &[is_less, one, zero])
        }
        Op::UMulExtended => upper_product(build, ty, left, right),
        _ => {
            let product = upper_product(build, ty, left, right);
            let sign = splat(build, ty, 31);
            let mut corrected = product;
            for (negative, other) in [(left, right), (right, left)] {
                let all = build.shift_right_arithmetic(ty, &[negative, sign]);
                let taken = build.bitwise_and(ty, &[all, other]);
                corrected = build.i_sub(ty, &[corrected, taken]);
            }
            corrected
        }
    }
}

/// The upper half of the unsigned product, from products of halves that cannot overflow.
fn upper_product(build: &mut Builder<'_>, ty: Inst, left: Inst, right: Inst) -> Inst {
    let (half, mask) = (splat(build, ty, 16), splat(build, ty, 0xffff));
    let [[left_low, left_high], [right_low, right_high]] = [left, right]
        .map(|value| [build.bitwise_and(ty, &[value, mask]), build.shift_right_logical(ty, &[value, half])]);
    let lowest = build.i_mul(ty, &[left_low, right_low]);
    let carried = build.shift_right_logical(ty, &[lowest, half]);
    let first = build.i_mul(ty, &[left_high, right_low]);
    let first = build.i_add(ty, &[first, carried]);
    let second = build.i_mul(ty, &[left_low, right_high]);
    let first_low = build.bitwise_and(ty, &[first, mask]);
    let second = build.i_add(ty, &[second, first_low]);
    let highest = build.i_mul(ty, &[left_high, right_high]);
    let [first, second] = [first, second].map(|middle| build.shift_right_logical(ty, &[middle, half]));
    let highest = build.i_add(ty, &[highest, first]);
    build.i_add(ty, &[highest, second])
}
