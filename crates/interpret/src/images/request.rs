//! An image operation with its operands, and the question to the caller's images.
//!
//! An operation with undefined coordinates has an undefined result. Extra components of coordinates are ignored.

use reconverge_ir::Op;
use spirv::ImageOperands;

use crate::code::program::Bindings;
use crate::fault::{Fault, UndefinedBehaviour};
use crate::images::texels::TexelPlace;
use crate::types::{TypeId, TypeKind, TypeTable};
use crate::{Descriptor, ImageCall, Images, Value};

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
pub(crate) struct Request<'a> {
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
    pub(crate) mask: ImageOperands,
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
        if all.any(Value::has_undefined) {
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

    /// The image operand of one bit of the mask, if it is there.
    pub(crate) fn image_operand(&self, bit: ImageOperands) -> Option<&'a Value> {
        // A gradient is two operands; every other image operand before the sample is one.
        let before = ImageOperands::from_bits_retain(self.mask.bits() & (bit.bits() - 1));
        let below = before.bits().count_ones() + u32::from(before.contains(ImageOperands::GRAD));
        self.image_operands.get(below as usize).filter(|_| self.mask.contains(bit))
    }

    /// The texel at the coordinates; `None` if they are undefined.
    pub(crate) fn place(&self) -> Option<TexelPlace> {
        let sample = match self.mask.contains(ImageOperands::SAMPLE) {
            false => 0,
            true => self.image_operand(ImageOperands::SAMPLE)?.as_u32()?,
        };
        TexelPlace::new(self.descriptor.resource, self.operands.first()?, sample)
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
pub(crate) fn read(request: &Request<'_>, components: &[Value]) -> Result<Value, Fault> {
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
