//! Textures and typed buffers: samples, texels, sizes.
//!
//! Coordinates come one by one and become a vector; the layer of an array follows them, as a float for samples. A texture and a sampler are
//! joined where they are used. Offsets that are constants are operands of the access; others are only possible in gathers.

use reconverge_diagnostic::Diagnostic;
use reconverge_ir::{Inst, Op, Signedness};
use spirv::{Capability, Dim, ImageOperands, StorageClass};

use super::{Call, derivatives};
use crate::module::{Constant, ValueId};
use crate::translate::function::{Body, Members, Translated};
use crate::translate::handles::Handle;
use crate::translate::numbers::{Kind, Number};
use crate::translate::resources::{Image, Storage};

/// Optional operands of an access.
#[derive(Default)]
struct Operands {
    mask: u32,
    values: Vec<Inst>,
}

impl Operands {
    /// Adds an operand; the bits have to come from the lowest on.
    fn add(&mut self, operand: ImageOperands, values: &[Inst]) {
        self.mask |= operand.bits();
        self.values.extend(values);
    }

    fn append(&self, body: &mut Body<'_, '_>, operands: &mut Vec<Inst>) {
        if self.mask != 0 {
            operands.push(body.shader.build.editor().word(self.mask));
            operands.extend(&self.values);
        }
    }
}

fn image_of(body: &Body<'_, '_>, call: &Call<'_>, handle: Handle) -> Result<Image, Diagnostic> {
    match body.bound(handle).storage {
        Storage::Image(image) => Ok(image),
        _ => Err(body.invalid(format!("expected a texture as the resource of the operation {}", call.row.name))),
    }
}

impl Image {
    /// The type of a texel.
    fn texel_type(&self, body: &mut Body<'_, '_>) -> Inst {
        body.shader.component_type(self.component, self.signedness, 4)
    }
}

/// A texture with a sampler.
pub(super) fn sampled_image(body: &mut Body<'_, '_>, call: &Call<'_>) -> Result<(Inst, Image), Diagnostic> {
    let (texture, sampler) = (call.handle(body, 0), call.handle(body, 1));
    let image = image_of(body, call, texture)?;
    let is_sampler = matches!(body.bound(sampler).storage, Storage::Sampler);
    if image.is_storage || image.is_multisampled || image.dimension == Dim::DimBuffer || !is_sampler {
        return Err(body.invalid(format!("expected a texture and a sampler for the operation {}", call.row.name)));
    }
    let (texture_inst, sampler_inst) = (body.load_resource(texture)?, body.load_resource(sampler)?);
    let ty = body.shader.build.emit(Op::TypeSampledImage, None, &[image.ty]);
    let joined = body.emit(Op::SampledImage, ty, &[texture_inst, sampler_inst]);
    body.mark_nonuniform(joined, texture);
    body.mark_nonuniform(joined, sampler);
    Ok((joined, image))
}

/// A vector of the first of some arguments.
pub(super) fn vector(body: &mut Body<'_, '_>, number: Number, arguments: &[ValueId]) -> Result<Inst, Diagnostic> {
    let values = arguments.iter().map(|&argument| body.value(argument)).collect::<Result<Vec<_>, _>>()?;
    Ok(body.gathered(number, &values))
}

pub(super) fn sample(body: &mut Body<'_, '_>, call: &Call<'_>) -> Result<Translated, Diagnostic> {
    derivatives::check_stage(body, call)?;
    let mut operands = Operands::default();
    offsets(body, call, 6, &mut operands)?;
    clamp(body, call, 9, &mut operands)?;
    sample_by(body, call, Op::ImageSampleImplicitLod, None, &operands)
}

pub(super) fn sample_bias(body: &mut Body<'_, '_>, call: &Call<'_>) -> Result<Translated, Diagnostic> {
    derivatives::check_stage(body, call)?;
    let mut operands = Operands::default();
    let bias = body.value(call.arguments[9])?;
    operands.add(ImageOperands::BIAS, &[bias]);
    offsets(body, call, 6, &mut operands)?;
    clamp(body, call, 10, &mut operands)?;
    sample_by(body, call, Op::ImageSampleImplicitLod, None, &operands)
}

pub(super) fn sample_level(body: &mut Body<'_, '_>, call: &Call<'_>) -> Result<Translated, Diagnostic> {
    let mut operands = Operands::default();
    let level = body.value(call.arguments[9])?;
    operands.add(ImageOperands::LOD, &[level]);
    offsets(body, call, 6, &mut operands)?;
    sample_by(body, call, Op::ImageSampleExplicitLod, None, &operands)
}

pub(super) fn sample_gradient(body: &mut Body<'_, '_>, call: &Call<'_>) -> Result<Translated, Diagnostic> {
    let image = image_of(body, call, call.handle(body, 0))?;
    let extents = image.extents();
    let mut operands = Operands::default();
    let dx = vector(body, Number::F32, &call.arguments[9..9 + extents])?;
    let dy = vector(body, Number::F32, &call.arguments[12..12 + extents])?;
    operands.add(ImageOperands::GRAD, &[dx, dy]);
    offsets(body, call, 6, &mut operands)?;
    clamp(body, call, 15, &mut operands)?;
    sample_by(body, call, Op::ImageSampleExplicitLod, None, &operands)
}

pub(super) fn sample_compare(body: &mut Body<'_, '_>, call: &Call<'_>) -> Result<Translated, Diagnostic> {
    derivatives::check_stage(body, call)?;
    let mut operands = Operands::default();
    offsets(body, call, 6, &mut operands)?;
    clamp(body, call, 10, &mut operands)?;
    let reference = body.value(call.arguments[9])?;
    sample_by(body, call, Op::ImageSampleDrefImplicitLod, Some(reference), &operands)
}

pub(super) fn sample_compare_level_zero(body: &mut Body<'_, '_>, call: &Call<'_>) -> Result<Translated, Diagnostic> {
    let mut operands = Operands::default();
    let level = body.shader.f32(0.0);
    operands.add(ImageOperands::LOD, &[level]);
    offsets(body, call, 6, &mut operands)?;
    let reference = body.value(call.arguments[9])?;
    sample_by(body, call, Op::ImageSampleDrefExplicitLod, Some(reference), &operands)
}

fn sample_by(
    body: &mut Body<'_, '_>,
    call: &Call<'_>,
    op: Op,
    reference: Option<Inst>,
    optional: &Operands,
) -> Result<Translated, Diagnostic> {
    let (joined, image) = sampled_image(body, call)?;
    let coordinate = vector(body, Number::F32, &call.arguments[2..2 + image.coordinates()])?;
    let mut operands = vec![joined, coordinate];
    if reference.is_some() {
        check_compared(body, call, image)?;
    }
    operands.extend(reference);
    optional.append(body, &mut operands);
    match reference {
        None => {
            let texel = image.texel_type(body);
            let texel = body.emit(op, texel, &operands);
            components(body, call, image, texel)
        }
        Some(_) => {
            // A comparison gives one number, which all components have.
            let ty = body.shader.number_type(Number::F32);
            let number = body.emit(op, ty, &operands);
            let number = converted(body, Number::F32, call.overload, number);
            let mut members = Members::from_elem(Some(number), 5);
            members[4] = Some(body.shader.u32(0));
            Ok(Translated::Members(members))
        }
    }
}

/// Depths are floats.
fn check_compared(body: &Body<'_, '_>, call: &Call<'_>, image: Image) -> Result<(), Diagnostic> {
    match image.component == Number::F32 {
        true => Ok(()),
        false => Err(body.invalid(format!("expected a texture of floats for the operation {}", call.row.name))),
    }
}

/// The components of a texel that something uses, as the operation returns them.
fn components(body: &mut Body<'_, '_>, call: &Call<'_>, image: Image, texel: Inst) -> Result<Translated, Diagnostic> {
    let ty = body.shader.component_type(image.component, image.signedness, 1);
    let mut members = Members::from_elem(None, 5);
    for index in 0..4 {
        if body.uses_member(call.result(), index) {
            let component = body.component(ty, texel, index as u32);
            members[index] = Some(converted(body, image.component, call.overload, component));
        }
    }
    members[4] = Some(body.shader.u32(0));
    Ok(Translated::Members(members))
}

/// A component as the number that the operation says.
fn converted(body: &mut Body<'_, '_>, from: Number, to: Number, value: Inst) -> Inst {
    let ty = body.shader.number_type(to);
    converted_to(body, [from, to], ty, value)
}

fn converted_to(body: &mut Body<'_, '_>, [from, to]: [Number; 2], ty: Inst, value: Inst) -> Inst {
    if body.shader.build.module().ty(value) == Some(ty) {
        body.relax_number(value, to);
        return value;
    }
    let op = match (from.kind, to.kind) {
        (Kind::Float, Kind::Float) => Op::FConvert,
        (Kind::Int, Kind::Int) if from.represented < to.represented => widening(body, ty),
        (Kind::Int, Kind::Int) if from.represented > to.represented => Op::UConvert,
        _ => Op::Bitcast,
    };
    body.emit(op, ty, &[value])
}

/// The conversion of an integer to a wider one of a type.
fn widening(body: &Body<'_, '_>, ty: Inst) -> Op {
    let module = body.shader.build.module();
    match module.type_view(ty) {
        Some(reconverge_ir::view::TypeView::Int { is_signed: true, .. }) => Op::SConvert,
        _ => Op::UConvert,
    }
}

/// The offset in texels that three arguments say, if it is not zero.
fn offsets(body: &mut Body<'_, '_>, call: &Call<'_>, first: usize, operands: &mut Operands) -> Result<(), Diagnostic> {
    let image = image_of(body, call, call.handle(body, 0))?;
    if image.dimension == Dim::DimCube {
        return Ok(());
    }
    let arguments = &call.arguments[first..first + image.extents()];
    let Some(offset) = constant_offset(body, arguments) else {
        return Err(body.unsupported("offsets that are no constants are supported in gathers alone"));
    };
    if offset.iter().any(|&texels| texels != 0) {
        let values: Vec<Inst> = offset.iter().map(|&texels| body.shader.i32(texels)).collect();
        let offset = signed_vector(body, &values);
        operands.add(ImageOperands::CONST_OFFSET, &[offset]);
    }
    Ok(())
}

fn constant_offset(body: &Body<'_, '_>, arguments: &[ValueId]) -> Option<Vec<i32>> {
    let texels = |&argument: &ValueId| match body.shader.dxil.constant(body.function, argument) {
        Some(Constant::Undef) => Some(0),
        Some(Constant::Integer(bits)) => Some(*bits as u32 as i32),
        _ => None,
    };
    arguments.iter().map(texels).collect()
}

fn signed_vector(body: &mut Body<'_, '_>, values: &[Inst]) -> Inst {
    let scalar = body.shader.build.int_type_of(32, Signedness::Signed);
    match values {
        [only] => *only,
        _ => {
            let ty = body.shader.vector_type(scalar, values.len() as u32);
            body.shader.build.emit(Op::ConstantComposite, Some(ty), values)
        }
    }
}

/// The lowest level of detail, if the argument says one.
fn clamp(body: &mut Body<'_, '_>, call: &Call<'_>, argument: usize, operands: &mut Operands) -> Result<(), Diagnostic> {
    let value = call.arguments[argument];
    let is_zero = matches!(body.shader.dxil.constant(body.function, value), Some(Constant::Float(0)));
    if is_zero || body.is_undefined(value) {
        return Ok(());
    }
    body.shader.need(Capability::MinLod);
    let level = body.value(value)?;
    operands.add(ImageOperands::MIN_LOD, &[level]);
    Ok(())
}

pub(super) fn gather(body: &mut Body<'_, '_>, call: &Call<'_>) -> Result<Translated, Diagnostic> {
    let (joined, image) = sampled_image(body, call)?;
    let coordinate = vector(body, Number::F32, &call.arguments[2..2 + image.coordinates()])?;
    let channel = body.value(call.arguments[8])?;
    let mut operands = vec![joined, coordinate, channel];
    gather_offset(body, call, image)?.append(body, &mut operands);
    let texel = image.texel_type(body);
    let texel = body.emit(Op::ImageGather, texel, &operands);
    components(body, call, image, texel)
}

pub(super) fn gather_compare(body: &mut Body<'_, '_>, call: &Call<'_>) -> Result<Translated, Diagnostic> {
    let (joined, image) = sampled_image(body, call)?;
    check_compared(body, call, image)?;
    let coordinate = vector(body, Number::F32, &call.arguments[2..2 + image.coordinates()])?;
    let reference = body.value(call.arguments[9])?;
    let mut operands = vec![joined, coordinate, reference];
    gather_offset(body, call, image)?.append(body, &mut operands);
    let texel = body.shader.numbers_type(Number::F32, 4);
    let texel = body.emit(Op::ImageDrefGather, texel, &operands);
    components(body, call, image, texel)
}

/// The offset of a gather, which may differ from lane to lane.
fn gather_offset(body: &mut Body<'_, '_>, call: &Call<'_>, image: Image) -> Result<Operands, Diagnostic> {
    if !matches!(image.dimension, Dim::Dim2D | Dim::DimCube) {
        return Err(body.invalid(format!("expected a texture with two dimensions for the operation {}", call.row.name)));
    }
    let mut operands = Operands::default();
    if image.dimension == Dim::DimCube {
        return Ok(operands);
    }
    let arguments = &call.arguments[6..8];
    match constant_offset(body, arguments) {
        Some(offset) if offset.iter().all(|&texels| texels == 0) => {}
        Some(offset) => {
            let values: Vec<Inst> = offset.iter().map(|&texels| body.shader.i32(texels)).collect();
            let offset = signed_vector(body, &values);
            operands.add(ImageOperands::CONST_OFFSET, &[offset]);
        }
        None => {
            body.shader.need(Capability::ImageGatherExtended);
            let offset = vector(body, Number::U32, arguments)?;
            operands.add(ImageOperands::OFFSET, &[offset]);
        }
    }
    Ok(operands)
}

/// A texel by its coordinates, of a level or sample.
pub(super) fn load(body: &mut Body<'_, '_>, call: &Call<'_>) -> Result<Translated, Diagnostic> {
    let handle = call.handle(body, 0);
    let image = image_of(body, call, handle)?;
    if image.dimension == Dim::DimCube || image.dimension == Dim::DimBuffer {
        return Err(body.invalid("expected a texture that is no cube as the resource of the operation TextureLoad"));
    }
    let texture = body.load_resource(handle)?;
    let coordinate = vector(body, Number::U32, &call.arguments[2..2 + image.coordinates()])?;
    let mut operands = vec![texture, coordinate];
    let mut optional = Operands::default();
    let selects_level = !image.is_storage && !image.is_multisampled;
    if selects_level {
        let level = match body.is_undefined(call.arguments[1]) {
            true => body.shader.u32(0),
            false => body.value(call.arguments[1])?,
        };
        optional.add(ImageOperands::LOD, &[level]);
        offsets(body, call, 5, &mut optional)?;
    } else if !image.is_storage {
        offsets(body, call, 5, &mut optional)?;
    }
    if image.is_multisampled {
        let sample = body.value(call.arguments[1])?;
        optional.add(ImageOperands::SAMPLE, &[sample]);
    }
    optional.append(body, &mut operands);
    let op = if image.is_storage { Op::ImageRead } else { Op::ImageFetch };
    let texel = image.texel_type(body);
    let texel = body.emit(op, texel, &operands);
    body.mark_nonuniform(texel, handle);
    components(body, call, image, texel)
}

/// An element of a typed buffer.
pub(super) fn read_texel(
    body: &mut Body<'_, '_>,
    call: &Call<'_>,
    handle: Handle,
    image: Image,
) -> Result<Translated, Diagnostic> {
    check_buffer(body, call, image)?;
    let texture = body.load_resource(handle)?;
    let index = body.value(call.arguments[1])?;
    let op = if image.is_storage { Op::ImageRead } else { Op::ImageFetch };
    let texel = image.texel_type(body);
    let texel = body.emit(op, texel, &[texture, index]);
    components(body, call, image, texel)
}

pub(super) fn store(body: &mut Body<'_, '_>, call: &Call<'_>) -> Result<Translated, Diagnostic> {
    let handle = call.handle(body, 0);
    let image = image_of(body, call, handle)?;
    let coordinate = vector(body, Number::U32, &call.arguments[1..1 + image.coordinates()])?;
    write(body, call, (handle, image), coordinate, 4)
}

fn check_buffer(body: &Body<'_, '_>, call: &Call<'_>, image: Image) -> Result<(), Diagnostic> {
    match image.dimension == Dim::DimBuffer {
        true => Ok(()),
        false => Err(body.invalid(format!("expected a buffer as the resource of the operation {}", call.row.name))),
    }
}

/// Writes an element of a typed buffer.
pub(super) fn write_texel(
    body: &mut Body<'_, '_>,
    call: &Call<'_>,
    handle: Handle,
    image: Image,
) -> Result<Translated, Diagnostic> {
    check_buffer(body, call, image)?;
    let index = body.value(call.arguments[1])?;
    write(body, call, (handle, image), index, 3)
}

fn write(
    body: &mut Body<'_, '_>,
    call: &Call<'_>,
    (handle, image): (Handle, Image),
    coordinate: Inst,
    first: usize,
) -> Result<Translated, Diagnostic> {
    if !image.is_storage {
        return Err(body.invalid(format!("expected a resource that is written for the operation {}", call.row.name)));
    }
    let texture = body.load_resource(handle)?;
    let mut values = Vec::with_capacity(4);
    for &argument in &call.arguments[first..first + 4] {
        let value = body.value(argument)?;
        let ty = body.shader.component_type(image.component, image.signedness, 1);
        // A number of 16 bits is extended by its sign, if it has one.
        let value = if image.signedness == Signedness::Signed { body.signed(argument)? } else { value };
        values.push(converted_to(body, [call.overload, image.component], ty, value));
    }
    let ty = image.texel_type(body);
    let texel = body.emit(Op::CompositeConstruct, ty, &values);
    body.effect(Op::ImageWrite, &[texture, coordinate, texel]);
    Ok(Translated::Nothing)
}

/// The address of a texel, for an atomic operation. The coordinates are arguments 1 to 3.
pub(super) fn texel_address(
    body: &mut Body<'_, '_>,
    call: &Call<'_>,
    handle: Handle,
    image: Image,
) -> Result<Inst, Diagnostic> {
    if !image.is_storage || image.component != Number::U32 {
        return Err(body.unsupported(
            "atomic operations on textures and typed buffers of other elements than integers are not supported",
        ));
    }
    if call.overload.width != 32 {
        return Err(body.unsupported("atomic operations of 64 bits on textures and typed buffers are not supported"));
    }
    let variable = body.resource_variable_address(handle)?;
    let ty = body.shader.component_type(image.component, image.signedness, 1);
    let pointer = body.shader.pointer_type(StorageClass::Image, ty);
    let coordinate = vector(body, Number::U32, &call.arguments[1..1 + image.coordinates()])?;
    let sample = body.shader.u32(0);
    Ok(body.emit(Op::ImageTexelPointer, pointer, &[variable, coordinate, sample]))
}
