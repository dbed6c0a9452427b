//! Clamps the coordinates of texel loads: outside of an image WGSL returns some texel or zero, Vulkan an undefined value.
//!
//! ```text
//!                                               %l = UMin %level, %levels - 1      %s = image_query_size_lod %image, %l
//! %t = image_fetch %image, %c, Lod %level   ⇒   %k = UMin %c, %s - 1
//!                                               %t = image_fetch %image, %k, Lod %l
//! ```
//!
//! A coordinate out of range selects the texel at the edge. A layer is a part of the coordinate. An image of several samples, or one for
//! storage, has no levels. A store outside of an image has no effect in Vulkan, as in WGSL. WGSL, section 17.7.4. Linear in the module.

use reconverge_ir::{Builder, Inst, Module, Op, view};
use spirv::{Capability, ImageOperands};

use super::formats::declare;
use super::inserter::Inserter;

/// Clamps the coordinates, levels and samples of every load.
pub(super) fn clamp_coordinates(module: &mut Module) {
    let is_load = |&inst: &Inst| matches!(module.op(inst), Op::ImageFetch | Op::ImageRead);
    let functions = module.functions().flat_map(|function| module.descendants(function));
    let loads: Vec<Inst> = functions.filter(is_load).collect();
    if loads.is_empty() {
        return;
    }
    loads.into_iter().for_each(|load| clamp(module, load));
    declare(module, Capability::ImageQuery);
}

/// The index of the coordinate among the operands of a load. The level or the sample comes last.
const COORDINATE: usize = 1;
const PARAMETER: usize = 3;

fn clamp(module: &mut Module, load: Inst) {
    let (Some(access), Some(image)) = (view::ImageAccess::of(module, load), image_of(module, load)) else { return };
    let has_levels = image.sampled != 2 && image.multisampled == 0;
    let operands = access.operands;
    let is_alone = [ImageOperands::LOD, ImageOperands::SAMPLE].contains(&operands.mask);
    let unsigned = Builder::new(module).int_type(32);
    let texture = module.operand(load, 0);
    if is_alone && let Some(sample) = operands.sample {
        let samples = Inserter { module, before: load }.insert(Op::ImageQuerySamples, unsigned, &[texture]);
        let sample = clamped(module, load, sample, samples);
        module.edit().set_operand(load, PARAMETER, sample);
    }
    let mut level = operands.lod.filter(|_| is_alone);
    if let Some(given) = level.filter(|&given| module.constant_word(given) != Some(0)) {
        let levels = Inserter { module, before: load }.insert(Op::ImageQueryLevels, unsigned, &[texture]);
        let given = clamped(module, load, given, levels);
        module.edit().set_operand(load, PARAMETER, given);
        level = Some(given);
    }
    let coordinate = module.operand(load, COORDINATE);
    let Some(ty) = module.ty(coordinate) else { return };
    let ty = like(module, ty, unsigned);
    let mut inserter = Inserter { module, before: load };
    let size = match level.filter(|_| has_levels) {
        Some(level) => inserter.insert(Op::ImageQuerySizeLod, ty, &[texture, level]),
        None => inserter.insert(Op::ImageQuerySize, ty, &[texture]),
    };
    let coordinate = clamped(module, load, coordinate, size);
    module.edit().set_operand(load, COORDINATE, coordinate);
}

fn image_of(module: &Module, load: Inst) -> Option<view::TypeImage> {
    view::TypeImage::of(module, module.ty(module.operand(load, 0))?)
}

/// The unsigned type with as many components as a type.
fn like(module: &mut Module, ty: Inst, unsigned: Inst) -> Inst {
    match module.components(ty).1 {
        1 => unsigned,
        count => {
            let count = module.edit().word(count);
            module.edit().unique(Op::TypeVector, None, &[unsigned, count])
        }
    }
}

/// A value clamped to be less than `count`.
fn clamped(module: &mut Module, load: Inst, value: Inst, count: Inst) -> Inst {
    let ty = module.ty(count).expect("invariant: a value has a type");
    let (component, components) = module.components(ty);
    let one = Builder::new(module).constant_word(component, 1);
    let ones = match components {
        1 => one,
        _ => module.edit().unique(Op::ConstantComposite, Some(ty), &vec![one; components as usize]),
    };
    let mut inserter = Inserter { module, before: load };
    let last = inserter.insert(Op::ISub, ty, &[count, ones]);
    inserter.minimum(value, last)
}
