//! Image operations (SPIR-V section 3.3.10): reads from the caller's images, and writes into them.
//!
//! Descriptors are read from variables that contain them, by the address of a pointer. An operation with undefined coordinates has an
//! undefined result; a write or a texel pointer with such coordinates is a use of an undefined address. Extra components of coordinates are
//! ignored.
//!
//! An operation with an implicit level of detail is executed for a whole quad, since the level depends on the differences of the
//! coordinates in it; if one of its lanes is missing, or a difference is undefined, so is the result. `image.rs` has the operations of a
//! lane, `sampling.rs` those of a quad.
//!
//! The decoder adds three words before an instruction's own literals: the component type of a texel, the number of components of the image
//! format, and the number of used components of a coordinate.

use reconverge_ir::{Inst, Op, view};
use spirv::{Dim, ImageFormat, ImageOperands};

use crate::decode::Decoder;
use crate::decode::code::{Action, Instruction};
use crate::images::Bindings;
use crate::images::texels::TexelPlace;
use crate::lanes::frame::Lane;
use crate::launch::outcome::{Fault, UndefinedBehaviour};
use crate::memory::Memory;
use crate::types::{DESCRIPTOR_SIZE, NO_TYPE, TypeId, TypeKind, TypeTable};
use crate::value::Owner;
use crate::{Descriptor, ImageCall, Images, Resource, Value};

/// The number of words that the decoder adds.
const HEADER: usize = 3;

/// The action of an op of the image class.
pub(crate) fn action(decoder: &mut Decoder<'_>, inst: Inst, op: Op) -> Result<Action, Fault> {
    if !matches!(op, Op::SampledImage | Op::Image | Op::ImageSparseTexelsResident) {
        let header = header(decoder, inst, op);
        decoder.literals(&header.ok_or_else(|| Fault::operands(op))?);
    }
    decoder.all_values(inst)?;
    Ok(if is_implicit(op) { Action::Group(op) } else { Action::Image(op) })
}

/// Whether an operation is one of a quad.
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

/// The number of operands of an op between the image and the image operands; `None` for an op that does not access an image.
fn fixed_operands(op: Op) -> Option<usize> {
    Some(match op {
        Op::ImageQueryFormat
        | Op::ImageQueryOrder
        | Op::ImageQuerySize
        | Op::ImageQueryLevels
        | Op::ImageQuerySamples => 0,
        Op::ImageSampleDrefImplicitLod
        | Op::ImageSampleDrefExplicitLod
        | Op::ImageSampleProjDrefImplicitLod
        | Op::ImageSampleProjDrefExplicitLod
        | Op::ImageSparseSampleDrefImplicitLod
        | Op::ImageSparseSampleDrefExplicitLod
        | Op::ImageSparseSampleProjDrefImplicitLod
        | Op::ImageSparseSampleProjDrefExplicitLod
        | Op::ImageGather
        | Op::ImageDrefGather
        | Op::ImageSparseGather
        | Op::ImageSparseDrefGather
        | Op::ImageWrite => 2,
        Op::SampledImage | Op::Image | Op::ImageSparseTexelsResident => return None,
        _ => 1,
    })
}

/// An image operation with its operands.
pub(super) struct Request<'a> {
    pub(crate) op: Op,
    /// The type of the result.
    pub(crate) ty: TypeId,
    pub(crate) types: &'a TypeTable,
    pub(crate) descriptor: Descriptor,
    /// The type of a component of a texel.
    pub(crate) component: TypeId,
    /// The number of components of the format.
    pub(crate) kept: usize,
    /// The operands between the image and the image operands, with coordinates truncated to the used components.
    pub(crate) operands: Vec<Value>,
    mask: ImageOperands,
    image_operands: &'a [Value],
}

impl<'a> Request<'a> {
    pub(crate) fn new(
        op: Op,
        ty: TypeId,
        types: &'a TypeTable,
        literals: &[u32],
        operands: &'a [Value],
    ) -> Result<Request<'a>, Fault> {
        let wrong = || Fault::operands(op);
        let &[component, kept, coordinates, ref mask @ ..] = literals else { return Err(wrong()) };
        let fixed = fixed_operands(op).ok_or_else(wrong)?;
        let (image, rest) = operands.split_first().ok_or_else(wrong)?;
        let descriptor = match image {
            Value::Descriptor(descriptor) => *descriptor,
            Value::Undefined => return Err(UndefinedBehaviour::UndefinedAddress.into()),
            _ => return Err(wrong()),
        };
        let (before, image_operands) = rest.split_at_checked(fixed).ok_or_else(wrong)?;
        let mut before = before.to_vec();
        if let Some(coordinate) = before.first_mut().filter(|_| op != Op::ImageQuerySizeLod) {
            *coordinate = cut(coordinate, coordinates as usize);
        }
        let mask = ImageOperands::from_bits_retain(mask.first().copied().unwrap_or(0));
        let kept = kept as usize;
        Ok(Request { op, ty, types, descriptor, component, kept, operands: before, mask, image_operands })
    }

    /// Executes the operation on the images.
    pub(crate) fn ask(
        &self,
        images: &Images,
        bindings: &Bindings,
        gradients: Option<[&Value; 2]>,
    ) -> Result<Value, Fault> {
        let mut all = self.operands.iter().chain(self.image_operands).chain(gradients.into_iter().flatten());
        if all.any(is_partly_undefined) {
            return Ok(Value::Undefined);
        }
        let zero = self.types.null(self.ty)?;
        let call = ImageCall {
            op: self.op,
            image: self.descriptor.resource,
            sampler: is_sampling(self.op).then_some(self.descriptor.sampler),
            operands: &self.operands,
            mask: self.mask.bits(),
            image_operands: self.image_operands,
            gradients,
            zero: &zero,
            bindings,
        };
        let answer = images.answer(&call).map_err(|message| Fault::Refused(Box::new(message.into())))?;
        match self.types.fits(self.ty, &answer) {
            true => Ok(answer),
            false => Err(Fault::Refused(Box::new("the texel of an image does not have the type of the result".into()))),
        }
    }

    /// The texel at the coordinates; `None` if they are undefined.
    fn place(&self) -> Option<TexelPlace> {
        // A gradient is two operands; every other image operand before the sample is one.
        let before = self.mask.bits() & (ImageOperands::SAMPLE.bits() - 1);
        let below = before.count_ones() + u32::from(self.mask.contains(ImageOperands::GRAD));
        let sample = match self.mask.contains(ImageOperands::SAMPLE) {
            false => 0,
            true => self.image_operands.get(below as usize)?.as_u32()?,
        };
        TexelPlace::new(self.descriptor.resource, self.operands.first()?, sample)
    }
}

/// Executes an image operation of a lane. Returns the result, if it has one.
pub(crate) fn execute(
    memory: &mut Memory,
    lane: &Lane<'_>,
    instruction: &Instruction,
    op: Op,
) -> Result<Option<Value>, Fault> {
    let operands: Vec<Value> = lane
        .operands(instruction.operands)
        .iter()
        .map(|&operand| lane.read(operand).cloned())
        .collect::<Result<_, Fault>>()?;
    match (op, &operands[..]) {
        (Op::SampledImage, [image, sampler]) => return combined(image, sampler).map(Some),
        (Op::Image, [image]) => return parted(image).map(Some),
        (Op::ImageSparseTexelsResident, [code]) => {
            return Ok(Some(code.as_u64().map_or(Value::Undefined, |code| Value::Bool(code == 0))));
        }
        _ => {}
    }
    let (types, program) = (&lane.program.types, lane.program);
    let literals = &lane.frame.code.literals[instruction.literals.range()];
    if op == Op::ImageTexelPointer {
        return texel_pointer(memory, lane, literals, &operands).map(Some);
    }
    let request = Request::new(op, instruction.ty, types, literals, &operands)?;
    let images = memory.images.as_ref().ok_or_else(|| Fault::op(op))?;
    match op {
        Op::ImageWrite if lane.is_helper => Ok(None),
        Op::ImageWrite => {
            let place = request.place().ok_or(UndefinedBehaviour::UndefinedAddress)?;
            let texel = request.operands.get(1).ok_or_else(|| Fault::operands(op))?;
            memory.write_texel(program, place, &request, texel).map(|()| None)
        }
        Op::ImageRead | Op::ImageSparseRead => {
            let known = request.place().and_then(|place| memory.read_texel(types, &place));
            match known {
                Some(components) => read(&request, &components?).map(Some),
                None => request.ask(&images.source, &images.bindings, None).map(Some),
            }
        }
        _ => request.ask(&images.source, &images.bindings, None).map(Some),
    }
}

/// A pointer to a texel, which contains the result of a read.
fn texel_pointer(memory: &mut Memory, lane: &Lane<'_>, literals: &[u32], operands: &[Value]) -> Result<Value, Fault> {
    let op = Op::ImageTexelPointer;
    let [image, coordinates, sample] = operands else { return Err(Fault::operands(op)) };
    let read = [Value::Descriptor(descriptor_at(memory, lane, image)?), coordinates.clone()];
    let ty = literals.first().copied().unwrap_or(NO_TYPE);
    let request = Request::new(Op::ImageRead, ty, &lane.program.types, literals, &read)?;
    let images = memory.images.as_ref().ok_or_else(|| Fault::op(op))?;
    let place =
        sample.as_u32().and_then(|sample| TexelPlace::new(request.descriptor.resource, &request.operands[0], sample));
    let place = place.ok_or(UndefinedBehaviour::UndefinedAddress)?;
    let pointer = match images.pointer(&place) {
        Some(pointer) => pointer,
        None => {
            let first = request.ask(&images.source, &images.bindings, None)?;
            memory.make_texel(lane.program, place, ty, &first)?
        }
    };
    Ok(Value::Pointer(pointer))
}

/// The descriptor at the address of a pointer.
pub(crate) fn descriptor_at(memory: &Memory, lane: &Lane<'_>, pointer: &Value) -> Result<Descriptor, Fault> {
    let pointer = crate::memory::access::address(lane, pointer)?;
    let program = lane.program;
    let (ty, variable) = match pointer.owner {
        Owner::Shared => program.shared_variable(pointer.object).ok_or(UndefinedBehaviour::OutOfBounds)?,
        Owner::Nobody => return Err(UndefinedBehaviour::NullAddress.into()),
        _ => return Err(Fault::unsupported("images and samplers in memory that the program writes")),
    };
    let offset = u64::try_from(pointer.offset).map_err(|_| UndefinedBehaviour::OutOfBounds)?;
    if !matches!(program.types.kind(ty), Some(TypeKind::RuntimeArray { .. })) {
        memory.locate(pointer, DESCRIPTOR_SIZE)?;
    }
    let index = u32::try_from(offset / DESCRIPTOR_SIZE).map_err(|_| UndefinedBehaviour::OutOfBounds)?;
    Ok(Descriptor::new(Resource { variable, index }))
}

/// An image with a sampler.
fn combined(image: &Value, sampler: &Value) -> Result<Value, Fault> {
    match (image, sampler) {
        (Value::Descriptor(image), Value::Descriptor(sampler)) => {
            Ok(Value::Descriptor(Descriptor { resource: image.resource, sampler: sampler.resource }))
        }
        (Value::Undefined, _) | (_, Value::Undefined) => Ok(Value::Undefined),
        _ => Err(Fault::operands(Op::SampledImage)),
    }
}

/// The image of a sampled image.
fn parted(image: &Value) -> Result<Value, Fault> {
    match image {
        Value::Descriptor(descriptor) => Ok(Value::Descriptor(Descriptor::new(descriptor.resource))),
        Value::Undefined => Ok(Value::Undefined),
        _ => Err(Fault::operands(Op::Image)),
    }
}

fn is_sampling(op: Op) -> bool {
    !matches!(
        op,
        Op::ImageFetch
            | Op::ImageRead
            | Op::ImageWrite
            | Op::ImageSparseFetch
            | Op::ImageSparseRead
            | Op::ImageQueryFormat
            | Op::ImageQueryOrder
            | Op::ImageQuerySizeLod
            | Op::ImageQuerySize
            | Op::ImageQueryLevels
            | Op::ImageQuerySamples
    )
}

/// The first components of a coordinate; a scalar if one is used.
fn cut(coordinate: &Value, count: usize) -> Value {
    match coordinate {
        Value::Composite(components) if count == 1 => components.first().cloned().unwrap_or(Value::Undefined),
        Value::Composite(components) if components.len() > count => Value::composite(components[..count].to_vec()),
        whole => whole.clone(),
    }
}

/// A written texel, as the result of a read; the residency code of a sparse read is "resident".
fn read(request: &Request<'_>, components: &[Value]) -> Result<Value, Fault> {
    if request.op == Op::ImageRead {
        return padded(request, request.ty, components);
    }
    let wrong = || Fault::operands(request.op);
    let member = |index| request.types.element(request.ty, index).map(|(ty, _)| ty).ok_or_else(wrong);
    Ok(Value::composite(vec![request.types.null(member(0)?)?, padded(request, member(1)?, components)?]))
}

/// Components of a texel as a value of a type: missing components are 0, except the fourth, which is 1.
fn padded(request: &Request<'_>, ty: TypeId, components: &[Value]) -> Result<Value, Fault> {
    let one = match request.types.kind(request.component) {
        Some(&TypeKind::Float(width)) => Value::float(width, 1.0),
        Some(&TypeKind::Int(width)) => Value::int(width, 1),
        _ => return Err(Fault::operands(request.op)),
    };
    let zero = request.types.null(request.component)?;
    let component = |index: usize| match components.get(index) {
        Some(component) => component.clone(),
        None if index == 3 => one.clone(),
        None => zero.clone(),
    };
    match request.types.kind(ty) {
        Some(&TypeKind::Sequence { count, .. }) => Ok(Value::composite((0..count as usize).map(component).collect())),
        _ => Ok(component(0)),
    }
}

/// The depth of the recursion is that of the type.
fn is_partly_undefined(value: &Value) -> bool {
    match value {
        Value::Undefined => true,
        Value::Composite(elements) => elements.iter().any(is_partly_undefined),
        _ => false,
    }
}
