//! `get_image_channel_data_type` as the number of SPIR-V.
//!
//! ```text
//! %t = image_query_format %i     ⇒     %q = image_query_format %i
//!                                      %t = i_add %q, 0x10d0
//! ```
//!
//! OpenCL C returns `CLK_UNORM_INT8` and so on, which begin at 0x10d0; the instruction counts from 0. llvm-spirv adds the difference, LLVM's
//! SPIR-V back end does not. Linear in the uses.

use reconverge_ir::{Builder, Inst, Module, Op, view};

use crate::ChannelType;
use crate::repairs::FrontEndFault;
use crate::scalars::{constant_value, integer};

/// Repairs a query of the type of channels to which nothing is added.
pub(super) fn repair(module: &mut Module, inst: Inst) -> Option<FrontEndFault> {
    if module.op(inst) != Op::ImageQueryFormat {
        return None;
    }
    let is_sum = |user: Inst| {
        view::Binary::of(module, user).is_some_and(|sum| {
            module.op(user) == Op::IAdd
                && [sum.left, sum.right]
                    .iter()
                    .any(|&term| constant_value(module, term) == Some(ChannelType::FIRST.into()))
        })
    };
    if module.uses(inst).any(|used| is_sum(used.user)) {
        return None;
    }
    let ty = module.ty(inst)?;
    let image = view::ImageQueryFormat::of(module, inst)?.image;
    let mut build = Builder::new(module);
    build.before(inst);
    let number = build.image_query_format(ty, &[image]);
    let first = integer(&mut build, ty, ChannelType::FIRST.into());
    let sum = build.i_add(ty, &[number, first]);
    let location = module.explicit_location(inst);
    let mut editor = module.edit();
    [number, sum].into_iter().for_each(|made| editor.set_location(made, location));
    editor.replace_all_uses(inst, sum);
    editor.delete(inst);
    Some(FrontEndFault::ChannelTypeNumber)
}
