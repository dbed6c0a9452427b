//! Decoding of image operations.
//!
//! The decoder adds three words before an instruction's own literals: the component type of a texel, the number of components of the image
//! format, and the number of used components of a coordinate.

use reconverge_ir::{Inst, Op, view};
use spirv::{Dim, ImageFormat};

use crate::code::decode::Decoder;
use crate::code::instruction::Action;
use crate::fault::Fault;
use crate::types::NO_TYPE;

/// The number of words that the decoder adds.
const HEADER: usize = 3;
/// Which of them is the number of used components of a coordinate.
pub(crate) const USED: usize = 2;

/// The action of an op of the image class.
pub(crate) fn action(decoder: &mut Decoder<'_>, inst: Inst, op: Op) -> Result<Action, Fault> {
    if !matches!(op, Op::SampledImage | Op::Image | Op::ImageSparseTexelsResident) {
        let header = header(decoder, inst, op);
        decoder.literals(&header.ok_or_else(|| Fault::operands(op))?);
    }
    decoder.all_values(inst)?;
    Ok(if is_implicit(op) { Action::Group(op) } else { Action::Image(op) })
}

/// Returns whether an operation is one of a quad.
pub(crate) fn is_implicit(op: Op) -> bool {
    op.class() == reconverge_ir::Class::Image && op.effects().is_convergent()
}

fn header(decoder: &Decoder<'_>, inst: Inst, op: Op) -> Option<[u32; HEADER]> {
    let (module, program) = (decoder.module(), decoder.program);
    let image = match op {
        Op::ImageTexelPointer => view::ImageTexelPointer::of(module, inst)?.image,
        _ => view::ImageUse::of(module, inst)?.image,
    };
    let ty = module.ty(image)?;
    let ty = view::TypePointer::of(module, ty).map_or(ty, |pointer| pointer.pointee);
    let ty = view::TypeSampledImage::of(module, ty).map_or(ty, |sampled| sampled.image);
    let view::TypeImage { sampled_type, dim, arrayed, format, .. } = view::TypeImage::of(module, ty)?;
    let component = program.ty(sampled_type).unwrap_or(NO_TYPE);
    let axes = match dim {
        Some(Dim::Dim1D | Dim::DimBuffer) => 1,
        Some(Dim::Dim3D | Dim::DimCube) => 3,
        _ => 2,
    };
    let is_projected = matches!(
        op,
        Op::ImageSampleProjImplicitLod
            | Op::ImageSampleProjExplicitLod
            | Op::ImageSampleProjDrefImplicitLod
            | Op::ImageSampleProjDrefExplicitLod
            | Op::ImageSparseSampleProjImplicitLod
            | Op::ImageSparseSampleProjExplicitLod
            | Op::ImageSparseSampleProjDrefImplicitLod
            | Op::ImageSparseSampleProjDrefExplicitLod
    );
    let is_arrayed = arrayed != 0 && op != Op::ImageQueryLod;
    Some([component, format_components(format), axes + u32::from(is_arrayed) + u32::from(is_projected)])
}

/// The number of components of an image format (SPIR-V section 3.2.11); four if it is unknown.
fn format_components(format: Option<ImageFormat>) -> u32 {
    use ImageFormat as F;
    match format {
        Some(
            F::R32f
            | F::R16f
            | F::R16
            | F::R8
            | F::R16Snorm
            | F::R8Snorm
            | F::R32i
            | F::R16i
            | F::R8i
            | F::R32ui
            | F::R16ui
            | F::R8ui
            | F::R64ui
            | F::R64i,
        ) => 1,
        Some(
            F::Rg32f
            | F::Rg16f
            | F::Rg16
            | F::Rg8
            | F::Rg16Snorm
            | F::Rg8Snorm
            | F::Rg32i
            | F::Rg16i
            | F::Rg8i
            | F::Rg32ui
            | F::Rg16ui
            | F::Rg8ui,
        ) => 2,
        Some(F::R11fG11fB10f) => 3,
        _ => 4,
    }
}
