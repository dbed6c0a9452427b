//! The sample mask as the array that it is in SPIR-V: naga declares a number.
//!
//! ```text
//! %mask: %pointer(Output, %u32) = variable      ⇒      %mask: %pointer(Output, %array) = variable
//! store %mask, %x                                      %p = access_chain %mask, 0      store %p, %x
//! ```
//!
//! Vulkan requires an array of words (VUID-SampleMask-SampleMask-04359). Linear in the uses of the mask.

use reconverge_ir::decoration::BuiltIn;
use reconverge_ir::{Builder, Inst, Module, Op, Position, view};

/// Changes the variables with the sample mask to arrays.
pub(super) fn make_arrays(module: &mut Module) {
    let is_mask = |inst: Inst| {
        let built_in = module.decorated(inst).find::<BuiltIn>();
        built_in.is_some_and(|built_in| built_in.0 == spirv::BuiltIn::SampleMask)
            && module.op(inst) == Op::Variable
            && module.pointee(inst).is_some_and(|ty| module.op(ty) == Op::TypeInt)
    };
    let masks: Vec<Inst> = module.globals().filter(|&inst| is_mask(inst)).collect();
    masks.into_iter().for_each(|mask| make_array(module, mask));
}

fn make_array(module: &mut Module, mask: Inst) {
    let (Some(pointer), Some(word)) = (module.ty(mask), module.pointee(mask)) else { return };
    let Some(class) = module.storage_class(mask) else { return };
    let initializer = view::Variable::of(module, mask).and_then(|variable| variable.initializer);
    let users: Vec<Inst> = module.uses(mask).map(|used| used.user).collect();
    let mut build = Builder::new(module);
    let u32_type = build.int_type(32);
    let (zero, one) = (build.constant_word(u32_type, 0), build.constant_word(u32_type, 1));
    let array = build.editor().unique(Op::TypeArray, None, &[word, one]);
    let array_pointer = build.pointer_type(class, array);
    build.editor().set_type(mask, array_pointer);
    if let Some(initializer) = initializer {
        let composite = build.editor().unique(Op::ConstantComposite, Some(array), &[initializer]);
        build.editor().set_operand(mask, 1, composite);
    }
    for user in users {
        if build.module().block_of(user).is_none() {
            continue;
        }
        let access = build.editor().insert(Position::Before(user), Op::AccessChain, Some(pointer), &[mask, zero]);
        for index in 0..build.module().operand_count(user) {
            if build.module().operand(user, index) == mask {
                build.editor().set_operand(user, index, access);
            }
        }
    }
}
