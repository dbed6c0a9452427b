//! Sizes of images without levels: naga queries the layers of every image at level 0.
//!
//! ```text
//! %s = image_query_size_lod %storage, 0      ⇒      %s = image_query_size %storage
//! ```
//!
//! SPIR-V section 3.3.18 requires `OpImageQuerySize` for storage images and images of several samples. Linear in the module.

use reconverge_ir::{Inst, Module, Op, Position, view};

/// Queries the size of images without levels without a level.
pub(super) fn query_whole_images(module: &mut Module) {
    let has_no_levels = |inst: Inst| {
        let ty = module.ty(module.operand(inst, 0));
        let image = ty.and_then(|ty| view::TypeImage::of(module, ty));
        image.is_some_and(|image| image.sampled == 2 || image.multisampled != 0)
    };
    let queries: Vec<Inst> = module
        .functions()
        .flat_map(|function| module.descendants(function))
        .filter(|&inst| module.op(inst) == Op::ImageQuerySizeLod && has_no_levels(inst))
        .collect();
    for query in queries {
        let (ty, image) = (module.ty(query), module.operand(query, 0));
        let location = module.explicit_location(query);
        let whole = module.edit().insert(Position::Before(query), Op::ImageQuerySize, ty, &[image]);
        module.edit().set_location(whole, location);
        module.edit().replace_all_uses(query, whole);
        module.edit().delete(query);
    }
}
