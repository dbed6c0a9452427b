//! Images that depend on control flow: block parameters, which optimizers make of accesses in two branches.
//!
//! ```text
//! branch ^b(%i)  branch ^b(%j)              branch ^b(%i.texels, %i.shape, …)   branch ^b(%j.texels, %j.shape, …)
//! ^b(%p: image): read %p, %c         ⇒      ^b(%p.texels, %p.shape, …): read …
//! ```
//!
//! An image is the values that replaced its parameter, so a choice among images is a choice among these values, with the format among them unless it is
//! known and the same. Linear in the jumps.

use reconverge_diagnostic::Diagnostic;
use reconverge_ir::view::TypeView;
use reconverge_ir::{Block, Builder, Function, Inst, Module, Op, Parameter};
use reconverge_rewrite::block_parameters::{append, jumps, replace};
use reconverge_rewrite::undef::Undefs;
use spirv::StorageClass;

use super::parts::{FormatValue, Image, Images};
use super::unsupported;
use crate::scalars::{vector_type, word};
use crate::{ImageAccess, ImageFormat, ImageKind};

/// Blocks with parameters that are images. They have the parameters for the values, and no jump has the arguments yet.
#[derive(Default)]
pub(super) struct Choices {
    blocks: Vec<Chosen>,
}

/// A block with the parameters that are images.
struct Chosen {
    block: Block,
    old: Vec<Parameter>,
}

impl Choices {
    /// Adds what stands for the images that depend on control flow, in a function.
    ///
    /// # Errors
    /// An image that is no choice among parameters of the kernel.
    pub(super) fn add(
        &mut self,
        module: &mut Module,
        images: &mut Images,
        function: Function,
    ) -> Result<(), Diagnostic> {
        let blocks: Vec<Block> = module.blocks(function).collect();
        let is_image = |module: &Module, parameter: Parameter| {
            module.ty(parameter).is_some_and(|ty| module.op(ty) == Op::TypeImage)
        };
        for &block in &blocks {
            let old: Vec<Parameter> =
                module.parameters(block).filter(|&parameter| is_image(module, parameter)).collect();
            for &parameter in &old {
                let types = image_of_type(module, parameter.into()).ok_or_else(|| {
                    unsupported(module, parameter.into(), "an image with samples, or of these dimensions")
                })?;
                let fixed = common_format(images, types);
                let parts = part_types(module, fixed);
                let parts: Vec<Inst> = append(module, block, &parts).into_iter().map(Inst::from).collect();
                images.by_parameter.insert(parameter.into(), of_parts(types, fixed, &parts));
            }
            if !old.is_empty() {
                self.blocks.push(Chosen { block, old });
            }
        }
        Ok(())
    }

    /// Gives the jumps their arguments, and removes the parameters that are images. Nothing may use these but what only carries images.
    ///
    /// # Errors
    /// An image that is undefined on some path.
    pub(super) fn finish(self, module: &mut Module, images: &Images) -> Result<(), Diagnostic> {
        let mut finished = Vec::new();
        for Chosen { block, old } in self.blocks {
            let mut jumps = jumps(module, block, &old);
            for jump in &mut jumps {
                for (&parameter, &argument) in old.iter().zip(&jump.old) {
                    let chosen = images.by_parameter[&parameter.into()].format;
                    let image = images.of(module, argument).ok_or_else(|| {
                        unsupported(module, parameter.into(), "an image that is undefined on some path")
                    })?;
                    jump.new.extend(parts_of(module, &image, chosen));
                }
            }
            finished.push((block, old, jumps));
        }
        let mut undefs = Undefs::default();
        for (block, old, jumps) in finished {
            for &parameter in &old {
                let ty = module.ty(parameter).expect("invariant: a parameter has a type");
                let undefined = undefs.undef(module, ty);
                module.edit().replace_all_uses(parameter, undefined);
            }
            replace(module, block, &old, jumps);
        }
        Ok(())
    }
}

/// Dimensions and access of the image that a value is.
fn image_of_type(module: &Module, value: Inst) -> Option<(ImageKind, ImageAccess)> {
    match module.type_view(module.ty(value)?) {
        Some(TypeView::Image(image)) => Some((ImageKind::of(&image)?, ImageAccess::of(&image))),
        _ => None,
    }
}

/// The format of all images of a type, if it is known and the same.
fn common_format(images: &Images, (kind, access): (ImageKind, ImageAccess)) -> Option<ImageFormat> {
    let of_type = images.parameters.iter().map(|parameter| &images.by_parameter[parameter]);
    let mut formats = of_type.filter(|image| (image.kind, image.access) == (kind, access)).map(|image| image.format);
    let FormatValue::Fixed(first) = formats.next()? else { return None };
    formats.all(|format| matches!(format, FormatValue::Fixed(other) if other == first)).then_some(first)
}

/// The types of the values that an image is.
fn part_types(module: &mut Module, fixed: Option<ImageFormat>) -> Vec<Inst> {
    let mut build = Builder::new(module);
    let u32_type = build.int_type(32);
    let pointer = build.pointer_type(StorageClass::CrossWorkgroup, u32_type);
    let four = vector_type(&mut build, u32_type, 4);
    let format: &[Inst] = if fixed.is_some() { &[] } else { &[u32_type, u32_type] };
    [pointer, four, u32_type].iter().chain(format).copied().collect()
}

fn of_parts((kind, access): (ImageKind, ImageAccess), fixed: Option<ImageFormat>, parts: &[Inst]) -> Image {
    let format = match fixed {
        Some(format) => FormatValue::Fixed(format),
        None => FormatValue::Specialized { order: parts[3], data_type: parts[4] },
    };
    Image { kind, access, texels: parts[0], shape: parts[1], slice_pitch: parts[2], format }
}

/// The values that an image is, with its format unless that of the choice is fixed.
fn parts_of(module: &mut Module, image: &Image, chosen: FormatValue) -> Vec<Inst> {
    let mut parts = vec![image.texels, image.shape, image.slice_pitch];
    if let FormatValue::Specialized { .. } = chosen {
        let format = match image.format {
            FormatValue::Fixed(format) => {
                let mut build = Builder::new(module);
                [format.order as u32, format.data_type as u32].map(|number| word(&mut build, number))
            }
            FormatValue::Specialized { order, data_type } => [order, data_type],
        };
        parts.extend(format);
    }
    parts
}
