//! Copies by a whole work-group, and waiting for them (SPIR-V section 3.3.21, `OpGroupAsyncCopy`, `OpGroupWaitEvents`).
//!
//! A copy is executed at once. Whether the program accesses its bytes before it has waited is checked with the races, and whether it waits
//! at all at the end of the work-group (`races/copies.rs`).

use crate::code::instruction::Instruction;
use crate::fault::{Fault, UndefinedBehaviour};
use crate::groups::GroupCall;
use crate::memory::Memory;
use crate::memory::address_of;
use crate::races::copies::{AsyncCopy, Elements};
use crate::types::{TypeId, TypeTable};
use crate::value::Owner;
use crate::{Pointer, Value};

/// The size of an event in memory.
const EVENT_SIZE: u64 = 8;

/// Executes a copy. The operands are target, source, number of elements, the stride of the side that is not work-group memory, and an event
/// that the copy joins. The literal is the type of an element. The result is the event.
pub(crate) fn copy(memory: &mut Memory, call: &GroupCall<'_>, instruction: &Instruction) -> Result<Vec<Value>, Fault> {
    call.check_all_uniform()?;
    let [target, source, count, stride, joined] = &call.members[0].operands[..] else {
        return Err(Fault::operands(call.op));
    };
    let (target, source) = (address_of(target)?, address_of(source)?);
    let (Some(count), Some(stride)) = (count.as_u64(), count.as_u64().and(stride.as_u64())) else {
        return Err(UndefinedBehaviour::UndefinedAddress.into());
    };
    let event = match joined {
        Value::Int { bits: 0, .. } => memory.copies.new_event(),
        Value::Int { bits, .. } if memory.copies.is_made(*bits) => *bits,
        _ => return Err(UndefinedBehaviour::NoSuchEvent.into()),
    };
    let ty = call.literals.first().copied().ok_or_else(|| Fault::operands(call.op))?;
    let size = call.types.size(ty);
    let (to, from) = if target.owner == Owner::Group { (1, stride) } else { (stride, 1) };
    let elements = |first: Pointer, step: u64| Elements { first, count, size, step: step.saturating_mul(size) };
    let copy =
        AsyncCopy { event, inst: instruction.inst, target: elements(target, to), source: elements(source, from) };
    memory.watch.iter().for_each(|watch| watch.at_copy(instruction.inst));
    copy_elements(memory, &copy, (call.types, ty))?;
    memory.copies.begin(copy);
    memory.watch.iter().for_each(|watch| watch.begins_copy(copy));
    let event = call.types.integer(instruction.ty, event).ok_or_else(|| Fault::operands(call.op))?;
    Ok(call.each(|_| event.clone()))
}

fn copy_elements(memory: &mut Memory, copy: &AsyncCopy, (types, ty): (&TypeTable, TypeId)) -> Result<(), Fault> {
    let AsyncCopy { target, source, .. } = *copy;
    if !types.has_padding(ty) && target.step == target.size && source.step == source.size {
        return memory.copy(target.first, source.first, target.size.saturating_mul(target.count));
    }
    for index in 0..target.count {
        let at = |elements: Elements| {
            let bytes = index.checked_mul(elements.step).and_then(|bytes| i64::try_from(bytes).ok());
            elements.first.advanced(bytes.unwrap_or(i64::MAX))
        };
        memory.copy_value(types, ty, at(target), at(source))?;
    }
    Ok(())
}

/// Waits for copies. The operands are the number of events, and a pointer to them.
pub(crate) fn wait(memory: &mut Memory, call: &GroupCall<'_>) -> Result<(), Fault> {
    let mut events = Vec::new();
    for (index, member) in call.members.iter().enumerate() {
        let [count, list] = &member.operands[..] else { return Err(Fault::operands(call.op)) };
        let count = count.as_u64().ok_or(UndefinedBehaviour::UndefinedAddress)?;
        let own = list_of_events(memory, count, list)?;
        match index {
            0 => events = own,
            _ if own != events => return Err(UndefinedBehaviour::NotUniform.into()),
            _ => {}
        }
    }
    events.sort_unstable();
    events.dedup();
    if events.iter().any(|&event| !memory.copies.is_made(event)) {
        return Err(UndefinedBehaviour::NoSuchEvent.into());
    }
    for event in events {
        memory.copies.complete(event);
        memory.watch.iter().for_each(|watch| watch.waited(event));
    }
    Ok(())
}

fn list_of_events(memory: &Memory, count: u64, list: &Value) -> Result<Vec<u64>, Fault> {
    let mut events = Vec::new();
    for index in 0..count {
        let place = address_of(list)?.advanced((index * EVENT_SIZE).cast_signed());
        events.push(memory.load_word(place, EVENT_SIZE)?.ok_or(UndefinedBehaviour::NoSuchEvent)?);
    }
    Ok(events)
}
