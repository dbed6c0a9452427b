//! Shifts by constants.

use reconverge_ir::{Builder, Inst, Op};
use reconverge_rewrite::scalars::integer;

/// An integer of a type, shifted by a constant below its width: the integer itself for zero.
pub(crate) fn shifted(build: &mut Builder<'_>, op: Op, ty: Inst, a: Inst, amount: u32) -> Inst {
    if amount == 0 {
        return a;
    }
    let amount = integer(build, ty, u64::from(amount));
    build.emit(op, Some(ty), &[a, amount])
}
