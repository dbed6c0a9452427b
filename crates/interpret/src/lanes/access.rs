//! Loads, stores, copies and variables.

use reconverge_ir::view;

use crate::code::instruction::{Action, Instruction};
use crate::fault::{Fault, UndefinedBehaviour};
use crate::lanes::frame::Lane;
use crate::lanes::{demotion, image, pointer};
use crate::memory::{Memory, address_of, check_alignment};
use crate::value::Owner;
use crate::{Pointer, Value};

/// Executes an instruction of the memory family. Returns the result, if it has one.
pub(crate) fn execute(memory: &mut Memory, lane: &Lane<'_>, instruction: &Instruction) -> Result<Option<Value>, Fault> {
    let (types, ty) = (&lane.program.types, instruction.ty);
    let first = || lane.first(instruction.operands);
    let operand = |slot| lane.operand(instruction.operands, slot);
    Ok(match &instruction.action {
        Action::Load(alignment) => {
            let pointer = address(lane, first()?)?;
            check_alignment(pointer, *alignment)?;
            Some(memory.load(types, ty, pointer)?)
        }
        Action::Store(alignment) => {
            let pointer = address(lane, first()?)?;
            check_alignment(pointer, *alignment)?;
            if !demotion::is_lost(lane, pointer) {
                memory.store(types, ty, pointer, operand(view::Store::SLOT.object)?)?;
            }
            None
        }
        Action::Variable => {
            let pointer = memory.allocate(Owner::Lane(lane.index as u16), types.size(ty))?;
            memory.describe(types, ty, pointer, instruction.inst);
            if instruction.operands.len() > 0 {
                memory.store(types, ty, pointer, first()?)?;
            }
            Some(Value::Pointer(pointer))
        }
        Action::CopyMemory(alignments) => {
            let (target, source) = copied(lane, instruction, *alignments)?;
            let value = memory.load(types, ty, source)?;
            if !demotion::is_lost(lane, target) {
                memory.store(types, ty, target, &value)?;
            }
            None
        }
        Action::CopyMemorySized(alignments) => {
            let Value::Int { bits: size, .. } = *operand(view::CopyMemorySized::SLOT.size)? else {
                return Err(UndefinedBehaviour::UndefinedAddress.into());
            };
            let (target, source) = copied(lane, instruction, *alignments)?;
            let padded = lane.frame.code.literals[instruction.literals.range()].last().copied();
            if !demotion::is_lost(lane, target) {
                match padded.filter(|&ty| types.size(ty) == size) {
                    Some(ty) => memory.copy_value(types, ty, target, source)?,
                    None => memory.copy(target, source, size)?,
                }
            }
            None
        }
        Action::Forget => {
            let size = lane.frame.code.literals[instruction.literals.range()].first().filter(|&&size| size != 0);
            let (pointer, size) = (address(lane, first()?)?, size.map(|&size| u64::from(size)));
            memory.grow(types, pointer, size.unwrap_or(0))?;
            memory.forget(pointer, size)?;
            let whole = size.unwrap_or(u64::MAX);
            memory.origins.iter_mut().for_each(|origins| origins.forget(pointer, whole));
            None
        }
        Action::LoadDescriptor => Some(image::descriptor_at(memory, lane, first()?)?),
        Action::IsHelper => Some(Value::Bool(lane.is_helper)),
        _ => Some(pointer::evaluate(memory, lane, instruction)?),
    })
}

/// Target and source of a copy.
fn copied(lane: &Lane<'_>, instruction: &Instruction, alignments: [u32; 2]) -> Result<(Pointer, Pointer), Fault> {
    let [of_target, of_source] = alignments;
    let target = address(lane, lane.first(instruction.operands)?)?;
    let source = address(lane, lane.operand(instruction.operands, view::CopyMemory::SLOT.source)?)?;
    check_alignment(target, of_target)?;
    check_alignment(source, of_source)?;
    Ok((target, source))
}

/// The pointer of an access.
pub(crate) fn address(lane: &Lane<'_>, pointer: &Value) -> Result<Pointer, Fault> {
    match pointer {
        Value::Pointer(Pointer { owner: Owner::Lane(owner), .. }) if usize::from(*owner) != lane.index => {
            Err(UndefinedBehaviour::ForeignMemory.into())
        }
        pointer => address_of(pointer),
    }
}
