//! Image operations of one lane (SPIR-V section 3.3.10): reads from the caller's images, and writes into them.
//!
//! Descriptors are read from variables that contain them, by the address of a pointer. An operation with undefined coordinates has an
//! undefined result; a write or a texel pointer with such coordinates is a use of an undefined address.
//!
//! An operation with an implicit level of detail is executed for a whole quad, since the level depends on the differences of the
//! coordinates in it (`images/sampling.rs`); if one of its lanes is missing, or a difference is undefined, so is the result.

use reconverge_ir::Op;

use crate::code::instruction::Instruction;
use crate::fault::{Fault, UndefinedBehaviour};
use crate::images::request::{Request, read};
use crate::images::texels::TexelPlace;
use crate::lanes::access::address;
use crate::lanes::frame::Lane;
use crate::lanes::machine::Machine;
use crate::memory::Memory;
use crate::types::{DESCRIPTOR_SIZE, NO_TYPE, TypeKind};
use crate::value::Owner;
use crate::{Descriptor, Resource, Value};

impl Machine<'_> {
    /// Executes an image operation of a lane. Returns the result, if it has one. Not inlined, so that [`Machine::step`] stays small.
    #[inline(never)]
    pub(super) fn image(&mut self, lane: &Lane<'_>, instruction: &Instruction, op: Op) -> Result<Option<Value>, Fault> {
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
        let types = &lane.program.types;
        let literals = &lane.frame.code.literals[instruction.literals.range()];
        if op == Op::ImageTexelPointer {
            return self.texel_pointer(lane, literals, &operands).map(Some);
        }
        let request = Request::new(op, instruction.ty, types, literals, &operands)?;
        let images = self.images.as_mut().ok_or_else(|| Fault::op(op))?;
        match op {
            Op::ImageWrite if lane.is_helper => Ok(None),
            Op::ImageWrite => {
                let place = request.place().ok_or(UndefinedBehaviour::UndefinedAddress)?;
                let texel = request.operands.get(1).ok_or_else(|| Fault::operands(op))?;
                images.write(&mut self.memory, place, &request, texel).map(|()| None)
            }
            Op::ImageRead | Op::ImageSparseRead => {
                let known = request.place().and_then(|place| images.read(&self.memory, types, &place));
                match known {
                    Some(components) => read(&request, &components?).map(Some),
                    None => request.ask(&images.source, &images.bindings, None).map(Some),
                }
            }
            _ => request.ask(&images.source, &images.bindings, None).map(Some),
        }
    }

    /// A pointer to a texel, which contains the result of a read.
    fn texel_pointer(&mut self, lane: &Lane<'_>, literals: &[u32], operands: &[Value]) -> Result<Value, Fault> {
        let op = Op::ImageTexelPointer;
        let [image, coordinates, sample] = operands else { return Err(Fault::operands(op)) };
        let asked = [Value::Descriptor(descriptor_at(&self.memory, lane, image)?), coordinates.clone()];
        let ty = literals.first().copied().unwrap_or(NO_TYPE);
        let request = Request::new(Op::ImageRead, ty, &lane.program.types, literals, &asked)?;
        let images = self.images.as_mut().ok_or_else(|| Fault::op(op))?;
        let place = sample
            .as_u32()
            .and_then(|sample| TexelPlace::new(request.descriptor.resource, &request.operands[0], sample));
        let place = place.ok_or(UndefinedBehaviour::UndefinedAddress)?;
        let pointer = match images.pointer(&place) {
            Some(pointer) => pointer,
            None => {
                let first = request.ask(&images.source, &images.bindings, None)?;
                images.make(&mut self.memory, place, &request, &first)?
            }
        };
        Ok(Value::Pointer(pointer))
    }
}

/// The descriptor at the address of a pointer.
pub(super) fn descriptor_at(memory: &Memory, lane: &Lane<'_>, pointer: &Value) -> Result<Descriptor, Fault> {
    let pointer = address(lane, pointer)?;
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
