//! Replaces images by buffers: reads, writes and queries become address arithmetic, loads, stores and conversions.
//!
//! ```text
//! func %k(%i: image2d_t, %s: sampler)             func %k(%texels: *global u32, %shape: u32x4, %slice: u32)
//!   %si = sampled_image %i, %s                      %x, %y = texel of (%u, %v) by the sampler %s
//!   %c  = image_sample_explicit_lod %si, (%u, %v) ⇒ %w  = load %texels[(%y * %shape.w + %x * size) / 4]
//!                                                   %c  = the channels in %w as floats
//! ```
//!
//! The code afterwards is ordinary OpenCL: every target and every form of pointers runs it, and the results are the same on all of them. The
//! rules are those of the chapter *Image Addressing and Filtering* of the OpenCL C specification, in single precision, one rounding for each operation;
//! `docs/kernel-abi.md` states what the specification leaves open.
//!
//! Formats of images and bits of samplers are specialization constants, so a driver compiles straight code for those of a launch; or the options fix
//! them, and the pass writes straight code itself. An access outside of an image reads the nearest texel, and writes nothing.
//!
//! *Requires* inlined calls: every image is then a parameter of the kernel, perhaps through a private variable. *Preserves* everything else; a write,
//! and every access that depends on a specialization constant, adds control flow. Linear in the instructions and the texels of each access.

mod addressing;
mod channels;
mod choices;
mod operands;
mod order;
mod parameters;
mod parts;
mod sample;
mod texels;

use reconverge_diagnostic::Diagnostic;
use reconverge_ir::view::{self, TypeView};
use reconverge_ir::{Block, Class, Inst, Module, Op};

use crate::blocks::split_behind;
use crate::entry_points::entry_functions;
use crate::formula::{FormulaWriter, Shape, Shared};
use crate::{Context, error};
use choices::Choices;
use operands::Operands;
pub(crate) use parameters::{Roles, arguments_of_source};
use parts::Images;
use sample::Site;

/// Replaces all images and samplers of kernels. Returns whether there was one.
///
/// # Errors
/// Images with several samples or levels, cube images, images that are no parameters of the kernel.
pub fn images(module: &mut Module, context: &mut Context) -> Result<bool, Diagnostic> {
    let is_one = |&global: &Inst| matches!(module.op(global), Op::TypeImage | Op::TypeSampler);
    if !module.globals().any(|global| is_one(&global)) {
        return Ok(false);
    }
    let mut images = parameters::replace(module, context)?;
    let mut choices = Choices::default();
    for function in entry_functions(module) {
        choices.add(module, &mut images, function)?;
    }
    let blocks: Vec<_> = module.functions().flat_map(|function| module.blocks(function)).collect();
    let mut shared = Shared::new(context.options.fma, context.options.driver);
    for block in blocks {
        let sites: Vec<Inst> = module.children(block).filter(|&inst| is_site(module, inst)).collect();
        // The accesses of a block are split off from its end, so every instruction moves once.
        for inst in sites.into_iter().rev() {
            replace(module, &mut shared, &images, inst)?;
        }
    }
    choices.finish(module, &images)?;
    parameters::remove(module, &images);
    Ok(true)
}

/// Returns whether an instruction computes with an image. Those that only name one are left to [`parameters::remove`].
fn is_site(module: &Module, inst: Inst) -> bool {
    module.op(inst).class() == Class::Image && !matches!(module.op(inst), Op::SampledImage | Op::Image)
}

/// Replaces an operation on an image.
fn replace(module: &mut Module, shared: &mut Shared, images: &Images, inst: Inst) -> Result<(), Diagnostic> {
    let operands = Operands::of(module, images, inst)?;
    let rest = operands.needs_blocks().then(|| split_behind(module, inst));
    let result = write(module, shared, &operands, (inst, rest));
    if let Some(result) = result {
        module.edit().replace_all_uses(inst, result);
    }
    reconverge_rewrite::removal::remove(module, inst);
    Ok(())
}

/// Writes the code of an operation before it, or behind it and up to the rest of its block. Returns the result, if it has one.
fn write(
    module: &mut Module,
    shared: &mut Shared,
    operands: &Operands,
    (inst, rest): (Inst, Option<Block>),
) -> Option<Inst> {
    let writer = match rest {
        Some(_) => {
            let block = module.block_of(inst).expect("invariant: the operation stands in a block");
            FormulaWriter::at_end(module, shared, block)
        }
        None => FormulaWriter::before(module, shared, inst),
    };
    let result = Site { writer: &writer, operands }.write();
    if let Some(rest) = rest {
        writer.build(|build| build.branch(&[rest.into()]));
    }
    result.map(|value| value.inst())
}

/// The error of an operation that is not supported.
fn unsupported(module: &Module, inst: Inst, what: &str) -> Diagnostic {
    error::unsupported(inst, format!("{what} ({})", module.op(inst).name()))
}

/// The shape of a result, if it is a number or a vector.
fn result_shape(module: &Module, inst: Inst) -> Option<Shape> {
    Shape::of(module, module.ty(inst)?)
}

/// The view of a type, if it is that of an image.
fn image_type(module: &Module, ty: Inst) -> Option<view::TypeImage> {
    match module.type_view(ty) {
        Some(TypeView::Image(image)) => Some(image),
        _ => None,
    }
}
