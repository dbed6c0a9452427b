//! Image operations of one lane (SPIR-V section 3.3.10): reads from the caller's images, and writes into them; operations on the images
//! among the arguments of a kernel.
//!
//! Descriptors are read from variables that contain them, by the address of a pointer. An operation with undefined coordinates has an
//! undefined result; a write or a texel pointer with such coordinates is a use of an undefined address.
//!
//! An operation with an implicit level of detail is executed for a whole quad, since the level depends on the differences of the
//! coordinates in it (`images/sampling.rs`); if one of its lanes is missing, or a difference is undefined, so is the result.

use reconverge_ir::Op;

use crate::code::instruction::{Action, Instruction};
use crate::code::library::ImageFunction;
use crate::fault::{Fault, UndefinedBehaviour};
use crate::images::open_cl::{self, FailedTexel, ResultType};
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
        if let Some(image) = self.kernel_images.image(request.descriptor.resource) {
            return open_cl::execute(&self.kernel_images, image, &mut self.memory, &request);
        }
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

    /// Calls a function of the OpenCL library on an image of the launch.
    pub(super) fn image_function(
        &self,
        lane: &Lane<'_>,
        instruction: &Instruction,
        function: ImageFunction,
    ) -> Result<Value, Fault> {
        let image = self.kernel_images.image_of(lane.first(instruction.operands)?)?;
        let (types, ty) = (&lane.program.types, instruction.ty);
        let [order, data_type] = image.format.codes;
        match function {
            ImageFunction::ChannelOrder => open_cl::numbers(types, ty, &[order]),
            ImageFunction::ChannelType => open_cl::numbers(types, ty, &[data_type]),
            ImageFunction::ReadHalf => {
                let operand = |index| lane.operand(instruction.operands, index);
                let (sampler, coordinate) = match lane.operands(instruction.operands).len() {
                    0..=2 => (None, operand(1)?),
                    _ => match operand(1)? {
                        Value::Descriptor(sampler) => {
                            (Some(self.kernel_images.sampler(sampler.resource)?), operand(2)?)
                        }
                        Value::Undefined => return Ok(Value::Undefined),
                        _ => return Err(Fault::malformed("a sampler is expected")),
                    },
                };
                open_cl::read_half(image, sampler, &self.memory, coordinate, ResultType { types, ty })
            }
        }
    }

    /// The texel outside of its image that the instruction at which a lane failed accesses, if it does.
    pub(crate) fn missed_texel(&self, lane: &Lane<'_>) -> Option<FailedTexel> {
        let instruction = lane.frame.code.instructions.get(lane.frame.current)?;
        if !matches!(instruction.action, Action::Image(_) | Action::CallExternal(..)) {
            return None;
        }
        let &[image, coordinate, ..] = lane.operands(instruction.operands) else { return None };
        let image = self.kernel_images.image_of(lane.peek(image)?).ok()?;
        open_cl::missed(image, lane.peek(coordinate)?)
    }

    /// A pointer to a texel, which contains the result of a read.
    fn texel_pointer(&mut self, lane: &Lane<'_>, literals: &[u32], operands: &[Value]) -> Result<Value, Fault> {
        let op = Op::ImageTexelPointer;
        let [image, coordinates, sample] = operands else { return Err(Fault::operands(op)) };
        let asked = [descriptor_at(&self.memory, lane, image)?, coordinates.clone()];
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

/// The descriptor at the address of a pointer: the one that was stored there, otherwise that of a variable of an interface itself.
pub(super) fn descriptor_at(memory: &Memory, lane: &Lane<'_>, pointer: &Value) -> Result<Value, Fault> {
    let pointer = address(lane, pointer)?;
    let program = lane.program;
    if pointer.owner != Owner::Shared || memory.has_descriptor(pointer) {
        return memory.load_descriptor(pointer);
    }
    let (ty, variable) = program.shared_variable(pointer.object).ok_or(UndefinedBehaviour::OutOfBounds)?;
    let offset = u64::try_from(pointer.offset).map_err(|_| UndefinedBehaviour::OutOfBounds)?;
    if !matches!(program.types.kind(ty), Some(TypeKind::RuntimeArray { .. })) {
        memory.locate(pointer, DESCRIPTOR_SIZE)?;
    }
    let index = u32::try_from(offset / DESCRIPTOR_SIZE).map_err(|_| UndefinedBehaviour::OutOfBounds)?;
    Ok(Value::Descriptor(Descriptor::new(Resource { variable, index })))
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
