//! Copies by a whole work-group (SPIR-V section 3.3.21, `OpGroupAsyncCopy`).
//!
//! The copy is executed at once: the program must not access the target before it has waited, so it cannot observe the difference.

use crate::decode::code::Instruction;
use crate::groups::GroupCall;
use crate::launch::outcome::{Fault, UndefinedBehaviour};
use crate::memory::Memory;
use crate::memory::access::address_of;
use crate::scheduling::rendezvous::check_all_uniform;
use crate::value::Owner;
use crate::{Pointer, Value};

/// Executes a copy. The operands are target, source, number of elements, the stride of the side that is not work-group memory, and an event
/// that the copy joins. The literal is the size of an element. The result is the event.
pub(crate) fn copy(memory: &mut Memory, call: &GroupCall<'_>, instruction: &Instruction) -> Result<Vec<Value>, Fault> {
    check_all_uniform(call)?;
    let [target, source, count, stride, event] = &call.members[0].operands[..] else {
        return Err(Fault::operands(call.op));
    };
    let (target, source) = (address_of(target)?, address_of(source)?);
    let (Some(count), Some(stride)) = (count.as_u64(), count.as_u64().and(stride.as_u64())) else {
        return Err(UndefinedBehaviour::UndefinedAddress.into());
    };
    let size = call.literals.first().map_or(1, |&size| u64::from(size));
    let (to, from) = if target.owner == Owner::Group { (1, stride) } else { (stride, 1) };
    if to == 1 && from == 1 {
        memory.copy(target, source, size.saturating_mul(count))?;
    } else {
        for index in 0..count {
            let at = |pointer: Pointer, step: u64| {
                let bytes = index.checked_mul(step).and_then(|elements| elements.checked_mul(size));
                pointer.advanced(bytes.and_then(|bytes| i64::try_from(bytes).ok()).unwrap_or(i64::MAX))
            };
            memory.copy(at(target, to), at(source, from), size)?;
        }
    }
    let event = match event {
        Value::Int { bits: 0, .. } | Value::Undefined => call.types.integer(instruction.ty, 1),
        event => Some(event.clone()),
    };
    let event = event.ok_or_else(|| Fault::operands(call.op))?;
    Ok(call.each(|_| event.clone()))
}
