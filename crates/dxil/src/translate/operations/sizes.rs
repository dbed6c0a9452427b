//! Sizes of textures and buffers, and levels of detail.

use reconverge_diagnostic::Diagnostic;
use spirv::{Capability, Dim};

use reconverge_ir::Op;

use super::images::{sampled_image, vector};
use super::{Call, derivatives};
use crate::error::AssumptionCode;
use crate::translate::function::{Body, Members, Translated};
use crate::translate::handles::Handle;
use crate::translate::numbers::Number;
use crate::translate::resources::{Image, Storage};

/// Sizes in texels, and the number of levels or samples; of buffers, the number of elements.
pub(super) fn dimensions(body: &mut Body<'_, '_>, call: &Call<'_>) -> Result<Translated, Diagnostic> {
    let handle = call.handle(body, 0);
    match body.bound(handle).storage {
        Storage::Image(image) => image_dimensions(body, call, handle, image),
        Storage::Numbers { element, stride, columns } => {
            // A structured buffer counts structs, a raw one bytes.
            let (ty, member) = (body.shader.int_type(32), body.shader.build.editor().word(0));
            let resource = body.resource_variable_address(handle)?;
            let length = body.emit(Op::ArrayLength, ty, &[resource, member]);
            let size = columns * element.width / 8;
            let length = match stride {
                0 => {
                    let size = body.shader.u32(size);
                    body.emit(Op::IMul, ty, &[length, size])
                }
                _ if stride == size => length,
                _ => {
                    let per_struct = body.shader.u32((stride / size).max(1));
                    body.emit(Op::UDiv, ty, &[length, per_struct])
                }
            };
            let stride = body.shader.u32(stride);
            Ok(Translated::members(&[length, stride, stride, stride]))
        }
        _ => Err(body.invalid("expected a texture or buffer as the resource of the operation GetDimensions")),
    }
}

fn image_dimensions(
    body: &mut Body<'_, '_>,
    call: &Call<'_>,
    handle: Handle,
    image: Image,
) -> Result<Translated, Diagnostic> {
    body.shader.need(Capability::ImageQuery);
    let texture = body.load_resource(handle)?;
    // A cube has two sizes, and its sides are no third one.
    let sizes = if image.dimension == Dim::DimCube { 2 } else { image.extents() } + usize::from(image.is_array);
    let (ty, scalar) = (body.shader.numbers_type(Number::U32, sizes as u32), body.shader.int_type(32));
    let has_levels = !image.is_storage && !image.is_multisampled && image.dimension != Dim::DimBuffer;
    let size = match has_levels {
        true => {
            let level = match body.is_undefined(call.arguments[1]) {
                true => body.shader.u32(0),
                false => body.value(call.arguments[1])?,
            };
            body.emit(Op::ImageQuerySizeLod, ty, &[texture, level])
        }
        false => body.emit(Op::ImageQuerySize, ty, &[texture]),
    };
    let mut members = Members::from_elem(None, 4);
    for (index, member) in members.iter_mut().enumerate().take(sizes) {
        *member = Some(if sizes == 1 { size } else { body.component(scalar, size, index as u32) });
    }
    let undefined = body.shader.undef(scalar);
    if body.uses_member(call.result(), 3) {
        members[3] = Some(match (has_levels, image.is_multisampled) {
            (true, _) => body.emit(Op::ImageQueryLevels, scalar, &[texture]),
            (_, true) => body.emit(Op::ImageQuerySamples, scalar, &[texture]),
            _ => undefined,
        });
    }
    for member in &mut members {
        member.get_or_insert(undefined);
    }
    Ok(Translated::Members(members))
}

/// The level that a sample would use: as it is, or limited to those that exist.
pub(super) fn level_of_detail(body: &mut Body<'_, '_>, call: &Call<'_>) -> Result<Translated, Diagnostic> {
    derivatives::check_stage(body, call)?;
    body.shader.need(Capability::ImageQuery);
    let (joined, image) = sampled_image(body, call)?;
    let coordinate = vector(body, Number::F32, &call.arguments[2..2 + image.extents()])?;
    let (pair, ty) = (body.shader.numbers_type(Number::F32, 2), body.shader.number_type(Number::F32));
    let levels = body.emit(Op::ImageQueryLod, pair, &[joined, coordinate]);
    // The first component is the level that is accessed, the second the one that is computed.
    let index = match body.known_integer(call.arguments[5]) {
        Some(0) => 1,
        Some(_) => 0,
        None => return Err(body.invalid("expected a constant that says whether the level is limited")),
    };
    Ok(Translated::Value(body.component(ty, levels, index)))
}

/// Computes whether all texels of an access are in memory: without sparse resources they are.
pub(super) fn is_mapped(body: &mut Body<'_, '_>, _: &Call<'_>) -> Result<Translated, Diagnostic> {
    body.shader.assume(
        AssumptionCode::Resident,
        "all parts of textures and buffers are in memory; CheckAccessFullyMapped is true",
    );
    Ok(Translated::Value(body.shader.build.constant_bool(true)))
}
