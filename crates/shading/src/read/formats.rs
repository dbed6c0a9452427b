//! Capabilities for storage images whose format SPIR-V does not name: `bgra8unorm`, which naga declares without a format.
//!
//! ```text
//! %t = image_read %bgra8, %c            needs StorageImageReadWithoutFormat
//! image_write %bgra8, %c, %t            needs StorageImageWriteWithoutFormat
//! ```
//!
//! Vulkan requires them (VUID-RuntimeSpirv-apiVersion-07954 and 07955). Linear in the module.

use reconverge_ir::{Builder, Inst, Module, Op, view};
use spirv::{Capability, ImageFormat};

/// Declares the capabilities that the accesses of a module to images without a format need.
pub(super) fn declare_accesses(module: &mut Module) {
    let has_no_format = |inst: Inst| {
        let ty = module.ty(module.operand(inst, 0));
        let image = ty.and_then(|ty| view::TypeImage::of(module, ty));
        image.is_some_and(|image| image.sampled == 2 && image.format == Some(ImageFormat::Unknown))
    };
    let accesses = |op: Op| {
        let mut insts = module.functions().flat_map(|function| module.descendants(function));
        insts.any(|inst| module.op(inst) == op && has_no_format(inst))
    };
    let (reads, writes) = (accesses(Op::ImageRead), accesses(Op::ImageWrite));
    for (is_needed, capability) in
        [(reads, Capability::StorageImageReadWithoutFormat), (writes, Capability::StorageImageWriteWithoutFormat)]
    {
        if is_needed {
            declare(module, capability);
        }
    }
}

/// Declares a capability, once.
pub(super) fn declare(module: &mut Module, capability: Capability) {
    let is_known = |inst: Inst| {
        let declared = view::Capability::of(module, inst);
        declared.is_some_and(|declared| declared.capability == Some(capability))
    };
    if !module.globals().any(is_known) {
        let capability = Builder::new(module).enumerant(capability);
        module.edit().append_global(Op::Capability, None, &[capability]);
    }
}
