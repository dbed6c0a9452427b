//! Conversions between integers that may come from `convert_T(x)` or `convert_T_sat(x)` with T of the sign of x.
//!
//! clang before version 23 writes these calls as the conversion of the other sign: `convert_long(c)` of a `char` becomes `OpUConvert`, which
//! is what `(long)(uchar)c` becomes too. An extension is not doubtful if both signs give the same value, because the highest bit of the
//! operand is known to be zero, if its result has a name that clang does not give to results of calls, or if it is only an index of an
//! address: clang extends every index, and few are results of such calls.

use reconverge_ir::{Class, Inst, Module, Op, OpGroup, view};

use crate::missing_conversions::{shape_of, significant_bits};
use crate::repairs::FrontEndFault;
use crate::scalars::constant_value;
use spirv::OpenclStd100Op;

/// The fault that a conversion may have.
pub(super) fn find(module: &Module, inst: Inst) -> Option<FrontEndFault> {
    match module.op(inst) {
        Op::SatConvertSToU | Op::SatConvertUToS => Some(FrontEndFault::DoubtfulSaturation),
        Op::SConvert | Op::UConvert => {
            let operand = view::Unary::of(module, inst)?.operand;
            let (from, to) = (shape_of(module, operand)?, shape_of(module, inst)?);
            let matters = from.width < to.width && significant_bits(module, operand) >= from.width;
            (matters && may_be_a_call(module, inst) && !is_index(module, inst)).then_some(FrontEndFault::DoubtfulSign)
        }
        Op::ExtInst => is_packed_load_of_three(module, inst).then_some(FrontEndFault::DoubtfulHalves),
        _ => None,
    }
}

/// Returns whether an instruction is `vload_half3` at another offset than zero, as which clang writes `vloada_half3` too.
fn is_packed_load_of_three(module: &Module, inst: Inst) -> bool {
    let Some(view::ExtInst { operands, .. }) = view::ExtInst::of(module, inst) else { return false };
    let is_of_three = module.ty(inst).is_some_and(|ty| module.components(ty).1 == 3);
    let is_load = module.opencl_op(inst) == Some(OpenclStd100Op::vload_halfn);
    is_load && is_of_three && operands.first().is_some_and(|offset| constant_value(module, offset) != Some(0))
}

/// Returns whether clang may have made the instruction of a call: results of calls are named `call`, or have no name.
fn may_be_a_call(module: &Module, inst: Inst) -> bool {
    module.name(inst).is_none_or(|name| name.is_empty() || name.starts_with("call"))
}

/// Returns whether a value is used for addresses alone, itself or after one operation that scales it.
fn is_index(module: &Module, value: Inst) -> bool {
    let is_chain = |user: Inst| module.op(user).group() == OpGroup::Address;
    let is_scaled = |user: Inst| {
        let is_scale = matches!(module.op(user), Op::ShiftLeftLogical | Op::IMul | Op::IAdd | Op::ISub);
        is_scale && users(module, user).all(is_chain) && users(module, user).next().is_some()
    };
    users(module, value).next().is_some() && users(module, value).all(|user| is_chain(user) || is_scaled(user))
}

fn users(module: &Module, value: Inst) -> impl Iterator<Item = Inst> + '_ {
    module.uses(value).map(|used| used.user).filter(|&user| module.op(user).class() != Class::Structure)
}
