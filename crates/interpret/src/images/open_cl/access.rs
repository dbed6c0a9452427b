//! Reads and writes of texels (OpenCL C 3.0, sections 6.15.15.2 to 6.15.15.5; SPIR-V, `OpImageSampleExplicitLod`, `OpImageRead`,
//! `OpImageWrite`).
//!
//! A read with a sampler selects texels by the rules of the sampler, and what OpenCL leaves undefined is an undefined value. An access
//! without a sampler is one to memory: a texel that is not there, or an undefined coordinate, is undefined behaviour.

use spirv::{AccessQualifier, ImageOperands};

use crate::fault::{Fault, UndefinedBehaviour};
use crate::images::open_cl::addressing::{Selection, Spot, layer, layer_integer};
use crate::images::open_cl::bound::BoundImage;
use crate::images::open_cl::filter::{sum, taps};
use crate::images::open_cl::format::Storage;
use crate::images::open_cl::sampler::{Filter, Sampler};
use crate::images::open_cl::shape::{Layers, Sampling};
use crate::images::open_cl::texel::Texel;
use crate::images::request::Request;
use crate::memory::Memory;
use crate::types::{TypeId, TypeKind, TypeTable};
use crate::value::sign_extended;
use crate::{FailedTexel, Value};

/// The components of a coordinate.
enum Coordinates {
    Floats(Vec<f32>),
    Integers(Vec<i64>),
    Undefined,
}

impl Coordinates {
    /// The first `count` components of a coordinate.
    fn of(value: &Value, count: usize) -> Result<Coordinates, Fault> {
        let whole = std::slice::from_ref(value);
        let components = value.elements().unwrap_or(whole);
        let Some(components) = components.get(..count) else {
            return match value {
                Value::Undefined => Ok(Coordinates::Undefined),
                _ => Err(Fault::malformed("a coordinate has fewer components than the image has axes")),
            };
        };
        if components.iter().any(Value::is_undefined) {
            return Ok(Coordinates::Undefined);
        }
        let floats: Option<Vec<f32>> = components.iter().map(Value::as_f32).collect();
        let integer = |component: &Value| match *component {
            Value::Int { width, bits } => Some(sign_extended(width, bits)),
            _ => None,
        };
        match (floats, components.iter().map(integer).collect::<Option<Vec<i64>>>()) {
            (Some(floats), _) => Ok(Coordinates::Floats(floats)),
            (None, Some(integers)) => Ok(Coordinates::Integers(integers)),
            (None, None) => Err(Fault::malformed("a coordinate is neither of floats nor of integers of 32 bits")),
        }
    }
}

/// The type that a read has.
#[derive(Clone, Copy)]
pub(crate) struct ResultType<'a> {
    pub(crate) types: &'a TypeTable,
    pub(crate) ty: TypeId,
}

impl<'a> ResultType<'a> {
    fn of(request: &Request<'a>) -> ResultType<'a> {
        ResultType { types: request.types, ty: request.ty }
    }
}

/// A read with a sampler.
pub(super) fn sample(
    image: &BoundImage,
    sampler: Sampler,
    memory: &Memory,
    request: &Request<'_>,
) -> Result<Value, Fault> {
    let coordinate = request.operands.first().ok_or_else(|| Fault::operands(request.op))?;
    let is_base = request
        .image_operand(ImageOperands::LOD)
        .is_none_or(|level| level.as_f64() == Some(0.0) || level.as_u64() == Some(0));
    let texel = sampled(image, sampler, memory, coordinate)?.filter(|_| is_base && sign_fits(image, request));
    result(image, ResultType::of(request), texel)
}

/// A read without a sampler.
pub(super) fn read(image: &BoundImage, memory: &Memory, request: &Request<'_>) -> Result<Value, Fault> {
    let coordinate = request.operands.first().ok_or_else(|| Fault::operands(request.op))?;
    let texel = exact(image, memory, coordinate)?;
    result(image, ResultType::of(request), Some(texel).filter(|_| sign_fits(image, request)))
}

/// `read_imageh`, which LLVM's SPIR-V back end (22) leaves as a call.
pub(crate) fn read_half(
    image: &BoundImage,
    sampler: Option<Sampler>,
    memory: &Memory,
    coordinate: &Value,
    wanted: ResultType<'_>,
) -> Result<Value, Fault> {
    let texel = match sampler {
        Some(sampler) => sampled(image, sampler, memory, coordinate)?,
        None => Some(exact(image, memory, coordinate)?),
    };
    result(image, wanted, texel)
}

/// A write.
pub(super) fn write(image: &BoundImage, memory: &mut Memory, request: &Request<'_>) -> Result<(), Fault> {
    let [coordinate, value] = &request.operands[..] else { return Err(Fault::operands(request.op)) };
    if image.shape.access == AccessQualifier::ReadOnly {
        return Err(Fault::malformed("an image that is read_only is written"));
    }
    let place = image.place(whole(image, coordinate)?.map_err(|_| UndefinedBehaviour::OutOfBounds)?);
    let texel = written(image, value)?;
    image.format.store(memory, place, texel)
}

/// The texel outside of the image that an access without a sampler has at a coordinate.
pub(crate) fn missed(image: &BoundImage, coordinate: &Value) -> Option<FailedTexel> {
    whole(image, coordinate).ok()?.err()
}

/// The texel at an integer coordinate, if it is there.
fn whole(image: &BoundImage, coordinate: &Value) -> Result<Result<[u32; 3], FailedTexel>, Fault> {
    match Coordinates::of(coordinate, image.shape.coordinates())? {
        Coordinates::Integers(integers) => Ok(image.texel(&integers)),
        Coordinates::Undefined => Err(UndefinedBehaviour::UndefinedAddress.into()),
        Coordinates::Floats(_) => Err(Fault::malformed("a coordinate of an access without a sampler is a float")),
    }
}

/// The texel of a read without a sampler.
fn exact(image: &BoundImage, memory: &Memory, coordinate: &Value) -> Result<Texel, Fault> {
    check_readable(image)?;
    let texel = whole(image, coordinate)?.map_err(|_| UndefinedBehaviour::OutOfBounds)?;
    image.format.load(memory, image.place(texel))
}

/// The texel of a read with a sampler; `None` if it is undefined.
fn sampled(image: &BoundImage, sampler: Sampler, memory: &Memory, coordinate: &Value) -> Result<Option<Texel>, Fault> {
    check_readable(image)?;
    if image.shape.sampling == Sampling::Never {
        return Err(Fault::malformed("an image of a buffer is read with a sampler"));
    }
    let axes = image.shape.axes;
    let lengths = &image.size[..axes];
    let layers = image.size[axes.min(2)];
    let is_filtered = sampler.filter == Filter::Linear;
    let (selections, layer) = match Coordinates::of(coordinate, image.shape.coordinates())? {
        Coordinates::Undefined => return Ok(None),
        Coordinates::Floats(_) if is_filtered && image.format.storage.is_integer() => return Ok(None),
        Coordinates::Floats(_) if !sampler.takes_floats() => return Ok(None),
        Coordinates::Integers(_) if !sampler.takes_integers() => return Ok(None),
        Coordinates::Floats(floats) if floats.iter().any(|float| !float.is_finite()) => return Ok(None),
        Coordinates::Floats(floats) => {
            let along = floats.iter().zip(lengths).map(|(&float, &length)| sampler.select(float, length));
            (along.collect::<Option<Vec<Selection>>>(), floats.get(axes).map(|&float| layer(float, layers)))
        }
        Coordinates::Integers(integers) => {
            let along = integers.iter().zip(lengths);
            let along = along.map(|(&integer, &length)| sampler.select_integer(integer, length).map(Selection::One));
            (along.collect(), integers.get(axes).map(|&integer| layer_integer(integer, layers)))
        }
    };
    let Some(selections) = selections else { return Ok(None) };
    let taps = taps(&selections);
    let texel = |spots: [Spot; 3]| {
        let mut texel = [0; 3];
        for (axis, spot) in spots.into_iter().enumerate() {
            match spot {
                Spot::Texel(index) => texel[axis] = index,
                Spot::Border => return Ok(image.format.border()),
            }
        }
        if let (Layers::Array, Some(layer)) = (image.shape.layers, layer) {
            texel[axes] = layer;
        }
        image.format.load(memory, image.place(texel))
    };
    let texels = taps.iter().map(|tap| texel(tap.spots)).collect::<Result<Vec<Texel>, Fault>>()?;
    Ok(sum(&taps, &texels))
}

fn check_readable(image: &BoundImage) -> Result<(), Fault> {
    match image.shape.access {
        AccessQualifier::WriteOnly => Err(Fault::malformed("an image that is write_only is read")),
        _ => Ok(()),
    }
}

/// Returns whether the sign that an operation states, if it does, is that of the format.
fn sign_fits(image: &BoundImage, request: &Request<'_>) -> bool {
    match image.format.storage {
        Storage::Signed(_) => !request.mask.contains(ImageOperands::ZERO_EXTEND),
        Storage::Unsigned(_) => !request.mask.contains(ImageOperands::SIGN_EXTEND),
        _ => true,
    }
}

/// A texel as a value of a type; undefined if the format is not one of that type.
fn result(image: &BoundImage, wanted: ResultType<'_>, texel: Option<Texel>) -> Result<Value, Fault> {
    let ResultType { types, ty } = wanted;
    let wrong = || Fault::malformed("a texel is read that is neither of floats nor of integers of 32 bits");
    let (component, count) = match types.kind(ty) {
        Some(&TypeKind::Sequence { element, count, .. }) => (element, Some(count)),
        _ => (ty, None),
    };
    let components: [Value; 4] = match (types.kind(component).ok_or_else(wrong)?, texel) {
        (TypeKind::Int(32) | TypeKind::Float(16 | 32), None) => return Ok(Value::Undefined),
        (TypeKind::Float(16), Some(_)) if image.format.storage == Storage::Float => return Ok(Value::Undefined),
        (&TypeKind::Float(width @ (16 | 32)), Some(Texel::Floats(floats))) => {
            floats.map(|float| float.map_or(Value::Undefined, |float| float_value(width, float)))
        }
        (TypeKind::Int(32), Some(Texel::Integers(integers))) => {
            integers.map(|integer| integer.map_or(Value::Undefined, Value::u32))
        }
        (TypeKind::Int(32) | TypeKind::Float(16 | 32), Some(_)) => return Ok(Value::Undefined),
        _ => return Err(wrong()),
    };
    match count {
        None => Ok(components[0].clone()),
        Some(count) => {
            let components = components.get(..count as usize).ok_or_else(wrong)?;
            Ok(Value::composite(components.to_vec()))
        }
    }
}

fn float_value(width: u8, float: f32) -> Value {
    match width {
        32 => Value::f32(float),
        _ => Value::float(width, f64::from(float)),
    }
}

/// The texel of a value that is written. Missing components are 0; a value of another type than the format has no texel.
fn written(image: &BoundImage, value: &Value) -> Result<Texel, Fault> {
    let whole = std::slice::from_ref(value);
    let components = value.elements().unwrap_or(whole);
    let component = |index: usize| components.get(index).unwrap_or(if value.is_undefined() { value } else { &ZERO });
    let all: [&Value; 4] = std::array::from_fn(component);
    let storage = image.format.storage;
    let fits = |value: &Value| match value {
        Value::Float { width: 32, .. } => !storage.is_integer(),
        Value::Float { width: 16, .. } => !storage.is_integer() && storage != Storage::Float,
        Value::Int { width: 32, .. } => storage.is_integer(),
        Value::Undefined => true,
        _ => false,
    };
    if !components.iter().all(fits) {
        return Err(UndefinedBehaviour::WrongTexel.into());
    }
    Ok(match storage.is_integer() {
        true => Texel::Integers(all.map(|value| match value {
            Value::Int { bits, .. } => Some(*bits as u32),
            _ => None,
        })),
        false => Texel::Floats(all.map(|value| match value {
            Value::Int { .. } => Some(0.0),
            Value::Float { width: 32, .. } => value.as_f32(),
            _ => value.as_f64().map(|float| float as f32),
        })),
    })
}

/// A component that a written value does not have.
static ZERO: Value = Value::u32(0);
